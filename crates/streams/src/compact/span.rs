//! The open text messages, reasoning messages and tool calls of the run in progress.

use super::part::Part;
use super::piece::{Chunk, Heads};
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
    /// Whether one of the chunks is kept as it is, so that the others stay chunks too.
    pub is_kept: bool,
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
    pub fn continued(&self, chunk: &Chunk<'_>) -> Option<usize> {
        let of_kind = |span: &&Span| span.kind == chunk.kind && span.chunks().is_some();
        if let Some(id) = chunk.id {
            let named = |span: &Span| of_kind(&span) && span.id == id;
            return self.0.iter().position(named);
        }
        let tag = chunk.piece.subagent_run_id;
        let in_lane = self
            .in_lane(tag)
            .filter(|place| self.0[*place].kind == chunk.kind);
        if in_lane.is_some() || tag.is_some() {
            return in_lane;
        }
        self.0.iter().position(|span| of_kind(&span))
    }
}
