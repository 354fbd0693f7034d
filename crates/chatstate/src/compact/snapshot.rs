//! Level `snapshot`: a finished run as what it leaves behind.

use std::collections::HashSet;

use super::history::History;
use crate::generated::{Event, Message, MessagesSnapshotEvent, StateSnapshotEvent};
use crate::json::{Object, Value, WriteJson};
use crate::replay::Replay;
use crate::verify::verify;

/// A finished run as its frame, the events that belong to no message, call or state, and snapshots
/// of what it changed. `run` is its `stream` form; it stays if snapshots cannot say the same, as
/// when they would change the order of messages, or if they take more events.
pub(super) fn in_snapshots(history: &History, run: Vec<Event>) -> Vec<Event> {
    match snapshots(history, &run) {
        Some(shorter) if shorter.len() <= run.len() => shorter,
        _ => run,
    }
}

fn snapshots(history: &History, run: &[Event]) -> Option<Vec<Event>> {
    let (terminal, rest) = run.split_last()?;
    let (start, inner) = rest.split_first()?;
    if !matches!(start, Event::RunStarted(_)) {
        return None;
    }
    let before = history.replay_with(std::slice::from_ref(start))?;
    let after = history.replay_with(run)?;
    let mut events = vec![start.clone()];
    events.extend(inner.iter().filter(|event| stands(event)).cloned());
    if before.messages != after.messages {
        events.push(messages_snapshot(&after.messages)?);
    }
    if before.state != after.state {
        let snapshot = StateSnapshotEvent::new(after.state.clone());
        events.push(Event::StateSnapshot(snapshot));
    }
    events.push(terminal.clone());
    means(history, &events, &after).then_some(events)
}

/// Whether the events are valid and replay to what is given.
fn means(history: &History, events: &[Event], expected: &Replay) -> bool {
    verify(events).is_valid() && history.replay_with(events).as_ref() == Some(expected)
}

/// Whether an event belongs to no message, call or state, and so stays as it is.
fn stands(event: &Event) -> bool {
    matches!(
        event,
        Event::Custom(_)
            | Event::Raw(_)
            | Event::Unknown(_)
            | Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningEnd(_)
    )
}

/// All messages, unless one ends in half a character, which no message can say, or two have one id,
/// which readers of a snapshot take for one message.
fn messages_snapshot(messages: &[Object]) -> Option<Event> {
    let mut ids = HashSet::new();
    let id = |message: &Object| message.get("id").and_then(Value::as_str).map(str::to_owned);
    if !messages.iter().all(|message| ids.insert(id(message))) {
        return None;
    }
    let read = |message: &Object| {
        let mut text = String::new();
        message.write(&mut text);
        Message::from_json(&text).ok()
    };
    let messages: Option<Vec<Message>> = messages.iter().map(read).collect();
    Some(Event::MessagesSnapshot(MessagesSnapshotEvent::new(
        messages?,
    )))
}
