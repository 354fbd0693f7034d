//! Messages and state as events again: the way back from a replay.

use std::collections::HashSet;

use chatstate_json::{Object, Value, WriteJson};
use chatstate_types::generated::{
    Event, Message, MessagesSnapshotEvent, RunStartedEvent, StateSnapshotEvent,
};

/// Whether one snapshot can say these messages: each id is there once, which readers of a snapshot
/// go by, and no text ends in an unpaired surrogate, which no message can say.
pub(crate) fn can_be_restated(messages: &[Object]) -> bool {
    let mut ids = HashSet::new();
    let mut call_ids = HashSet::new();
    messages.iter().all(|message| {
        let id = message.get("id").and_then(Value::as_str);
        id.is_some_and(|id| ids.insert(id))
            && !matches!(message.get("content"), Some(Value::Split(_)))
            && calls(message).iter().all(|call| {
                let id = call.get("id").and_then(Value::as_str);
                id.is_some_and(|id| call_ids.insert(id)) && !has_split_arguments(call)
            })
    })
}

fn calls(message: &Object) -> &[Value] {
    let calls = message.get("toolCalls").and_then(Value::as_array);
    calls.unwrap_or_default()
}

fn has_split_arguments(call: &Value) -> bool {
    let function = call.get("function");
    let arguments = function.and_then(|function| function.get("arguments"));
    matches!(arguments, Some(Value::Split(_)))
}

/// All messages as one snapshot, if one can say them.
pub(crate) fn messages_snapshot(messages: &[Object]) -> Option<Event> {
    if !can_be_restated(messages) {
        return None;
    }
    let read = |message: &Object| {
        let mut text = String::new();
        message.write(&mut text);
        Message::from_json(&text).ok()
    };
    let messages: Option<Vec<Message>> = messages.iter().map(read).collect();
    let snapshot = MessagesSnapshotEvent::new(messages?);
    Some(Event::MessagesSnapshot(snapshot))
}

/// The state as a snapshot.
pub(crate) fn state_snapshot(state: &Value) -> Event {
    Event::StateSnapshot(StateSnapshotEvent::new(state.clone()))
}

/// The beginning of a run without the messages of its input, which a snapshot after it says in
/// their order.
pub(crate) fn without_messages(start: &RunStartedEvent) -> RunStartedEvent {
    let mut bare = start.clone();
    if let Some(input) = &mut bare.input {
        input.messages.clear();
    }
    bare
}
