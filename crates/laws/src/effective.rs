//! *Effective*: what can be compacted is compacted.

use super::expansion::{Spelled, expanded};
use super::input::{input_messages, necessary, place_of};
use super::{Broken, LawResult, run_starts};
use chatstate_json::Value;
use chatstate_streams::replay::is_removed;
use chatstate_types::diff::{Difference, LossClass};
use chatstate_types::generated::Event;

/// *Effective*: no span holds two deltas between barriers, no run with a `STATE_SNAPSHOT` of one
/// owner holds a second state event, and no message remains in an input that minimal input lets go.
///
/// The deltas of an item that chunks keep open at the end may stay as they came, and so may the state
/// of a run with a patch that has an unknown operation.
///
/// # Errors
///
/// When something is left to compact.
pub fn effective(compacted: &[Event]) -> LawResult {
    let spelled = expanded(compacted);
    one_delta(&spelled)?;
    one_state(&spelled)?;
    let mut starts = run_starts(compacted).into_iter();
    starts.try_for_each(|start| no_repetition(compacted, start))
}

fn one_delta(events: &[Spelled]) -> LawResult {
    let deltas = events.iter().enumerate().filter_map(|(index, event)| {
        let (kind, id) = delta(event).filter(|_| !event.open && !stands_alone(event))?;
        Some((index, kind, id))
    });
    let deltas: Vec<_> = deltas.collect();
    for (place, (index, kind, id)) in deltas.iter().enumerate() {
        let mut later = deltas[place + 1..].iter();
        let next = later.find(|(_, other, other_id)| other == kind && other_id == id);
        let Some((next, ..)) = next else { continue };
        let between = &events[index + 1..*next];
        let barred = between.iter().any(|event| bars(event, kind, id));
        if !barred && !is_shared(&events[..*next], kind, id) {
            let problem = format!("two deltas of `{id}` have no barrier between them");
            return Err(remains(problem, &events[*next]));
        }
    }
    Ok(())
}

fn remains(problem: String, event: &Spelled) -> Broken {
    let difference = Difference {
        class: LossClass::ItemAdded,
        at: format!("/{}", event.index),
        to: None,
        before: None,
        after: Some(Value::Object(event.members.clone())),
    };
    Broken::differing(problem, vec![difference])
}

/// The kind and the item of a delta.
fn delta(event: &Spelled) -> Option<(&'static str, &str)> {
    let (kind, id) = match event.tag() {
        "TEXT_MESSAGE_CONTENT" => ("TEXT_MESSAGE", "messageId"),
        "REASONING_MESSAGE_CONTENT" => ("REASONING_MESSAGE", "messageId"),
        "TOOL_CALL_ARGS" => ("TOOL_CALL", "toolCallId"),
        _ => return None,
    };
    Some((kind, event.text(id)?))
}

/// The members that a delta may have and be merged.
const MEMBERS_OF_DELTAS: [&str; 8] = [
    "type",
    "messageId",
    "toolCallId",
    "delta",
    "timestamp",
    "rawEvent",
    "metadata",
    "subagentRunId",
];

/// Whether a delta has a member that is not known, and so stays as it is.
pub(super) fn stands_alone(event: &Spelled) -> bool {
    let mut names = event.members.keys();
    let foreign = |name: &str| match (event.tag(), name) {
        ("TOOL_CALL_ARGS", "messageId")
        | ("TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT", "toolCallId") => true,
        _ => !MEMBERS_OF_DELTAS.contains(&name),
    };
    names.any(|name| foreign(name))
}

/// Whether an event is a barrier for an item, or its end.
fn bars(event: &Spelled, kind: &str, id: &str) -> bool {
    if event.unknown {
        return false;
    }
    let tag = event.tag();
    if tag == "MESSAGES_SNAPSHOT" || tag.starts_with("RUN_") {
        return true;
    }
    if tag.starts_with(kind) && tag != "TOOL_CALL_RESULT" {
        let own = delta(event).is_some_and(|(_, other)| other == id && stands_alone(event));
        return own || tag.ends_with("_END") && names(event, id);
    }
    writes_to(event, id)
}

/// Whether an event writes to an id. The start of a tool call writes to the call and to the message
/// that it is put into; a result writes to its own message and not to the call.
pub(super) fn writes_to(event: &Spelled, id: &str) -> bool {
    let members: &[&str] = match event.tag() {
        "TOOL_CALL_START" => &["toolCallId", "parentMessageId"],
        "TOOL_CALL_ARGS" | "TOOL_CALL_END" => &[],
        "REASONING_ENCRYPTED_VALUE" => &["entityId"],
        "TOOL_CALL_RESULT" | "ACTIVITY_SNAPSHOT" | "ACTIVITY_DELTA" => &["messageId"],
        tag if tag.starts_with("TEXT_MESSAGE_") || tag.starts_with("REASONING_") => &["messageId"],
        _ => &[],
    };
    members.iter().any(|member| event.text(member) == Some(id))
}

/// Whether an event of an item is about the one of this id.
fn names(event: &Spelled, id: &str) -> bool {
    let members = ["messageId", "toolCallId"];
    members.iter().any(|member| event.text(member) == Some(id))
}

