//! Compaction: fewer events that mean the same, held by the laws in `tests/laws.rs`.
//!
//! Level `stream` is what a log keeps: deltas are joined, chunks spelled out, the state of a run
//! folded, and messages that the log holds already are left out of the input of a run. It is one
//! pass. The events of the run in progress stand in a list of slots; what is joined, folded or
//! spelled out takes a slot when its place is known. A finished run is given at once. Level
//! `snapshot` is what a store keeps: a finished run becomes snapshots of what it changed.

mod history;
mod part;
mod piece;
mod placement;
mod reach;
mod run;
mod snapshot;
mod span;
mod state;

use crate::generated::Event;
use history::History;
use run::RunInProgress;

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Level {
    /// Every item of every run, each with one delta where that is possible.
    #[default]
    Stream,
    /// Of every finished run what it changed, as snapshots, where they can say it.
    SnapshotOfRuns,
}

/// Compacts a verified stream, complete or cut off anywhere.
///
/// The result replays to the same at the end of every run, it is what compacting it again gives,
/// and what follows a cut may be appended to it and compacted. Of a stream that a verifier refuses,
/// nothing is promised.
///
/// ```
/// use chatstate::compact::{Level, compact};
/// use chatstate::generated::{Event, EventStream};
/// let stream = EventStream::from_json(
///     r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
///         {"type":"TEXT_MESSAGE_START","messageId":"m"},
///         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"},
///         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"},
///         {"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
/// )?;
/// let compacted = compact(&stream.0, Level::Stream);
/// assert_eq!(
///     compacted[2].to_json(),
///     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#
/// );
/// # Ok::<(), chatstate::Rejection>(())
/// ```
#[must_use]
pub fn compact(events: &[Event], level: Level) -> Vec<Event> {
    let mut compactor = Compactor::new(level);
    let mut compacted = Vec::new();
    for event in events {
        compacted.extend(compactor.push(event));
    }
    compacted.extend(compactor.finish());
    compacted
}

/// Compacts events as they arrive.
#[derive(Default)]
pub struct Compactor {
    level: Level,
    run: Option<RunInProgress>,
    history: History,
}

impl Compactor {
    /// A compactor for a stream that is yet to come.
    #[must_use]
    pub fn new(level: Level) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// Takes the next event and gives the events that are settled by it: those of a run when its
    /// terminal event arrives, and an event outside of runs at once.
    pub fn push(&mut self, event: &Event) -> Vec<Event> {
        let settled = match event {
            Event::RunStarted(_) => self.begin(event),
            Event::RunFinished(_) | Event::RunError(_) => self.end(event),
            other => match &mut self.run {
                Some(run) => {
                    run.push(other);
                    Vec::new()
                }
                None => vec![other.clone()],
            },
        };
        self.history.extend(&settled);
        settled
    }

    /// Gives the compacted events of a run that is not over.
    #[must_use]
    pub fn finish(self) -> Vec<Event> {
        self.run.map(RunInProgress::finish).unwrap_or_default()
    }

    /// Begins a run. One that had no end, which a verifier refuses, is given as it stands.
    fn begin(&mut self, event: &Event) -> Vec<Event> {
        let open = self.run.take().map(RunInProgress::finish);
        let mut run = RunInProgress::default();
        match event {
            Event::RunStarted(start) => {
                let minimal = self.history.without_repetition(start);
                run.push(&Event::RunStarted(Box::new(minimal)));
            }
            other => run.push(other),
        }
        self.run = Some(run);
        open.unwrap_or_default()
    }

    /// Ends the run in progress, if there is one.
    fn end(&mut self, terminal: &Event) -> Vec<Event> {
        let Some(run) = self.run.take() else {
            return vec![terminal.clone()];
        };
        let run = run.end(terminal);
        match self.level {
            Level::Stream => run,
            Level::SnapshotOfRuns => snapshot::in_snapshots(&self.history, run),
        }
    }
}
