//! The texts of messages, to which most events append.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{MessageClass, MessagePlace, Thread};
use chatstate_json::{Object, SplitText, Value};

/// Where a text is: the content of a message, or the arguments of its tool call of this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TextPlace {
    pub message: MessagePlace,
    call: Option<usize>,
}

impl TextPlace {
    /// The places of all texts of a message.
    pub fn all_of(message: MessagePlace) -> RangeInclusive<Self> {
        let at = |call| Self { message, call };
        at(None)..=at(Some(usize::MAX))
    }
}

impl Thread {
    /// Where the content is of the message with this id. That of an activity is no text.
    pub fn content_of(&self, id: &str) -> Option<TextPlace> {
        let message = self.place(id)?;
        let call = None;
        (message.class != MessageClass::Activity).then_some(TextPlace { message, call })
    }

    /// Where the arguments are of the tool call with this id.
    pub fn arguments_of(&self, id: &str) -> Option<TextPlace> {
        let place = self.calls.get(id)?.first()?;
        Some(TextPlace {
            message: place.message,
            call: Some(place.call),
        })
    }

    /// Appends to a text; what is no text begins anew.
    pub fn append(&mut self, place: TextPlace, delta: &SplitText) {
        let messages = &mut self.messages[place.message.class as usize];
        let Some(message) = messages.get_mut(&place.message.rank) else {
            return;
        };
        self.changes.note_growth(place, message);
        if let Some((holder, name)) = holder_mut(Arc::make_mut(message), place) {
            append_text(holder, name, delta);
        }
    }

    /// Takes back what was appended to a text that had this length and was well-formed.
    pub(super) fn cut(&mut self, place: TextPlace, length: usize) {
        let messages = &mut self.messages[place.message.class as usize];
        if let Some(message) = messages.get_mut(&place.message.rank) {
            cut(Arc::make_mut(message), place, length);
        }
    }

    /// Gives back the room that a text had to grow, if it is no longer than this many bytes and
    /// shared with no other thread.
    pub fn shrink(&mut self, place: TextPlace, longest: usize) {
        let messages = &mut self.messages[place.message.class as usize];
        let message = messages.get_mut(&place.message.rank);
        let holder = message.and_then(|message| holder_mut(Arc::get_mut(message)?, place));
        let text = holder.and_then(|(holder, name)| holder.get_mut(name));
        if let Some(Value::String(text)) = text
            && text.len() <= longest
        {
            text.shrink_to_fit();
        }
    }
}

/// The length of a text in bytes; nothing if it is no text, or is not well-formed.
pub(super) fn length(message: &Object, place: TextPlace) -> Option<usize> {
    let text = match place.call {
        None => message.get("content"),
        Some(call) => {
            let calls = message.get("toolCalls")?.as_array()?;
            let function = calls.get(call)?.get("function")?;
            function.get("arguments")
        }
    };
    text?.as_str().map(str::len)
}

/// The same in one message.
pub(super) fn cut(message: &mut Object, place: TextPlace, length: usize) {
    let holder = holder_mut(message, place);
    match holder.and_then(|(holder, name)| holder.get_mut(name)) {
        Some(Value::String(text)) => text.truncate(length),
        Some(text) => {
            if let Value::Split(split) = text {
                *text = Value::from(&split.body()[..length]);
            }
        }
        None => {}
    }
}

/// The object that holds a text, and the member that it is.
fn holder_mut(message: &mut Object, place: TextPlace) -> Option<(&mut Object, &'static str)> {
    let Some(call) = place.call else {
        return Some((message, "content"));
    };
    let Some(Value::Array(calls)) = message.get_mut("toolCalls") else {
        return None;
    };
    let Some(Value::Object(call)) = calls.get_mut(call) else {
        return None;
    };
    match call.get_mut("function") {
        Some(Value::Object(function)) => Some((function, "arguments")),
        _ => None,
    }
}

/// Appends text to a member that holds text; a member of another kind begins anew.
///
/// Half a character that an aborted run left at the end cannot be completed any more when the text
/// goes on, and U+FFFD takes its place.
fn append_text(object: &mut Object, name: &str, delta: &SplitText) {
    let Some(place) = object.get_mut(name) else {
        object.insert(name, delta.clone());
        return;
    };
    let mut text = match std::mem::take(place) {
        Value::String(text) => SplitText::from(text),
        Value::Split(text) => *text,
        _ => SplitText::default(),
    };
    text.push_lossy(delta);
    *place = Value::from(text);
}
