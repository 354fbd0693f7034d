//! Faults of preludes.

use chatstate::json::{Object, Value};

use super::Defect;
use super::order::drop_events;
use super::streams::{Events, OperationFault, is_start, messages_mut, tag, text};

/// The faults of preludes by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "attach-repeats-text",
        Defect::Stream(OperationFault::of_answer("attach", repeat_text)),
    ),
    (
        "attach-drops-open-item",
        Defect::Stream(OperationFault::of_answer("attach", drop_open)),
    ),
    (
        "attach-forgets-earlier-runs",
        Defect::Stream(OperationFault::of_request("attach", forget_earlier_runs)),
    ),
    (
        "attach-drops-state",
        Defect::Stream(OperationFault::of_answer("attach", |it| {
            drop_events(it, "STATE_SNAPSHOT");
        })),
    ),
    (
        "attach-drops-chunks",
        Defect::Stream(OperationFault::of_answer("attach", drop_chunks)),
    ),
    (
        "attach-hides-left-out-runs",
        Defect::Stream(OperationFault::of_answer("attach", forget_left_out)),
    ),
    (
        "replay-ignores-left-out-runs",
        Defect::Stream(OperationFault::of_request("replay", forget_left_out)),
    ),
    (
        "compact-forgets-left-out-runs",
        Defect::Stream(OperationFault::of_answer("compact", forget_left_out)),
    ),
    (
        "attach-greets",
        Defect::Stream(OperationFault::of_answer("attach", greet)),
    ),
];

/// Sends what an open message holds once more, after its new beginning.
fn repeat_text(events: &mut Events) {
    let mut known: Vec<(String, String)> = Vec::new();
    let mut place = 0;
    while place < events.len() {
        for message in messages_mut(&mut events[place]).into_iter().flatten() {
            let said = |name: &str| Some(message.get(name)?.as_str()?.to_owned());
            known.extend(said("id").zip(said("content")));
        }
        let id = text(&events[place], "messageId").unwrap_or_default();
        let content = known.iter().find(|(known, _)| known == id);
        if tag(&events[place]) == "TEXT_MESSAGE_START"
            && let Some((id, content)) = content
        {
            let mut delta = Object::new();
            delta.insert("type", "TEXT_MESSAGE_CONTENT");
            delta.insert("messageId", id.as_str());
            delta.insert("delta", content.as_str());
            events.insert(place + 1, delta);
        }
        place += 1;
    }
}

/// Begins no item by a chunk.
fn drop_chunks(events: &mut Events) {
    events.retain(|event| !tag(event).ends_with("_CHUNK"));
}

/// Takes away which runs a prelude leaves out.
fn forget_left_out(events: &mut Events) {
    for event in events {
        let mark = match event.get_mut("metadata") {
            Some(Value::Object(metadata)) => metadata.get_mut("chatstate"),
            _ => None,
        };
        if let Some(Value::Object(mark)) = mark {
            mark.remove("without");
        }
    }
}

/// Sends something even if there is nothing to say.
fn greet(events: &mut Events) {
    if events.is_empty() {
        let snapshot = [("type", "MESSAGES_SNAPSHOT")];
        let mut snapshot: Object = snapshot.into_iter().collect();
        snapshot.insert("messages", Vec::new());
        events.push(snapshot);
    }
}

/// Begins nothing again.
fn drop_open(events: &mut Events) {
    let snapshot = events
        .iter()
        .position(|event| tag(event) == "MESSAGES_SNAPSHOT");
    let mut place = 0;
    events.retain(|event| {
        place += 1;
        let begins = is_start(event) || matches!(tag(event), "STEP_STARTED" | "SUBAGENT_STARTED");
        !begins || snapshot.is_none_or(|snapshot| place <= snapshot)
    });
}

/// Looks at the last run alone.
fn forget_earlier_runs(events: &mut Events) {
    let last = events.iter().rposition(|event| tag(event) == "RUN_STARTED");
    events.drain(..last.unwrap_or_default());
}