/// Whether a text and a reasoning message of one id are open at the end.
fn is_shared(events: &[Spelled], kind: &str, id: &str) -> bool {
    let other = match kind {
        "TEXT_MESSAGE" => "REASONING_MESSAGE",
        "REASONING_MESSAGE" => "TEXT_MESSAGE",
        _ => return false,
    };
    let (start, end) = (format!("{other}_START"), format!("{other}_END"));
    let mut latest = events.iter().rev();
    latest
        .find(|event| (event.tag() == start || event.tag() == end) && names(event, id))
        .is_some_and(|event| event.tag() == start)
}

/// No run with a snapshot, all of one owner and without unknown members, has a second state event.
fn one_state(events: &[Spelled]) -> LawResult {
    let mut run: Vec<&Spelled> = Vec::new();
    for event in events {
        match event.tag() {
            "RUN_STARTED" => {
                judge_states(&run)?;
                run.clear();
            }
            "STATE_SNAPSHOT" | "STATE_DELTA" => run.push(event),
            _ => {}
        }
    }
    judge_states(&run)
}

fn judge_states(run: &[&Spelled]) -> LawResult {
    let simple = run.iter().all(|event| {
        event.members.keys().all(|name| is_known_of_state(name))
            && !has_unknown_operation(event)
            && event.text("subagentRunId") == run[0].text("subagentRunId")
    });
    match run {
        [_, second, ..] if simple && run.iter().any(|it| it.tag() == "STATE_SNAPSHOT") => {
            let problem = "a run with a snapshot of the state holds a second state event";
            Err(remains(problem.to_owned(), second))
        }
        _ => Ok(()),
    }
}

/// Whether a patch has an operation that JSON Patch does not know.
pub(super) fn has_unknown_operation(event: &Spelled) -> bool {
    let known = ["add", "remove", "replace", "move", "copy", "test"];
    let operations = event.members.get("delta").and_then(Value::as_array);
    let mut operations = operations.unwrap_or_default().iter();
    operations.any(|operation| {
        let op = operation.get("op").and_then(Value::as_str);
        op.is_some_and(|op| !known.contains(&op))
    })
}

/// Whether a state event may have a member and be folded.
pub(super) fn is_known_of_state(name: &str) -> bool {
    let known = [
        "type",
        "snapshot",
        "delta",
        "timestamp",
        "rawEvent",
        "metadata",
        "subagentRunId",
    ];
    known.contains(&name)
}

/// No message remains in the input of a run that the log holds already.
fn no_repetition(events: &[Event], start: usize) -> LawResult {
    let messages = input_messages(&events[start]);
    if messages.is_empty() {
        return Ok(());
    }
    let removed = is_removed(&events[start]);
    let necessary = if removed {
        Vec::new()
    } else {
        necessary(&events[..start], &events[start])?
    };
    let rest = messages.into_iter().enumerate();
    let mut rest = rest.filter(|(place, _)| !necessary.contains(place));
    match rest.next() {
        None => Ok(()),
        Some((place, message)) => {
            let difference = Difference {
                class: LossClass::ItemAdded,
                at: place_of(start, place),
                to: None,
                before: None,
                after: Some(message),
            };
            let problem = "the input of a run repeats a message that the log holds at that point";
            Err(Broken::differing(problem, vec![difference]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatstate_types::generated::EventStream;

    /// Two deltas of an item with these events between them: whether the law allows them.
    fn check(item: &str, between: &str, stands: bool) {
        let delta = match item {
            "c" => r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"a"}"#,
            _ => r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
        };
        let log = format!(
            r#"[{{"type":"RUN_STARTED","threadId":"t","runId":"r"}},
            {{"type":"TEXT_MESSAGE_START","messageId":"m"}},
            {{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}},
            {delta},{{"type":{between}}},{delta}]"#
        );
        let events = EventStream::from_json(&log).expect("events").0;
        assert_eq!(effective(&events).is_ok(), stands, "{item}: {between}");
    }

    #[test]
    fn only_what_writes_to_an_item_is_a_barrier() {
        for (item, between, stands) in [
            ("m", r#""MESSAGES_SNAPSHOT","messages":[]"#, true),
            (
                "m",
                r#""ACTIVITY_DELTA","messageId":"m","activityType":"p","patch":[]"#,
                true,
            ),
            ("m", r#""REASONING_START","messageId":"m""#, true),
            (
                "m",
                r#""TOOL_CALL_START","toolCallId":"d","toolCallName":"f","parentMessageId":"m""#,
                true,
            ),
            (
                "m",
                r#""TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"""#,
                true,
            ),
            (
                "c",
                r#""REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c","encryptedValue":"e""#,
                true,
            ),
            ("c", r#""TEXT_MESSAGE_START","messageId":"c""#, true),
            // They name the item and do not write to it.
            (
                "c",
                r#""TOOL_CALL_RESULT","messageId":"o","toolCallId":"c","content":"""#,
                false,
            ),
            (
                "m",
                r#""SUBAGENT_STARTED","subagentRunId":"s","name":"n","parentMessageId":"m""#,
                false,
            ),
            (
                "c",
                r#""SUBAGENT_STARTED","subagentRunId":"s","name":"n","parentToolCallId":"c""#,
                false,
            ),
            (
                "m",
                r#""CUSTOM","name":"n","value":1,"messageId":"m""#,
                false,
            ),
            (
                "m",
                r#""TOOL_CALL_ARGS","toolCallId":"c","delta":"x","messageId":"m""#,
                false,
            ),
            ("m", r#""NEWER","messageId":"m""#, false),
        ] {
            check(item, between, stands);
        }
    }
}
