//! Compaction of a log as bytes.

use super::compactor::StreamCompactor;
use super::frame::{Frames, Framing, TornTail};
use super::options::Options;
use chatstate_json::{Rejection, Tape};

/// Compacts a log as it is read: JSON Lines or a JSON array, in blocks of any size.
///
/// The framing is told by the first byte that is not blank, and kept. Memory is bound by the run in
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
    core: StreamCompactor<'k>,
    tape: Tape,
    frames: Frames,
    writer: Writer,
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
    /// Where the log breaks off. What stands before is used.
    pub torn: Option<TornTail>,
}

impl<'k> TextCompactor<'k> {
    /// How much to push at once, in bytes, where a log lies ready.
    pub const BLOCK_BYTES: usize = 1024 * 1024;

    /// A compactor for a log that is yet to come.
    #[must_use]
    pub fn new(options: Options<'k>) -> Self {
        Self {
            core: StreamCompactor::new(options),
            tape: Tape::default(),
            frames: Frames::default(),
            writer: Writer::default(),
            stopped: None,
        }
    }

    /// Takes the next block, and appends what is settled by it.
    pub fn push(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<(), Stopped> {
        let Self {
            core,
            tape,
            frames,
            writer,
            stopped,
        } = self;
        if let Some(stopped) = stopped {
            return Err(stopped.clone());
        }
        let taken = frames.push(block, &mut |events, framing| {
            writer.framing = Some(framing);
            let mut give = |settled: &str| writer.event(settled, out);
            let mut events = events.iter();
            events.try_for_each(|event| core.push(tape, event, &mut give))
        });
        taken.map_err(|rejection| {
            writer.framing = frames.framing();
            let reason = writer.stop(rejection, out);
            stopped.insert(reason).clone()
        })
    }

    /// Appends the events of a run that is not over.
    pub fn finish(self, out: &mut Vec<u8>) -> Result<Finished, Stopped> {
        let Self {
            mut core,
            mut tape,
            frames,
            mut writer,
            stopped,
        } = self;
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        writer.framing = frames.framing();
        let torn = frames.finish(&mut |events, _| {
            let mut give = |settled: &str| writer.event(settled, out);
            let mut events = events.iter();
            events.try_for_each(|event| core.push(&mut tape, event, &mut give))
        });
        let events_read = core.taken();
        let violation = core.stopped().cloned();
        let finished = torn.and_then(|torn| {
            core.finish(&mut |settled| writer.event(settled, out))?;
            Ok(torn)
        });
        match finished {
            Err(rejection) => Err(writer.stop(rejection, out)),
            Ok(torn) => {
                writer.close(out);
                Ok(Finished {
                    events_read,
                    events_written: writer.events,
                    bytes_written: writer.bytes,
                    violation,
                    torn,
                })
            }
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

    fn stop(&mut self, rejection: Rejection, out: &mut Vec<u8>) -> Stopped {
        self.close(out);
        Stopped {
            rejection,
            bytes_written: self.bytes,
        }
    }
}
