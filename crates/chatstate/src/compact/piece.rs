//! What one delta event or chunk carries, whatever kind of item it belongs to.

use crate::generated::{
    Event, Metadata, OriginalEvent, ReasoningMessageChunkEvent, ReasoningMessageContentEvent,
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageRole, Timestamp, ToolCallArgsEvent,
    ToolCallChunkEvent,
};
use crate::json::{Object, SplitText};
use crate::replay::ItemKind;

/// The members of a delta event or a chunk, without what names the item.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    /// The text; a chunk may have none.
    pub delta: Option<SplitText>,
    pub timestamp: Option<Timestamp>,
    pub raw_event: Option<OriginalEvent>,
    pub metadata: Option<Metadata>,
    pub subagent_run_id: Option<String>,
    /// Members that the schema does not name.
    pub extra: Object,
}

impl Piece {
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
}

/// What the chunk that opens an item says of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Heads {
    pub role: Option<TextMessageRole>,
    pub name: Option<String>,
    pub tool_call_name: Option<String>,
    pub parent_message_id: Option<String>,
}

/// A chunk, whatever its kind.
pub(super) struct Chunk {
    pub kind: ItemKind,
    pub id: Option<String>,
    pub heads: Heads,
    pub piece: Piece,
}

/// Takes the common members out of a delta event or a chunk.
macro_rules! piece {
    ($event:expr, $delta:expr) => {
        Piece {
            delta: $delta,
            timestamp: $event.timestamp,
            raw_event: $event.raw_event.clone(),
            metadata: $event.metadata.clone(),
            subagent_run_id: $event.subagent_run_id.clone(),
            extra: $event.extra.clone(),
        }
    };
}

/// The item that a delta event appends to, and what it carries.
pub(super) fn delta_of(event: &Event) -> Option<(ItemKind, &str, Piece)> {
    Some(match event {
        Event::TextMessageContent(event) => (
            ItemKind::Text,
            event.message_id.as_str(),
            piece!(event, Some(event.delta.clone())),
        ),
        Event::ReasoningMessageContent(event) => (
            ItemKind::Reasoning,
            event.message_id.as_str(),
            piece!(event, Some(event.delta.clone())),
        ),
        Event::ToolCallArgs(event) => (
            ItemKind::ToolCall,
            event.tool_call_id.as_str(),
            piece!(event, Some(event.delta.clone())),
        ),
        _ => return None,
    })
}

/// The chunk that an event is.
pub(super) fn chunk_of(event: &Event) -> Option<Chunk> {
    let (kind, id, heads, piece) = match event {
        Event::TextMessageChunk(event) => {
            let heads = Heads {
                role: event.role,
                name: event.name.clone(),
                ..Heads::default()
            };
            let piece = piece!(event, event.delta.clone());
            (ItemKind::Text, &event.message_id, heads, piece)
        }
        Event::ReasoningMessageChunk(event) => {
            let piece = piece!(event, event.delta.clone());
            let heads = Heads::default();
            (ItemKind::Reasoning, &event.message_id, heads, piece)
        }
        Event::ToolCallChunk(event) => {
            let heads = Heads {
                tool_call_name: event.tool_call_name.clone(),
                parent_message_id: event.parent_message_id.clone(),
                ..Heads::default()
            };
            let piece = piece!(event, event.delta.clone());
            (ItemKind::ToolCall, &event.tool_call_id, heads, piece)
        }
        _ => return None,
    };
    Some(Chunk {
        kind,
        id: id.clone(),
        heads,
        piece,
    })
}

/// The delta event that carries a piece; a piece without text gives an empty one.
pub(super) fn delta_event(kind: ItemKind, id: &str, piece: Piece) -> Event {
    let delta = piece.delta.unwrap_or_default();
    if kind == ItemKind::ToolCall {
        return Event::ToolCallArgs(ToolCallArgsEvent {
            tool_call_id: id.to_owned(),
            delta,
            timestamp: piece.timestamp,
            raw_event: piece.raw_event,
            metadata: piece.metadata,
            subagent_run_id: piece.subagent_run_id,
            extra: piece.extra,
        });
    }
    if kind == ItemKind::Reasoning {
        return Event::ReasoningMessageContent(ReasoningMessageContentEvent {
            message_id: id.to_owned(),
            delta,
            timestamp: piece.timestamp,
            raw_event: piece.raw_event,
            metadata: piece.metadata,
            subagent_run_id: piece.subagent_run_id,
            extra: piece.extra,
        });
    }
    Event::TextMessageContent(TextMessageContentEvent {
        message_id: id.to_owned(),
        delta,
        timestamp: piece.timestamp,
        raw_event: piece.raw_event,
        metadata: piece.metadata,
        subagent_run_id: piece.subagent_run_id,
        extra: piece.extra,
    })
}

/// The chunk that carries a piece.
pub(super) fn chunk_event(chunk: Chunk) -> Event {
    let Chunk {
        kind,
        id,
        heads,
        piece,
    } = chunk;
    if kind == ItemKind::ToolCall {
        return Event::ToolCallChunk(ToolCallChunkEvent {
            tool_call_id: id,
            tool_call_name: heads.tool_call_name,
            parent_message_id: heads.parent_message_id,
            delta: piece.delta,
            timestamp: piece.timestamp,
            raw_event: piece.raw_event,
            metadata: piece.metadata,
            subagent_run_id: piece.subagent_run_id,
            extra: piece.extra,
        });
    }
    if kind == ItemKind::Reasoning {
        return Event::ReasoningMessageChunk(ReasoningMessageChunkEvent {
            message_id: id,
            delta: piece.delta,
            timestamp: piece.timestamp,
            raw_event: piece.raw_event,
            metadata: piece.metadata,
            subagent_run_id: piece.subagent_run_id,
            extra: piece.extra,
        });
    }
    Event::TextMessageChunk(TextMessageChunkEvent {
        message_id: id,
        role: heads.role,
        name: heads.name,
        delta: piece.delta,
        timestamp: piece.timestamp,
        raw_event: piece.raw_event,
        metadata: piece.metadata,
        subagent_run_id: piece.subagent_run_id,
        extra: piece.extra,
    })
}
