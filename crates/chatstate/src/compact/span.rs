//! The open text messages, reasoning messages and tool calls of the run in progress.

use super::part::Part;
use super::piece::{Chunk, Heads, Piece, chunk_event, delta_event};
use crate::generated::{
    Event, Metadata, ReasoningMessageEndEvent, ReasoningMessageStartEvent, TextMessageEndEvent,
    TextMessageStartEvent, ToolCallEndEvent, ToolCallStartEvent,
};
use crate::json::Object;
use crate::replay::ItemKind;

/// A place in the list of slots.
pub(super) type Slot = usize;

/// An open item.
pub(super) struct Span {
    pub kind: ItemKind,
    pub id: String,
    pub body: Body,
}

/// How an item was begun, and with that, how its deltas are kept.
pub(super) enum Body {
    /// By a START. What was joined before the last barrier stands in its slots already.
    Explicit(Option<Part>),
    /// By a chunk. Whether its parts become chunks or deltas is known when the span is closed.
    Chunks(ChunkBody),
}

/// An item that chunks keep open.
pub(super) struct ChunkBody {
    /// The subagent whose lane the item holds.
    pub lane: Option<String>,
    pub heads: Heads,
    /// Never empty: the first part begins with the opening chunk.
    pub parts: Vec<ChunkPart>,
}

/// A part of a chunk span with the places it may take.
pub(super) struct ChunkPart {
    /// Where its first chunk stood; for the first part, where the item begins.
    pub first: Slot,
    /// Where its delta event stands if the span is closed; `None` while more may join.
    pub delta: Option<Slot>,
    pub part: Part,
}

impl Span {
    /// What chunks keep open of this item, if they do.
    pub fn chunks(&self) -> Option<&ChunkBody> {
        match &self.body {
            Body::Explicit(_) => None,
            Body::Chunks(body) => Some(body),
        }
    }

    /// Whether an event that writes `id` on behalf of `kind` is a barrier for this span.
    pub fn is_barred_by(&self, kind: Option<ItemKind>, id: &str) -> bool {
        kind != Some(self.kind) && self.id == id
    }
}

impl ChunkBody {
    /// The part that a further chunk joins, if it does.
    pub fn pending(&mut self) -> Option<&mut ChunkPart> {
        self.parts.last_mut().filter(|part| part.delta.is_none())
    }
}

/// The open items in the order of beginning. Few are open at once, so they are searched in order.
#[derive(Default)]
pub(super) struct Spans(pub Vec<Span>);

impl Spans {
    pub fn position(&self, kind: ItemKind, id: &str) -> Option<usize> {
        self.0
            .iter()
            .position(|span| span.kind == kind && span.id == id)
    }

    /// Whether a text and a reasoning message of this id are both open, so that the order of their
    /// deltas is the order of the text.
    pub fn is_shared(&self, kind: ItemKind, id: &str) -> bool {
        let other = match kind {
            ItemKind::Text => ItemKind::Reasoning,
            ItemKind::Reasoning => ItemKind::Text,
            _ => return false,
        };
        self.position(other, id).is_some()
    }

    /// The open item that holds a lane.
    pub fn in_lane(&self, lane: Option<&str>) -> Option<usize> {
        self.0.iter().position(|span| {
            span.chunks()
                .is_some_and(|chunks| chunks.lane.as_deref() == lane)
        })
    }

    /// The item that a chunk continues: the one it names, else the one of its kind in its lane,
    /// else the only one of its kind.
    pub fn continued(&self, chunk: &Chunk) -> Option<usize> {
        let of_kind = |span: &&Span| span.kind == chunk.kind && span.chunks().is_some();
        if let Some(id) = &chunk.id {
            let named = |span: &Span| of_kind(&span) && span.id == *id;
            return self.0.iter().position(named);
        }
        let tag = chunk.piece.subagent_run_id.as_deref();
        let in_lane = self
            .in_lane(tag)
            .filter(|place| self.0[*place].kind == chunk.kind);
        if in_lane.is_some() || tag.is_some() {
            return in_lane;
        }
        self.0.iter().position(|span| of_kind(&span))
    }
}

/// The START that stands for an opening chunk.
pub(super) fn start_event(span: &Span, body: &ChunkBody) -> Event {
    let opener = &body.parts[0].part;
    let piece = opener.piece();
    let timestamp = piece.timestamp;
    // What is not on the delta is kept here.
    let (metadata, extra): (Option<Metadata>, Object) = if opener.has_delta() {
        (None, Object::new())
    } else {
        (piece.metadata.clone(), piece.extra.clone())
    };
    let subagent_run_id = body.lane.clone();
    match span.kind {
        ItemKind::ToolCall => {
            let name = body.heads.tool_call_name.clone().unwrap_or_default();
            Event::ToolCallStart(ToolCallStartEvent {
                parent_message_id: body.heads.parent_message_id.clone(),
                timestamp,
                metadata,
                subagent_run_id,
                extra,
                ..ToolCallStartEvent::new(&span.id, name)
            })
        }
        ItemKind::Reasoning => Event::ReasoningMessageStart(ReasoningMessageStartEvent {
            timestamp,
            metadata,
            subagent_run_id,
            extra,
            ..ReasoningMessageStartEvent::new(&span.id)
        }),
        _ => Event::TextMessageStart(TextMessageStartEvent {
            role: body.heads.role,
            name: body.heads.name.clone(),
            timestamp,
            metadata,
            subagent_run_id,
            extra,
            ..TextMessageStartEvent::new(&span.id)
        }),
    }
}

/// The END of an item that chunks kept open.
pub(super) fn end_event(kind: ItemKind, id: &str, lane: Option<&str>) -> Event {
    let subagent_run_id = lane.map(str::to_owned);
    match kind {
        ItemKind::ToolCall => Event::ToolCallEnd(ToolCallEndEvent {
            subagent_run_id,
            ..ToolCallEndEvent::new(id)
        }),
        ItemKind::Reasoning => Event::ReasoningMessageEnd(ReasoningMessageEndEvent {
            subagent_run_id,
            ..ReasoningMessageEndEvent::new(id)
        }),
        _ => Event::TextMessageEnd(TextMessageEndEvent {
            subagent_run_id,
            ..TextMessageEndEvent::new(id)
        }),
    }
}

/// The delta event of a part of a closed chunk span. It says whose it is, since one that did not
/// would close what chunks keep open in the parent agent's lane.
pub(super) fn part_delta(kind: ItemKind, id: &str, lane: Option<&str>, part: Part) -> Event {
    let piece = Piece {
        timestamp: None,
        subagent_run_id: lane.map(str::to_owned),
        ..part.into_delta()
    };
    delta_event(kind, id, piece)
}

/// The chunks that stand for the parts of a span that is still open, with their places.
pub(super) fn open_chunks(span: Span) -> Vec<(Slot, Event)> {
    let Body::Chunks(body) = span.body else {
        return Vec::new();
    };
    // Only the first chunk says what the item is. The others go without its id, since a chunk of a
    // tool call with its id would be longer than the delta event that it stands for.
    let mut heads = Some((span.id, body.heads));
    let mut chunks = Vec::new();
    for part in body.parts {
        let mut piece = part.part.into_chunk();
        piece.subagent_run_id.clone_from(&body.lane);
        let (id, heads) = heads.take().unzip();
        let chunk = Chunk {
            kind: span.kind,
            id,
            heads: heads.unwrap_or_default(),
            piece,
        };
        chunks.push((part.first, chunk_event(chunk)));
    }
    chunks
}
