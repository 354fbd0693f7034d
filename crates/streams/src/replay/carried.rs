//! The messages that an event carries, where they stand in its text.
//!
//! Most of them repeat what is known, so each is compared as it stands, and only what is new becomes
//! a tree.

use chatstate_json::{Raw, Rejection, Tape};
use chatstate_types::generated::Event;

/// The messages of a run's input or of a `MESSAGES_SNAPSHOT`, in the text that the event was read from.
pub(crate) fn messages_in<'t>(raw: Raw<'t>, event: &Event) -> Vec<Raw<'t>> {
    let holder = match event {
        Event::RunStarted(_) => raw.member("input").map(|(_, input)| input),
        Event::MessagesSnapshot(_) => Some(raw),
        _ => None,
    };
    let messages = holder.and_then(|holder| holder.member("messages"));
    let messages = messages.map(|(_, messages)| messages.elements());
    messages.into_iter().flatten().collect()
}

/// Passes on the messages of an event that is not at hand as text. Rejected is an event that has no
/// valid text, which only a program can make.
pub(crate) fn with_messages<T>(
    tape: &mut Tape,
    event: &Event,
    pass: impl FnOnce(&[Raw<'_>]) -> T,
) -> Result<T, Rejection> {
    if !matches!(event, Event::RunStarted(_) | Event::MessagesSnapshot(_)) {
        return Ok(pass(&[]));
    }
    let text = event.to_json();
    let raw = tape.read(&text)?;
    Ok(pass(&messages_in(raw, event)))
}
