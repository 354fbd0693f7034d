//! What was said at the ends of runs, from which later runs go on.
//!
//! The first run that goes on from another takes the thread and the state along, and changes them in
//! place. Of those before it only what each run changed is kept. For a second run that goes on from
//! an earlier one, both are worked out again. All else is shared.

use super::state::SharedState;
use super::{Conversation, Remarks, Thread};
use crate::patch::CopyLimits;
use crate::replay::removed::{Missing, OpenRun, RemovedRuns};
use crate::replay::thread::PackedThreadChanges;
use chatstate_json::{Rejection, Value};
use chatstate_types::generated::RunStartedEvent;

/// The ends of the runs of a log.
#[derive(Default)]
pub(crate) struct Ends {
    /// What runs without a predecessor go on from.
    first: Conversation,
    runs: Vec<End>,
    removed: RemovedRuns,
}

/// What was said at the end of a run.
struct End {
    predecessor: Option<usize>,
    thread: ThreadAtEnd,
    /// What the run changed in the thread.
    changes: PackedThreadChanges,
    /// Whether two messages or two tool calls have one id.
    has_shared_ids: bool,
    state: SharedState,
    has_open_messages: bool,
    interrupts: Box<[Value]>,
}

/// Where the thread at the end of a run is.
enum ThreadAtEnd {
    Here(Box<Thread>),
    /// The run in progress has it, which is the first that goes on from here.
    WithRunInProgress,
    /// It is that of the first run that goes on from here, without what that one changed.
    WithFollower(usize),
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
    /// Begins the next run.
    pub fn begin(&mut self, predecessor: Option<usize>, start: &RunStartedEvent) -> OpenRun {
        self.removed.begin(predecessor, start)
    }

    /// What the run in progress continues. If it is the first that does, it takes the thread along,
    /// until it ends or [gives it back](Self::give_back).
    pub fn continued_by(&mut self, run: &OpenRun) -> Result<Conversation, Rejection> {
        let Some(place) = run.predecessor else {
            return Ok(self.first.clone());
        };
        self.recall_state(place)?;
        self.recall_thread(place);
        let thread = self.runs[place].thread.lend(run.is_first());
        let state = self.runs[place].state.move_on();
        Ok(self.runs[place].with(thread, state))
    }

    /// A copy of what the run in progress continues, which gave back what it took along.
    pub fn before(&mut self, run: &OpenRun) -> Result<Conversation, Rejection> {
        match run.predecessor {
            Some(place) => self.at(place),
            None => Ok(self.first.clone()),
        }
    }

    /// What the run went on from at whose end this was said.
    pub fn before_end(
        &mut self,
        place: usize,
        end: &Conversation,
    ) -> Result<Conversation, Rejection> {
        let Some(predecessor) = self.runs[place].predecessor else {
            return Ok(self.first.clone());
        };
        let mut thread = end.thread.clone();
        thread.undo(&self.runs[place].changes);
        self.recall_state(predecessor)?;
        let end = &self.runs[predecessor];
        Ok(end.with(thread, end.state.clone()))
    }

    /// Gives back the thread that the run in progress took along, without what the run changed.
    pub fn give_back(&mut self, run: &OpenRun, mut thread: Thread) {
        let Some(place) = run.predecessor else {
            return;
        };
        if let ThreadAtEnd::WithRunInProgress = self.runs[place].thread {
            let changes = thread.end_run();
            thread.undo(&changes);
            self.runs[place].thread = ThreadAtEnd::Here(Box::new(thread));
        }
    }

    /// Ends the run in progress.
    pub fn end(&mut self, run: &OpenRun, conversation: Conversation) {
        let place = self.runs.len();
        self.runs.push(End::of(run.predecessor, conversation));
        self.removed.end(run);
        if let Some(before) = run.predecessor.filter(|_| run.is_first()) {
            self.runs[before].thread = ThreadAtEnd::WithFollower(place);
        }
    }

    /// What the path to the end of a run lacks.
    pub fn missing(&self, place: usize) -> Option<Missing> {
        self.removed.missing(place)
    }

