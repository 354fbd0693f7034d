//! The open text messages, reasoning messages and tool calls of the run in progress.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use indexmap::IndexMap;

use super::delta::{PendingDelta, Place};
use crate::replay::ItemKind;
use crate::sequence::{BorrowedItemKey, Id, IdHasher, ItemKey};
use chatstate_types::generated::Event;

/// How an item was begun, and with that, what becomes of its deltas.
pub(super) enum OpenSpan {
    /// By a START.
    Explicit(Option<PendingDelta>),
    /// By a chunk. Whether it becomes START, deltas and END is known when it is closed.
    Chunks(Box<ChunkSpan>),
}

impl OpenSpan {
    /// Whether its pending delta, if there is one, would close a lane.
    fn closes(&self, lane: Option<&str>) -> bool {
        match self {
            Self::Explicit(delta) => {
                let delta = delta.as_ref();
                delta.is_some_and(|delta| delta.subagent_run_id.as_deref() == lane)
            }
            Self::Chunks(item) => {
                let pending = item.parts.last().filter(|part| part.slot.is_none());
                let is_delta = |part: &ChunkPart| part.delta.count > 0 && !part.delta.has_chunks;
                // Delta events alone close no lane but that of the parent agent.
                lane.is_none() && pending.is_some_and(is_delta)
            }
        }
    }
}

/// An item that chunks keep open.
pub(super) struct ChunkSpan {
    /// The subagent whose lane it holds.
    pub lane: Option<Id>,
    pub description: Description,
    /// The slot of its START.
    pub start: usize,
    /// Its deltas between barriers. The first begins with the opening chunk; of all but the last,
    /// the slot is known.
    pub parts: Vec<ChunkPart>,
    /// Its chunks, and delta events for it, as they came.
    pub raw: RawChunks,
    /// The slots of what would close it by standing there, and where that was before.
    pub movable: Vec<(usize, Place)>,
    /// Whether the caller keeps one of them.
    pub is_kept: bool,
}

/// The deltas of a chunk item between two barriers.
pub(super) struct ChunkPart {
    pub delta: PendingDelta,
    /// The slot that its delta takes, once a barrier has ended the part.
    pub slot: Option<usize>,
}

/// Events as they came, with their places.
pub(super) struct RawChunks {
    texts: String,
    chunks: Vec<(Place, Range<usize>)>,
}

impl RawChunks {
    /// The first one. Most items that chunks keep open have no other.
    pub fn of(place: Place, text: &str) -> Self {
        Self {
            texts: text.to_owned(),
            chunks: vec![(place, 0..text.len())],
        }
    }

    pub fn push(&mut self, place: Place, text: &str) {
        let start = self.texts.len();
        self.texts.push_str(text);
        self.chunks.push((place, start..self.texts.len()));
    }

    pub fn iter(&self) -> impl Iterator<Item = (Place, &str)> {
        let chunks = self.chunks.iter().cloned();
        chunks.map(|(place, range)| (place, &self.texts[range]))
    }
}

impl ChunkSpan {
    /// The part that a further delta joins, if no barrier has ended it.
    pub fn pending(&mut self) -> Option<&mut ChunkPart> {
        self.parts.last_mut().filter(|part| part.slot.is_none())
    }
}

/// What the chunk that opens an item says of it.
#[derive(Default)]
pub(super) struct Description {
    pub role: Option<String>,
    pub name: Option<String>,
    pub tool_call_name: Option<String>,
    pub parent_message_id: Option<String>,
}

