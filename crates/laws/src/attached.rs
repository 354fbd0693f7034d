//! *Attach*: a client that joins late ends up with what one has that was there from the beginning.

use super::{Broken, LawResult, same_values, verifies};
use chatstate_json::{Object, Value};
use chatstate_streams::lineage::lineage;
use chatstate_streams::replay::{Replay, Run, replay};
use chatstate_types::generated::Event;

/// *Attach*: after the prelude of a log that is cut at `cut`, the events that follow verify, and at
/// the end of every run of theirs they replay to what they mean after the log: messages, state,
/// open items, interrupts, and the runs from the last one of the log on.
///
/// Nothing is judged from a run on that continues another one than the last of the log: earlier
/// runs and other branches are beyond what a joining client can know.
///
/// # Errors
///
/// When the two together do not verify, or mean something else.
pub fn attached(events: &[Event], cut: usize, prelude: &[Event]) -> LawResult {
    let rest = rest_of_tip(events, cut);
    let joined = |length: usize| [prelude, &rest[..length]].concat();
    verifies(
        &joined(rest.len()),
        "the prelude and what follows it do not verify",
    )?;
    let run_id = last_run(&events[..cut]);
    let mut lengths = ends(rest).into_iter();
    lengths.try_for_each(|length| same_meaning(&events[..cut + length], &joined(length), run_id))
}

fn same_meaning(log: &[Event], joined: &[Event], run_id: Option<&str>) -> LawResult {
    // A log that needs what compaction removed has no prelude, and none is judged.
    let Ok(expected) = replay(log) else {
        return Ok(());
    };
    match replay(joined) {
        Ok(found) => same_values(
            &known(expected, run_id),
            &known(found, run_id),
            "the prelude and what follows it replay to something else",
        ),
        Err(rejection) => Err(Broken::rejected(
            "the prelude and what follows it do not replay",
            &rejection,
        )),
    }
}

/// What a client that joined and one that was there both know: of the runs, those from the last one
/// of the log on.
fn known(replay: Replay, run_id: Option<&str>) -> Value {
    let is_first = |run: &Run| run.run_id.as_deref() == run_id;
    let earlier = replay.runs.iter().position(is_first).unwrap_or_default();
    let of_runs = |runs: &[Run]| runs.iter().map(Value::of).collect::<Vec<_>>();
    let messages = replay.messages.into_iter().map(Value::Object);
    let open = replay.open.iter().map(Value::of);
    let mut members = Object::new();
    members.insert("messages", messages.collect::<Vec<_>>());
    members.insert("state", replay.state);
    members.insert("runs", of_runs(&replay.runs[earlier..]));
    members.insert("open", open.collect::<Vec<_>>());
    members.insert("interrupts", replay.interrupts);
    Value::Object(members)
}

fn last_run(log: &[Event]) -> Option<&str> {
    log.iter().rev().find_map(|event| match event {
        Event::RunStarted(start) => Some(start.run_id.as_str()),
        _ => None,
    })
}

/// As much of the rest as continues the last run of the log, or from a run of the rest.
fn rest_of_tip(events: &[Event], cut: usize) -> &[Event] {
    let rows = lineage(events).runs;
    let earlier = rows.iter().filter(|row| row.index < cut).count();
    let mut later = rows[earlier..].iter();
    let other = later.find(|row| row.predecessor.is_some_and(|place| place + 1 < earlier));
    &events[cut..other.map_or(events.len(), |row| row.index)]
}

/// Nothing, the end of each run, and everything.
fn ends(rest: &[Event]) -> Vec<usize> {
    let starts = rest.iter().enumerate();
    let starts = starts.filter(|(_, event)| matches!(event, Event::RunStarted(_)));
    let mut ends: Vec<usize> = starts.map(|(index, _)| index).collect();
    ends.extend([0, rest.len()]);
    ends
}
