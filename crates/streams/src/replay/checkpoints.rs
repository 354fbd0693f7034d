//! What a log means at the end of each of its runs, worked out in one pass.

use super::Replay;
use super::reducer::{Conversation, Reducer};
use super::remark::Remark;
use super::removed::{is_removed, removed_run};
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
    /// Why its path needs what compaction removed.
    incomplete: Option<Rejection>,
    /// Whether compaction kept only its frame.
    is_removed: bool,
    is_followed: bool,
    tracker: Tracker,
}

/// A replay of all branches of a log, as its events come.
#[derive(Default)]
pub(crate) struct Checkpoints {
    runs: Runs,
    ends: Ends,
    finished: Vec<Checkpoint>,
    /// The run in progress, and what leads to it.
    current: Reducer,
    state: Checkpoint,
    /// Whether the run in progress says all messages anew.
    restates: bool,
    /// Whether it is the first that goes on from its predecessor.
    is_first: bool,
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

    /// Takes the event of this index, with the messages that it carries, and gives what is wrong
    /// with the lineage now. A run that cannot be replayed is the matter of those who ask for it.
    pub fn push(&mut self, index: usize, event: &Event, messages: Vec<Object>) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Action::StartRun { id, parent } = event.action() {
            problems = self.begin_run(index, id, parent);
            self.state.is_removed = is_removed(event);
        }
        self.restates |= matches!(event, Event::MessagesSnapshot(_));
        if let Err(rejection) = self.current.apply(index, event, messages) {
            self.state.failed.get_or_insert(rejection.within(index));
        }
        problems
    }

    /// The warnings about parents that the log does not hold.
    pub fn outside(&self) -> Vec<Problem> {
        self.runs.outside()
    }

    fn begin_run(&mut self, index: usize, id: &str, parent: Option<&str>) -> Vec<Problem> {
        if !self.runs.rows().is_empty() {
            self.end_run();
        }
        let problems = self.runs.push(index, id, parent);
        if let Some(place) = self.predecessor() {
            self.go_on_from(place);
        }
        problems
    }

    fn predecessor(&self) -> Option<usize> {
        self.runs.rows().last()?.predecessor
    }

    fn go_on_from(&mut self, place: usize) {
        let before = &mut self.finished[place];
        self.is_first = !std::mem::replace(&mut before.is_followed, true);
        self.restates = false;
        self.state = Checkpoint {
            failed: before.failed.clone(),
            incomplete: before.incomplete.clone(),
            tracker: before.tracker.clone(),
            ..Checkpoint::default()
        };
        match self.ends.go_on_from(Some(place)) {
            Ok(conversation) => {
                let tracker = std::mem::take(&mut self.state.tracker);
                self.current = Reducer::at(tracker, conversation);
            }
            Err(rejection) => drop(self.state.failed.get_or_insert(rejection)),
        }
        if self.keeps_remarks {
            self.current.keep_remarks();
        }
    }

    fn end_run(&mut self) {
        let (remarks, runs) = self.current.end_run();
        self.remarks.extend(remarks);
        let predecessor = self.predecessor();
        let mut end = std::mem::take(&mut self.state);
        end.runs = runs;
        if let Some(before) = predecessor
            && self.finished[before].is_removed
            && end.incomplete.is_none()
            && !(self.is_first && (end.is_removed || self.restates))
        {
            let place = self.finished.len();
            end.incomplete = Some(removed_run(&self.runs, before, place));
        }
        let (tracker, conversation) = std::mem::take(&mut self.current).into_parts();
        end.tracker = tracker;
        self.ends.push(predecessor, conversation);
        self.finished.push(end);
    }

    /// What is remarked on, in the order of the log, and the runs.
    pub fn into_remarks(mut self) -> (Vec<Remark>, Runs) {
        self.end_run();
        self.remarks.sort_by_key(|remark| remark.index);
        (self.remarks, self.runs)
    }

    /// What the log means at the end of the run with this id, or of its last run.
    pub fn finish(mut self, run_id: Option<&str>) -> Result<Replay, Rejection> {
        let place = match run_id {
            None => self.runs.rows().len().checked_sub(1),
            Some(id) => Some(self.runs.place_of(id).ok_or_else(|| unknown_run(id))?),
        };
        let is_empty = self.runs.rows().is_empty();
        self.end_run();
        let place = place.unwrap_or_default();
        let end = &mut self.finished[place];
        if end.is_removed && !is_empty {
            return Err(removed_run(&self.runs, place, place));
        }
        if let Some(rejection) = end.incomplete.take().or_else(|| end.failed.take()) {
            return Err(rejection);
        }
        let open = std::mem::take(&mut end.tracker).into_open();
        let path = if is_empty {
            vec![place]
        } else {
            self.runs.path_to(place)
        };
        let taken = |place: usize| std::mem::take(&mut self.finished[place].runs);
        let runs = path.into_iter().flat_map(taken).collect();
        let conversation = self.ends.at(place)?;
        Ok(Replay {
            messages: conversation.thread().messages().cloned().collect(),
            state: conversation.state().clone(),
            runs,
            open,
            interrupts: conversation.interrupts().to_vec(),
        })
    }
}

fn unknown_run(run_id: &str) -> Rejection {
    let message = format!("no run of the stream has the id `{run_id}`");
    Rejection::new(Class::Semantic, "replay.unknown-run", message)
}
