//! A restore as data: what the operation `restore` of the adapter protocol is given and answers.
//!
//! It is run on the chats and channels of the library, as an application would.

use chatstate::chat::{
    Agent, Channel, Chat, ChatChannel, ChatSerializer, HistoryChannel, OpaqueChannel,
};
use chatstate::chat::{Restored, TookPart};
use chatstate::generated::{ChannelState, ChatMessage, ChatState, Participant};
use chatstate::json::{Members, Object, ObjectWriter, Raw, ReadJson, Value, constraint, from_text};
use chatstate::{Class, Rejection};

/// How many messages those who join may receive together: each new channel gets the whole history.
const MAX_RECEIVED: usize = 1_000_000;

/// The chat that is restored into, and who takes part afterwards.
#[derive(Debug, Clone)]
pub struct Scenario {
    target: RestoreTarget,
    join: Vec<AgentRow>,
}

/// What the restore came to.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoreResult {
    /// Who the document says took part.
    pub participants: Vec<Participant>,
    /// Which channels were restored, which wait for their agents, and which are not claimed.
    pub channels: Restored,
    /// The history of the chat.
    pub history: Vec<ChatMessage>,
    /// How many messages each new channel received, by the key of the channel.
    pub synchronized: Object,
    /// What a save after all that gives.
    pub saved: ChatState,
}

impl Scenario {
    /// Reads `{"target":…,"join":…}`.
    pub fn from_json(text: &str) -> Result<Self, Rejection> {
        from_text(text)
    }

    /// Runs `{"state":…,"target":…,"join":…}`. A rejection is at its place in there.
    pub fn run_text(text: &str) -> Result<RestoreResult, Rejection> {
        let Whole { state, scenario } = from_text(text)?;
        scenario.run_with(ChatSerializer::from_value(&state))
    }

    /// Restores a saved chat into the target, and lets those who join take part. A rejection is at
    /// its place below `/state` or `/target`.
    pub fn run(&self, state: &str) -> Result<RestoreResult, Rejection> {
        self.run_with(ChatSerializer::deserialize(state))
    }

    fn run_with(
        &self,
        read: Result<ChatSerializer, Rejection>,
    ) -> Result<RestoreResult, Rejection> {
        let serializer = read.map_err(|rejection| rejection.within("state"))?;
        let mut chat = self.target.chat();
        let restored = serializer.restore(&mut chat);
        let mut channels = restored.map_err(|rejection| self.target.placed(rejection))?;
        let synchronized = self.let_join(&mut chat)?;
        channels.pending = chat.pending();
        Ok(RestoreResult {
            participants: serializer.participants().to_vec(),
            channels,
            history: chat.history().to_vec(),
            synchronized,
            saved: chat.state(),
        })
    }

    /// Lets those who join take part, and counts what each new channel receives.
    fn let_join(&self, chat: &mut Chat) -> Result<Object, Rejection> {
        let (mut synchronized, mut received) = (Object::new(), 0);
        for (index, row) in self.join.iter().enumerate() {
            if received + chat.history().len() > MAX_RECEIVED {
                return Err(too_many_received().within(index).within("join"));
            }
            chat.add_agent(row.clone());
            if let Some(TookPart::Synchronized(count)) = chat.take_part(&row.id) {
                received += count;
                let key = chat.channel_keys().last().unwrap_or_default().to_owned();
                synchronized.insert(key, count);
            }
        }
        Ok(synchronized)
    }
}

fn too_many_received() -> Rejection {
    let message = format!(
        "the agents that join would receive more than {MAX_RECEIVED} messages together; let fewer of them join"
    );
    Rejection::new(Class::Limit, "size", message)
}

impl RestoreResult {
    /// The answer as compact JSON text; with what is saved afterwards if it is asked for.
    #[must_use]
    pub fn to_json(&self, with_saved: bool) -> String {
        let mut out = String::new();
        ObjectWriter::new(&mut out)
            .member("participants", &self.participants)
            .member("restored", &self.channels.restored)
            .member("pending", &self.channels.pending)
            .member("unclaimed", &self.channels.unclaimed)
            .member("history", &self.history)
            .member("synchronized", &self.synchronized)
            .optional("saved", &with_saved.then(|| self.saved.clone()))
            .end();
        out
    }
}

