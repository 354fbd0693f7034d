//! What a stream of events means: its messages, state, runs, open items and interrupts
//! (requirements `replay.*`).

mod chain;
mod plain;
mod reducer;
mod remark;
mod removed;
mod run;
mod straight;
mod thread;

pub use crate::sequence::{ItemKind, OpenItem};
pub use run::{Run, RunStatus};

pub(crate) use reducer::Reducer;
pub(crate) use remark::Remark;
pub use removed::is_removed;
pub(crate) use removed::{MARK, refuse_removed};

use std::sync::Arc;

use crate::lineage::Runs;
use chatstate_json::{self as json, Object, ObjectWriter, ReadJson, Tape, Value, WriteJson};
use chatstate_json::{Class, Rejection};
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

/// Replays a stream up to the end of its last run, along the predecessors of that run.
///
/// Refused are events that continue or end what is not open, events that begin what is open, text
/// that ends in half a character, and chunks that nobody can place (class `sequence`, under the
/// rule names of [`crate::verify`]). The rejection's place is the event. Runs of other branches are
/// passed over. A path that needs what compaction removed is refused too (class `semantic`, rule
/// `replay.removed-run`).
pub fn replay(events: &[Event]) -> Result<Replay, Rejection> {
    let (runs, _) = Runs::of(events);
    match runs.rows().len().checked_sub(1) {
        Some(last) => replay_path(events, &runs, last),
        None => reduce(events, 0..events.len()),
    }
}

/// Replays a stream up to the end of the run with this id, along its predecessors.
///
/// Refuses what [`replay`] refuses, and an id that no run of the stream has (class `semantic`, rule
/// `replay.unknown-run`). Of several runs with the id, the latest is meant.
pub fn replay_at(events: &[Event], run_id: &str) -> Result<Replay, Rejection> {
    let (runs, _) = Runs::of(events);
    let place = runs.place_of(run_id).ok_or_else(|| {
        let message = format!("no run of the stream has the id `{run_id}`");
        Rejection::new(Class::Semantic, "replay.unknown-run", message)
    })?;
    replay_path(events, &runs, place)
}

/// Replays a log as text up to the end of the run with this id, or of its last run.
///
/// This is [`read_stream`] and then [`replay_at`] or [`replay`], but for the memory that it takes:
/// where each run goes on from the run before it, no more than one event is held, and the state
/// with a few patches.
pub fn replay_text(text: &str, run_id: Option<&str>) -> Result<Replay, Rejection> {
    if let Some(replay) = straight::replay_straight(text, run_id) {
        return Ok(replay);
    }
    let events = read_stream(text)?;
    match run_id {
        Some(run_id) => replay_at(&events, run_id),
        None => replay(&events),
    }
}

fn replay_path(events: &[Event], runs: &Runs, place: usize) -> Result<Replay, Rejection> {
    let path = runs.path_to(place);
    refuse_removed(events, runs, &path)?;
    reduce(
        events,
        path.into_iter()
            .flat_map(|place| runs.events_of(place, events.len())),
    )
}

fn reduce(events: &[Event], indexes: impl IntoIterator<Item = usize>) -> Result<Replay, Rejection> {
    let mut reducer = Reducer::default();
    for index in indexes {
        reducer
            .apply(index, &events[index])
            .map_err(|rejection| rejection.within(index))?;
    }
    Ok(reducer.finish())
}

/// What the replays of all branches pass over, in the order of the log. Events that a replay
/// refuses are skipped, so that one damaged run hides nothing about the others.
///
/// Of the runs that go on from one, the longest branch takes what stands there and the others copy
/// it one after the other, so that few copies are there at a time.
pub(crate) fn remarks(events: &[Event], runs: &Runs) -> Vec<Remark> {
    let mut branches = runs.branches();
    let mut remarks = Vec::new();
    let first = runs.rows().first().map(|_| (0, Arc::default()));
    let mut waiting: Vec<(usize, Arc<Reducer>)> = first.into_iter().collect();
    while let Some((place, before)) = waiting.pop() {
        let mut reducer = Arc::unwrap_or_clone(before);
        reducer.keep_remarks();
        for index in runs.events_of(place, events.len()) {
            let _ = reducer.apply(index, &events[index]);
        }
        remarks.extend(reducer.end_run());
        let end = Arc::new(reducer);
        let branches = std::mem::take(&mut branches[place]).into_iter();
        waiting.extend(branches.map(|next| (next, Arc::clone(&end))));
    }
    remarks.sort_by_key(|remark| remark.index);
    remarks
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
