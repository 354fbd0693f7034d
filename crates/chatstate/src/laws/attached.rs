//! *Attach*: a client that joins late ends up with what one has that was there from the beginning.

use super::{Broken, Finding, same_values, verifies};
use crate::generated::Event;
use crate::json::{Object, Value};
use crate::replay::{Replay, replay};

/// *Attach*: the prelude of a log that is cut at `cut`, and the events that follow, verify and replay
/// to the messages, the state, the open items, the interrupts and the last run of the whole log.
///
/// A run in the rest that goes on from one which the prelude does not have is beyond what a joining
/// client can know; nothing is judged from there on.
///
/// # Errors
///
/// When the two together do not verify, or mean something else.
pub fn attached(events: &[Event], cut: usize, prelude: &[Event]) -> Finding {
    let (log, rest) = events.split_at(cut);
    let rest = &rest[..known_to(prelude, log, rest)];
    let mut joined = prelude.to_vec();
    joined.extend_from_slice(rest);
    verifies(&joined, "the prelude and what follows it do not verify")?;
    let expected = replay(&events[..cut + rest.len()]);
    let found = replay(&joined);
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            let problem = "the prelude and what follows it replay to something else";
            same_values(&of(expected), &of(found), problem)
        }
        (Ok(_), Err(rejection)) => {
            let problem = "the prelude and what follows it do not replay";
            Err(Broken::refused(problem, &rejection))
        }
        (Err(_), _) => Ok(()),
    }
}

/// How many of the events that follow a client can take that has only the prelude.
fn known_to(prelude: &[Event], log: &[Event], rest: &[Event]) -> usize {
    let has = |events: &[Event], run: &str| {
        let mut starts = events.iter();
        starts.any(|event| matches!(event, Event::RunStarted(start) if start.run_id == run))
    };
    let is_unknown = |event: &Event| match event {
        Event::RunStarted(start) => start
            .parent_run_id
            .as_ref()
            .is_some_and(|parent| has(log, parent) && !has(prelude, parent)),
        _ => false,
    };
    rest.iter().position(is_unknown).unwrap_or(rest.len())
}

/// What a client that joined can have: all but the runs before.
fn of(replay: Replay) -> Value {
    let last = replay.runs.last().map(Value::of);
    let mut members = Object::new();
    members.insert("messages", objects(replay.messages));
    members.insert("state", replay.state);
    members.insert("lastRun", last.unwrap_or_default());
    members.insert(
        "open",
        replay.open.iter().map(Value::of).collect::<Vec<_>>(),
    );
    members.insert("interrupts", replay.interrupts);
    Value::Object(members)
}

fn objects(messages: Vec<Object>) -> Vec<Value> {
    messages.into_iter().map(Value::Object).collect()
}
