//! The events that were written, and what they mean to the next run: which messages its input need
//! not repeat, and what it changes.

use crate::generated::{Event, Message, RunStartedEvent};
use crate::json::{Object, Value};
use crate::replay::{Replay, replay};

/// The compacted events so far, from which the messages of a run's path are found.
#[derive(Default)]
pub(super) struct History(Vec<Event>);

impl History {
    /// Notes events that were written.
    pub fn extend(&mut self, events: &[Event]) {
        self.0.extend_from_slice(events);
    }

    /// The event with only those messages in its input that the path of the run does not hold.
    ///
    /// A message of a subagent stays: a verifier learns its owner from the input of each run.
    pub fn without_repetition(&self, event: &RunStartedEvent) -> RunStartedEvent {
        let mut minimal = event.clone();
        if let Some(input) = &mut minimal.input
            && !input.messages.is_empty()
        {
            let mut held = self.held_at(event);
            input
                .messages
                .retain(|message| !is_held(&mut held, message));
        }
        minimal
    }

    /// What the log means with these events of one more run; nothing if it cannot be replayed.
    pub fn replay_with(&self, run: &[Event]) -> Option<Replay> {
        let mut events = self.0.clone();
        events.extend_from_slice(run);
        replay(&events).ok()
    }

    /// The messages at the beginning of a run, before its input.
    fn held_at(&self, event: &RunStartedEvent) -> Vec<Object> {
        let mut start = RunStartedEvent::new(&event.thread_id, &event.run_id);
        start.parent_run_id.clone_from(&event.parent_run_id);
        // Where nothing is known, nothing is dropped.
        self.replay_with(&[Event::RunStarted(Box::new(start))])
            .map(|replay| replay.messages)
            .unwrap_or_default()
    }
}

/// Whether a message of the input is held; if there is none of its id, it is from now on.
fn is_held(held: &mut Vec<Object>, message: &Message) -> bool {
    let Some(message) = members(message) else {
        return false;
    };
    let same_id = |known: &&Object| known.get("id") == message.get("id");
    let Some(known) = held.iter().find(same_id) else {
        held.push(message);
        return false;
    };
    *known == message && !message.contains_key("subagentRunId")
}

/// A message as the object that replays hold.
fn members(message: &Message) -> Option<Object> {
    match Value::of(message) {
        Value::Object(members) => Some(members),
        _ => None,
    }
}
