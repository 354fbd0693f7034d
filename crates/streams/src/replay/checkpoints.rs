//! What a log means at the end of each of its runs, worked out in one pass.

use super::Replay;
use super::carried::Carried;
use super::reducer::{Conversation, Ends, Reducer};
use super::remark::Remark;
use super::removed::OpenRun;
use super::run::Run;
use crate::lineage::{LineageRun, Problem, Runs};
use crate::sequence::Tracker;
use chatstate_json::{Class, Rejection};
use chatstate_types::generated::{Event, RunStartedEvent};

/// The end of a run.
#[derive(Default)]
struct Checkpoint {
    /// The run, and an error that stood before it.
    runs: Vec<Run>,
    /// Why its path cannot be replayed.
    failed: Option<Box<Rejection>>,
    /// What is open, if anything is.
    tracker: Option<Box<Tracker>>,
}

impl Checkpoint {
    fn tracker(&self) -> Tracker {
        self.tracker.as_deref().cloned().unwrap_or_default()
    }
}

/// A replay of all branches of a log, as its events come.
#[derive(Default)]
pub(crate) struct Checkpoints {
    runs: Runs,
    ends: Ends,
    finished: Vec<Checkpoint>,
    /// The run in progress.
    open: OpenRun,
    current: Reducer,
    failed: Option<Rejection>,
    /// The limit that the last event was beyond.
    limit: Option<Rejection>,
    passes_over_violations: bool,
    keeps_remarks: bool,
    remarks: Vec<Remark>,
}

impl Checkpoints {
    /// A replay that remarks on what it passes over.
    pub fn with_remarks() -> Self {
        let mut checkpoints = Self {
            keeps_remarks: true,
            ..Self::default()
        };
        checkpoints.current.keep_remarks();
        checkpoints
    }

    /// A replay of messages only.
    pub fn without_state(mut self) -> Self {
        let first = Conversation::without_state();
        self.current = Reducer::at(Tracker::default(), first.clone());
        if self.keeps_remarks {
            self.current.keep_remarks();
        }
        self.ends = Ends::from(first);
        self
    }

    /// Takes the event of this index, with what it carries, and gives what is wrong
    /// with the lineage now. A run that cannot be replayed is the matter of those who ask for it.
    pub fn push(&mut self, index: usize, event: &Event, carried: Carried<'_>) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Event::RunStarted(start) = event {
            self.end_run();
            let parent = start.parent_run_id.as_deref();
            problems = self.runs.push(index, &start.run_id, parent);
            self.begin_run(start);
        }
        self.open.take(event);
        let applied = if self.passes_over_violations {
            self.current.apply_leniently(index, event, carried)
        } else {
            self.current.apply(index, event, carried)
        };
        if let Err(rejection) = applied {
            self.limit = (rejection.class == Class::Limit).then(|| rejection.clone());
            self.failed.get_or_insert(rejection.within(index));
        }
        problems
    }

    /// Whether events that break a rule of order are passed over.
    pub fn pass_over_violations(&mut self, passes_over: bool) {
        self.passes_over_violations = passes_over;
    }

    /// The limit that the last event was beyond, if it was.
    pub fn take_limit(&mut self) -> Option<Rejection> {
        self.limit.take()
    }

    /// The warnings about parents that the log does not hold.
    pub fn outside(&self) -> Vec<Problem> {
        self.runs.outside()
    }

    fn predecessor(&self) -> Option<usize> {
        self.runs.rows().last()?.predecessor
    }

    fn begin_run(&mut self, start: &RunStartedEvent) {
        self.open = self.ends.begin(self.predecessor(), start);
        let Some(place) = self.open.predecessor else {
            // The events before the first run belong to it.
            return;
        };
        let before = &self.finished[place];
        self.failed = before.failed.as_deref().cloned();
        match self.ends.continued_by(&self.open) {
            Ok(conversation) => self.current = Reducer::at(before.tracker(), conversation),
            Err(rejection) => {
                self.open.give_up_predecessor();
                self.failed.get_or_insert(rejection);
            }
        }
        if self.keeps_remarks {
            self.current.keep_remarks();
        }
    }

    /// Ends the run in progress, if there is one.
    fn end_run(&mut self) {
        if self.runs.rows().is_empty() {
            return;
        }
        let (remarks, runs) = self.current.end_run();
        self.remarks.extend(remarks);
        let (tracker, conversation) = std::mem::take(&mut self.current).into_parts();
        self.ends.end(&self.open, conversation);
        let is_open = !tracker.stands_like(&Tracker::default());
        self.finished.push(Checkpoint {
            runs,
            failed: self.failed.take().map(Box::new),
            tracker: is_open.then(|| Box::new(tracker)),
        });
    }

    /// What is remarked on, in the order of the log, and the runs.
    pub fn into_remarks(mut self) -> (Vec<Remark>, Runs) {
        (self.take_remarks(), self.runs)
    }

    /// What was remarked on so far, in the order of the log.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        let mut remarks = std::mem::take(&mut self.remarks);
        remarks.extend(self.current.take_remarks());
        remarks.sort_by_key(|remark| remark.index);
        remarks
    }

    /// What the log means at the end of the run with this id, or of its last run.
    pub fn finish(mut self, run_id: Option<&str>) -> Result<Replay, Rejection> {
        let place = match run_id {
            Some(id) => Some(
                self.runs
                    .place_of(id)
                    .ok_or_else(|| unknown_run(id, self.runs.rows()))?,
            ),
            None => self.runs.rows().len().checked_sub(1),
        };
        let Some(place) = place else {
            let (_, runs) = self.current.end_run();
            return match self.failed {
                Some(rejection) => Err(rejection),
                None => Ok(replay_of(&self.current, runs)),
            };
        };
        self.end_run();
        if let Some(missing) = self.ends.missing(place) {
            return Err(missing.rejection(&self.runs));
        }
        let end = &mut self.finished[place];
        if let Some(rejection) = end.failed.take() {
            return Err(*rejection);
        }
        let reducer = Reducer::at(end.tracker(), self.ends.at(place)?);
        let taken = |place: usize| std::mem::take(&mut self.finished[place].runs);
        let runs = self.runs.path_to(place).into_iter().flat_map(taken);
        Ok(replay_of(&reducer, runs.collect()))
    }
}

fn replay_of(reducer: &Reducer, runs: Vec<Run>) -> Replay {
    let conversation = reducer.conversation();
    let open = reducer.open().into_iter().map(|(_, item)| item);
    Replay {
        messages: conversation.thread().messages().cloned().collect(),
        state: conversation.state().clone(),
        runs,
        open: open.collect(),
        interrupts: conversation.interrupts().to_vec(),
    }
}

/// How many runs are named to who asks for one that is not there.
const MAX_NAMED: usize = 8;

fn unknown_run(run_id: &str, rows: &[LineageRun]) -> Rejection {
    let last = &rows[rows.len().saturating_sub(MAX_NAMED)..];
    let ids: Vec<String> = last.iter().map(|row| format!("`{}`", row.run_id)).collect();
    let runs = match (ids.as_slice(), rows.len() - last.len()) {
        ([], _) => ", which has no run".to_owned(),
        ([only], _) => format!("; its only run is {only}"),
        (ids, 0) => format!("; its runs are {}", ids.join(", ")),
        (ids, more) => format!(
            "; its last runs are {}, after {more} others",
            ids.join(", ")
        ),
    };
    let message = format!("no run of the stream has the id `{run_id}`{runs}");
    Rejection::new(Class::Semantic, "replay.unknown-run", message)
}
