//! The laws of compaction and of attaching hold for what real producers wrote, cut off anywhere.

use chatstate::attach::attach;
use chatstate::compact::{Level, Options, Retain, compact};
use chatstate::generated::Event;
use chatstate::replay::read_stream;
use chatstate::verify::verify;
use chatstate_laws::{self as laws, LawResult};
use chatstate_tests::recording::recordings;

const LEVELS: [Level; 3] = [
    Level::Stream,
    Level::Snapshot(Retain::Runs),
    Level::Snapshot(Retain::Tips),
];

/// Each recording by its name, up to the event that makes it invalid if one does.
fn logs() -> Vec<(String, Vec<Event>)> {
    let read = |text: &str| {
        let mut events = read_stream(text).expect("a recording can be read");
        let errors = verify(&events).errors;
        let valid = errors.first().map_or(events.len(), |error| error.at);
        events.truncate(valid);
        events
    };
    let recordings = recordings().into_iter();
    let logs = recordings.map(|it| (it.name, read(&it.text)));
    logs.collect()
}

/// How many places a log is cut at; a shorter one is cut everywhere.
const CUTS: usize = 200;

/// Where a log is cut: everywhere, or at places that are equally far from each other.
fn cuts(events: &[Event]) -> impl Iterator<Item = usize> {
    let step = events.len().div_ceil(CUTS).max(1);
    (0..events.len()).step_by(step).chain([events.len()])
}

/// Compacts a valid log at a level.
fn compacted(events: &[Event], level: Level) -> Vec<Event> {
    let compacted = compact(events, &Options::at(level));
    compacted.unwrap_or_else(|rejection| panic!("a recording is rejected: {rejection}"))
}

/// Every law of compaction, over a log that is cut off.
fn keeps_the_laws(events: &[Event], cut: usize, level: Level) -> LawResult {
    let log = &events[..cut];
    let once = compacted(log, level);
    laws::idempotent(&once, &compacted(&once, level))?;
    laws::replay(log, &once, level)?;
    laws::closed(&once)?;
    laws::contained(log, &once, level)?;
    laws::minimal_input(log, &once)?;
    laws::never_larger(log, &once, level)?;
    laws::effective(&once)?;
    let mut joined = once;
    joined.extend_from_slice(&events[cut..]);
    laws::incremental(&compacted(events, level), &compacted(&joined, level))
}

#[test]
fn compaction_keeps_its_laws_over_recordings() {
    for (name, events) in logs() {
        for level in LEVELS {
            for cut in cuts(&events) {
                let finding = keeps_the_laws(&events, cut, level);
                assert_eq!(finding, Ok(()), "{name}, {level:?}, cut at {cut}");
            }
        }
    }
}

#[test]
fn attaching_keeps_its_law_over_recordings() {
    for (name, events) in logs() {
        for cut in cuts(&events) {
            let prelude = attach(&events[..cut]);
            let prelude = prelude.unwrap_or_else(|rejection| panic!("{name}: {rejection}"));
            let finding = laws::attached(&events, cut, &prelude);
            assert_eq!(finding, Ok(()), "{name}, cut at {cut}");
        }
    }
}
