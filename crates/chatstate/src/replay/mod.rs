//! What a stream of events means: its messages, state, runs, open items and interrupts
//! (requirements `replay.*`).

mod chunks;
mod open;
mod reducer;
mod run;
mod thread;

pub use open::{ItemKind, OpenItem};
pub use run::{Run, RunStatus};

use crate::generated::{Event, EventStream};
use crate::json::{self, Object, ObjectWriter, ReadJson, Value, WriteJson};
use crate::rejection::Rejection;

/// The meaning of a stream.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replay {
    /// The messages in order, each with every member.
    pub messages: Vec<Object>,
    /// The shared state.
    pub state: Value,
    /// The runs in the order of the log.
    pub runs: Vec<Run>,
    /// What was begun and not ended, in the order of beginning.
    pub open: Vec<OpenItem>,
    /// What the last finished run waits for.
    pub interrupts: Vec<Value>,
}

/// Replays a linear stream.
///
/// Refused are events that continue or end what is not open, events that begin what is open, text
/// that ends in half a character, chunks that nobody can place (class `sequence`), and streams with
/// branches (class `semantic`, rule `replay.not-linear`). The rejection's place is the event.
pub fn replay(events: &[Event]) -> Result<Replay, Rejection> {
    let mut reducer = reducer::Reducer::default();
    for (index, event) in events.iter().enumerate() {
        reducer
            .apply(event)
            .map_err(|rejection| rejection.within(index))?;
    }
    Ok(reducer.finish())
}

/// Reads a stream of events: a JSON array, or JSON Lines when the first byte is not `[`.
///
/// Text without anything is neither, since a log that was cut off at its first byte looks the same.
pub fn read_stream(text: &str) -> Result<Vec<Event>, Rejection> {
    if text.trim_start().starts_with('[') {
        return EventStream::from_json(text).map(|stream| stream.0);
    }
    if text.trim().is_empty() {
        json::check(text)?;
    }
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    let read = |(index, line)| {
        Event::from_json(line).map_err(|rejection: Rejection| rejection.within(index))
    };
    lines.enumerate().map(read).collect()
}

impl WriteJson for Replay {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .member("messages", &self.messages)
            .member("state", &self.state)
            .member("runs", &self.runs)
            .member("open", &self.open)
            .member("interrupts", &self.interrupts)
            .end();
    }
}

/// A typed value as a tree.
fn tree(value: &impl WriteJson) -> Value {
    let mut text = String::new();
    value.write(&mut text);
    // Typed values are written from what was read, so the text is always JSON.
    serde_json::from_str(&text)
        .ok()
        .and_then(|raw: &serde_json::value::RawValue| Value::read(raw).ok())
        .unwrap_or_default()
}
