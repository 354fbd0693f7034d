//! Compaction of a log as bytes.

use super::compactor::StreamCompactor;
use super::frame::{Frames, Framing, TornTail};
use super::options::Options;
use super::reading::{ReadEvent, ReadEvents, read_elsewhere};
use crate::verify::Finding;
use chatstate_json::{Rejection, Tape};

/// Compacts a log as it is read: JSON Lines or a JSON array, in blocks of any size.
///
/// The framing is determined by the first byte that is not blank, and kept. Memory is bound by the run in
/// progress, the largest event and what is open; see the documentation of this module.
///
/// ```
/// use chatstate_streams::compact::{Options, TextCompactor};
/// let log = br#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
/// {"type":"TEXT_MESSAGE_START","messageId":"m"}
/// {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}
/// {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}
/// "#;
/// let (mut compactor, mut out) = (TextCompactor::new(Options::default()), Vec::new());
/// for block in log.chunks(50) {
///     compactor.push(block, &mut out)?;
/// }
/// compactor.finish(&mut out)?;
/// let last = br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#;
/// assert!(out.trim_ascii_end().ends_with(last));
/// # Ok::<(), chatstate_streams::compact::Stopped>(())
/// ```
pub struct TextCompactor<'k> {
    compaction: Compaction<'k>,
    tape: Tape,
    frames: Frames,
    stopped: Option<Stopped>,
}

/// Why a compaction ended early. What was written is whole: the finished runs before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{rejection}; {bytes_written} byte(s) of finished runs were written")]
#[non_exhaustive]
pub struct Stopped {
    /// What is wrong, with the index of the event.
    pub rejection: Rejection,
    /// How much was written until then.
    pub bytes_written: u64,
}

/// Why a log was not compacted to its end.
#[derive(Debug, thiserror::Error)]
pub enum Failed<E> {
    /// An event was rejected.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The caller could not read or write.
    #[error("the log cannot be read or written")]
    Caller(E),
}

/// How a compaction ended.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Finished {
    /// The number of events that were read.
    pub events_read: usize,
    /// The number of events that were written.
    pub events_written: usize,
    /// How much was written.
    pub bytes_written: u64,
    /// What a lenient compactor passed through.
    pub violation: Option<Rejection>,
    /// Patches that had no effect, and operations that were left out, at their places. At level
    /// `stream` a patch of the state is applied only where it is folded into a snapshot.
    pub warnings: Vec<Finding>,
    /// Where the log breaks off. What is before is used.
    pub torn: Option<TornTail>,
}

impl<'k> TextCompactor<'k> {
    /// How much to push at once, in bytes, where a log lies ready.
    pub const BLOCK_BYTES: usize = 1024 * 1024;

    /// A compactor for a log that is yet to come.
    #[must_use]
    pub fn new(options: Options<'k>) -> Self {
        Self {
            compaction: Compaction {
                core: StreamCompactor::new(options),
                writer: Writer::default(),
            },
            tape: Tape::default(),
            frames: Frames::default(),
            stopped: None,
        }
    }

    /// Takes the next block, and appends what is settled by it.
    pub fn push(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<(), Stopped> {
        if let Some(stopped) = &self.stopped {
            return Err(stopped.clone());
        }
        let (compaction, tape) = (&mut self.compaction, &mut self.tape);
        let taken = self.frames.push(block, &mut |framed| {
            compaction.writer.framing = Some(framed.framing);
            framed.texts().try_for_each(|text| {
                compaction.push(text, tape.read(text).map(ReadEvent::from), out)
            })
        });
        taken.map_err(|rejection| {
            compaction.writer.framing = self.frames.framing();
            let stopped = compaction.stop(rejection, out);
            self.stopped.insert(stopped).clone()
        })
    }

    /// Appends the events of a run that is not over.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<Finished, Stopped> {
        if let Some(stopped) = self.stopped {
            return Err(stopped);
        }
        let (compaction, tape) = (&mut self.compaction, &mut self.tape);
        compaction.writer.framing = self.frames.framing();
        let torn = self.frames.finish(&mut |framed| {
            framed.texts().try_for_each(|text| {
                compaction.push(text, tape.read(text).map(ReadEvent::from), out)
            })
        });
        compaction.finish(torn, out)
    }

