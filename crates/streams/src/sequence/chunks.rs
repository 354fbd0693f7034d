//! Chunks: items that are begun and ended by what is around them.
//!
//! Each subagent, and the parent agent, has one lane in which at most one chunk item is open. The
//! next event of that lane which is not one of its chunks ends the item.

use indexmap::IndexMap;

use super::{BorrowedItemKey, Id, IdHasher, ItemKey, ItemKind, Violation};
use chatstate_types::generated::roles::Chunk;

/// An item that chunks keep open.
#[derive(Debug, Clone)]
pub(super) struct ChunkItem {
    pub kind: ItemKind,
    pub id: Id,
    /// What the opening chunk said of the item: role, name and the like. Later chunks may repeat it.
    pub opens: [(&'static str, Option<Id>); 2],
    /// The index of the opening chunk.
    pub index: usize,
}

impl ChunkItem {
    /// The item that a chunk opens.
    pub fn opened_by(index: usize, chunk: &Chunk<'_>, id: &str) -> Self {
        // A text message without a role has the role `assistant`, and later chunks may say so.
        let stated = |(name, value): (&'static str, Option<&str>)| {
            let default = (name == "role").then_some("assistant");
            (name, value.or(default).map(Id::from))
        };
        Self {
            kind: chunk.item,
            id: Id::from(id),
            opens: chunk.opens.map(stated),
            index,
        }
    }
}

/// The open chunk items by subagent; the parent agent is `None`.
#[derive(Debug, Clone, Default)]
pub(super) struct Lanes {
    items: IndexMap<Option<Id>, ChunkItem, IdHasher>,
    /// The lane of each of them.
    lanes: IndexMap<ItemKey, Option<Id>, IdHasher>,
}

impl Lanes {
    /// The lane that a chunk belongs to: where its item is open, else its subagent's, else the only
    /// one with an open item of its kind, else the parent agent's.
    pub fn lane_of<'a>(&'a self, chunk: &Chunk<'a>) -> Result<Option<&'a str>, Violation> {
        let tag = chunk.owner;
        if let Some(id) = chunk.id {
            return match self.holder(chunk.item, id) {
                Some((lane, item)) if tag.is_some() && lane.as_deref() != tag => {
                    let message =
                        format!("the chunk continues `{id}`, which belongs to another subagent");
                    Err(Violation::new("chunk.wrong-subagent", message).with(item.index))
                }
                Some((lane, _)) => Ok(lane.as_deref()),
                None => Ok(tag),
            };
        }
        if tag.is_some()
            || self
                .items
                .get(&None)
                .is_some_and(|item| item.kind == chunk.item)
        {
            return Ok(tag);
        }
        let mut candidates = self
            .items
            .iter()
            .filter(|(_, item)| item.kind == chunk.item);
        match (candidates.next(), candidates.next()) {
            (Some(_), Some(_)) => {
                let message =
                    "the chunk names neither its item nor its subagent, and several are open";
                Err(Violation::new("chunk.ambiguous", message))
            }
            (Some((lane, _)), None) => Ok(lane.as_deref()),
            (None, _) => Ok(None),
        }
    }

    /// The open item of a lane that the chunk continues, after checking that it says nothing else
    /// of the item than the opening chunk said.
    pub fn continued(
        &self,
        lane: Option<&str>,
        chunk: &Chunk<'_>,
    ) -> Result<Option<&ChunkItem>, Violation> {
        let Some(item) = self.items.get(&lane.map(Id::from)) else {
            return Ok(None);
        };
        if item.kind != chunk.item || chunk.id.is_some_and(|id| id != item.id) {
            return Ok(None);
        }
        for ((name, now), (_, before)) in chunk.opens.iter().zip(&item.opens) {
            if now.is_some() && *now != before.as_deref() {
                let message = format!(
                    "the chunk's `{name}` is not the one that `{}` was opened with",
                    item.id
                );
                return Err(Violation::new("chunk.disagrees", message).with(item.index));
            }
        }
        Ok(Some(item))
    }

    /// Notes the open item of a lane.
    pub fn open(&mut self, lane: Option<Id>, item: ChunkItem) {
        let key = BorrowedItemKey::of(item.kind, &item.id);
        self.lanes.insert(key.to_owned(), lane.clone());
        self.items.insert(lane, item);
    }

    /// Ends what a lane has open.
    pub fn close(&mut self, lane: Option<&str>) -> Option<ChunkItem> {
        let item = self.items.swap_remove(&lane.map(Id::from))?;
        let key = BorrowedItemKey::of(item.kind, &item.id);
        self.lanes.swap_remove(&key);
        Some(item)
    }

    /// Ends what all lanes have open, in the order of opening.
    pub fn close_all(&mut self) -> Vec<(Option<Id>, ChunkItem)> {
        if self.items.is_empty() {
            return Vec::new();
        }
        // To clear a map takes the time of the largest that it was.
        let mut items: Vec<_> = std::mem::take(self).items.into_iter().collect();
        items.sort_by_key(|(_, item)| item.index);
        items
    }

    /// The open item of this id, with its lane.
    fn holder(&self, kind: ItemKind, id: &str) -> Option<(&Option<Id>, &ChunkItem)> {
        let lane = self.lanes.get(&BorrowedItemKey::of(kind, id))?;
        Some((lane, self.items.get(lane)?))
    }

    /// Whether the same chunks may follow on both.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let says = |item: &ChunkItem| (item.kind, item.id.clone(), item.opens.clone());
        let same = |(lane, item): (&Option<Id>, &ChunkItem)| {
            other.items.get(lane).map(says) == Some(says(item))
        };
        self.items.len() == other.items.len() && self.items.iter().all(same)
    }

    /// Rejects an explicit end of what chunks opened: the end of a chunk item is what
    /// its own lane does next.
    pub fn require_none(&self, kind: ItemKind, id: &str) -> Result<(), Violation> {
        match self.holder(kind, id) {
            None => Ok(()),
            Some((_, item)) => {
                let message =
                    format!("`{id}` was opened by a chunk of another subagent, which ends it");
                Err(Violation::new("chunk.ended-elsewhere", message).with(item.index))
            }
        }
    }
}

/// A chunk that opens an item without naming it.
pub(super) fn missing_opening(name: &str) -> Violation {
    let message = format!("the chunk opens an item, so it needs `{name}`");
    Violation::new("chunk.missing-head", message)
}
