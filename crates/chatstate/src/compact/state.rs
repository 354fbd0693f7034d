//! Folding the state of one run.

use super::span::Slot;
use crate::generated::{Event, Metadata, StateDeltaEvent, StateSnapshotEvent};
use crate::patch;

/// The state events of the run in progress, as far as they matter for folding.
#[derive(Default)]
pub(super) struct StateFold {
    /// The events that stay where they are, unless a later snapshot makes them vanish.
    pub standing: Vec<Slot>,
    folded: Option<StateSnapshotEvent>,
    /// Where the folded snapshot stands when an event behind it stays; else at the end of the run.
    pub place: Option<Slot>,
    /// Whether nothing more can be folded into the snapshot.
    stopped: bool,
}

/// What becomes of a state event.
pub(super) enum Fate {
    /// It stays; its slot is to be noted.
    Stays,
    /// It is part of the folded snapshot.
    Folded,
}

impl StateFold {
    /// A snapshot makes all state events before it vanish; their slots are given.
    pub fn snapshot(&mut self, event: &StateSnapshotEvent) -> (Vec<Slot>, Fate) {
        let vanished = std::mem::take(self).standing;
        if event.extra.is_empty() {
            self.folded = Some(event.clone());
            return (vanished, Fate::Folded);
        }
        self.stopped = true;
        (vanished, Fate::Stays)
    }

    /// A patch is folded into the snapshot before it, when there is one of the same owner.
    pub fn delta(&mut self, event: &StateDeltaEvent) -> Fate {
        let folded = match &mut self.folded {
            Some(folded) if !self.stopped => folded,
            _ => return Fate::Stays,
        };
        if !event.extra.is_empty() || event.subagent_run_id != folded.subagent_run_id {
            self.stopped = true;
            return Fate::Stays;
        }
        // A patch that does not apply is skipped whole, as a replay does.
        let _ = patch::apply(&mut folded.snapshot, &event.delta);
        folded.raw_event = None;
        fold_metadata(&mut folded.metadata, event.metadata.as_ref());
        Fate::Folded
    }

    /// Whether the folded snapshot still needs a place in front of an event that stays.
    pub fn needs_place(&self) -> bool {
        self.folded.is_some() && self.place.is_none()
    }

    /// The folded snapshot.
    pub fn into_event(self) -> Option<Event> {
        self.folded.map(Event::StateSnapshot)
    }
}

fn fold_metadata(folded: &mut Option<Metadata>, metadata: Option<&Metadata>) {
    if let Some(metadata) = metadata {
        let members = metadata
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()));
        folded.get_or_insert_default().extend(members);
    }
}
