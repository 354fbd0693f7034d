//! What an event carries: messages where they stand in its text, and the state.
//!
//! Most messages repeat what is known, so each is compared as it stands, and only what is new becomes
//! a tree. A state is a tree already, and is not copied.

use chatstate_json::{Raw, Rejection, Tape, Value, to_text};
use chatstate_types::generated::Event;

/// What an event carries.
#[derive(Default)]
pub(crate) struct Carried<'t> {
    /// The messages of a run's input or of a `MESSAGES_SNAPSHOT`, in the text that the event was read
    /// from.
    pub messages: Vec<Raw<'t>>,
    /// The state of a `STATE_SNAPSHOT`.
    pub state: Value,
}

impl<'t> Carried<'t> {
    /// What an event carries that was read from here. The state is taken out of the event.
    pub fn taken_from(event: &mut Event, raw: Raw<'t>) -> Self {
        let messages = messages_in(raw, event);
        let state = match event {
            Event::StateSnapshot(event) => std::mem::take(&mut event.snapshot),
            _ => Value::Null,
        };
        Self { messages, state }
    }

    /// The same, but the event keeps its state.
    pub fn of(event: &Event, raw: Raw<'t>) -> Self {
        Self {
            messages: messages_in(raw, event),
            state: state_of(event),
        }
    }
}

fn state_of(event: &Event) -> Value {
    match event {
        Event::StateSnapshot(event) => event.snapshot.clone(),
        _ => Value::Null,
    }
}

fn messages_in<'t>(raw: Raw<'t>, event: &Event) -> Vec<Raw<'t>> {
    let holder = match event {
        Event::RunStarted(_) => raw.member("input").map(|(_, input)| input),
        Event::MessagesSnapshot(_) => Some(raw),
        _ => None,
    };
    let messages = holder.and_then(|holder| holder.member("messages"));
    let messages = messages.map(|(_, messages)| messages.elements());
    messages.into_iter().flatten().collect()
}

/// Passes on what an event carries that is not at hand as text. Rejected is an event that has no
/// valid text, which only a program can make.
pub(crate) fn with_carried<T>(
    tape: &mut Tape,
    event: &Event,
    pass: impl FnOnce(Carried<'_>) -> T,
) -> Result<T, Rejection> {
    if !matches!(event, Event::RunStarted(_) | Event::MessagesSnapshot(_)) {
        let state = state_of(event);
        let messages = Vec::new();
        return Ok(pass(Carried { messages, state }));
    }
    let text = to_text(event);
    let raw = tape.read(&text)?;
    Ok(pass(Carried::of(event, raw)))
}
