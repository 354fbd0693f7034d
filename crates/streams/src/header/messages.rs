//! The messages that an event carries.

use std::borrow::Cow;

use chatstate_json::Value;
use chatstate_types::generated::Message;

/// The messages of a run's input or of a `MESSAGES_SNAPSHOT`.
#[derive(Debug, Clone, Default)]
pub struct Messages<'a>(MessageSource<'a>);

#[derive(Debug, Clone)]
enum MessageSource<'a> {
    Known(Vec<MessageHeader<'a>>),
    Typed(&'a [Message]),
}

impl Default for MessageSource<'_> {
    fn default() -> Self {
        Self::Typed(&[])
    }
}

/// A message as far as the order of events matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageHeader<'a> {
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
    /// Messages of which the headers are known.
    pub(crate) fn known(messages: Vec<MessageHeader<'a>>) -> Self {
        Self(MessageSource::Known(messages))
    }

    pub(super) fn typed(messages: &'a [Message]) -> Self {
        Self(MessageSource::Typed(messages))
    }

    /// Passes on the messages in order.
    pub fn for_each(&self, mut take: impl FnMut(&MessageHeader<'_>)) {
        match &self.0 {
            MessageSource::Known(messages) => messages.iter().for_each(take),
            MessageSource::Typed(messages) => {
                for message in *messages {
                    take(&MessageHeader::of(message));
                }
            }
        }
    }
}

impl<'a> MessageHeader<'a> {
    /// The header of a typed message.
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
            role: Cow::Borrowed(role),
            id: Some(Cow::Borrowed(id)),
            subagent_run_id: owner.as_deref().map(Cow::Borrowed),
            call_ids: call_ids
                .map(|call| Cow::Borrowed(call.id.as_str()))
                .collect(),
        }
    }
}
