//! What has been begun and not ended.

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::{BorrowedItemKey, Id, IdHasher, ItemKey, Violation};
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

/// The rest of an open item: whose it is, and the index of the event that began it.
#[derive(Debug, Clone)]
struct Opened {
    subagent_run_id: Option<Id>,
    index: usize,
}

/// The open items.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenItems(IndexMap<ItemKey, Opened, IdHasher>);

impl OpenItems {
    /// Begins an item that must not be open.
    pub fn begin(
        &mut self,
        index: usize,
        kind: ItemKind,
        id: &str,
        subagent_run_id: Option<&str>,
    ) -> Result<(), Violation> {
        let key = BorrowedItemKey::owned_by(kind, id, subagent_run_id);
        match self.0.entry(key.to_owned()) {
            Entry::Occupied(opened) => {
                let kind = kind.as_str();
                let message = format!("the {kind} `{id}` is begun, but it is open");
                let rule = format!("{kind}.already-open");
                Err(Violation::new(rule, message).with(opened.get().index))
            }
            Entry::Vacant(place) => {
                let subagent_run_id = subagent_run_id.map(Id::from);
                place.insert(Opened {
                    subagent_run_id,
                    index,
                });
                Ok(())
            }
        }
    }

    /// Rejects continuing an item that is not open.
    pub fn require(&self, kind: ItemKind, id: &str) -> Result<(), Violation> {
        if self.0.contains_key(&BorrowedItemKey::of(kind, id)) {
            return Ok(());
        }
        Err(not_open(kind, id))
    }

    /// Ends an item that must be open.
    pub fn end(
        &mut self,
        kind: ItemKind,
        id: &str,
        subagent_run_id: Option<&str>,
    ) -> Result<(), Violation> {
        let key = BorrowedItemKey::owned_by(kind, id, subagent_run_id);
        let ended = self.0.swap_remove(&key);
        ended.map(drop).ok_or_else(|| not_open(kind, id))
    }

    /// Takes all items out, as the end of a run does: each with the index of its first event, in
    /// the order of beginning.
    pub fn take(&mut self) -> Vec<(usize, OpenItem)> {
        let items = std::mem::take(&mut self.0).into_iter();
        let item = |(key, opened): (ItemKey, Opened)| {
            let item = OpenItem {
                kind: key.kind,
                id: key.id.into(),
                subagent_run_id: opened.subagent_run_id.map(String::from),
            };
            (opened.index, item)
        };
        let mut items: Vec<_> = items.map(item).collect();
        // One event begins one item at most, so the indexes give the order.
        items.sort_by_key(|(index, _)| *index);
        items
    }

    /// The items, each with the index of its first event, in the order of beginning.
    pub fn list(&self) -> Vec<(usize, OpenItem)> {
        self.clone().take()
    }
}

fn not_open(kind: ItemKind, id: &str) -> Violation {
    let kind = kind.as_str();
    let message = format!("the {kind} `{id}` is continued or ended, but it is not open");
    Violation::new(format!("{kind}.not-open"), message)
}
