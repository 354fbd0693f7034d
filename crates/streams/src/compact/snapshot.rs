//! Level `snapshot`: finished runs as their results.
//!
//! The runs come in their `stream` form. Snapshots are only in finished runs, just before the
//! terminal event; a run that is not over keeps its `stream` form.

mod form;
mod tips;

use super::compacted_run::CompactedRun;
use super::compactor::Give;
use super::options::Retain;
use crate::replay::{Conversation, Ends};
use chatstate_json::Rejection;
use form::said_anew;

/// A finished run, and what leads to it.
pub(super) struct FinishedRun {
    pub run: CompactedRun,
    pub predecessor: Option<usize>,
    /// Whether its path needs what compaction removed.
    pub is_incomplete: bool,
    /// Whether compaction kept only its frame.
    pub is_removed: bool,
    /// What followed it before the next run: an error, and events of unknown types.
    pub after: Vec<String>,
}

/// Puts snapshots in the place of finished runs.
pub(super) struct Snapshots {
    retain: Retain,
    /// What is before the first run, while it is held back.
    before: Vec<String>,
    /// The finished runs, while they are held back.
    runs: Vec<FinishedRun>,
}

impl Snapshots {
    pub fn new(retain: Retain) -> Self {
        Self {
            retain,
            before: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Takes a finished run with what its path says at its end, and gives what is settled by it.
    pub fn take(
        &mut self,
        run: FinishedRun,
        end: &Conversation,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        match self.retain {
            Retain::Tips => self.runs.push(run),
            Retain::Runs => {
                let before = || end.thread().before_run();
                for event in said_anew(&run, before, end)? {
                    give(&event);
                }
            }
        }
        Ok(())
    }

    /// Takes an event outside of runs. What comes after a run has finished stays behind that run.
    pub fn take_outside(&mut self, event: &str, give: &mut Give<'_>) {
        match (self.retain, self.runs.last_mut()) {
            (Retain::Runs, _) => give(event),
            (Retain::Tips, Some(last)) => last.after.push(event.to_owned()),
            (Retain::Tips, None) => self.before.push(event.to_owned()),
        }
    }

    /// Gives what was held back. The predecessor of a run that is not over is retained.
    pub fn finish(
        self,
        ends: &mut Ends,
        retained: Option<usize>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        self.before.iter().for_each(|event| give(event));
        if self.retain == Retain::Tips {
            tips::give(&self.runs, ends, retained, give)?;
        }
        Ok(())
    }
}
