//! What distinguishes open items.

use ecow::EcoString;
use indexmap::Equivalent;

use super::ItemKind;

/// How ids are hashed: with a seed that is drawn anew, so that nobody can choose ids that meet.
pub(crate) type IdHasher = foldhash::fast::RandomState;

/// An id that is kept. Each is kept in several places; a short one is held in place, and the copies of a long
/// one share its text. See docs/ablation.md.
pub(crate) type Id = EcoString;

/// What distinguishes open items. Steps are distinguished by their subagent too; the ids of other
/// items are unique by themselves, so their key has no owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ItemKey {
    pub kind: ItemKind,
    pub id: Id,
    owner: Option<Id>,
}

/// The same, borrowed: with an id that is copied for each delta, compaction takes a third longer.
/// Its hash is that of the owned key.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct BorrowedItemKey<'a> {
    kind: ItemKind,
    id: &'a str,
    owner: Option<&'a str>,
}

impl<'a> BorrowedItemKey<'a> {
    /// The key of an item that only its id distinguishes.
    pub fn of(kind: ItemKind, id: &'a str) -> Self {
        Self::owned_by(kind, id, None)
    }

    /// The key of an item of a subagent, or of the parent agent.
    pub fn owned_by(kind: ItemKind, id: &'a str, subagent_run_id: Option<&'a str>) -> Self {
        let owner = subagent_run_id.filter(|_| kind.is_told_apart_by_owner());
        Self { kind, id, owner }
    }

    pub fn to_owned(self) -> ItemKey {
        ItemKey {
            kind: self.kind,
            id: Id::from(self.id),
            owner: self.owner.map(Id::from),
        }
    }
}

impl Equivalent<ItemKey> for BorrowedItemKey<'_> {
    fn equivalent(&self, key: &ItemKey) -> bool {
        self.kind == key.kind && self.id == key.id && self.owner == key.owner.as_deref()
    }
}
