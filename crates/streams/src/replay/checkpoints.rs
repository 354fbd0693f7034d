//! What a log means at the end of each of its runs, worked out in one pass.

use super::Replay;
use super::reducer::{Conversation, Reducer};
use super::remark::Remark;
use super::removed::{OpenRun, RemovedRuns};
use super::run::Run;
use super::thread::Thread;
use crate::lineage::{Problem, Runs};
use crate::sequence::Tracker;
use chatstate_json::Object;
use chatstate_json::{Class, Rejection};
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::Action;

/// The conversations at the ends of runs, from which later runs go on.
///
/// The first run that goes on from another takes the state along; for the others it is worked out
/// again. All else is shared.
#[derive(Default)]
pub(crate) struct Ends {
    /// What runs without a predecessor go on from.
    first: Conversation,
    conversations: Vec<Conversation>,
    predecessors: Vec<Option<usize>>,
}

impl From<Conversation> for Ends {
    fn from(first: Conversation) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }
}

impl Ends {
    /// What the next run goes on from.
    pub fn go_on_from(&mut self, predecessor: Option<usize>) -> Result<Conversation, Rejection> {
        let Some(place) = predecessor else {
            return Ok(self.first.clone());
        };
        self.recall(place)?;
        Ok(self.conversations[place].move_on())
    }

    /// The messages at the end of a run.
    pub fn thread(&self, place: usize) -> &Thread {
        self.conversations[place].thread()
    }

    /// Notes the end of the next run.
    pub fn push(&mut self, predecessor: Option<usize>, conversation: Conversation) {
        self.conversations.push(conversation);
        self.predecessors.push(predecessor);
    }

    /// What was said at the end of a run.
    pub fn at(&mut self, place: usize) -> Result<&Conversation, Rejection> {
        self.recall(place)?;
        Ok(&self.conversations[place])
    }

    fn recall(&mut self, place: usize) -> Result<(), Rejection> {
        let mut path = Vec::new();
        let mut next = Some(place);
        while let Some(place) = next.filter(|place| self.conversations[*place].has_moved_on()) {
            path.push(place);
            let says_whole = self.conversations[place].says_state();
            next = self.predecessors[place].filter(|_| !says_whole);
        }
        for place in path.into_iter().rev() {
            let (before, rest) = self.conversations.split_at_mut(place);
            let before = self.predecessors[place].map(|before_it| &before[before_it]);
            rest[0].recall_state(before)?;
        }
        Ok(())
    }
}

/// The end of a run.
#[derive(Default)]
struct Checkpoint {
    /// The run, and an error that stood before it.
    runs: Vec<Run>,
    /// Why its path cannot be replayed.
    failed: Option<Rejection>,
    tracker: Tracker,
}

/// A replay of all branches of a log, as its events come.
#[derive(Default)]
pub(crate) struct Checkpoints {
    runs: Runs,
    removed: RemovedRuns,
    ends: Ends,
    finished: Vec<Checkpoint>,
    /// The run in progress.
    open: OpenRun,
    current: Reducer,
    failed: Option<Rejection>,
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

    /// Takes the event of this index, with the messages that it carries, and gives what is wrong
    /// with the lineage now. A run that cannot be replayed is the matter of those who ask for it.
    pub fn push(&mut self, index: usize, event: &Event, messages: Vec<Object>) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Action::StartRun { id, parent } = event.action() {
            self.end_run();
            problems = self.runs.push(index, id, parent);
            self.begin_run(event);
        }
        self.open.take(event);
        if let Err(rejection) = self.current.apply(index, event, messages) {
            self.failed.get_or_insert(rejection.within(index));
        }
        problems
    }

    /// The warnings about parents that the log does not hold.
    pub fn outside(&self) -> Vec<Problem> {
        self.runs.outside()
    }

    fn predecessor(&self) -> Option<usize> {
        self.runs.rows().last()?.predecessor
    }

    fn begin_run(&mut self, start: &Event) {
        let predecessor = self.predecessor();
        self.open = self.removed.begin(predecessor, start);
        let Some(place) = predecessor else {
            // What stands before the first run belongs to it.
            return;
        };
        let before = &self.finished[place];
        self.failed.clone_from(&before.failed);
        match self.ends.go_on_from(Some(place)) {
            Ok(conversation) => self.current = Reducer::at(before.tracker.clone(), conversation),
            Err(rejection) => drop(self.failed.get_or_insert(rejection)),
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
        self.removed.end(&self.open);
        let (remarks, runs) = self.current.end_run();
        self.remarks.extend(remarks);
        let (tracker, conversation) = std::mem::take(&mut self.current).into_parts();
        self.ends.push(self.predecessor(), conversation);
        self.finished.push(Checkpoint {
            runs,
            failed: self.failed.take(),
            tracker,
        });
    }

    /// What is remarked on, in the order of the log, and the runs.
    pub fn into_remarks(mut self) -> (Vec<Remark>, Runs) {
        self.remarks.extend(self.current.end_run().0);
        self.remarks.sort_by_key(|remark| remark.index);
        (self.remarks, self.runs)
    }

    /// What the log means at the end of all its runs.
    pub fn finish(mut self) -> ReplayedRuns {
        self.end_run();
        ReplayedRuns {
            runs: self.runs,
            removed: self.removed,
            ends: self.ends,
            finished: self.finished,
            before_runs: self.current,
            failed: self.failed,
        }
    }
}

/// What a log means at the end of each of its runs.
pub(crate) struct ReplayedRuns {
    pub runs: Runs,
    removed: RemovedRuns,
    ends: Ends,
    finished: Vec<Checkpoint>,
    /// What a log without runs means, and why it cannot be replayed.
    before_runs: Reducer,
    failed: Option<Rejection>,
}

impl ReplayedRuns {
    /// What the log means at the end of the run with this id, or of its last run.
    pub fn replay(mut self, run_id: Option<&str>) -> Result<Replay, Rejection> {
        let place = match run_id {
            Some(id) => Some(self.runs.place_of(id).ok_or_else(|| unknown_run(id))?),
            None => self.runs.rows().len().checked_sub(1),
        };
        let Some(place) = place else {
            let (_, runs) = self.before_runs.end_run();
            return match self.failed {
                Some(rejection) => Err(rejection),
                None => Ok(replay_of(&self.before_runs, runs)),
            };
        };
        let reducer = self.at(place)?;
        let taken = |place: usize| std::mem::take(&mut self.finished[place].runs);
        let runs = self.runs.path_to(place).into_iter().flat_map(taken);
        Ok(replay_of(&reducer, runs.collect()))
    }

    /// The replay at the end of a run.
    pub fn at(&mut self, place: usize) -> Result<Reducer, Rejection> {
        if let Some(missing) = self.removed.missing(place) {
            return Err(missing.rejection(&self.runs));
        }
        let end = &self.finished[place];
        if let Some(rejection) = &end.failed {
            return Err(rejection.clone());
        }
        let conversation = self.ends.at(place)?.clone();
        Ok(Reducer::at(end.tracker.clone(), conversation))
    }

    /// What was said at the end of a run, perhaps without the state.
    pub fn said_at(&self, place: usize) -> &Conversation {
        &self.ends.conversations[place]
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

fn unknown_run(run_id: &str) -> Rejection {
    let message = format!("no run of the stream has the id `{run_id}`");
    Rejection::new(Class::Semantic, "replay.unknown-run", message)
}