    /// What the path to the run in progress lacks.
    pub fn missing_now(&self, run: &OpenRun) -> Option<Missing> {
        self.removed.missing_now(run)
    }

    /// What the run in progress needs of those that it continues, and is not there.
    pub fn needed(&self, run: &OpenRun) -> Option<Missing> {
        self.removed.needed(run)
    }

    /// What was said at the end of a run.
    pub fn at(&mut self, place: usize) -> Result<Conversation, Rejection> {
        self.recall_state(place)?;
        self.recall_thread(place);
        let thread = self.runs[place].thread.lend(false);
        let end = &self.runs[place];
        Ok(end.with(thread, end.state.clone()))
    }

    /// Whether two messages or two tool calls have one id at the end of a run.
    pub fn has_shared_ids(&self, place: usize) -> bool {
        self.runs[place].has_shared_ids
    }

    /// What is waited for at the end of a run.
    pub fn interrupts(&self, place: usize) -> &[Value] {
        &self.runs[place].interrupts
    }

    /// Works out the thread at the end of a run, which is kept from now on, as those are that come 1, 2,
    /// 4, 8 runs after it and so on: each that is kept may be a copy of a long text, and others are
    /// never far from one that is.
    fn recall_thread(&mut self, place: usize) {
        let mut path = vec![place];
        let mut next = place;
        while let ThreadAtEnd::WithFollower(follower) = self.runs[next].thread {
            path.push(follower);
            next = follower;
        }
        if path.len() == 1 {
            return;
        }
        let mut thread = self.runs[next].thread.lend(false);
        while let Some(follower) = path.pop()
            && let Some(place) = path.last()
        {
            thread.undo(&self.runs[follower].changes);
            let distance = path.len() - 1;
            if distance == 0 || distance.is_power_of_two() {
                self.runs[*place].thread = ThreadAtEnd::Here(Box::new(thread.clone()));
            }
        }
    }

    fn recall_state(&mut self, place: usize) -> Result<(), Rejection> {
        let mut path = Vec::new();
        let mut next = Some(place);
        while let Some(place) = next.filter(|place| self.runs[*place].state.has_moved_on()) {
            path.push(place);
            let says_whole = self.runs[place].state.says_whole();
            next = self.runs[place].predecessor.filter(|_| !says_whole);
        }
        for place in path.into_iter().rev() {
            let (before, rest) = self.runs.split_at_mut(place);
            let before = rest[0].predecessor.map(|place| &before[place].state);
            rest[0].state.recall(before)?;
        }
        Ok(())
    }
}

impl ThreadAtEnd {
    /// The thread that is here, to take along or as a copy.
    fn lend(&mut self, takes_along: bool) -> Thread {
        let thread = match self {
            Self::Here(thread) if !takes_along => return Thread::clone(thread),
            thread => std::mem::replace(thread, Self::WithRunInProgress),
        };
        match thread {
            Self::Here(thread) => *thread,
            Self::WithRunInProgress | Self::WithFollower(_) => {
                unreachable!("a thread is asked for that another run took along")
            }
        }
    }
}

impl End {
    fn of(predecessor: Option<usize>, conversation: Conversation) -> Self {
        let Conversation {
            mut thread,
            mut state,
            has_open_messages,
            interrupts,
            ..
        } = conversation;
        state.pack();
        Self {
            predecessor,
            changes: thread.end_run(),
            has_shared_ids: thread.has_shared_ids(),
            thread: ThreadAtEnd::Here(Box::new(thread)),
            state,
            has_open_messages,
            interrupts: interrupts.into(),
        }
    }

    fn with(&self, thread: Thread, state: SharedState) -> Conversation {
        Conversation {
            thread,
            state,
            has_open_messages: self.has_open_messages,
            activity_limits: CopyLimits::default(),
            runs: Vec::new(),
            interrupts: self.interrupts.to_vec(),
            remarks: Remarks::default(),
            index: 0,
        }
    }
}
