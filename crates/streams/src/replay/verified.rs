//! A replay of what verifies: both in one pass, so that they give one answer.
//!
//! Each has a tracker of what is open: verification goes on from an event that it rejects, and a lenient
//! replay from the one before it.

use super::Replayed;
use super::carried::Carried;
use super::checkpoints::Checkpoints;
use crate::sequence::Violation;
use crate::verify::{Verification, Verifier};
use chatstate_json::Rejection;
use chatstate_types::generated::Event;

/// A log that is verified and replayed as its events come.
pub(crate) struct VerifiedReplay {
    verifier: Verifier,
    checkpoints: Checkpoints,
    found: Verification,
    /// Whether events that break a rule are passed over.
    is_lenient: bool,
}

impl Default for VerifiedReplay {
    fn default() -> Self {
        Self {
            verifier: Verifier::default(),
            checkpoints: Checkpoints::with_remarks(),
            found: Verification::default(),
            is_lenient: false,
        }
    }
}

impl VerifiedReplay {
    /// One that passes over the events that break a rule, if it is lenient.
    pub fn asked(is_lenient: bool) -> Self {
        let mut log = Self {
            is_lenient,
            ..Self::default()
        };
        log.checkpoints.pass_over_violations(is_lenient);
        log
    }

    /// Takes the event of this index, with what it carries.
    pub fn push(&mut self, index: usize, event: &Event, carried: Carried<'_>) {
        let found = self.verifier.push(index, event);
        let breaks_rule = found.errors.iter().any(|error| error.at == index);
        self.found.extend(found);
        if self.is_lenient && self.is_passed_over(event, breaks_rule) {
            return;
        }
        self.checkpoints.push(index, event, carried);
        if let Some(limit) = self.checkpoints.take_limit() {
            self.found.reject(index, limit);
        }
    }

    /// Whether an event has no effect. Those that begin and end the run in progress have one, since
    /// what follows would belong to another run without them.
    fn is_passed_over(&self, event: &Event, breaks_rule: bool) -> bool {
        let frames_run = matches!(
            event,
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_)
        );
        !self.verifier.is_in_run() || (breaks_rule && !frames_run)
    }

    /// The run that is not over, by the index of its beginning.
    pub fn unfinished(&self) -> Option<(usize, Violation)> {
        self.verifier.unfinished()
    }

    /// Notes an event that is no valid document.
    pub fn reject(&mut self, index: usize, rejection: Rejection) {
        self.found.reject(index, rejection);
    }

    /// What was found, in the order of the events, and what was replayed.
    pub fn into_found(self) -> (Checkpoints, Verification) {
        let (mut checkpoints, mut found) = (self.checkpoints, self.found);
        found.extend(self.verifier.finish());
        for remark in checkpoints.take_remarks() {
            found.remark(remark);
        }
        found.sort();
        (checkpoints, found)
    }

    /// What the log means at the end of the run with this id, or of its last run. Rejected is the
    /// first event that breaks a rule, unless such events are passed over.
    pub fn finish(self, run_id: Option<&str>) -> Result<Replayed, Rejection> {
        let is_lenient = self.is_lenient;
        let (checkpoints, found) = self.into_found();
        if let Some(error) = found.errors.first().filter(|_| !is_lenient) {
            return Err(error.into());
        }
        Ok(Replayed {
            replay: checkpoints.finish(run_id)?,
            found,
        })
    }
}
