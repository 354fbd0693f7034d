//! Where runs begin and end, and which events may stand outside of them.

use crate::generated::{Event, RunFinishedEvent, RunStartedEvent};
use crate::sequence::Violation;

/// What the last event of a run, or the lack of one, leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    /// No run has begun.
    #[default]
    Before,
    /// A run is in progress.
    Running,
    /// The last run has finished.
    Finished,
    /// The last run has failed.
    Failed,
}

/// The run in progress, or the last one.
#[derive(Debug, Clone)]
struct Head {
    thread_id: String,
    run_id: String,
    index: usize,
}

/// The place in the life of runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Lifecycle {
    phase: Phase,
    /// Whether an event outside of all runs has been reported since the last run ended.
    has_strayed: bool,
    /// The index of the event that ended the last run.
    ended: usize,
    head: Option<Head>,
    /// The id of the thread and the index of the event that named it first.
    thread: Option<(String, usize)>,
}

impl Lifecycle {
    /// Whether an event belongs to a run. The first one that does not is refused, those after it
    /// are not admitted.
    pub fn admit(&mut self, index: usize, event: &Event) -> Result<bool, Violation> {
        let admitted = match (self.phase, event) {
            (Phase::Running, Event::RunStarted(_)) => {
                let violation = Violation::new(
                    "run.already-started",
                    "a run begins while another one is in progress",
                );
                let other = self.head.as_ref().map(|head| head.index);
                Err(Violation { other, ..violation })
            }
            (Phase::Running, _)
            | (_, Event::RunStarted(_))
            | (Phase::Before | Phase::Finished, Event::RunError(_)) => Ok(true),
            (phase, _) if !self.has_strayed => {
                self.has_strayed = true;
                Err(self.stray(phase, event))
            }
            _ => Ok(false),
        };
        match event {
            Event::RunStarted(_) => self.phase = Phase::Running,
            Event::RunFinished(_) if self.phase == Phase::Running => {
                (self.phase, self.ended) = (Phase::Finished, index);
            }
            Event::RunError(_) if matches!(admitted, Ok(true)) => {
                (self.phase, self.ended) = (Phase::Failed, index);
            }
            _ => {}
        }
        admitted
    }

    /// Checks the ids of an event that begins or finishes a run.
    pub fn check(&mut self, index: usize, event: &Event) -> Vec<Violation> {
        match event {
            Event::RunStarted(event) => self.begin(index, event).into_iter().collect(),
            Event::RunFinished(event) => self.finish(event),
            _ => Vec::new(),
        }
    }

    fn stray(&self, phase: Phase, event: &Event) -> Violation {
        let tag = event.tag();
        match phase {
            Phase::Failed => {
                let message = format!("`{tag}` stands after the run has failed");
                Violation::new("run.after-error", message).with(self.ended)
            }
            Phase::Finished => {
                let message = format!("`{tag}` stands after the run has finished");
                Violation::new("run.after-finish", message).with(self.ended)
            }
            Phase::Before | Phase::Running => {
                let message = format!("`{tag}` stands before any run has begun");
                Violation::new("run.first-event", message)
            }
        }
    }

    fn begin(&mut self, index: usize, event: &RunStartedEvent) -> Option<Violation> {
        self.has_strayed = false;
        self.head = Some(Head {
            thread_id: event.thread_id.clone(),
            run_id: event.run_id.clone(),
            index,
        });
        let named = (event.thread_id.clone(), index);
        let (thread_id, first) = self.thread.get_or_insert(named);
        (*thread_id != event.thread_id).then(|| {
            let message = format!(
                "the run is on the thread `{}`, and the log began on `{thread_id}`",
                event.thread_id
            );
            Violation::new("run.wrong-thread", message).with(*first)
        })
    }

    fn finish(&self, event: &RunFinishedEvent) -> Vec<Violation> {
        let Some(head) = &self.head else {
            return Vec::new();
        };
        let mut violations = Vec::new();
        if event.run_id != head.run_id {
            let message = format!("the run `{}` finishes as `{}`", head.run_id, event.run_id);
            violations.push(Violation::new("run.wrong-run", message).with(head.index));
        }
        if event.thread_id != head.thread_id {
            let message = format!(
                "the run on the thread `{}` finishes on `{}`",
                head.thread_id, event.thread_id
            );
            violations.push(Violation::new("run.wrong-thread", message).with(head.index));
        }
        violations
    }
}