/// A scenario together with the saved chat.
struct Whole {
    state: Value,
    scenario: Scenario,
}

impl ReadJson for Whole {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        let mut members = Members::read(raw)?;
        Ok(Self {
            state: members.required("state")?,
            scenario: Scenario::read(raw)?,
        })
    }
}

impl ReadJson for Scenario {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        let mut members = Members::read(raw)?;
        Ok(Self {
            target: members.required("target")?,
            join: members.optional("join")?.unwrap_or_default(),
        })
    }
}

/// The chat before the restore.
#[derive(Debug, Clone)]
struct RestoreTarget {
    agents: Vec<AgentRow>,
    history: Vec<ChatMessage>,
    channels: Vec<ChannelState>,
}

impl ReadJson for RestoreTarget {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        let mut members = Members::read(raw)?;
        Ok(Self {
            agents: members.required("agents")?,
            history: members.optional("history")?.unwrap_or_default(),
            channels: members.optional("channels")?.unwrap_or_default(),
        })
    }
}

impl RestoreTarget {
    /// Where a restore was rejected: only a channel rejects what is in the document.
    fn placed(&self, rejection: Rejection) -> Rejection {
        let member = match rejection.rule.as_ref() {
            "restore.empty" => "agents",
            "restore.invalid" if self.history.is_empty() => "channels",
            "restore.invalid" => "history",
            _ => return rejection.within("state"),
        };
        rejection.within(member).within("target")
    }

    fn chat(&self) -> Chat {
        let mut chat = chat_of(&self.agents);
        for saved in &self.channels {
            let channel = OpaqueChannel::new(saved.channelstate.clone());
            chat.add_channel(saved.channelkey.clone(), Box::new(channel));
        }
        for message in &self.history {
            chat.add_message(message.clone());
        }
        chat
    }
}

fn chat_of(agents: &[AgentRow]) -> Chat {
    let mut chat = Chat::new();
    for row in agents {
        chat.add_agent(row.clone());
    }
    chat
}

/// An agent as a scenario describes it.
#[derive(Debug, Clone)]
struct AgentRow {
    id: String,
    name: Option<String>,
    agent_type: String,
    channel_keys: Vec<String>,
    kind: ChannelKind,
}

/// What kind of channel an agent has.
#[derive(Debug, Clone)]
enum ChannelKind {
    /// It takes any state, which only a service understands.
    Opaque,
    /// Its state is the messages that it received.
    History,
    /// Its state is the state of a chat of these agents.
    Chat(Vec<AgentRow>),
}

/// The words for kinds of channels.
const KINDS: [&str; 3] = ["opaque", "history", "chat"];

impl ReadJson for AgentRow {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        let mut members = Members::read(raw)?;
        let word: Option<String> = members.optional("channel")?;
        let kind = match word.as_deref() {
            None | Some("opaque") => ChannelKind::Opaque,
            Some("history") => ChannelKind::History,
            Some("chat") => ChannelKind::Chat(members.required("agents")?),
            Some(other) => {
                return Err(constraint::no_such_value(other, &KINDS).within("channel"));
            }
        };
        Ok(Self {
            id: members.required("id")?,
            name: members.optional("name")?,
            agent_type: members.required("type")?,
            channel_keys: members.required("channelkeys")?,
            kind,
        })
    }
}

impl Agent for AgentRow {
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
        self.channel_keys.clone()
    }

    fn create_channel(&self) -> Box<dyn Channel> {
        match &self.kind {
            ChannelKind::Opaque => Box::new(OpaqueChannel::default()),
            ChannelKind::History => Box::new(HistoryChannel::default()),
            ChannelKind::Chat(agents) => Box::new(ChatChannel::new(chat_of(agents))),
        }
    }

    fn restore_channel(&self, state: &Value) -> Result<Box<dyn Channel>, Rejection> {
        Ok(match &self.kind {
            ChannelKind::Opaque => Box::new(OpaqueChannel::new(state.clone())),
            ChannelKind::History => Box::new(HistoryChannel::restored(state)?),
            ChannelKind::Chat(agents) => Box::new(ChatChannel::restored(chat_of(agents), state)?),
        })
    }
}
