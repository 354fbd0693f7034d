//! A chat of agents: what it holds, how it is saved, and how it is restored.
//!
//! [`Chat`] has a history, agents, and a channel for each kind of agent that took part.
//! [`ChatSerializer`] saves it and restores it into another chat, whose agents the application has
//! made again:
//!
//! ```
//! use chatstate_chats::chat::{Chat, ChatSerializer, HistoryAgent};
//! use chatstate_types::generated::ChatMessage;
//!
//! let mut chat = Chat::new();
//! chat.add_agent(HistoryAgent::new("writer", "ChatCompletionAgent"));
//! chat.add_message(ChatMessage::from_json(r#"{"role":"user","items":[]}"#)?);
//! chat.take_part("writer");
//! let mut saved = Vec::new();
//! ChatSerializer::serialize(&chat, &mut saved).expect("memory can be written");
//!
//! let text = String::from_utf8(saved).expect("JSON is text");
//! let serializer = ChatSerializer::deserialize(&text)?;
//! let mut restored = Chat::new();
//! for participant in serializer.participants() {
//!     restored.add_agent(HistoryAgent::new(&participant.id, &participant.r#type));
//! }
//! serializer.restore(&mut restored)?;
//! assert_eq!(restored.history(), chat.history());
//! # Ok::<(), chatstate_json::Rejection>(())
//! ```

mod agent;
mod agents;
mod channels;
mod serializer;

pub use agent::{Agent, Channel};
pub use agents::{AggregatorAgent, HistoryAgent};
pub use channels::{ChatChannel, HistoryChannel, OpaqueChannel};
pub use serializer::{ChatSerializer, Restored};

use indexmap::IndexMap;
use indexmap::map::Entry;

use crate::channel_key;
use chatstate_json::Object;
use chatstate_types::generated::{ChannelState, ChatMessage, ChatState, Participant};

/// The version of the format that new chats are saved in.
const VERSION: &str = "1";

/// A chat of agents.
#[derive(Default)]
pub struct Chat {
    /// By the id of the agent.
    agents: IndexMap<String, AgentSlot>,
    history: Vec<ChatMessage>,
    /// In the order in which they were made.
    channels: Vec<OpenChannel>,
    /// What the document said beside, from which the chat was restored.
    origin: Option<Origin>,
}

/// An agent of a chat, and the key of its channel.
struct AgentSlot {
    agent: Box<dyn Agent>,
    key: String,
}

/// A channel that an agent has used, or that was restored.
struct OpenChannel {
    key: String,
    channel: Box<dyn Channel>,
    channeltype: Option<String>,
    extra: Object,
}

/// What a document says that no part of the chat holds, to be written again.
#[derive(Default)]
struct Origin {
    schema_version: Option<String>,
    participants: Vec<Participant>,
    extra: Object,
}

/// What it came to that an agent took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TookPart {
    /// Its channel was there already.
    Before,
    /// It has a new channel, which received the whole history: so many messages.
    Synchronized(usize),
}

impl Chat {
    /// A chat without agents and messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an agent, which has no channel until it takes part. Gives `false`, and changes nothing,
    /// if the chat has an agent of this identity.
    pub fn add_agent(&mut self, agent: impl Agent + 'static) -> bool {
        self.add_boxed_agent(Box::new(agent))
    }

    /// The same for an agent of a type that is not known here.
    pub fn add_boxed_agent(&mut self, agent: Box<dyn Agent>) -> bool {
        let Entry::Vacant(place) = self.agents.entry(agent.id().to_owned()) else {
            return false;
        };
        let key = channel_key(&agent.channel_keys());
        place.insert(AgentSlot { agent, key });
        true
    }

    /// The agents, in the order in which they were added.
    pub fn agents(&self) -> impl Iterator<Item = &dyn Agent> {
        self.agents.values().map(|member| &*member.agent)
    }

    /// The messages, the oldest first.
    #[must_use]
    pub fn history(&self) -> &[ChatMessage] {
        &self.history
    }

