//! Chats whose agents have channels of every kind, and what happens in them.

#![allow(dead_code, reason = "each test uses a part of this")]

use chatstate_chats::chat::{Agent, Channel, Chat, ChatChannel, HistoryChannel, TookPart};
use chatstate_json::Rejection;
use chatstate_json::{Object, Value, parse};
use chatstate_types::generated::{ChatMessage, ChatState};
use proptest::prelude::*;

/// What agents know and no saved chat may hold.
pub const SECRETS: [&str; 3] = [
    "sk-live-5Q2ZNv8s",
    "You are the night clerk. Never tell anybody.",
    "https://models.example.org/private",
];

/// What kind of channel an agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The messages that it received.
    History,
    /// How many there were.
    Tally,
    /// A chat of agents, which may be teams again, so deep.
    Team(u8),
}

/// An agent with a definition and secrets.
#[derive(Debug, Clone)]
pub struct TestAgent {
    id: String,
    kind: Kind,
    /// Agents of one kind and one line share a channel.
    line: u8,
    pub api_key: &'static str,
    pub instructions: &'static str,
    pub endpoint: &'static str,
}

pub fn agent(id: &str, kind: Kind, line: u8) -> TestAgent {
    let [api_key, instructions, endpoint] = SECRETS;
    TestAgent {
        id: id.to_owned(),
        kind,
        line,
        api_key,
        instructions,
        endpoint,
    }
}

/// The chat after a team, of which no agent took part.
fn team(depth: u8, line: u8) -> Chat {
    let mut chat = Chat::new();
    chat.add_agent(agent("speaker", Kind::History, line));
    chat.add_agent(agent("counter", Kind::Tally, line));
    if depth > 0 {
        chat.add_agent(agent("team", Kind::Team(depth - 1), line));
    }
    chat
}

impl Agent for TestAgent {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> Option<&str> {
        (self.line > 0).then_some("Somebody")
    }

    fn agent_type(&self) -> &'static str {
        match self.kind {
            Kind::History => "HistoryAgent",
            Kind::Tally => "TallyAgent",
            Kind::Team(_) => "TeamAgent",
        }
    }

    fn channel_keys(&self) -> Vec<String> {
        vec![format!("{:?}", self.kind), self.line.to_string()]
    }

    fn create_channel(&self) -> Box<dyn Channel> {
        match self.kind {
            Kind::History => Box::new(HistoryChannel::default()),
            Kind::Tally => Box::new(Tally::default()),
            Kind::Team(depth) => {
                let mut chat = team(depth, self.line);
                chat.take_part("speaker");
                chat.take_part("team");
                Box::new(ChatChannel::new(chat))
            }
        }
    }

    fn restore_channel(&self, state: &Value) -> Result<Box<dyn Channel>, Rejection> {
        Ok(match self.kind {
            Kind::History => Box::new(HistoryChannel::restored(state)?),
            Kind::Tally => Box::new(Tally::restored(state)?),
            Kind::Team(depth) => Box::new(ChatChannel::restored(team(depth, self.line), state)?),
        })
    }
}

/// A channel that counts what it hears, and what its agents say.
#[derive(Default)]
struct Tally {
    heard: usize,
    said: usize,
}

impl Tally {
    fn restored(state: &Value) -> Result<Self, Rejection> {
        let count = |name: &str| {
            state
                .get(name)
                .and_then(|count| count.to_json().parse().ok())
        };
        match (count("heard"), count("said")) {
            (Some(heard), Some(said)) => Ok(Self { heard, said }),
            _ => Err(Rejection::schema("type", "must be two counts")),
        }
    }
}

impl Channel for Tally {
    fn channel_type(&self) -> Option<&str> {
        Some("Tally")
    }

    fn receive(&mut self, messages: &[ChatMessage]) {
        self.heard += messages.len();
    }

    fn said(&mut self, _: &ChatMessage) {
        self.said += 1;
    }

    fn state(&self) -> Value {
        let counts: Object = [("heard", self.heard), ("said", self.said)]
            .into_iter()
            .collect();
        Value::Object(counts)
    }
}

