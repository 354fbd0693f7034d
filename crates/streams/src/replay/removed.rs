//! Runs of which compaction kept only the frame, and runs that a prelude leaves out, and which paths
//! need them (requirements `replay.removed-run` and `replay.left-out-run`).

use std::collections::HashSet;

use crate::lineage::Runs;
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value};
use chatstate_types::generated::{Event, RunStartedEvent};

/// The member of a run's metadata that says how the run was compacted, and which runs are left out.
pub(crate) const MARK: &str = "chatstate";

/// The member of the mark that names the runs which a prelude leaves out.
const WITHOUT: &str = "without";

/// Whether an event begins a run of which compaction kept only the frame.
#[must_use]
pub fn is_removed(event: &Event) -> bool {
    matches!(event, Event::RunStarted(start) if begins_removed(start))
}

fn begins_removed(start: &RunStartedEvent) -> bool {
    let compacted = mark_of(start).and_then(|mark| mark.get("compacted"));
    compacted.and_then(Value::as_str) == Some("tips")
}

fn mark_of(start: &RunStartedEvent) -> Option<&Object> {
    start.metadata.as_ref()?.get(MARK)?.as_object()
}

/// The ids of the runs that a prelude leaves out which begins so, in their order.
pub(crate) fn left_out(start: &RunStartedEvent) -> impl Iterator<Item = &str> {
    let without = mark_of(start).and_then(|mark| mark.get(WITHOUT)?.as_array());
    without.into_iter().flatten().filter_map(Value::as_str)
}

/// Adds a member to the mark of a run, beside those that it has.
pub(crate) fn add_to_mark(start: &mut RunStartedEvent, name: &str, value: impl Into<Value>) {
    let mut mark = mark_of(start).cloned().unwrap_or_else(Object::new);
    mark.insert(name, value);
    let metadata = start.metadata.get_or_insert_default();
    metadata.insert(MARK, mark);
}

/// Has the beginning of a prelude name the runs that it leaves out.
pub(crate) fn name_left_out(start: &mut RunStartedEvent, run_ids: Vec<String>) {
    let run_ids: Vec<Value> = run_ids.into_iter().map(Value::from).collect();
    add_to_mark(start, WITHOUT, run_ids);
}

/// Which runs of a log were removed or left out, and which paths need them.
///
/// A run that was retained when its predecessor was removed restates all messages. Compaction
/// removes only runs that exactly one run continues, so only the first one may do without what was
/// removed.
#[derive(Default)]
pub(crate) struct RemovedRuns {
    records: Vec<RunRecord>,
    /// The runs that the first run names as left out, but for those of an id that came all the same.
    left_out: HashSet<String>,
}

/// A run that is over.
struct RunRecord {
    is_removed: bool,
    is_continued: bool,
    missing: Option<Missing>,
}

/// What a path lacks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Missing {
    /// The run that was removed; none where the parent of the other one was left out.
    removed: Option<usize>,
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
    continues: Continuation,
}

/// How a run continues another.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Continuation {
    /// It is the first that continues its predecessor, or the first run.
    First,
    /// Another run continues its predecessor, too.
    #[default]
    Later,
    /// It continues a run that is left out.
    OfLeftOut,
}

impl OpenRun {
    /// Whether it is the first that continues its predecessor, or the first run.
    pub fn is_first(&self) -> bool {
        self.continues == Continuation::First
    }

    /// Says that what comes does not go on from the predecessor, which could not be worked out.
    pub fn give_up_predecessor(&mut self) {
        self.continues = Continuation::Later;
    }

    /// Takes an event of the run.
    pub fn take(&mut self, event: &Event) {
        self.restates |= matches!(event, Event::MessagesSnapshot(_));
    }
}

impl RemovedRuns {
    /// Begins the next run.
    pub fn begin(&mut self, predecessor: Option<usize>, start: &RunStartedEvent) -> OpenRun {
        let is_continued = predecessor
            .is_some_and(|place| std::mem::replace(&mut self.records[place].is_continued, true));
        let parent = start.parent_run_id.as_deref();
        let continues = if parent.is_some_and(|parent| self.left_out.contains(parent)) {
            Continuation::OfLeftOut
        } else if is_continued {
            Continuation::Later
        } else {
            Continuation::First
        };
        if predecessor.is_none() {
            self.left_out = left_out(start).map(str::to_owned).collect();
        }
        self.left_out.remove(&start.run_id);
        OpenRun {
            predecessor,
            is_removed: begins_removed(start),
            restates: false,
            continues,
        }
    }

    /// Ends the run in progress.
    pub fn end(&mut self, run: &OpenRun) {
        self.records.push(RunRecord {
            is_removed: run.is_removed,
            is_continued: false,
            missing: self.needed(run),
        });
    }

    /// What the path to the end of a run lacks.
    pub fn missing(&self, place: usize) -> Option<Missing> {
        let run = &self.records[place];
        Missing::itself(place, run.is_removed).or(run.missing)
    }

    /// What the path to the run in progress lacks.
    pub fn missing_now(&self, run: &OpenRun) -> Option<Missing> {
        Missing::itself(self.records.len(), run.is_removed).or_else(|| self.needed(run))
    }

    /// What the run in progress needs of those that it continues, and is not there.
    pub fn needed(&self, run: &OpenRun) -> Option<Missing> {
        let (place, at) = (run.predecessor?, self.records.len());
        if run.continues == Continuation::OfLeftOut {
            return Some(Missing { removed: None, at });
        }
        let before = &self.records[place];
        let stands_alone = run.is_first() && (run.is_removed || run.restates);
        let needed = (before.is_removed && !stands_alone).then_some(Missing {
            removed: Some(place),
            at,
        });
        before.missing.or(needed)
    }
}

impl Missing {
    fn itself(place: usize, is_removed: bool) -> Option<Self> {
        is_removed.then_some(Self {
            removed: Some(place),
            at: place,
        })
    }

    /// The rejection of the path.
    pub fn rejection(self, runs: &Runs) -> Rejection {
        let run = &runs.rows()[self.at];
        let message = match self.removed {
            Some(removed) => format!(
                "of the run `{}` compaction kept only the beginning and the end; replay a run that \
                 was retained, or the log as it was before",
                runs.rows()[removed].run_id
            ),
            None => format!(
                "the run `{}` continues the run `{}`, which the prelude of this log leaves out; \
                 attach again, or replay the whole log",
                run.run_id,
                run.parent_run_id.as_deref().unwrap_or_default()
            ),
        };
        Rejection::new(Class::Semantic, "replay.removed-run", message).within(run.index)
    }
}
