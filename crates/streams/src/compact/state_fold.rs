//! Folding the state events of the run in progress.

use super::delta::{Place, fold};
use crate::patch::{self, CopyLimits, PatchFailure};
use crate::replay::unknown_operations;
use chatstate_json::Rejection;
use chatstate_json::{ObjectWriter, Value};
use chatstate_types::generated::{
    JsonPatch, Metadata, StateDeltaEvent, StateSnapshotEvent, Timestamp,
};

/// The state events of the run in progress, as far as they matter for folding.
#[derive(Default)]
pub(super) struct StateFold {
    /// The slots of those that are written, unless a later snapshot makes them vanish.
    pub standing: Vec<usize>,
    folded: Option<FoldedState>,
    /// Whether nothing more can be folded into the snapshot.
    is_stopped: bool,
    /// Why the last patch that was folded does not apply, if it does not.
    pub failure: Option<PatchFailure>,
}

/// What becomes of a state event.
pub(super) enum StateOutcome {
    Stays,
    /// It is part of the folded snapshot.
    Folded,
    /// It stays, and nothing is folded across it.
    Bars,
}

/// The last snapshot with the patches after it.
pub(super) struct FoldedState {
    /// The event of the snapshot.
    text: String,
    state: Value,
    /// What patches have copied; nothing before the first is folded in.
    limits: Option<CopyLimits>,
    timestamp: Option<Timestamp>,
    metadata: Option<Metadata>,
    pub subagent_run_id: Option<String>,
    /// Where the last event was that is part of it.
    pub place: Place,
}

impl StateFold {
    /// Takes a snapshot. All state events before it vanish; those that are written are given.
    pub fn snapshot(
        &mut self,
        text: &str,
        event: &StateSnapshotEvent,
        state: Value,
        place: Place,
        is_kept: bool,
    ) -> (Vec<usize>, StateOutcome) {
        let vanished = std::mem::take(self).standing;
        if is_kept || !event.extra.is_empty() {
            self.is_stopped = true;
            return (vanished, StateOutcome::Stays);
        }
        self.folded = Some(FoldedState {
            text: text.to_owned(),
            state,
            limits: None,
            timestamp: event.timestamp,
            metadata: event.metadata.clone(),
            subagent_run_id: event.subagent_run_id.clone(),
            place,
        });
        (vanished, StateOutcome::Folded)
    }

    /// Takes a patch. It is folded into the snapshot before it, when there is one of the same owner.
    pub fn delta(
        &mut self,
        event: &StateDeltaEvent,
        place: Place,
        is_kept: bool,
    ) -> Result<StateOutcome, Rejection> {
        if unknown_operations(&event.delta) {
            return Ok(StateOutcome::Bars);
        }
        let folded = match &mut self.folded {
            Some(folded) if !self.is_stopped => folded,
            _ => return Ok(StateOutcome::Stays),
        };
        if is_kept || !event.extra.is_empty() || event.subagent_run_id != folded.subagent_run_id {
            self.is_stopped = true;
            return Ok(StateOutcome::Stays);
        }
        self.failure = folded.patch(&event.delta)?;
        folded.place = place;
        fold(&mut folded.metadata, event.metadata.as_ref());
        Ok(StateOutcome::Folded)
    }

    /// Whether the folded snapshot, if there is one, would close a lane.
    pub fn closes(&self, lane: Option<&str>) -> bool {
        let folded = self.folded.as_ref();
        folded.is_some_and(|folded| folded.subagent_run_id.as_deref() == lane)
    }

    /// Takes out the folded snapshot, which is to be written now.
    pub fn take(&mut self) -> Option<FoldedState> {
        self.folded.take()
    }
}

impl FoldedState {
    /// A patch that does not apply is skipped whole, as a replay does.
    fn patch(&mut self, patch: &JsonPatch) -> Result<Option<PatchFailure>, Rejection> {
        let limits = self.limits.get_or_insert_default();
        let failure = patch::apply_within(&mut self.state, patch, limits).err();
        match failure.as_ref().and_then(PatchFailure::limit) {
            Some(limit) => Err(limit),
            None => Ok(failure),
        }
    }

    /// Appends the event.
    pub fn write(&self, out: &mut String) {
        if self.limits.is_none() {
            return out.push_str(&self.text);
        }
        ObjectWriter::new(out)
            .text("type", "STATE_SNAPSHOT")
            .member("snapshot", &self.state)
            .optional("timestamp", &self.timestamp)
            .optional("metadata", &self.metadata)
            .optional("subagentRunId", &self.subagent_run_id)
            .end();
    }
}
