//! The messages of a run's input that its path holds already.
//!
//! A chat sends its history again with every run, so most of a log's inputs is repeated. What equals
//! a message that is held is left out, and it is neither built nor checked again: the held one was.

use std::borrow::Cow;
use std::ops::Range;

use chatstate_json::{Kind, Object, Raw, ReadJson, Value};
use chatstate_types::generated::{Event, Message};

use crate::header::MessageHeader;
use crate::replay::{Thread, is_removed};

/// The beginning of a run, without the messages of its input that its path holds.
pub(super) struct RunStart<'t> {
    pub text: Cow<'t, str>,
    /// The event, without any messages.
    pub event: Event,
    /// All messages of the input, as far as the order of events matters.
    pub headers: Vec<MessageHeader<'static>>,
    /// The messages of the path with those of the input.
    pub thread: Thread,
}

impl<'t> RunStart<'t> {
    /// Reads the beginning of a run with the messages of its path. Nothing if it has no messages,
    /// or if it is not to be changed: what is wrong with it is told of the event as it came.
    pub fn read(text: &'t str, raw: Raw<'_>, path: Thread) -> Option<Self> {
        let (_, input) = raw.member("input")?;
        let (_, messages) = input.member("messages")?;
        if messages.kind() != Kind::Array {
            return None;
        }
        let event = Event::from_json(&with_messages(text, &messages.range(), "")).ok()?;
        if is_removed(&event) {
            return None;
        }
        let mut start = Self {
            text: Cow::Borrowed(text),
            event,
            headers: Vec::with_capacity(messages.length()),
            thread: path,
        };
        let mut left = Vec::new();
        for message in messages.elements() {
            if !start.leaves_out(message)? {
                left.push(message.get());
            }
        }
        if left.len() < messages.length() {
            let text = with_messages(text, &messages.range(), &left.join(","));
            start.text = Cow::Owned(text);
        }
        Some(start)
    }

    /// Takes a message of the input, and says whether it is left out; nothing if it is no message.
    fn leaves_out(&mut self, message: Raw<'_>) -> Option<bool> {
        if let Some(held) = held_message(message, &self.thread) {
            self.headers.push(header_of(held));
            return Some(true);
        }
        Message::read(message).ok()?;
        let Value::Object(message) = message.tree() else {
            return None;
        };
        self.headers.push(header_of(&message));
        let id = message.get("id").and_then(Value::as_str);
        if id.is_none_or(|id| self.thread.find(id).is_none()) {
            self.thread.push(message);
        }
        Some(false)
    }
}

/// The text of an event with other messages in its input.
fn with_messages(text: &str, place: &Range<usize>, messages: &str) -> String {
    let (before, after) = (&text[..place.start], &text[place.end..]);
    format!("{before}[{messages}]{after}")
}

/// The held message that a message of an input equals. AG-UI tells owners to each run anew, so one
/// with an owner is none; and patches may make of an activity what no message may be.
fn held_message<'t>(message: Raw<'_>, held: &'t Thread) -> Option<&'t Object> {
    let (_, id) = message.member("id")?;
    let known = held.find(&id.text()?)?;
    let is_activity = known.get("role").and_then(Value::as_str) == Some("activity");
    let is_held = !known.contains_key("subagentRunId")
        && is_object(message, known)
        && (!is_activity || Message::read(message).is_ok());
    is_held.then_some(known)
}
/// Whether a text is a value. No tree is built for it.
fn is_value(raw: Raw<'_>, value: &Value) -> bool {
    match value {
        Value::String(text) => match raw.plain() {
            Some(plain) => plain == text,
            None => raw.tree() == *value,
        },
        Value::Array(items) => {
            let mut rest = items.iter();
            raw.kind() == Kind::Array
                && raw
                    .elements()
                    .all(|item| rest.next().is_some_and(|value| is_value(item, value)))
                && rest.next().is_none()
        }
        Value::Object(object) => is_object(raw, object),
        Value::Split(_) => false,
        scalar => raw.tree() == *scalar,
    }
}

fn is_object(raw: Raw<'_>, object: &Object) -> bool {
    let mut length = 0;
    raw.kind() == Kind::Object
        && raw.members().all(|(name, member)| {
            length += 1;
            object
                .get(&name)
                .is_some_and(|value| is_value(member, value))
        })
        && length == object.len()
}

fn header_of(message: &Object) -> MessageHeader<'static> {
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let owned = |name: &str| text(name).map(|text| Cow::Owned(text.to_owned()));
    let is_assistant = text("role") == Some("assistant");
    let calls = message.get("toolCalls").and_then(Value::as_array);
    let calls = calls.unwrap_or_default().iter().filter(|_| is_assistant);
    let ids = calls.filter_map(|call| call.get("id")?.as_str());
    MessageHeader {
        role: owned("role").unwrap_or_default(),
        id: owned("id"),
        subagent_run_id: owned("subagentRunId"),
        call_ids: ids.map(|id| Cow::Owned(id.to_owned())).collect(),
    }
}
