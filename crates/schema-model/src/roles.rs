//! What events do, by the annotations `x-event` and `x-items` of a schema.

mod action;
mod check;
mod read;
mod written;

use serde::{Deserialize, Serialize};

pub use action::EventAction;
pub(crate) use read::read;

/// The member that says in which lane an event is: that of a subagent, or of the agent itself.
pub const LANE: &str = "subagentRunId";

/// What the events of a schema do. Every known variant of the union of events has a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    /// The definition of the union of all events.
    pub union: String,
    /// What events are about, in the order of `x-items`.
    pub items: Vec<EventItem>,
    /// The roles in the order of the union's variants.
    pub events: Vec<EventRole>,
}

impl Roles {
    /// The item of this name.
    #[must_use]
    pub fn item(&self, name: &str) -> Option<&EventItem> {
        self.items.iter().find(|item| item.name == name)
    }

    /// The first event that does this to an item.
    #[must_use]
    pub fn event(&self, does: Does, item: &str) -> Option<&EventRole> {
        let mut events = self.events.iter();
        events.find(|event| event.does() == does && event.item() == Some(item))
    }

    /// Whether an item is built of text, which events append to it.
    #[must_use]
    pub fn is_streamed(&self, item: &EventItem) -> bool {
        self.event(Does::Append, &item.name).is_some()
    }

    /// What an event changes of that which a replay answers: what its item changes. What is said of a
    /// message or a call belongs to it.
    #[must_use]
    pub fn changed_by(&self, event: &EventRole) -> Option<ReplayedPart> {
        match event.does() {
            Does::Annotate => Some(ReplayedPart::Messages),
            _ => event.item().and_then(|name| self.item(name)?.changes),
        }
    }

    /// What ids with owners name, each once, in the order of the items.
    #[must_use]
    pub fn owned(&self) -> Vec<&str> {
        let mut words = Vec::new();
        for word in self.items.iter().filter_map(|item| item.owners.as_deref()) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// The members that the first chunk of an item needs: those that its beginning requires. None
    /// for other events than chunks.
    #[must_use]
    pub fn needed_at_first(&self, chunk: &EventRole) -> Vec<&str> {
        let EventAction::Chunk { item, .. } = &chunk.action else {
            return Vec::new();
        };
        let begin = self.event(Does::Begin, item);
        let known = |name: &&str| chunk.members.iter().any(|member| member.name == *name);
        let required = begin.into_iter().flat_map(EventRole::required);
        required.filter(known).collect()
    }
}

/// Something that events begin, continue, end or set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventItem {
    /// Its name, in lower-case words with `-` between.
    pub name: String,
    /// What it is, in a sentence.
    pub doc: String,
    /// What distinguishes open ones; `None` for what is never open.
    pub key: Option<ItemIdentity>,
    /// What it changes of that which a replay answers.
    pub changes: Option<ReplayedPart>,
    /// What its ids name that have owners. Ids of items that share it name the same things.
    pub owners: Option<String>,
}

/// What distinguishes open items of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemIdentity {
    /// The id.
    Id,
    /// The id together with the owner.
    IdAndOwner,
}

/// What an item changes of that which a replay answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayedPart {
    /// The messages.
    Messages,
    /// The state.
    State,
}

impl ReplayedPart {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Messages, Self::State];

    /// The word that a schema has for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::State => "state",
        }
    }
}

/// The role of one type of event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRole {
    /// The tag of the event in the union.
    pub tag: String,
    /// The definition of the event.
    pub definition: String,
    /// What it does, and to what.
    #[serde(flatten)]
    pub action: EventAction,
    /// The member that names whom the item belongs to.
    pub owner: Option<String>,
    /// The member that names what the item is part of.
    pub parent: Option<String>,
    /// The chunk items that it closes by standing where it does.
    pub closes: Closes,
    /// What it writes to, so that no text is merged across it.
    pub writes: WrittenTargets,
    /// The members that the schema names for it, in its order.
    pub members: Vec<EventMember>,
}

impl EventRole {
    /// The members that it must have.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let members = self.members.iter().filter(|member| member.required);
        members.map(|member| member.name.as_str())
    }
}

/// A member of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventMember {
    /// Its name.
    pub name: String,
    /// Whether the event must have it.
    pub required: bool,
    /// Roughly what values it takes.
    pub kind: MemberKind,
}

/// What values a member takes, as far as a glance at a value can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemberKind {
    /// Any text.
    Text,
    /// Text that may be cut inside a character.
    SplitText,
    /// `true` or `false`.
    Boolean,
    /// Any object.
    Object,
    /// Any value.
    Any,
    /// What only a reader can decide: lists, unions, limited numbers and texts.
    Other,
}

impl MemberKind {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::SplitText => "split-text",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Any => "any",
            Self::Other => "other",
        }
    }
}

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Does {
    /// Begins a run.
    StartRun,
    /// Ends a run.
    EndRun,
    /// Begins an item.
    Begin,
    /// Appends text to an open item.
    Append,
    /// Ends an open item.
    End,
    /// Begins an item or continues the one that a chunk before it began.
    Chunk,
    /// Adds a whole item.
    Add,
    /// Sets an item to a new value.
    Replace,
    /// Changes an item by a patch.
    Patch,
    /// Says something of an item that is there.
    Annotate,
    /// Changes nothing.
    None,
}

impl Does {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::StartRun,
        Self::EndRun,
        Self::Begin,
        Self::Append,
        Self::End,
        Self::Chunk,
        Self::Add,
        Self::Replace,
        Self::Patch,
        Self::Annotate,
        Self::None,
    ];

    /// Whether the event begins an item, or may begin it.
    #[must_use]
    pub fn begins(self) -> bool {
        matches!(self, Self::Begin | Self::Chunk)
    }

    /// The word as the schema spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StartRun => "start-run",
            Self::EndRun => "end-run",
            Self::Begin => "begin",
            Self::Append => "append",
            Self::End => "end",
            Self::Chunk => "chunk",
            Self::Add => "add",
            Self::Replace => "replace",
            Self::Patch => "patch",
            Self::Annotate => "annotate",
            Self::None => "none",
        }
    }
}

/// The chunk items that an event closes by standing where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closes {
    /// None.
    Nothing,
    /// The one of the lane that the event is in.
    Lane,
    /// Those of all lanes.
    All,
}

/// What an event writes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenTargets {
    /// What these members name; nothing if there are none.
    Members(Vec<String>),
    /// Everything.
    All,
}
