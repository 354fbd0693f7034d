//! The channels that this library has: an adapted history, a chat inside of a chat, and text that
//! only a service understands.

use super::{Channel, Chat, ChatSerializer};
use chatstate_json::Rejection;
use chatstate_json::{Value, from_text};
use chatstate_types::generated::ChatMessage;

/// A channel that keeps the messages it received.
#[derive(Debug, Clone, Default)]
pub struct HistoryChannel {
    messages: Vec<ChatMessage>,
}

impl HistoryChannel {
    /// A channel that continues its state, an array of messages.
    pub fn restored(state: &Value) -> Result<Self, Rejection> {
        let messages = from_text(&state.to_json())?;
        Ok(Self { messages })
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
        Value::of(&self.messages)
    }
}

/// A channel that is itself a chat of agents. Its state is a chat state.
#[derive(Default)]
pub struct ChatChannel {
    chat: Chat,
}

impl ChatChannel {
    /// A channel into a chat.
    #[must_use]
    pub fn new(chat: Chat) -> Self {
        Self { chat }
    }

    /// A channel that continues its state, with a chat that has its agents and nothing else yet
    /// (requirement `restore.nested`).
    pub fn restored(mut chat: Chat, state: &Value) -> Result<Self, Rejection> {
        ChatSerializer::from_value(state)?.restore(&mut chat)?;
        Ok(Self { chat })
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
        Value::of(&self.chat.state())
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
