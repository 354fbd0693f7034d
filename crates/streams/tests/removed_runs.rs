//! Replay of logs from which compaction removed runs.

use chatstate_streams::lineage::lineage;
use chatstate_streams::replay::{read_stream, replay, replay_at};
use chatstate_streams::verify::verify;

/// The first run was removed when the second was the last; the third came later.
const LOG: &str = r#"
{"type":"RUN_STARTED","threadId":"t","runId":"r1","metadata":{"chatstate":{"compacted":"tips"}}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
{"type":"RUN_STARTED","threadId":"t","runId":"r2","parentRunId":"r1"}
{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"hi"}]}
{"type":"STATE_SNAPSHOT","snapshot":{}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}
"#;

fn check(more: &str, run: Option<&str>, expected: Result<usize, &str>) {
    let events = read_stream(&format!("{LOG}{more}")).expect("the log can be read");
    assert!(verify(&events).is_valid());
    let replayed = match run {
        Some(run) => replay_at(&events, run),
        None => replay(&events),
    };
    match (replayed, expected) {
        (Ok(replayed), Ok(messages)) => assert_eq!(replayed.messages.len(), messages),
        (Err(rejection), Err(place)) => {
            assert_eq!(rejection.class.as_str(), "semantic");
            assert_eq!(rejection.rule, "replay.removed-run");
            assert_eq!(rejection.at, place);
        }
        (replayed, expected) => panic!("{replayed:?} is not {expected:?}"),
    }
}

#[test]
fn a_retained_run_answers_for_the_removed_ones_before_it() {
    check("", None, Ok(1));
    check("", Some("r2"), Ok(1));
}

#[test]
fn a_removed_run_is_rejected() {
    check("", Some("r1"), Err("/0"));
}

#[test]
fn a_later_run_that_goes_on_from_a_removed_one_is_rejected() {
    let later = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1"}
        {"type":"MESSAGES_SNAPSHOT","messages":[]}"#;
    let later = later.replace("\n        ", "\n");
    check(&later, None, Err("/6"));
    check(&later, Some("r2"), Ok(1));
}

#[test]
fn a_later_run_that_goes_on_from_a_retained_one_is_answered() {
    let later = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r3"}"#;
    check(later, None, Ok(1));
}

#[test]
fn a_run_that_restates_nothing_needs_the_one_before_it() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","metadata":{"chatstate":{"compacted":"tips"}}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
{"type":"RUN_STARTED","threadId":"t","runId":"r2","parentRunId":"r1"}"#;
    let rejection = replay(&read_stream(log).expect("the log can be read")).unwrap_err();
    assert_eq!(
        (rejection.rule.as_ref(), rejection.at.as_str()),
        ("replay.removed-run", "/2")
    );
}

#[test]
fn the_lineage_shows_removed_runs_as_any_other() {
    let lineage = lineage(&read_stream(LOG).expect("the log can be read"));
    assert_eq!(
        (lineage.runs.len(), lineage.tips),
        (2, vec!["r2".to_owned()])
    );
}
