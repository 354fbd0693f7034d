//! Runs of which compaction kept only the frame, and which paths need the rest of them
//! (requirement `replay.removed-run`).

use crate::lineage::Runs;
use chatstate_json::Value;
use chatstate_json::{Class, Rejection};
use chatstate_types::generated::{Event, RunStartedEvent};

/// The member of a run's metadata that says how the run was compacted.
pub(crate) const MARK: &str = "chatstate";

/// Whether an event begins a run of which compaction kept only the frame.
#[must_use]
pub fn is_removed(event: &Event) -> bool {
    matches!(event, Event::RunStarted(start) if begins_removed(start))
}

fn begins_removed(start: &RunStartedEvent) -> bool {
    let mark = start
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.get(MARK));
    let compacted = mark
        .and_then(|mark| mark.get("compacted"))
        .and_then(Value::as_str);
    compacted == Some("tips")
}

/// Which runs of a log were removed, and which paths need them.
///
/// A run that was retained when its predecessor was removed restates all messages. Compaction
/// removes only runs that exactly one run continues, so only the first one may do without what was
/// removed.
#[derive(Default)]
pub(crate) struct RemovedRuns(Vec<RunRecord>);

/// A run that is over.
struct RunRecord {
    is_removed: bool,
    is_continued: bool,
    missing: Option<Missing>,
}

/// What a path lacks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Missing {
    /// The run that was removed.
    removed: usize,
    /// The run that needs it.
    at: usize,
}

/// The run in progress.
#[derive(Default)]
pub(crate) struct OpenRun {
    pub predecessor: Option<usize>,
    pub is_removed: bool,
    /// Whether it says all messages anew.
    restates: bool,
    /// Whether it is the first that continues its predecessor.
    is_first: bool,
}

impl OpenRun {
    /// Takes an event of the run.
    pub fn take(&mut self, event: &Event) {
        self.restates |= matches!(event, Event::MessagesSnapshot(_));
    }
}

impl RemovedRuns {
    /// Begins the next run.
    pub fn begin(&mut self, predecessor: Option<usize>, start: &RunStartedEvent) -> OpenRun {
        let is_continued = predecessor
            .is_some_and(|place| std::mem::replace(&mut self.0[place].is_continued, true));
        OpenRun {
            predecessor,
            is_removed: begins_removed(start),
            restates: false,
            is_first: !is_continued,
        }
    }

    /// Ends the run in progress, and gives what its path lacks.
    pub fn end(&mut self, run: &OpenRun) -> Option<Missing> {
        let missing = self.needed(run);
        self.0.push(RunRecord {
            is_removed: run.is_removed,
            is_continued: false,
            missing,
        });
        missing
    }

    /// What the path to the end of a run lacks.
    pub fn missing(&self, place: usize) -> Option<Missing> {
        let run = &self.0[place];
        Missing::itself(place, run.is_removed).or(run.missing)
    }

    /// What the path to the run in progress lacks.
    pub fn missing_now(&self, run: &OpenRun) -> Option<Missing> {
        Missing::itself(self.0.len(), run.is_removed).or_else(|| self.needed(run))
    }

    /// What a run needs of those that it continues.
    fn needed(&self, run: &OpenRun) -> Option<Missing> {
        let place = run.predecessor?;
        let before = &self.0[place];
        let stands_alone = run.is_first && (run.is_removed || run.restates);
        let needed = (before.is_removed && !stands_alone).then_some(Missing {
            removed: place,
            at: self.0.len(),
        });
        before.missing.or(needed)
    }
}

impl Missing {
    fn itself(place: usize, is_removed: bool) -> Option<Self> {
        is_removed.then_some(Self {
            removed: place,
            at: place,
        })
    }

    /// The rejection of the path.
    pub fn rejection(self, runs: &Runs) -> Rejection {
        let message = format!(
            "of the run `{}` compaction kept only the beginning and the end; replay a run that was \
             retained, or the log as it was before",
            runs.rows()[self.removed].run_id
        );
        let at = runs.rows()[self.at].index;
        Rejection::new(Class::Semantic, "replay.removed-run", message).within(at)
    }
}
