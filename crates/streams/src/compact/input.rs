//! The messages of a run's input that its path holds already.
//!
//! A chat sends its history again with every run, so most of a log's inputs is repeated. What equals
//! a message that is held is neither built nor checked again: the held one was.

use std::borrow::Cow;
use std::ops::Range;

use chatstate_json::{Kind, Object, Raw, ReadJson, Rejection, TapedDocument, Value};
use chatstate_types::generated::{Event, Message, RunStartedEvent};

use crate::header::MessageHeader;
use crate::replay::{Thread, read_raw};

/// The beginning of a run, whose messages are still to be read.
pub(crate) struct RunStart<'t> {
    document: TapedDocument<'t>,
    text: &'t str,
    /// Where its messages stand in the text.
    messages: Range<usize>,
    /// The event without them.
    event: Box<RunStartedEvent>,
}

/// The beginning of a run, without messages that its path holds.
pub(super) struct ReadStart {
    /// The event without them; nothing if it is as it came.
    pub text: Option<String>,
    pub event: Event,
    /// The messages that are left.
    pub messages: Vec<Object>,
    /// All messages of the input as far as the order of events matters, if some are left out.
    pub headers: Option<Vec<MessageHeader<'static>>>,
}

impl<'t> RunStart<'t> {
    /// Reads the beginning of a run but for its messages; the document, if it has none or cannot be
    /// read like that.
    pub fn read(
        document: TapedDocument<'t>,
        text: &'t str,
    ) -> Result<Self, Box<TapedDocument<'t>>> {
        let input = document.root().member("input");
        let messages = input.and_then(|(_, input)| input.member("messages"));
        let messages = messages.filter(|(_, messages)| messages.kind() == Kind::Array);
        let Some(messages) = messages.map(|(_, messages)| messages.range()) else {
            return Err(Box::new(document));
        };
        match Event::from_json(&with_messages(text, &messages, "")) {
            Ok(Event::RunStarted(event)) => Ok(Self {
                document,
                text,
                messages,
                event,
            }),
            _ => Err(Box::new(document)),
        }
    }

    /// The document.
    pub fn root(&self) -> Raw<'_> {
        self.document.root()
    }

    /// Reads the messages, of which a thread may hold some.
    pub(super) fn finish(mut self, held: Option<&Thread>) -> Result<ReadStart, Rejection> {
        let (mut headers, mut left, mut messages) = (Vec::new(), Vec::new(), Vec::new());
        let mut typed = Vec::new();
        let input = self.root().member("input");
        let elements = input.and_then(|(_, input)| input.member("messages"));
        for message in elements.into_iter().flat_map(|(_, all)| all.elements()) {
            if let Some(known) = held.and_then(|held| held_message(message, held)) {
                headers.push(header_of(known));
                continue;
            }
            let Ok(read) = Message::read(message) else {
                // The places of what is wrong are those of the event as it came.
                return read_raw(self.root()).map(ReadStart::from);
            };
            typed.push(read);
            if let Value::Object(message) = message.tree() {
                headers.push(header_of(&message));
                messages.push(message);
            }
            left.push(message.get());
        }
        let is_whole = left.len() == headers.len();
        let text = (!is_whole).then(|| with_messages(self.text, &self.messages, &left.join(",")));
        if let Some(input) = &mut self.event.input {
            input.messages = typed;
        }
        Ok(ReadStart {
            text,
            event: Event::RunStarted(self.event),
            messages,
            headers: (!is_whole).then_some(headers),
        })
    }
}

impl From<(Event, Vec<Object>)> for ReadStart {
    fn from((event, messages): (Event, Vec<Object>)) -> Self {
        Self {
            text: None,
            event,
            messages,
            headers: None,
        }
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
    let known = held.find(id.plain()?)?;
    let is_plain = !known.contains_key("subagentRunId")
        && known.get("role").and_then(Value::as_str) != Some("activity");
    (is_plain && is_object(message, known)).then_some(known)
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
