//! The channels that this library has: an adapted history, a chat inside of a chat, and text that
//! only a service understands.

use super::{Channel, Chat, ChatSerializer};
use chatstate_json::Rejection;
use chatstate_json::{Value, canonical, from_text, parse};
use chatstate_types::generated::ChatMessage;

/// A channel that keeps the messages it received.
#[derive(Debug, Clone, Default)]
pub struct HistoryChannel {
    messages: Vec<ChatMessage>,
    escaped: EscapedState,
}

impl HistoryChannel {
    /// A channel that continues its state: an array of messages, or text that holds one.
    pub fn restored(state: &Value) -> Result<Self, Rejection> {
        let escaped = EscapedState::of(state);
        let messages = escaped.read(state, from_text)?;
        Ok(Self { messages, escaped })
    }

    /// The messages, the oldest first.
    #[must_use]
    pub fn messages(&self) -> &[ChatMessage] {
        &self.messages
    }
}

impl Channel for HistoryChannel {
    fn channel_type(&self) -> Option<&str> {
        Some("HistoryChannel")
    }

    fn receive(&mut self, messages: &[ChatMessage]) {
        self.messages.extend_from_slice(messages);
    }

    fn state(&self) -> Value {
        self.escaped.written(Value::of(&self.messages))
    }
}

/// A channel that is itself a chat of agents. Its state is a chat state.
#[derive(Default)]
pub struct ChatChannel {
    chat: Chat,
    escaped: EscapedState,
}

impl ChatChannel {
    /// A channel into a chat.
    #[must_use]
    pub fn new(chat: Chat) -> Self {
        let escaped = EscapedState::default();
        Self { chat, escaped }
    }

    /// A channel that continues its state, a chat state or text that holds one, with a chat that
    /// has its agents and nothing else yet (requirement `restore.nested`).
    pub fn restored(mut chat: Chat, state: &Value) -> Result<Self, Rejection> {
        let escaped = EscapedState::of(state);
        escaped.read(state, |text| {
            ChatSerializer::deserialize(text)?.restore(&mut chat)
        })?;
        Ok(Self { chat, escaped })
    }

    /// The chat.
    #[must_use]
    pub fn chat(&self) -> &Chat {
        &self.chat
    }
}

impl Channel for ChatChannel {
    fn channel_type(&self) -> Option<&str> {
        Some("ChatChannel")
    }

    fn receive(&mut self, messages: &[ChatMessage]) {
        for message in messages {
            self.chat.add_message(message.clone());
        }
    }

    fn state(&self) -> Value {
        self.escaped.written(Value::of(&self.chat.state()))
    }
}

/// A channel to a service that keeps the messages. Its state is what the service finds them by.
#[derive(Debug, Clone, Default)]
pub struct OpaqueChannel {
    state: Value,
}

impl OpaqueChannel {
    /// A channel with a state that only its SDK understands.
    #[must_use]
    pub fn new(state: Value) -> Self {
        Self { state }
    }
}

impl Channel for OpaqueChannel {
    fn receive(&mut self, _: &[ChatMessage]) {}

    fn state(&self) -> Value {
        self.state.clone()
    }
}

/// The text in which a state was escaped, if it was (requirements `restore.escaped-state` and
/// `save.escaped-state`). The programs of the first draft save states so.
#[derive(Debug, Clone, Default)]
struct EscapedState(Option<String>);

impl EscapedState {
    fn of(state: &Value) -> Self {
        Self(state.as_str().map(str::to_owned))
    }

    /// What is read from the text of a state. A rejection of what is escaped is at the text, which
    /// is the place that the document has.
    fn read<T>(
        &self,
        state: &Value,
        read: impl FnOnce(&str) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        match &self.0 {
            None => read(&state.to_json()),
            Some(text) => read(text).map_err(|rejection| Rejection {
                message: format!("what is escaped here is rejected: {rejection}"),
                at: String::new(),
                ..rejection
            }),
        }
    }

    /// A state as it is saved: as text if it was text, and as the same one if it has the same value.
    fn written(&self, state: Value) -> Value {
        let Some(text) = &self.0 else { return state };
        match parse(text) {
            Ok(earlier) if canonical(&earlier) == canonical(&state) => text.as_str().into(),
            _ => state.to_json().into(),
        }
    }
}