impl Description {
    pub fn of(event: &Event) -> Self {
        match event {
            Event::TextMessageChunk(chunk) => Self {
                role: chunk.role.map(|role| role.as_str().to_owned()),
                name: chunk.name.clone(),
                ..Self::default()
            },
            Event::ToolCallChunk(chunk) => Self {
                tool_call_name: chunk.tool_call_name.clone(),
                parent_message_id: chunk.parent_message_id.clone(),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

/// The open items. Each has the number of the event that began it, which gives their order.
#[derive(Default)]
pub(super) struct OpenSpans {
    items: IndexMap<ItemKey, (usize, OpenSpan), IdHasher>,
    /// The items with a delta that is not written yet, in the order of beginning.
    pending: BTreeMap<usize, ItemKey>,
    /// The lanes that chunk items hold.
    lanes: HashMap<Option<Id>, ItemKey, IdHasher>,
}

impl OpenSpans {
    pub fn push(&mut self, arrival: usize, kind: ItemKind, id: &str, item: OpenSpan) {
        let key = BorrowedItemKey::of(kind, id).to_owned();
        if let OpenSpan::Chunks(chunks) = &item {
            self.lanes.insert(chunks.lane.clone(), key.clone());
            self.pending.insert(arrival, key.clone());
        }
        self.items.insert(key, (arrival, item));
    }

    /// An item, with the number of the event that began it.
    pub fn get(&self, kind: ItemKind, id: &str) -> Option<(usize, &OpenSpan)> {
        let (arrival, item) = self.items.get(&BorrowedItemKey::of(kind, id))?;
        Some((*arrival, item))
    }

    pub fn get_mut(&mut self, kind: ItemKind, id: &str) -> Option<&mut OpenSpan> {
        let (_, item) = self.items.get_mut(&BorrowedItemKey::of(kind, id))?;
        Some(item)
    }

    pub fn remove(&mut self, kind: ItemKind, id: &str) -> Option<OpenSpan> {
        let (arrival, item) = self.items.swap_remove(&BorrowedItemKey::of(kind, id))?;
        self.pending.remove(&arrival);
        if let OpenSpan::Chunks(chunks) = &item {
            self.lanes.remove(&chunks.lane);
        }
        Some(item)
    }

    /// Notes that an item has a delta that is not written yet.
    pub fn note_pending(&mut self, kind: ItemKind, id: &str) {
        let key = BorrowedItemKey::of(kind, id);
        if let Some((arrival, _)) = self.items.get(&key) {
            self.pending.insert(*arrival, key.to_owned());
        }
    }

    /// Notes that an item has none any more.
    pub fn note_written(&mut self, kind: ItemKind, id: &str) {
        if let Some((arrival, _)) = self.items.get(&BorrowedItemKey::of(kind, id)) {
            self.pending.remove(arrival);
        }
    }

    /// The items with a delta that is not written yet, in the order of beginning.
    pub fn pending(&self) -> Vec<ItemKey> {
        self.pending.values().cloned().collect()
    }

    /// Those whose delta would close this lane.
    pub fn pending_in(&self, lane: Option<&str>) -> Vec<ItemKey> {
        let closes = |key: &&ItemKey| {
            let found = self.items.get(*key);
            found.is_some_and(|(_, item)| item.closes(lane))
        };
        self.pending.values().filter(closes).cloned().collect()
    }

    /// When an item was begun, if it is open.
    pub fn arrival(&self, kind: ItemKind, id: &str) -> Option<usize> {
        self.get(kind, id).map(|(arrival, _)| arrival)
    }

    /// Whether a text and a reasoning message of this id are both open, so that the order of their
    /// deltas is the order of the text. One of them is the item of this kind.
    pub fn is_shared(&self, kind: ItemKind, id: &str) -> bool {
        let kind = match kind {
            ItemKind::Text => ItemKind::Reasoning,
            ItemKind::Reasoning => ItemKind::Text,
            _ => return false,
        };
        self.items.contains_key(&BorrowedItemKey::of(kind, id))
    }

    /// The item that chunks keep open in a lane.
    pub fn holder_mut(&mut self, lane: Option<&str>) -> Option<&mut ChunkSpan> {
        let (_, item) = self.items.get_mut(self.lanes.get(&lane.map(Id::from))?)?;
        match item {
            OpenSpan::Chunks(item) => Some(item),
            OpenSpan::Explicit(_) => None,
        }
    }

    /// Takes all items out, in the order of beginning.
    pub fn take(&mut self) -> impl Iterator<Item = (ItemKey, OpenSpan)> {
        self.pending.clear();
        self.lanes.clear();
        let mut items: Vec<_> = self.items.drain(..).collect();
        items.sort_by_key(|(_, (arrival, _))| *arrival);
        items.into_iter().map(|(key, (_, item))| (key, item))
    }
}
