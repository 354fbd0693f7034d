//! What one delta event or chunk carries, whatever kind of item it belongs to.

use crate::head::{EventKind, Head, Member};
use crate::replay::ItemKind;
use chatstate_json::Rejection;
use chatstate_json::members_of;

/// The members of a delta event or a chunk as text, without what names the item.
#[derive(Clone, Default)]
pub(super) struct Piece<'a> {
    /// The whole event.
    pub event: &'a str,
    /// The text between the quotes, still escaped; a chunk may have none.
    pub delta: Option<&'a str>,
    pub timestamp: Option<&'a str>,
    pub raw_event: Option<&'a str>,
    pub metadata: Option<&'a str>,
    /// Decoded.
    pub subagent_run_id: Option<&'a str>,
    /// Members that the schema does not name, each as it is spelled.
    pub extra: String,
    /// Whether the event is kept as it is, where it is.
    pub is_kept: bool,
    /// Whether it is of a delta event and not of a chunk.
    pub is_explicit: bool,
}

impl<'a> Piece<'a> {
    /// What an event carries.
    pub fn of(event: &'a str, head: &'a Head<'_>, is_kept: bool) -> Result<Self, Rejection> {
        let mut piece = Self {
            event,
            delta: head.values.delta.map(|text| {
                let inner = text.strip_prefix('"').unwrap_or(text);
                inner.strip_suffix('"').unwrap_or(inner)
            }),
            timestamp: head.values.timestamp,
            raw_event: None,
            metadata: head.values.metadata,
            subagent_run_id: head.subagent_run_id(),
            extra: String::new(),
            is_kept,
            is_explicit: delta_of(head).is_some(),
        };
        if head.has_raw_event || head.has_unknown_members {
            piece.read_rest(head.kind)?;
        }
        Ok(piece)
    }

    /// Takes the members that heads do not hold, which hardly any event has.
    fn read_rest(&mut self, kind: EventKind) -> Result<(), Rejection> {
        for (name, raw) in members_of(self.event)? {
            if name == "rawEvent" {
                self.raw_event = Some(raw);
            } else if !kind.role().members.contains(&name.as_ref()) {
                if !self.extra.is_empty() {
                    self.extra.push(',');
                }
                chatstate_json::write_string(&mut self.extra, &name);
                self.extra.push(':');
                self.extra.push_str(raw);
            }
        }
        Ok(())
    }

    /// Whether a chunk that continues an item has something for a delta, as AG-UI's expansion of
    /// chunks has it; one that has not is a sign of life, and leaves nothing behind.
    pub fn says_something(&self) -> bool {
        self.opener_says_something() || self.metadata.is_some()
    }

    /// Whether a chunk that opens an item has something for a delta: its metadata is at home on the
    /// start of the item, and so is what nobody knows.
    pub fn opener_says_something(&self) -> bool {
        self.delta.is_some() || self.raw_event.is_some()
    }

    /// Whether nothing may be joined with it.
    pub fn stands_alone(&self) -> bool {
        self.is_kept || !self.extra.is_empty()
    }
}

/// What the chunk that opens an item says of it.
#[derive(Clone, Default)]
pub(super) struct Heads {
    pub role: Option<String>,
    pub name: Option<String>,
    pub tool_call_name: Option<String>,
    pub parent_message_id: Option<String>,
}

/// A chunk, whatever its kind.
pub(super) struct Chunk<'a> {
    pub kind: ItemKind,
    pub id: Option<&'a str>,
    pub heads: Heads,
    pub piece: Piece<'a>,
}

/// The item that a delta event appends to.
pub(super) fn delta_of<'a>(head: &'a Head<'_>) -> Option<(ItemKind, &'a str)> {
    let (kind, id) = match head.kind {
        EventKind::TextMessageContent => (ItemKind::Text, Member::MessageId),
        EventKind::ReasoningMessageContent => (ItemKind::Reasoning, Member::MessageId),
        EventKind::ToolCallArgs => (ItemKind::ToolCall, Member::ToolCallId),
        _ => return None,
    };
    Some((kind, head.text(id)?))
}

/// The kind of item that a chunk opens or continues, and the member that names it.
pub(super) fn chunk_of(head: &Head<'_>) -> Option<(ItemKind, Member)> {
    Some(match head.kind {
        EventKind::TextMessageChunk => (ItemKind::Text, Member::MessageId),
        EventKind::ReasoningMessageChunk => (ItemKind::Reasoning, Member::MessageId),
        EventKind::ToolCallChunk => (ItemKind::ToolCall, Member::ToolCallId),
        _ => return None,
    })
}

impl Heads {
    /// What an event says.
    pub fn of(head: &Head<'_>) -> Self {
        let text = |member| head.text(member).map(str::to_owned);
        Self {
            role: text(Member::Role),
            name: text(Member::Name),
            tool_call_name: text(Member::ToolCallName),
            parent_message_id: text(Member::ParentMessageId),
        }
    }
}
