//! Barriers: events that write to an item on behalf of something else, so that none of its deltas
//! is merged across them.

use crate::header::Header;
use crate::replay::ItemKind;
use chatstate_types::generated::roles::{Subject, Writes as RoleWrites, Written};

/// The ids that an event writes, and the kind of item on whose behalf. Deltas that are merged write
/// nothing where they were, since they do not stay there.
pub(super) struct Writes<'a> {
    pub kind: Option<ItemKind>,
    pub ids: [Option<&'a str>; 2],
}

impl<'a> Writes<'a> {
    /// What a delta or the END of an item writes: that of a part of a message reaches nothing else.
    pub fn of_progress(kind: ItemKind, id: &'a str) -> Self {
        let delta = kind.appends().map(|event| event.role().writes);
        let reaches = delta.is_some_and(|writes| writes != RoleWrites::Members(&[]));
        Self {
            kind: Some(kind),
            ids: [reaches.then_some(id), None],
        }
    }

    /// What the beginning of an item writes.
    pub fn of_beginning(kind: ItemKind, id: &'a str, parent: Option<&'a str>) -> Self {
        Self {
            kind: Some(kind),
            ids: [Some(id), parent],
        }
    }

    /// What an event that stays in its place writes.
    pub fn of(header: &'a Header<'_>) -> Self {
        let kind = match header.kind.role().subject {
            Subject::Item(kind) => Some(kind),
            _ => None,
        };
        let ids = match header.written() {
            Written::Ids(ids) => ids,
            Written::All => [None; 2],
        };
        Self { kind, ids }
    }
}
