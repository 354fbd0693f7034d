//! What a stream of events means: its messages, state, runs, open items and interrupts
//! (requirements `replay.*`).

mod carried;
mod checkpoints;
mod reducer;
mod remark;
mod removed;
mod run;
mod thread;
mod verified;

pub use crate::sequence::{ItemKind, OpenItem};
pub use run::{Run, RunFailure, RunStatus};

pub(crate) use carried::{Carried, with_carried};
pub(crate) use checkpoints::Checkpoints;
pub(crate) use reducer::{Conversation, Ends, Reducer, unknown_operations};
pub(crate) use remark::Remark;
pub use removed::is_removed;
pub(crate) use removed::{OpenRun, add_to_mark, left_out, name_left_out};
pub(crate) use thread::Thread;
pub(crate) use verified::VerifiedReplay;

use crate::log::{LogReader, Replaying};
use crate::verify::Verification;
use chatstate_json::Rejection;
use chatstate_json::{self as json, Object, ObjectWriter, ReadJson, Tape, Value, WriteJson};
use chatstate_types::generated::{Event, EventStream};

/// The meaning of a stream at the end of one of its runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replay {
    /// The messages in order, each with every member.
    pub messages: Vec<Object>,
    /// The shared state.
    pub state: Value,
    /// The runs that lead here, the earliest first.
    pub runs: Vec<Run>,
    /// What was begun and not ended, in the order of beginning.
    pub open: Vec<OpenItem>,
    /// What the last finished run waits for.
    pub interrupts: Vec<Value>,
}

/// How a log is replayed.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReplayOptions<'r> {
    /// The id of the run at whose end the replay stops; without it, that of the last run. Of several
    /// runs with the id, the latest is meant.
    pub run: Option<&'r str>,
    /// Whether the events that break a rule of order are passed over, in place of a rejection. Those
    /// that begin or end the run in progress have their effect all the same.
    pub lenient: bool,
}

/// A replay, and what verification found on the way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replayed {
    /// What the log means.
    pub replay: Replay,
    /// The errors are what a lenient replay passed over; without leniency there are none. The
    /// warnings name the patches and the operations that had no effect, among others.
    pub found: Verification,
}

/// Replays a stream up to the end of its last run, along the predecessors of that run.
///
/// Rejected is a stream that does not verify, with what [`verify`](crate::verify::verify()) finds
/// first; its place is the event. Runs of other branches are passed over. A path that needs what
/// compaction removed is rejected too (class `semantic`, rule `replay.removed-run`).
pub fn replay(events: &[Event]) -> Result<Replay, Rejection> {
    replay_with(events, &ReplayOptions::default()).map(|replayed| replayed.replay)
}

/// Replays a stream up to the end of the run with this id, along its predecessors.
///
/// Rejects what [`replay`] rejects, and an id that no run of the stream has (class `semantic`, rule
/// `replay.unknown-run`). Of several runs with the id, the latest is meant.
pub fn replay_at(events: &[Event], run_id: &str) -> Result<Replay, Rejection> {
    let options = ReplayOptions {
        run: Some(run_id),
        ..ReplayOptions::default()
    };
    replay_with(events, &options).map(|replayed| replayed.replay)
}

/// Replays a stream as the options say, and says what was found on the way.
///
/// ```
/// use chatstate_streams::replay::{ReplayOptions, read_stream, replay_with};
///
/// let log = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r1"},
///               {"type":"TEXT_MESSAGE_END","messageId":"m1"},
///               {"type":"RUN_FINISHED","threadId":"t","runId":"r1"}]"#;
/// let events = read_stream(log)?;
/// assert!(replay_with(&events, &ReplayOptions::default()).is_err());
/// let replayed = replay_with(&events, &ReplayOptions { lenient: true, ..ReplayOptions::default() })?;
/// assert_eq!(replayed.found.errors[0].rule, "text.not-open");
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub fn replay_with(events: &[Event], options: &ReplayOptions<'_>) -> Result<Replayed, Rejection> {
    let mut log = VerifiedReplay::asked(options.lenient);
    let mut tape = Tape::default();
    for (index, event) in events.iter().enumerate() {
        with_carried(&mut tape, event, |carried| {
            log.push(index, event, carried);
        })
        .map_err(|rejection| rejection.within(index))?;
    }
    log.finish(options.run)
}

/// Replays a log as text up to the end of the run with this id, or of its last run.
///
/// This is [`read_stream`] and then [`replay_at`] or [`replay`], but for the memory that it takes:
/// no more than one event is held beside what the log means.
pub fn replay_text(text: &str, run_id: Option<&str>) -> Result<Replay, Rejection> {
    let mut reader = LogReader::new(Replaying::with(&ReplayOptions {
        run: run_id,
        ..ReplayOptions::default()
    }));
    reader.push(text.as_bytes())?;
    let read = reader.finish()?;
    if read.torn.is_some() || read.framing.is_none() {
        // The whole text is a log, or none.
        read_stream(text)?;
    }
    Ok(read.output.replay)
}

/// Reads a stream of events: a JSON array, or JSON Lines when the first byte is not `[`.
///
/// Text without anything is neither, since a log that was cut off at its first byte looks the same.
pub fn read_stream(text: &str) -> Result<Vec<Event>, Rejection> {
    if text.trim_start().starts_with('[') {
        return EventStream::from_json(text).map(|stream| stream.0);
    }
    if text.trim().is_empty() {
        json::check(text)?;
    }
    let mut tape = Tape::default();
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    let read = |(index, line)| {
        let event = tape.read(line).and_then(Event::read);
        event.map_err(|rejection: Rejection| rejection.within(index))
    };
    lines.enumerate().map(read).collect()
}

/// Reads an event against the schema, and takes out what it carries.
pub(crate) fn read_event<'t>(
    tape: &'t mut Tape,
    text: &'t str,
) -> Result<(Event, Carried<'t>), Rejection> {
    let raw = tape.read(text)?;
    let mut event = Event::read(raw)?;
    let carried = Carried::taken_from(&mut event, raw);
    Ok((event, carried))
}

impl WriteJson for Replay {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .member("messages", &self.messages)
            .member("state", &self.state)
            .member("runs", &self.runs)
            .member("open", &self.open)
            .member("interrupts", &self.interrupts)
            .end();
    }
}
