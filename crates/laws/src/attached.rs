//! *Attach*: a client that joins late ends up with what one has that was there from the beginning.

use super::{Broken, LawResult, run_starts, same_values, verifies};
use chatstate_json::{Object, Value};
use chatstate_streams::lineage::lineage;
use chatstate_streams::replay::{Replay, Run, replay};
use chatstate_types::generated::Event;

/// *Attach*: after the prelude of a log that is cut at `cut`, the events that follow verify, and at
/// the end of every run of theirs they replay to what they mean after the log: messages, state,
/// open items, interrupts, and the runs from the last one of the log on.
///
/// Earlier runs and other branches are beyond what a joining client can know. So the replay of a run
/// that continues one of them may be rejected (rule `replay.removed-run`), but is never another one.
///
/// # Errors
///
/// When the two together do not verify, or mean something else.
pub fn attached(events: &[Event], cut: usize, prelude: &[Event]) -> LawResult {
    let rest = &events[cut..];
    let joined = |length: usize| [prelude, &rest[..length]].concat();
    verifies(
        &joined(rest.len()),
        "the prelude and what follows it do not verify",
    )?;
    let mut lengths = ends(rest).into_iter();
    lengths.try_for_each(|length| same_meaning(&events[..cut + length], cut, &joined(length)))
}

fn same_meaning(log: &[Event], cut: usize, joined: &[Event]) -> LawResult {
    // A log that needs what compaction removed has no prelude, and none is judged.
    let Ok(expected) = replay(log) else {
        return Ok(());
    };
    let later = later_runs(log, cut);
    match replay(joined) {
        Ok(found) => same_values(
            &known(expected, &later),
            &known(found, &later),
            "the prelude and what follows it replay to something else",
        ),
        Err(rejection) if rejection.rule == "replay.removed-run" && leaves_tip(log, cut) => Ok(()),
        Err(rejection) => Err(Broken::rejected(
            "the prelude and what follows it do not replay",
            &rejection,
        )),
    }
}

/// What a client that joined and one that was there both know: of the runs, those from the last one
/// of the log on, if there is one.
fn known(replay: Replay, later: &[&str]) -> Value {
    let is_later = |run: &Run| {
        let id = run.run_id.as_deref();
        later.is_empty() || id.is_some_and(|id| later.contains(&id))
    };
    let earlier = replay.runs.iter().position(is_later);
    let earlier = earlier.unwrap_or(replay.runs.len());
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

/// The last run before the cut, and the runs behind it. Nothing if there is no run before the cut.
fn later_runs(log: &[Event], cut: usize) -> Vec<&str> {
    let id = |index: &usize| match &log[*index] {
        Event::RunStarted(start) => Some(start.run_id.as_str()),
        _ => None,
    };
    let starts = run_starts(log);
    let before = starts.iter().filter(|start| **start < cut).count();
    match before.checked_sub(1) {
        Some(tip) => starts[tip..].iter().filter_map(id).collect(),
        None => Vec::new(),
    }
}

/// Whether the path to the last run leads past the last run before the cut.
fn leaves_tip(log: &[Event], cut: usize) -> bool {
    let rows = lineage(log).runs;
    let before = rows.iter().filter(|row| row.index < cut).count();
    let mut path = std::iter::successors(rows.last(), |row| Some(&rows[row.predecessor?]));
    path.all(|row| Some(row.index) != before.checked_sub(1).map(|tip| rows[tip].index))
}

/// Nothing, the end of each run, and everything.
fn ends(rest: &[Event]) -> Vec<usize> {
    let starts = rest.iter().enumerate();
    let starts = starts.filter(|(_, event)| matches!(event, Event::RunStarted(_)));
    let mut ends: Vec<usize> = starts.map(|(index, _)| index).collect();
    ends.extend([0, rest.len()]);
    ends
}
