//! Where runs begin and end, and which events may be outside of them.

use std::collections::HashSet;

use crate::header::{EventKind, Header};
use crate::sequence::Violation;
use chatstate_types::generated::{Event, RunFinishedEvent, RunFinishedOutcome, RunStartedEvent};

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
struct CurrentRun {
    thread_id: String,
    run_id: String,
    index: usize,
}

impl CurrentRun {
    /// What of an event that finishes a run does not fit this one.
    fn disagreements(&self, event: &RunFinishedEvent) -> Vec<Violation> {
        let (thread_id, run_id) = (&event.thread_id, &event.run_id);
        let mut violations = Vec::new();
        if *run_id != self.run_id {
            let message = format!("the run `{}` finishes as `{run_id}`", self.run_id);
            violations.push(Violation::new("run.wrong-run", message).with(self.index));
        }
        if *thread_id != self.thread_id {
            let message = format!(
                "the run on the thread `{}` finishes on `{thread_id}`",
                self.thread_id
            );
            violations.push(Violation::new("run.wrong-thread", message).with(self.index));
        }
        violations
    }
}

/// The place in the life of runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Lifecycle {
    phase: Phase,
    /// Whether an event outside of all runs has been reported since the last run ended.
    has_strayed: bool,
    /// The index of the event that ended the last run.
    ended: usize,
    run: Option<CurrentRun>,
    /// The id of the thread and the index of the event that named it first.
    thread: Option<(String, usize)>,
}

impl Lifecycle {
    /// A run is in progress whose beginning is elsewhere; nobody knows its id and its thread.
    pub fn begin_inside(&mut self) {
        self.phase = Phase::Running;
    }

    /// Whether an event belongs to a run. The first known one that does not is rejected, those after
    /// it are not admitted. Unknown ones are not admitted either, and never rejected.
    pub fn admit(&mut self, index: usize, header: &Header<'_>) -> Result<bool, Violation> {
        let admitted = match (self.phase, header.kind) {
            (Phase::Running, EventKind::RunStarted) => {
                let violation = Violation::new(
                    "run.already-started",
                    "a run begins while another one is in progress",
                );
                let other = self.run.as_ref().map(|run| run.index);
                Err(Violation { other, ..violation })
            }
            (Phase::Running, _)
            | (_, EventKind::RunStarted)
            | (Phase::Before | Phase::Finished, EventKind::RunError) => Ok(true),
            (_, EventKind::Unknown) => Ok(false),
            (phase, _) if !self.has_strayed => {
                self.has_strayed = true;
                Err(self.stray(phase, header))
            }
            _ => Ok(false),
        };
        match header.kind {
            EventKind::RunStarted => self.phase = Phase::Running,
            EventKind::RunFinished if self.phase == Phase::Running => {
                (self.phase, self.ended) = (Phase::Finished, index);
            }
            EventKind::RunError if matches!(admitted, Ok(true)) => {
                (self.phase, self.ended) = (Phase::Failed, index);
            }
            _ => {}
        }
        admitted
    }

    /// Checks the ids of an event that begins or finishes a run.
    pub fn check(&mut self, index: usize, header: &Header<'_>) -> Vec<Violation> {
        match header.event() {
            Some(Event::RunStarted(event)) => self.begin(index, event).into_iter().collect(),
            Some(Event::RunFinished(event)) => self.finish(event),
            _ => Vec::new(),
        }
    }

    /// The run in progress, and that it is not over.
    pub fn unfinished(&self) -> Option<(usize, Violation)> {
        let run = self.run.as_ref().filter(|_| self.phase == Phase::Running)?;
        let message = format!(
            "the log ends before the run `{}` has finished or failed",
            run.run_id
        );
        Some((run.index, Violation::new("run.unfinished", message)))
    }

    fn stray(&self, phase: Phase, header: &Header<'_>) -> Violation {
        let tag = header.tag();
        match phase {
            Phase::Failed => {
                let message = format!("`{tag}` comes after the run has failed");
                Violation::new("run.after-error", message).with(self.ended)
            }
            Phase::Finished => {
                let message = format!("`{tag}` comes after the run has finished");
                Violation::new("run.after-finish", message).with(self.ended)
            }
            Phase::Before | Phase::Running => {
                let message = format!("`{tag}` comes before any run has begun");
                Violation::new("run.first-event", message)
            }
        }
    }

    fn begin(&mut self, index: usize, event: &RunStartedEvent) -> Option<Violation> {
        self.has_strayed = false;
        let thread_id = &event.thread_id;
        self.run = Some(CurrentRun {
            thread_id: thread_id.clone(),
            run_id: event.run_id.clone(),
            index,
        });
        let (thread, first) = self
            .thread
            .get_or_insert_with(|| (thread_id.clone(), index));
        (thread != thread_id).then(|| {
            let message =
                format!("the run is on the thread `{thread_id}`, and the log began on `{thread}`");
            Violation::new("run.wrong-thread", message).with(*first)
        })
    }

    fn finish(&self, event: &RunFinishedEvent) -> Vec<Violation> {
        let mut violations = Vec::new();
        if let Some(run) = &self.run {
            violations.extend(run.disagreements(event));
        }
        violations.extend(event.outcome.iter().flat_map(repeated_interrupts));
        violations
    }
}

/// The interrupts that have the id of an earlier one: nobody could answer both.
fn repeated_interrupts(outcome: &RunFinishedOutcome) -> Vec<Violation> {
    let RunFinishedOutcome::Interrupt(outcome) = outcome else {
        return Vec::new();
    };
    let mut ids = HashSet::new();
    let interrupts = outcome.interrupts.iter().enumerate();
    let repeated = interrupts.filter(|(_, interrupt)| !ids.insert(interrupt.id.as_str()));
    repeated
        .map(|(place, interrupt)| {
            let message = format!("two interrupts of the run have the id `{}`", interrupt.id);
            Violation::new("run.repeated-interrupt", message)
                .at(format!("/outcome/interrupts/{place}/id"))
        })
        .collect()
}
