//! Compaction: fewer events that mean the same, held by the laws in `tests/laws.rs`.
//!
//! Level `stream` is what a log keeps: deltas are joined, chunks spelled out, the state of a run
//! folded, and messages that the log holds already are left out of the input of a run. It is one
//! pass. The events of the run in progress stand in a list of slots; what is joined, folded or
//! spelled out takes a slot when its place is known. A finished run is given at once. Level
//! `snapshot` is what a store keeps: a finished run becomes snapshots of what it changed.

mod history;
mod options;
mod part;
mod piece;
mod placement;
mod reach;
mod run;
mod snapshot;
mod span;
mod state;

pub use options::{Level, Options, Retain};

use crate::generated::Event;
use crate::rejection::Rejection;
use crate::verify::Verifier;
use history::History;
use run::RunInProgress;
use snapshot::Snapshots;

/// Compacts a stream, complete or cut off anywhere.
///
/// The result replays to the same at the end of every run, it is what compacting it again gives,
/// and what follows a cut may be appended to it and compacted. A stream that a verifier refuses is
/// refused with the first finding, unless the options are lenient.
///
/// ```
/// use chatstate::compact::{Options, compact};
/// use chatstate::generated::EventStream;
/// let stream = EventStream::from_json(
///     r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
///         {"type":"TEXT_MESSAGE_START","messageId":"m"},
///         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"},
///         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"},
///         {"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
/// )?;
/// let compacted = compact(&stream.0, &Options::default())?;
/// assert_eq!(
///     compacted[2].to_json(),
///     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#
/// );
/// # Ok::<(), chatstate::Rejection>(())
/// ```
pub fn compact(events: &[Event], options: &Options<'_>) -> Result<Vec<Event>, Rejection> {
    let mut compactor = Compactor::new(*options);
    let mut compacted = Vec::new();
    for event in events {
        compacted.extend(compactor.push(event)?);
    }
    compacted.extend(compactor.finish()?);
    Ok(compacted)
}

/// Compacts events as they arrive.
#[derive(Default)]
pub struct Compactor<'k> {
    options: Options<'k>,
    verifier: Verifier,
    /// The number of events that were taken.
    taken: usize,
    violation: Option<Rejection>,
    run: Option<RunInProgress>,
    /// The run in progress as it arrived, which a lenient compactor may have to give back.
    verbatim: Vec<Event>,
    history: History,
    snapshots: Option<Snapshots<'k>>,
}

impl<'k> Compactor<'k> {
    /// A compactor for a stream that is yet to come.
    #[must_use]
    pub fn new(options: Options<'k>) -> Self {
        let snapshots = match options.level {
            Level::Stream => None,
            Level::Snapshot(retain) => Some(Snapshots::new(retain, &options)),
        };
        Self {
            options,
            snapshots,
            ..Self::default()
        }
    }

    /// Takes the next event and gives the events that are settled by it: those of a run when its
    /// terminal event arrives, and an event outside of runs at once.
    ///
    /// The first event that a verifier refuses stops the compaction: it and all later calls are
    /// answered with the finding (class `sequence`, at the event's index). A lenient compactor
    /// gives the run in progress, and all that follows, as it came.
    pub fn push(&mut self, event: &Event) -> Result<Vec<Event>, Rejection> {
        self.verify(event);
        if let Some(violation) = &self.violation {
            if !self.options.lenient {
                return Err(violation.clone());
            }
            self.run = None;
            let held = self.snapshots.take();
            let mut settled = held.map(|held| held.finish(Vec::new())).unwrap_or_default();
            settled.append(&mut self.verbatim);
            settled.push(event.clone());
            return Ok(settled);
        }
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
        self.keep_verbatim(event);
        self.history.extend(&settled);
        Ok(match &mut self.snapshots {
            Some(snapshots) if !settled.is_empty() => snapshots.take(settled),
            _ => settled,
        })
    }

    /// What a verifier refused, which a lenient compactor passed through.
    #[must_use]
    pub fn violation(&self) -> Option<&Rejection> {
        self.violation.as_ref()
    }

    /// Gives the compacted events of a run that is not over.
    pub fn finish(self) -> Result<Vec<Event>, Rejection> {
        match self.violation {
            Some(violation) if !self.options.lenient => Err(violation),
            _ => {
                let unfinished = self.run.map(RunInProgress::finish).unwrap_or_default();
                Ok(match self.snapshots {
                    Some(snapshots) => snapshots.finish(unfinished),
                    None => unfinished,
                })
            }
        }
    }

    fn verify(&mut self, event: &Event) {
        let index = self.taken;
        self.taken += 1;
        if self.violation.is_none() {
            let found = self.verifier.push(index, event);
            self.violation = found.errors.first().map(Rejection::from);
        }
    }

    fn keep_verbatim(&mut self, event: &Event) {
        if self.run.is_none() {
            self.verbatim.clear();
        } else if self.options.lenient {
            self.verbatim.push(event.clone());
        }
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
        run.end(terminal)
    }
}
