//! Compaction: fewer events that mean the same, held by the laws in `tests/laws.rs`.
//!
//! Level `stream` is what a log keeps: deltas are merged, chunks spelled out, the state of a run
//! folded, and messages that the log holds already are left out of the input of a run. It is one
//! pass. The events of the run in progress are in a list of slots; what is merged, folded or
//! spelled out takes a slot when its place is known. A finished run is given at once. Level
//! `snapshot` is what a store keeps: a finished run becomes snapshots of what it changed.

mod arrived;
mod barrier;
mod compacted_run;
mod compactor;
mod delta;
mod emit;
mod frame;
mod input;
mod open_spans;
mod options;
mod plain_delta;
mod reading;
mod run_buffer;
mod size;
mod snapshot;
mod state_fold;
mod text;

pub(crate) use compactor::StreamCompactor;
pub(crate) use frame::{FramedEvents, Frames, Position};
pub use frame::{Framing, TornTail};
pub use options::{Level, Options, Retain};
pub(crate) use reading::ReadEvent;
pub use text::{Failed, Finished, Stopped, TextCompactor};

use chatstate_json::{Rejection, Tape, to_text};
use chatstate_types::generated::Event;

/// Compacts a stream, complete or cut off anywhere.
///
/// The result replays to the same at the end of every run, it is what compacting it again gives,
/// and what follows a cut may be appended to it and compacted. A stream that a verifier rejects is
/// rejected with the first finding, unless the options are lenient.
///
/// ```
/// use chatstate_streams::compact::{Options, compact};
/// use chatstate_types::generated::EventStream;
/// let stream = EventStream::from_json(
///     r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
///         {"type":"TEXT_MESSAGE_START","messageId":"m"},
///         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"},
///         {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"},
///         {"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
/// )?;
/// let compacted = compact(&stream.0, &Options::default())?;
/// assert_eq!(
///     compacted[2].to_json()?,
///     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#
/// );
/// # Ok::<(), chatstate_json::Rejection>(())
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
pub struct Compactor<'k> {
    core: StreamCompactor<'k>,
    tape: Tape,
}

impl Default for Compactor<'_> {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl<'k> Compactor<'k> {
    /// A compactor for a stream that is yet to come.
    #[must_use]
    pub fn new(options: Options<'k>) -> Self {
        Self {
            core: StreamCompactor::new(options),
            tape: Tape::default(),
        }
    }

    /// Takes the next event and gives the events that are settled by it: those of a run when its
    /// terminal event arrives, and an event outside of runs at once.
    ///
    /// The first event that a verifier rejects stops the compaction: it and all later calls are
    /// answered with the finding (class `sequence`, at the event's index). A lenient compactor
    /// gives the run in progress, and all that follows, as it came.
    pub fn push(&mut self, event: &Event) -> Result<Vec<Event>, Rejection> {
        let mut settled = Vec::new();
        let mut give = |text: &str| settled.push(Event::from_json(text));
        let text = to_text(event);
        let read = self.tape.read(&text).map(ReadEvent::from);
        self.core.push(&text, read, &mut give)?;
        settled.into_iter().collect()
    }

    /// What a verifier rejected, which a lenient compactor passed through.
    #[must_use]
    pub fn violation(&self) -> Option<&Rejection> {
        self.core.stopped()
    }

    /// Gives the compacted events of a run that is not over.
    pub fn finish(mut self) -> Result<Vec<Event>, Rejection> {
        let mut settled = Vec::new();
        self.core
            .finish(&mut |text| settled.push(Event::from_json(text)))?;
        settled.into_iter().collect()
    }
}
