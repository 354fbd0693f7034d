//! The agents that this library has: those that are enough to save and restore a chat.

use super::{Agent, Channel, Chat, ChatChannel, HistoryChannel};
use chatstate_json::Rejection;
use chatstate_json::Value;

/// An agent whose channel is the messages that it received. All of them share one channel.
#[derive(Debug, Clone)]
pub struct HistoryAgent {
    id: String,
    name: Option<String>,
    agent_type: String,
}

impl HistoryAgent {
    /// An agent of this identity and type.
    #[must_use]
    pub fn new(id: impl Into<String>, agent_type: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: None,
            agent_type: agent_type.into(),
        }
    }

    /// The same agent with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl Agent for HistoryAgent {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn agent_type(&self) -> &str {
        &self.agent_type
    }

    fn channel_keys(&self) -> Vec<String> {
        vec!["HistoryChannel".to_owned()]
    }

    fn create_channel(&self) -> Box<dyn Channel> {
        Box::new(HistoryChannel::default())
    }

    fn restore_channel(&self, state: &Value) -> Result<Box<dyn Channel>, Rejection> {
        Ok(Box::new(HistoryChannel::restored(state)?))
    }
}

/// An agent that wraps a chat of other agents.
///
/// Its channel is known by its name, or by its identity if it has none.
pub struct AggregatorAgent {
    id: String,
    name: Option<String>,
    chat: Box<dyn Fn() -> Chat>,
}

impl AggregatorAgent {
    /// An agent of this identity. `chat` makes the chat after it: its agents and nothing else.
    #[must_use]
    pub fn new(id: impl Into<String>, chat: impl Fn() -> Chat + 'static) -> Self {
        Self {
            id: id.into(),
            name: None,
            chat: Box::new(chat),
        }
    }

    /// The same agent with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl Agent for AggregatorAgent {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn agent_type(&self) -> &'static str {
        "AggregatorAgent"
    }

    fn channel_keys(&self) -> Vec<String> {
        let known_by = self.name.as_ref().unwrap_or(&self.id);
        vec!["ChatChannel".to_owned(), known_by.clone()]
    }

    fn create_channel(&self) -> Box<dyn Channel> {
        Box::new(ChatChannel::new((self.chat)()))
    }

    fn restore_channel(&self, state: &Value) -> Result<Box<dyn Channel>, Rejection> {
        Ok(Box::new(ChatChannel::restored((self.chat)(), state)?))
    }
}
