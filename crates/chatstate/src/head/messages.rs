//! The messages that an event carries.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::level::{read_level, read_with, text};
use crate::generated::Message;
use crate::json::Value;

/// The messages of a run's input or of a `MESSAGES_SNAPSHOT`.
#[derive(Debug, Clone, Default)]
pub struct Messages<'a>(Source<'a>);

#[derive(Debug, Clone)]
enum Source<'a> {
    Read(Vec<MessageHead<'a>>),
    Typed(&'a [Message]),
}

impl Default for Source<'_> {
    fn default() -> Self {
        Self::Typed(&[])
    }
}

/// A message as far as the order of events matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageHead<'a> {
    /// The text of the message; empty for a typed one.
    pub value: &'a str,
    /// Its role.
    pub role: Cow<'a, str>,
    /// Its id; a message of an unknown role may lack one.
    pub id: Option<Cow<'a, str>>,
    /// The subagent that it belongs to.
    pub subagent_run_id: Option<Cow<'a, str>>,
    /// The tool calls that an assistant makes in it.
    pub call_ids: Vec<Cow<'a, str>>,
}

impl<'a> Messages<'a> {
    pub(super) fn read(messages: Vec<MessageHead<'a>>) -> Self {
        Self(Source::Read(messages))
    }

    pub(super) fn typed(messages: &'a [Message]) -> Self {
        Self(Source::Typed(messages))
    }

    /// The messages that were read from text, in order; none of a typed event.
    #[must_use]
    pub fn as_read(&self) -> &[MessageHead<'a>] {
        match &self.0 {
            Source::Read(messages) => messages,
            Source::Typed(_) => &[],
        }
    }

    /// Hands on the messages in order.
    pub fn for_each(&self, mut take: impl FnMut(&MessageHead<'_>)) {
        match &self.0 {
            Source::Read(messages) => messages.iter().for_each(take),
            Source::Typed(messages) => {
                for message in *messages {
                    take(&MessageHead::of(message));
                }
            }
        }
    }
}

impl<'a> MessageHead<'a> {
    /// The head of a typed message.
    #[must_use]
    pub fn of(message: &'a Message) -> Self {
        let (role, id, owner) = match message {
            Message::Developer(m) => ("developer", &m.id, &m.subagent_run_id),
            Message::System(m) => ("system", &m.id, &m.subagent_run_id),
            Message::Assistant(m) => ("assistant", &m.id, &m.subagent_run_id),
            Message::User(m) => ("user", &m.id, &m.subagent_run_id),
            Message::Tool(m) => ("tool", &m.id, &m.subagent_run_id),
            Message::Activity(m) => ("activity", &m.id, &m.subagent_run_id),
            Message::Reasoning(m) => ("reasoning", &m.id, &m.subagent_run_id),
            Message::Unknown(m) => {
                let text = |name| m.extra.get(name).and_then(Value::as_str).map(Cow::Borrowed);
                return Self {
                    value: "",
                    role: Cow::Borrowed(&m.role),
                    id: text("id"),
                    subagent_run_id: text("subagentRunId"),
                    call_ids: Vec::new(),
                };
            }
        };
        let calls = match message {
            Message::Assistant(message) => message.tool_calls.as_deref(),
            _ => None,
        };
        let call_ids = calls.unwrap_or_default().iter();
        Self {
            value: "",
            role: Cow::Borrowed(role),
            id: Some(Cow::Borrowed(id)),
            subagent_run_id: owner.as_deref().map(Cow::Borrowed),
            call_ids: call_ids
                .map(|call| Cow::Borrowed(call.id.as_str()))
                .collect(),
        }
    }

    fn read(raw: &'a RawValue) -> Option<Self> {
        let names = ["id", "role", "subagentRunId", "toolCalls"];
        let [id, role, owner, calls] = read_level(raw.get(), names)?;
        let role = text(role?)?;
        let is_known = matches!(
            role.as_ref(),
            "developer" | "system" | "assistant" | "user" | "tool" | "activity" | "reasoning"
        );
        let (id, subagent_run_id) = if is_known {
            let owner = owner.map(|raw| text(raw).ok_or(())).transpose().ok()?;
            (Some(text(id?)?), owner)
        } else {
            // What an unknown message has under these names may be no text.
            (id.and_then(text), owner.and_then(text))
        };
        let call_ids = match calls {
            Some(calls) if role == "assistant" => read_with(calls.get(), Calls)?,
            _ => Vec::new(),
        };
        Some(Self {
            value: raw.get(),
            role,
            id,
            subagent_run_id,
            call_ids,
        })
    }
}

/// Reads the items of an array one by one.
struct Items<F>(F);

impl<'de, T, F: FnMut(&'de RawValue) -> Option<T>> Visitor<'de> for Items<F> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut read = Vec::new();
        while let Some(raw) = items.next_element::<&RawValue>()? {
            read.push((self.0)(raw).ok_or_else(|| A::Error::custom("an item does not fit"))?);
        }
        Ok(read)
    }
}

/// The seed of an array of messages.
pub(super) struct MessageList;

impl<'de> DeserializeSeed<'de> for MessageList {
    type Value = Vec<MessageHead<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(Items(MessageHead::read))
    }
}

/// The seed of the ids of an array of tool calls.
struct Calls;

impl<'de> DeserializeSeed<'de> for Calls {
    type Value = Vec<Cow<'de, str>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let id = |raw: &'de RawValue| {
            let [id] = read_level(raw.get(), ["id"])?;
            text(id?)
        };
        deserializer.deserialize_seq(Items(id))
    }
}