    /// Compacts a log that lies ready, from its beginning to its end: another thread reads it.
    ///
    /// `read` fills a block and says how much of it, nothing at the end; `write` takes what is
    /// settled. The compactor is of no further use.
    pub fn compact<E: Send>(
        &mut self,
        read: &mut (dyn FnMut(&mut [u8]) -> Result<usize, E> + Send),
        write: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Finished, Failed<E>> {
        let compaction = &mut self.compaction;
        let mut out = Vec::new();
        let end = read_elsewhere(read, &mut |events| {
            let taken = compaction.take(events, &mut out);
            let stopped = taken.map_err(|rejection| compaction.stop(rejection, &mut out));
            write(&out).map_err(Failed::Caller)?;
            out.clear();
            stopped.map_err(Failed::Stopped)
        })?;
        compaction.writer.framing = end.framing;
        let finished = compaction.finish(end.torn, &mut out);
        write(&out).map_err(Failed::Caller)?;
        Ok(finished?)
    }
}

/// A compaction with its output.
struct Compaction<'k> {
    core: StreamCompactor<'k>,
    writer: Writer,
}

impl Compaction<'_> {
    fn push(
        &mut self,
        text: &str,
        read: Result<ReadEvent<'_>, Rejection>,
        out: &mut Vec<u8>,
    ) -> Result<(), Rejection> {
        let Self { core, writer } = self;
        core.push(text, read, &mut |settled| writer.event(settled, out))
    }

    fn take(&mut self, events: &mut ReadEvents, out: &mut Vec<u8>) -> Result<(), Rejection> {
        self.writer.framing = events.framing;
        let mut events = events.iter();
        events.try_for_each(|(text, read)| self.push(text, read, out))
    }

    /// Ends the output where the log ends, or where it could not be read on.
    fn finish(
        &mut self,
        torn: Result<Option<TornTail>, Rejection>,
        out: &mut Vec<u8>,
    ) -> Result<Finished, Stopped> {
        let Self { core, writer } = self;
        let finished = torn.and_then(|torn| {
            core.finish(&mut |settled| writer.event(settled, out))?;
            Ok(torn)
        });
        let torn = finished.map_err(|rejection| self.stop(rejection, out))?;
        self.writer.close(out);
        Ok(Finished {
            events_read: self.core.taken(),
            events_written: self.writer.events,
            bytes_written: self.writer.bytes,
            violation: self.core.stopped().cloned(),
            warnings: self
                .core
                .take_remarks()
                .into_iter()
                .map(Finding::from)
                .collect(),
            torn,
        })
    }

    /// Ends the output early.
    fn stop(&mut self, rejection: Rejection, out: &mut Vec<u8>) -> Stopped {
        self.writer.close(out);
        Stopped {
            rejection,
            bytes_written: self.writer.bytes,
        }
    }
}

/// Writes events in a framing.
#[derive(Default)]
struct Writer {
    framing: Option<Framing>,
    events: usize,
    bytes: u64,
}

impl Writer {
    fn event(&mut self, event: &str, out: &mut Vec<u8>) {
        let before = out.len();
        if self.framing == Some(Framing::Array) {
            out.push(if self.events == 0 { b'[' } else { b',' });
            out.extend_from_slice(event.as_bytes());
        } else {
            out.extend_from_slice(event.as_bytes());
            out.push(b'\n');
        }
        self.events += 1;
        self.bytes += (out.len() - before) as u64;
    }

    /// Ends the output, so that it can be read also after a compaction that stopped.
    fn close(&mut self, out: &mut Vec<u8>) {
        let before = out.len();
        if self.framing == Some(Framing::Array) {
            out.extend_from_slice(if self.events == 0 { b"[]\n" } else { b"]\n" });
        }
        self.bytes += (out.len() - before) as u64;
    }
}
