//! *Replay*: a compacted log means what the log meant.

use super::{Broken, LawResult, may_remove_runs, run_starts, same_values, tree};
use chatstate_json::Rejection;
use chatstate_streams::compact::Level;
use chatstate_streams::replay::{is_removed, replay as replayed};
use chatstate_types::generated::Event;

/// *Replay*: the compacted events replay to the same at the end of the log, and also at the end of
/// every run whose events are still there.
///
/// # Errors
///
/// When messages, state, runs, open items or interrupts are others, when runs are lost or made up,
/// when a run is removed at a level that removes none, and when the compacted events do not replay.
pub fn replay(before: &[Event], after: &[Event], level: Level) -> LawResult {
    let (ends, ends_after) = (run_ends(before), run_ends(after));
    if ends.len() != ends_after.len() {
        let problem = format!("{} runs became {}", ends.len(), ends_after.len());
        return Err(Broken::new(problem));
    }
    for (end, end_after) in ends.iter().zip(&ends_after) {
        let (before, after) = (&before[..*end], &after[..*end_after]);
        if last_run_is_removed(after) && !last_run_is_removed(before) {
            if may_remove_runs(level) {
                continue;
            }
            return Err(Broken::new(
                "a run was removed, and this level removes none",
            ));
        }
        same_meaning(before, after)?;
    }
    Ok(())
}

fn same_meaning(before: &[Event], after: &[Event]) -> LawResult {
    let expected = replayed(before);
    let found = replayed(after);
    match (expected, found) {
        (Ok(expected), Ok(found)) => same_values(
            &tree(&expected)?,
            &tree(&found)?,
            &format!(
                "{} the compacted events replay to something else",
                place(before)
            ),
        ),
        (Ok(_), Err(rejection)) => Err(rejected(before, &rejection)),
        // A run that was removed before says the same of itself after.
        (Err(_), _) => Ok(()),
    }
}

fn rejected(before: &[Event], rejection: &Rejection) -> Broken {
    let problem = format!("{} the compacted events do not replay", place(before));
    Broken::rejected(&problem, rejection)
}

fn place(before: &[Event]) -> String {
    let starts = before.iter().rev();
    let last = starts.filter_map(|event| match event {
        Event::RunStarted(start) => Some(&start.run_id),
        _ => None,
    });
    match last.into_iter().next() {
        Some(run) => format!("at the end of run `{run}`,"),
        None => "before any run,".to_owned(),
    }
}

fn last_run_is_removed(events: &[Event]) -> bool {
    let last = run_starts(events).last().copied();
    last.is_some_and(|index| is_removed(&events[index]))
}

/// The length of the log up to the end of each run, and its whole length.
fn run_ends(events: &[Event]) -> Vec<usize> {
    let starts = run_starts(events).into_iter();
    let mut ends: Vec<usize> = starts.filter(|index| *index > 0).collect();
    ends.push(events.len());
    ends
}
