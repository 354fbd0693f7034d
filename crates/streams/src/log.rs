//! Logs in blocks of any size, so that a log need not be held to be verified, replayed or joined.

mod checking;
mod places;

pub use checking::{Checked, Checking};
pub use places::{EventPlace, EventPlaces};

use crate::attach::CompactedLog;
use crate::compact::{FramedEvents, Frames, Framing, TornTail};
use crate::lineage::{Lineage, LogLineage, Outlines, RunOutline, branch_of};
use crate::replay::{Carried, ReplayOptions, Replayed, VerifiedReplay, read_event};
use crate::verify::{LogVerifier, Verification, VerifyOptions};
use chatstate_json::{ReadJson, Rejection, Tape};
use chatstate_types::generated::Event;

/// What is made of a log.
pub trait LogTaker {
    /// What it comes to.
    type Output;

    /// Takes the text of the event of this index.
    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection>;

    /// The end of the log.
    fn end(self) -> Result<Self::Output, Rejection>;
}

/// Reads a log as it comes: JSON Lines or a JSON array, told by the first byte that is not blank.
///
/// ```
/// use chatstate_streams::log::{LogReader, Verifying};
/// let log = br#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
/// {"type":"TEXT_MESSAGE_END","messageId":"m"}
/// "#;
/// let mut reader = LogReader::new(Verifying::default());
/// for block in log.chunks(50) {
///     reader.push(block)?;
/// }
/// let read = reader.finish()?;
/// assert_eq!(read.output.errors[0].rule, "text.not-open");
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub struct LogReader<T> {
    frames: Frames,
    /// The number of events that were taken.
    count: usize,
    taker: T,
}

/// What a log came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadLog<O> {
    /// What was made of it.
    pub output: O,
    /// How its events are kept apart.
    pub framing: Option<Framing>,
    /// Where it breaks off. The events before are used.
    pub torn: Option<TornTail>,
    /// The number of its events.
    pub events: usize,
}

impl<T: LogTaker> LogReader<T> {
    /// A reader of a log that is yet to come.
    #[must_use]
    pub fn new(taker: T) -> Self {
        Self {
            frames: Frames::default(),
            count: 0,
            taker,
        }
    }

    /// Takes the next block.
    pub fn push(&mut self, block: &[u8]) -> Result<(), Rejection> {
        let Self {
            frames,
            count,
            taker,
        } = self;
        frames.push(block, &mut |framed| take_all(taker, count, framed))
    }

    /// The number of events that were taken.
    #[must_use]
    pub fn events(&self) -> usize {
        self.count
    }

    /// Takes the end of the log.
    pub fn finish(self) -> Result<ReadLog<T::Output>, Rejection> {
        let Self {
            frames,
            mut count,
            mut taker,
        } = self;
        let framing = frames.framing();
        let torn = frames.finish(&mut |framed| take_all(&mut taker, &mut count, framed))?;
        Ok(ReadLog {
            output: taker.end()?,
            framing,
            torn,
            events: count,
        })
    }
}

fn take_all(
    taker: &mut impl LogTaker,
    count: &mut usize,
    framed: &FramedEvents<'_>,
) -> Result<(), Rejection> {
    framed.texts().try_for_each(|text| {
        let index = *count;
        *count += 1;
        taker.take(index, text)
    })
}

/// Verifies a log, as [`verify`](crate::verify::verify()) does with its events.
#[derive(Default)]
pub struct Verifying {
    tape: Tape,
    log: LogVerifier,
}

impl Verifying {
    /// As the options say.
    #[must_use]
    pub fn with(options: VerifyOptions) -> Self {
        Self {
            log: LogVerifier::with(options),
            ..Self::default()
        }
    }
}

impl LogTaker for Verifying {
    type Output = Verification;

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        let within = |rejection: Rejection| rejection.within(index);
        let raw = self.tape.read(text).map_err(within)?;
        let mut event = Event::read(raw).map_err(within)?;
        let carried = Carried::taken_from(&mut event, raw);
        self.log.push(index, &event, carried, raw);
        Ok(())
    }

    fn end(self) -> Result<Verification, Rejection> {
        Ok(self.log.finish())
    }
}

/// Works out the lineage of a log, and what each run did.
#[derive(Default)]
pub struct OutliningRuns {
    tape: Tape,
    lineage: LogLineage,
    outlines: Outlines,
}

impl LogTaker for OutliningRuns {
    type Output = (Lineage, Vec<RunOutline>);

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        let (event, carried) = read(&mut self.tape, index, text)?;
        self.lineage.push(index, &event, carried);
        self.outlines.push(&event);
        Ok(())
    }

    fn end(self) -> Result<Self::Output, Rejection> {
        Ok((self.lineage.finish(), self.outlines.finish()))
    }
}

/// Works out the lineage of a log, as [`lineage`](crate::lineage::lineage()) does with its events.
#[derive(Default)]
pub struct TracingLineage {
    tape: Tape,
    lineage: LogLineage,
}

impl LogTaker for TracingLineage {
    type Output = Lineage;

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        let (event, carried) = read(&mut self.tape, index, text)?;
        self.lineage.push(index, &event, carried);
        Ok(())
    }

    fn end(self) -> Result<Lineage, Rejection> {
        Ok(self.lineage.finish())
    }
}

/// Takes the events of one branch, as [`branch_of`] does of events.
pub struct TakingBranch {
    tape: Tape,
    events: Vec<Event>,
    run_id: String,
}

impl TakingBranch {
    /// The branch that ends with the run of this id.
    #[must_use]
    pub fn to(run_id: &str) -> Self {
        Self {
            tape: Tape::default(),
            events: Vec::new(),
            run_id: run_id.to_owned(),
        }
    }
}

impl LogTaker for TakingBranch {
    type Output = Vec<Event>;

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        let (event, _) = read(&mut self.tape, index, text)?;
        self.events.push(event);
        Ok(())
    }

    fn end(self) -> Result<Vec<Event>, Rejection> {
        branch_of(&self.events, &self.run_id)
    }
}

/// Replays a log, as [`replay_with`](crate::replay::replay_with) does with its events.
#[derive(Default)]
pub struct Replaying {
    tape: Tape,
    log: VerifiedReplay,
    run_id: Option<String>,
}

impl Replaying {
    /// As the options say.
    #[must_use]
    pub fn with(options: &ReplayOptions<'_>) -> Self {
        Self {
            log: VerifiedReplay::asked(options.lenient),
            run_id: options.run.map(str::to_owned),
            ..Self::default()
        }
    }
}

impl LogTaker for Replaying {
    type Output = Replayed;

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        let (event, carried) = read(&mut self.tape, index, text)?;
        self.log.push(index, &event, carried);
        Ok(())
    }

    fn end(self) -> Result<Replayed, Rejection> {
        self.log.finish(self.run_id.as_deref())
    }
}

/// Makes the prelude for a client that joins the thread of a log, as
/// [`attach`](crate::attach::attach()) does with its events.
#[derive(Default)]
pub struct Attaching {
    tape: Tape,
    log: CompactedLog,
}

impl LogTaker for Attaching {
    type Output = Vec<Event>;

    fn take(&mut self, _: usize, text: &str) -> Result<(), Rejection> {
        self.log.push(&mut self.tape, text)
    }

    fn end(self) -> Result<Vec<Event>, Rejection> {
        crate::attach::prelude(self.log)
    }
}

fn read<'t>(
    tape: &'t mut Tape,
    index: usize,
    text: &'t str,
) -> Result<(Event, Carried<'t>), Rejection> {
    read_event(tape, text).map_err(|rejection| rejection.within(index))
}
