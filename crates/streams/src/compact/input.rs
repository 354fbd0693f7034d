//! The messages of a run's input that its path holds already.
//!
//! A chat sends its history again with every run, so most of a log's inputs is repeated. What equals
//! a message that is held is neither built nor checked again: the held one was.

use std::borrow::Cow;

use chatstate_json::{Kind, Object, Raw, Rejection, Tape, Value};
use chatstate_types::generated::Event;

use crate::head::MessageHead;
use crate::replay::{Thread, read_event, read_raw};

/// An event that was read; the beginning of a run, without messages that its path holds.
pub(super) struct ReadStart {
    /// The event without them; nothing if it is as it came.
    pub text: Option<String>,
    pub event: Event,
    /// The messages that are left.
    pub messages: Vec<Object>,
    /// All messages of the input as far as the order of events matters, if some are left out.
    pub heads: Option<Vec<MessageHead<'static>>>,
}

impl From<(Event, Vec<Object>)> for ReadStart {
    fn from((event, messages): (Event, Vec<Object>)) -> Self {
        Self {
            text: None,
            event,
            messages,
            heads: None,
        }
    }
}

/// Reads the beginning of a run, of which a thread may hold messages.
pub(super) fn read_start(
    text: &str,
    raw: Raw<'_>,
    held: Option<&Thread>,
) -> Result<ReadStart, Rejection> {
    let messages = raw
        .member("input")
        .and_then(|(_, input)| input.member("messages"))
        .filter(|(_, messages)| messages.kind() == Kind::Array);
    let (Some(held), Some((_, messages))) = (held, messages) else {
        return read_raw(raw).map(ReadStart::from);
    };
    let (mut heads, mut left) = (Vec::new(), Vec::new());
    for message in messages.elements() {
        match held_message(message, held) {
            Some(known) => heads.push(head_of(known)),
            None => left.push(message.get()),
        }
    }
    if heads.is_empty() {
        return read_raw(raw).map(ReadStart::from);
    }
    let range = messages.range();
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let reduced = format!("{before}[{}]{after}", left.join(","));
    match read_event(&mut Tape::default(), &reduced) {
        Ok((event, messages)) => {
            heads.extend(messages.iter().map(head_of));
            Ok(ReadStart {
                text: Some(reduced),
                event,
                messages,
                heads: Some(heads),
            })
        }
        // The places of what is wrong are those of the event as it came.
        Err(_) => read_raw(raw).map(ReadStart::from),
    }
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

fn head_of(message: &Object) -> MessageHead<'static> {
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let owned = |name: &str| text(name).map(|text| Cow::Owned(text.to_owned()));
    let is_assistant = text("role") == Some("assistant");
    let calls = message.get("toolCalls").and_then(Value::as_array);
    let calls = calls.unwrap_or_default().iter().filter(|_| is_assistant);
    let ids = calls.filter_map(|call| call.get("id")?.as_str());
    MessageHead {
        role: owned("role").unwrap_or_default(),
        id: owned("id"),
        subagent_run_id: owned("subagentRunId"),
        call_ids: ids.map(|id| Cow::Owned(id.to_owned())).collect(),
    }
}
