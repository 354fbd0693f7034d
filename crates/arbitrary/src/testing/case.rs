//! A stream that breaks a law, shown as a case of the corpus.

use chatstate_json::to_text;
use chatstate_streams::compact::{Level, Retain};
use chatstate_types::generated::{Event, EventStream};

/// A stream that breaks a law of compaction as a case of the corpus.
#[must_use]
pub fn case(law: &str, level: Level, events: &[Event]) -> String {
    let arguments = match level {
        Level::Snapshot(Retain::Runs) => r#""level": "snapshot", "retain": "runs""#,
        Level::Snapshot(_) => r#""level": "snapshot", "retain": "tips""#,
        _ => r#""level": "stream""#,
    };
    let requirement = match law {
        "effective" => "compact.effective-deltas".to_owned(),
        law => format!("compact.{law}"),
    };
    let operation = format!(r#""op": "compact", "args": {{ {arguments} }}"#);
    case_of(law, &requirement, &operation, events)
}

/// A stream that breaks the law of `attach` as a case of the corpus.
#[must_use]
pub fn attach_case(events: &[Event]) -> String {
    case_of("attach", "attach.meaning", r#""op": "attach""#, events)
}

fn case_of(law: &str, requirement: &str, operation: &str, events: &[Event]) -> String {
    let input = to_text(&EventStream(events.to_vec()));
    let input = input.replace("},{\"type\"", "},\n    {\"type\"");
    let needs = [
        ("chunks", "_CHUNK\""),
        ("branches", "\"parentRunId\""),
        ("unknown-members", "\"later\""),
        ("unknown-variants", "\"FUTURE_EVENT\""),
        ("split-surrogates", "\\ud83d\""),
    ];
    let needs = needs.iter().filter(|(_, sign)| input.contains(sign));
    let needs: Vec<String> = needs.map(|(need, _)| format!(", \"{need}\"")).collect();
    let needs = needs.concat();
    format!(
        r#"{{ "title": "{law} holds for a stream made at random",
  "requirements": ["{requirement}"], "needs": ["events"{needs}],
  "why": "a stream made at random broke it",
  {operation},
  "input": {input},
  "expect": {{ "laws": ["{law}"] }}, "since": "1" }}"#
    )
}
