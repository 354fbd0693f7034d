//! What has been begun and not ended.

use foldhash::fast::RandomState;
use indexmap::map::Entry;
use indexmap::{Equivalent, IndexMap};

use super::Violation;
use chatstate_json::{ObjectWriter, WriteJson};

pub use chatstate_types::generated::roles::ItemKind;

/// An item that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its id; the name of a step.
    pub id: String,
    /// The subagent it belongs to.
    pub subagent_run_id: Option<String>,
}

impl WriteJson for OpenItem {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("kind", self.kind.as_str())
            .text("id", &self.id)
            .optional("subagentRunId", &self.subagent_run_id)
            .end();
    }
}

/// What distinguishes open items. Steps are distinguished by their subagent too; the ids of other
/// items are unique by themselves, so their key has no owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ItemKey {
    kind: ItemKind,
    id: String,
    owner: Option<String>,
}

/// The same, borrowed from an event. Its hash is that of the owned key.
#[derive(Debug, Clone, Copy, Hash)]
struct BorrowedItemKey<'a> {
    kind: ItemKind,
    id: &'a str,
    owner: Option<&'a str>,
}

impl Equivalent<ItemKey> for BorrowedItemKey<'_> {
    fn equivalent(&self, key: &ItemKey) -> bool {
        self.kind == key.kind && self.id == key.id && self.owner == key.owner.as_deref()
    }
}

/// The rest of an open item: whose it is, and the index of the event that began it.
#[derive(Debug, Clone)]
struct Opened {
    subagent_run_id: Option<String>,
    index: usize,
}

/// The open items.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenItems {
    items: IndexMap<ItemKey, Opened, RandomState>,
    /// The index of the item that was begun or continued last, which is mostly the next one too.
    latest: usize,
}

impl OpenItems {
    /// Begins an item that must not be open.
    pub fn begin(
        &mut self,
        index: usize,
        kind: ItemKind,
        id: &str,
        subagent_run_id: Option<&str>,
    ) -> Result<(), Violation> {
        let key = key_of(kind, id, subagent_run_id);
        let key = ItemKey {
            kind,
            id: id.to_owned(),
            owner: key.owner.map(str::to_owned),
        };
        match self.items.entry(key) {
            Entry::Occupied(opened) => {
                let kind = kind.as_str();
                let message = format!("the {kind} `{id}` is begun, but it is open");
                let rule = format!("{kind}.already-open");
                Err(Violation::new(rule, message).with(opened.get().index))
            }
            Entry::Vacant(place) => {
                self.latest = place.index();
                let subagent_run_id = subagent_run_id.map(str::to_owned);
                place.insert(Opened {
                    subagent_run_id,
                    index,
                });
                Ok(())
            }
        }
    }

    /// Rejects continuing an item that is not open.
    pub fn require(&mut self, kind: ItemKind, id: &str) -> Result<(), Violation> {
        let key = key_of(kind, id, None);
        let latest = self.items.get_index(self.latest);
        if latest.is_some_and(|(latest, _)| key.equivalent(latest)) {
            return Ok(());
        }
        let place = self.items.get_index_of(&key);
        self.latest = place.ok_or_else(|| not_open(kind, id))?;
        Ok(())
    }

    /// Ends an item that must be open.
    pub fn end(
        &mut self,
        kind: ItemKind,
        id: &str,
        subagent_run_id: Option<&str>,
    ) -> Result<(), Violation> {
        let ended = self.items.swap_remove(&key_of(kind, id, subagent_run_id));
        ended.map(drop).ok_or_else(|| not_open(kind, id))
    }

    /// Takes all items out, as the end of a run does: each with the index of its first event, in
    /// the order of beginning.
    pub fn take(&mut self) -> Vec<(usize, OpenItem)> {
        let items = std::mem::take(&mut self.items).into_iter();
        let item = |(key, opened): (ItemKey, Opened)| {
            let item = OpenItem {
                kind: key.kind,
                id: key.id,
                subagent_run_id: opened.subagent_run_id,
            };
            (opened.index, item)
        };
        let mut items: Vec<_> = items.map(item).collect();
        // One event begins one item at most, so the indexes give the order.
        items.sort_by_key(|(index, _)| *index);
        items
    }
}

impl OpenItems {
    /// The items, each with the index of its first event, in the order of beginning.
    pub fn list(&self) -> Vec<(usize, OpenItem)> {
        self.clone().take()
    }
}

fn key_of<'a>(
    kind: ItemKind,
    id: &'a str,
    subagent_run_id: Option<&'a str>,
) -> BorrowedItemKey<'a> {
    let owner = subagent_run_id.filter(|_| kind.is_told_apart_by_owner());
    BorrowedItemKey { kind, id, owner }
}

fn not_open(kind: ItemKind, id: &str) -> Violation {
    let kind = kind.as_str();
    let message = format!("the {kind} `{id}` is continued or ended, but it is not open");
    Violation::new(format!("{kind}.not-open"), message)
}
