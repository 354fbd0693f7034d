//! The rest of a run is compacted as the run would be: whether its beginning is there makes no
//! difference to what follows.

use chatstate_arbitrary::strategies::{cuts, events};
use chatstate_arbitrary::testing::{case, config};
use chatstate_streams::compact::{Level, Options, compact};
use chatstate_types::generated::{Event, RunStartedEvent};
use proptest::prelude::*;

fn partial() -> Options<'static> {
    let mut options = Options::at(Level::Stream);
    options.partial = true;
    options
}

/// The first run of a log, from its beginning to its terminal event, without what is outside.
fn first_run(log: &[Event]) -> Option<(&RunStartedEvent, &[Event])> {
    let begun = log
        .iter()
        .position(|it| matches!(it, Event::RunStarted(_)))?;
    let Event::RunStarted(start) = &log[begun] else {
        return None;
    };
    let ends = |it: &Event| matches!(it, Event::RunFinished(_) | Event::RunError(_));
    let length = log[begun..].iter().position(ends);
    let end = length.map_or(log.len(), |length| begun + length + 1);
    Some((start, &log[begun + 1..end]))
}

/// Both ways to say the rest of a run give the same, or are rejected by the same rule.
fn is_compacted_as_the_run(start: &RunStartedEvent, rest: &[Event]) -> Result<(), String> {
    // An error may be outside of runs, and an unknown event says nothing of where it is.
    let first = rest.iter().find(|it| !matches!(it, Event::Unknown(_)));
    if matches!(first, None | Some(Event::RunError(_))) {
        return Ok(());
    }
    let bare = RunStartedEvent::new(start.thread_id.clone(), start.run_id.clone());
    let mut whole = vec![Event::RunStarted(Box::new(bare))];
    whole.extend(rest.iter().cloned());
    let (of_rest, of_whole) = (
        compact(rest, &partial()),
        compact(&whole, &Options::at(Level::Stream)),
    );
    match (of_rest, of_whole) {
        (Ok(of_rest), Ok(of_whole)) if of_rest[..] == of_whole[1..] => {
            match compact(&of_rest, &partial()) {
                Ok(again) if again == of_rest => Ok(()),
                other => Err(format!("compacting it again gives {other:?}")),
            }
        }
        (Err(one), Err(other)) if one.rule == other.rule => Ok(()),
        (one, other) => Err(format!("{one:?}\nis not\n{other:?}")),
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn the_rest_of_a_run_is_compacted_as_the_run(log in events(), cuts in cuts(500)) {
        let Some((start, run)) = first_run(&log) else {
            return Ok(());
        };
        for cut in cuts.of(run.len()) {
            let rest = &run[cut..];
            is_compacted_as_the_run(start, rest).map_err(|reason| {
                TestCaseError::fail(format!("{reason}\n{}", case("idempotent", Level::Stream, rest)))
            })?;
        }
    }
}