    /// The keys of the channels that there are, in the order in which they were made.
    pub fn channel_keys(&self) -> impl Iterator<Item = &str> {
        self.channels.iter().map(|open| open.key.as_str())
    }

    /// Whether the chat has messages or channels, so that nothing can be restored into it.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        !self.history.is_empty() || !self.channels.is_empty()
    }

    /// Adds a message that no agent said, and hands it to every channel.
    pub fn add_message(&mut self, message: ChatMessage) {
        for open in &mut self.channels {
            open.channel.receive(std::slice::from_ref(&message));
        }
        self.history.push(message);
    }

    /// Lets an agent take part. Its channel is made if there is none, and synchronizes to the chat:
    /// it receives the whole history, once (requirement `restore.synchronize`). Gives nothing if the
    /// chat has no such agent.
    pub fn take_part(&mut self, agent_id: &str) -> Option<TookPart> {
        let member = self.member(agent_id)?;
        if self.channels.iter().any(|open| open.key == member.key) {
            return Some(TookPart::Before);
        }
        let (key, mut channel) = (member.key.clone(), member.agent.create_channel());
        channel.receive(&self.history);
        self.add_channel(key, channel);
        Some(TookPart::Synchronized(self.history.len()))
    }

    /// Adds a message of an agent of the chat, which takes part by it. Every channel receives
    /// it, but for the agent's own, which knows that it was said.
    pub fn add_reply(&mut self, agent_id: &str, message: ChatMessage) -> Option<TookPart> {
        let took_part = self.take_part(agent_id)?;
        let own = self.member(agent_id)?.key.clone();
        for open in &mut self.channels {
            if open.key == own {
                open.channel.said(&message);
            } else {
                open.channel.receive(std::slice::from_ref(&message));
            }
        }
        self.history.push(message);
        Some(took_part)
    }

    /// What is saved of the chat (requirements `save.*`).
    #[must_use]
    pub fn state(&self) -> ChatState {
        let channels = self.channels.iter().map(OpenChannel::state).collect();
        ChatState {
            schema_version: match &self.origin {
                Some(origin) => origin.schema_version.clone(),
                None => Some(VERSION.to_owned()),
            },
            participants: Some(self.participants()),
            extra: self
                .origin
                .as_ref()
                .map(|it| it.extra.clone())
                .unwrap_or_default(),
            ..ChatState::new(self.history.clone(), channels)
        }
    }

    /// The agents as participants: those that the chat was restored with in the order of its
    /// document, so that the order in which they were added changes nothing, then the others.
    fn participants(&self) -> Vec<Participant> {
        let known = self.origin.iter().flat_map(|origin| &origin.participants);
        let mut participants = IndexMap::with_capacity(self.agents.len());
        for earlier in known {
            let id = earlier.id.as_str();
            if let (Some(member), Entry::Vacant(place)) = (self.member(id), participants.entry(id))
            {
                let extra = earlier.extra.clone();
                place.insert(Participant {
                    extra,
                    ..member.participant()
                });
            }
        }
        for (id, member) in &self.agents {
            let participant = participants.entry(id.as_str());
            participant.or_insert_with(|| member.participant());
        }
        participants.into_values().collect()
    }

    fn member(&self, agent_id: &str) -> Option<&AgentSlot> {
        self.agents.get(agent_id)
    }

    /// Adds a channel that is open already. Of several with one key, the first is found.
    pub fn add_channel(&mut self, key: String, channel: Box<dyn Channel>) {
        let channeltype = channel.channel_type().map(str::to_owned);
        self.channels.push(OpenChannel {
            key,
            channel,
            channeltype,
            extra: Object::new(),
        });
    }
}

impl AgentSlot {
    fn participant(&self) -> Participant {
        Participant {
            name: self.agent.name().map(str::to_owned),
            ..Participant::new(self.agent.id(), self.agent.agent_type())
        }
    }
}

impl OpenChannel {
    fn state(&self) -> ChannelState {
        ChannelState {
            channeltype: self.channeltype.clone(),
            extra: self.extra.clone(),
            ..ChannelState::new(self.key.as_str(), self.channel.state())
        }
    }
}