/// A message of one text.
pub fn message(role: &str, text: &str) -> ChatMessage {
    let text = Value::from(text).to_json();
    let json = format!(r#"{{"role":"{role}","items":[{{"type":"text","text":{text}}}]}}"#);
    ChatMessage::from_json(&json).expect("it is a message")
}

/// Something that happens in a chat.
#[derive(Debug, Clone)]
pub enum Action {
    Message(String),
    TakePart(usize),
    Reply(usize, String),
}

impl Action {
    /// Lets it happen. Who is meant is told by a place among the agents as they were made.
    pub fn happen(&self, chat: &mut Chat, agents: &[TestAgent]) -> Option<TookPart> {
        let id = |index: &usize| agents[index % agents.len()].id.as_str();
        match self {
            Self::Message(text) => {
                chat.add_message(message("user", text));
                None
            }
            Self::TakePart(index) => chat.take_part(id(index)),
            Self::Reply(index, text) => chat.add_reply(id(index), message("assistant", text)),
        }
    }
}

pub fn chat_of(agents: &[TestAgent]) -> Chat {
    let mut chat = Chat::new();
    for agent in agents {
        chat.add_agent(agent.clone());
    }
    chat
}

/// The chat of these agents in which all that has happened.
pub fn played(agents: &[TestAgent], actions: &[Action]) -> Chat {
    let mut chat = chat_of(agents);
    for action in actions {
        action.happen(&mut chat, agents);
    }
    chat
}

pub fn agents() -> impl Strategy<Value = Vec<TestAgent>> {
    let kind = prop_oneof![
        Just(Kind::History),
        Just(Kind::Tally),
        (0..3_u8).prop_map(Kind::Team),
    ];
    prop::collection::vec((kind, 0..3_u8), 1..7).prop_map(|rows| {
        let rows = rows.into_iter().enumerate();
        rows.map(|(index, (kind, line))| agent(&format!("agent-{index}"), kind, line))
            .collect()
    })
}

pub fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        any::<String>().prop_map(Action::Message),
        (0..8_usize).prop_map(Action::TakePart),
        (0..8_usize, any::<String>()).prop_map(|(index, text)| Action::Reply(index, text)),
    ];
    prop::collection::vec(action, 0..10)
}

/// Any JSON value that is not deep.
pub fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (any::<i64>(), 0..400_i32).prop_map(|(digits, exponent)| format!("{digits}.50e{exponent}")),
        "[1-9][0-9]{20,40}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        number.prop_map(|text| parse(&text).expect("it is a number")),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::from),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Object> {
    prop::collection::vec((any::<String>(), inner), 0..4)
        .prop_map(|members| members.into_iter().collect())
}

/// Members with names that no schema has.
fn unknown() -> impl Strategy<Value = Object> {
    let members = prop::collection::vec(("x-[a-zé]{1,4}", value()), 0..3);
    members.prop_map(|members| members.into_iter().collect())
}

/// A saved chat with whatever may be in one, which no chat here has written.
pub fn document() -> impl Strategy<Value = ChatState> {
    let item = (any::<String>(), unknown()).prop_map(|(text, unknown)| {
        let mut item: Object = [("type", "text"), ("text", text.as_str())]
            .into_iter()
            .collect();
        item.extend(unknown);
        Value::Object(item)
    });
    let message = (
        any::<String>(),
        prop::collection::vec(item, 0..3),
        unknown(),
    );
    let message = message.prop_map(|(role, items, unknown)| {
        let mut message = Object::new();
        message.insert("role", role);
        message.insert("items", items);
        message.extend(unknown);
        Value::Object(message)
    });
    let participant = (any::<String>(), unknown()).prop_map(|(id, unknown)| {
        let mut participant: Object = [("id", id.as_str()), ("type", "T")].into_iter().collect();
        participant.extend(unknown);
        Value::Object(participant)
    });
    let channel = (value(), unknown()).prop_map(|(state, unknown)| {
        let mut channel = Object::new();
        channel.insert("channelstate", state);
        channel.extend(unknown);
        channel
    });
    let parts = (
        prop::collection::vec(message, 0..4),
        prop::option::of(prop::collection::vec(participant, 0..3)),
        prop::collection::vec(channel, 0..4),
        unknown(),
    );
    parts.prop_map(|(history, participants, channels, unknown)| {
        let mut document = Object::new();
        document.insert("history", history);
        if let Some(participants) = participants {
            document.insert("participants", participants);
        }
        let keyed = channels
            .into_iter()
            .enumerate()
            .map(|(index, mut channel)| {
                channel.insert("channelkey", format!("key-{index}"));
                Value::Object(channel)
            });
        document.insert("channels", keyed.collect::<Vec<_>>());
        document.extend(unknown);
        ChatState::from_json(&Value::Object(document).to_json()).expect("it is valid")
    })
}
