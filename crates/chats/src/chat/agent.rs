//! What a chat asks of those who take part in it.

use chatstate_json::Rejection;
use chatstate_json::Value;
use chatstate_types::generated::ChatMessage;

/// A participant of a chat.
///
/// Of an agent, a saved chat holds its identity, its name and its type, and nothing else: how it is
/// defined and which secrets it has is for the application to know when it makes the agent again.
pub trait Agent {
    /// The identity, which no other agent of the chat has.
    fn id(&self) -> &str;

    /// The name, if there is one.
    fn name(&self) -> Option<&str> {
        None
    }

    /// The type, as the SDK names it.
    fn agent_type(&self) -> &str;

    /// What the channel of this agent is known by, in order. Agents with the same keys share one
    /// channel, also in another process, so nothing that changes from process to process belongs
    /// here (requirement `restore.shared-channel`).
    fn channel_keys(&self) -> Vec<String>;

    /// A new channel that has received nothing.
    fn create_channel(&self) -> Box<dyn Channel>;

    /// A channel that continues a saved state, or the reason why the state is none of its kind.
    /// The chat is not touched before all channels are there, so nothing may change elsewhere.
    fn restore_channel(&self, state: &Value) -> Result<Box<dyn Channel>, Rejection>;
}

/// What adapts the history of a chat to one kind of agent.
pub trait Channel {
    /// The type, for people who read the state.
    fn channel_type(&self) -> Option<&str> {
        None
    }

    /// Takes messages that others said, the oldest first.
    ///
    /// It cannot fail: a channel to a service keeps what the service does not have yet.
    fn receive(&mut self, messages: &[ChatMessage]);

    /// Takes what an agent of this channel said. A channel to a service that knows it already does
    /// nothing here.
    fn said(&mut self, message: &ChatMessage) {
        self.receive(std::slice::from_ref(message));
    }

    /// All that the channel needs to continue elsewhere: any JSON value, or text that only the
    /// channel understands.
    fn state(&self) -> Value;
}
