//! What people ask of the runs of a log: how each ended, when, and how much it said.

use std::collections::HashSet;

use crate::replay::RunStatus;
use chatstate_types::generated::{Event, Timestamp};

/// What a run did, in the order of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunOutline {
    /// How it ended.
    pub status: RunStatus,
    /// The time of its first event that has one.
    pub begun: Option<Timestamp>,
    /// The time of its last event that has one.
    pub ended: Option<Timestamp>,
    /// How many messages and results of tools it began.
    pub messages: usize,
}

/// The outlines of the runs of a log as its events come.
#[derive(Debug, Default)]
pub(crate) struct Outlines {
    runs: Vec<RunOutline>,
    /// The messages of the run in progress.
    ids: HashSet<String>,
}

impl Outlines {
    /// Takes the next event. What stands before the first run belongs to none.
    pub fn push(&mut self, event: &Event) {
        if let Event::RunStarted(_) = event {
            // To clear a set takes the time of the largest that it was.
            self.ids = HashSet::new();
            self.runs.push(RunOutline {
                status: RunStatus::Running,
                begun: None,
                ended: None,
                messages: 0,
            });
        }
        let Some(run) = self.runs.last_mut() else {
            return;
        };
        let time = event.timestamp().copied();
        run.begun = run.begun.or(time);
        run.ended = time.or(run.ended);
        let message = match event {
            Event::RunFinished(event) => {
                run.status = RunStatus::of_outcome(event.outcome.as_ref());
                None
            }
            Event::RunError(_) => {
                run.status = RunStatus::Failed;
                None
            }
            Event::TextMessageStart(event) => Some(&event.message_id),
            Event::TextMessageChunk(event) => event.message_id.as_ref(),
            Event::ToolCallResult(event) => Some(&event.message_id),
            _ => None,
        };
        if message.is_some_and(|id| self.ids.insert(id.clone())) {
            run.messages += 1;
        }
    }

    /// The outlines of all runs.
    pub fn finish(self) -> Vec<RunOutline> {
        self.runs
    }
}
