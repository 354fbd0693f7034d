//! The laws of compaction over streams made at random.
//!
//! `CHATSTATE_STREAMS` sets how many streams each law is tried on, `CHATSTATE_SEED` which,
//! `CHATSTATE_FIRST` with which of them to begin, and `CHATSTATE_LEVELS` at which levels (of
//! `stream runs tips`).

mod streams;

use chatstate::compact::{Level, Options, Retain};
use chatstate::generated::Event;
use chatstate::laws;
use chatstate::lineage::lineage;
use chatstate::verify::verify;
use std::collections::BTreeMap;
use streams::{FEATURES, Feature, Source, Stream, case, cuts, generate, setting, shrink};

/// A law: what is wrong with a stream and the places where it may be cut, if anything.
type Check = fn(&[Event], &[usize], Level) -> Result<(), String>;

fn stream(number: u64) -> Stream {
    generate(Source::new(setting("CHATSTATE_SEED", 1), number))
}

/// Tries a law at all levels, or at those that `CHATSTATE_LEVELS` names.
fn check(law: &str, holds: Check) {
    let levels = std::env::var("CHATSTATE_LEVELS").unwrap_or("stream runs tips".to_owned());
    for level in levels.split(' ') {
        let level = match level {
            "runs" => Level::Snapshot(Retain::Runs),
            "tips" => Level::Snapshot(Retain::Tips),
            _ => Level::Stream,
        };
        check_at(level, law, holds);
    }
}

/// Tries a law on many streams; the first one that breaks it is shown as small as it goes.
fn check_at(level: Level, law: &str, holds: Check) {
    let count = setting("CHATSTATE_STREAMS", 1000);
    for number in setting("CHATSTATE_FIRST", 0)..count {
        let events = stream(number).events;
        let cuts = cuts(number, count, &events);
        if holds(&events, &cuts, level).is_err() {
            let fails = |events: &[Event]| holds(events, &all_cuts(events), level).is_err();
            let smallest = shrink(&events, fails);
            let reason = holds(&smallest, &all_cuts(&smallest), level).err();
            panic!(
                "{level:?}, stream {number}: {}\n{}",
                reason.unwrap_or_default(),
                case(law, level, &smallest)
            );
        }
    }
}

/// Compacts a valid stream at a level; what was compacted must be valid too.
fn compact(events: &[Event], level: Level) -> Result<Vec<Event>, String> {
    let compacted = chatstate::compact::compact(events, &Options::at(level));
    compacted.map_err(|rejection| format!("compaction refuses {rejection}\n{}", text(events)))
}

fn all_cuts(events: &[Event]) -> Vec<usize> {
    (0..=events.len()).collect()
}

fn text(events: &[Event]) -> String {
    let lines = events.iter().map(Event::to_json);
    lines.collect::<Vec<_>>().join("\n")
}

fn judged(finding: laws::Finding, compacted: &[Event]) -> Result<(), String> {
    finding.map_err(|broken| format!("{broken}\n{}", text(compacted)))
}

#[test]
fn generated_streams_are_valid_and_have_every_feature() {
    let count = 4000;
    let mut seen: BTreeMap<Feature, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<(Feature, Feature), usize> = BTreeMap::new();
    for number in 0..count as u64 {
        let stream = stream(number);
        let errors = verify(&stream.events).errors;
        assert!(errors.is_empty(), "{errors:?}\n{}", text(&stream.events));
        for one in &stream.features {
            *seen.entry(*one).or_default() += 1;
            for other in &stream.features {
                *pairs.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    for one in FEATURES {
        let share = seen.get(one).copied().unwrap_or_default();
        assert!(share >= count / 20, "{one:?} is in {share} of {count}");
        for other in FEATURES {
            let share = pairs.get(&(*one, *other)).copied().unwrap_or_default();
            assert!(
                share >= count / 1000,
                "{one:?} with {other:?}: {share} of {count}"
            );
        }
    }
}

#[test]
fn idempotent() {
    check("idempotent", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let once = compact(&events[..*cut], level)?;
            judged(laws::idempotent(&once, &compact(&once, level)?), &once)
        })
    });
}

#[test]
fn replay_is_kept() {
    check("replay", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let compacted = compact(&events[..*cut], level)?;
            judged(laws::replay(&events[..*cut], &compacted, level), &compacted)
        })
    });
}

#[test]
fn closed() {
    check("closed", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let compacted = compact(&events[..*cut], level)?;
            judged(laws::closed(&compacted), &compacted)
        })
    });
}

#[test]
fn contained() {
    check("contained", |events, _, level| {
        let compacted = compact(events, level)?;
        judged(laws::contained(events, &compacted, level), &compacted)
    });
}

/// No law, but the first placement rule: what nothing is joined into keeps its place.
#[test]
fn in_place() {
    check("contained", |events, _, level| {
        let compacted = compact(events, level)?;
        judged(laws::in_place(events, &compacted, level), &compacted)
    });
}

#[test]
fn incremental() {
    check("incremental", |events, cuts, level| {
        let whole = compact(events, level)?;
        cuts.iter().try_for_each(|cut| {
            let mut joined = compact(&events[..*cut], level)?;
            let kept = joined.len();
            joined.extend_from_slice(&events[*cut..]);
            if goes_on_from_removed(&joined, kept) {
                return Ok(());
            }
            let in_steps = compact(&joined, level)?;
            let finding = laws::incremental(&whole, &in_steps);
            let finding = finding.map_err(|broken| broken.when(format!("cut at {cut}")));
            judged(finding, &in_steps)
        })
    });
}

/// No law, but what level `stream` joins: everything between two barriers, and nothing across one.
#[test]
fn joined() {
    check_at(Level::Stream, "effective", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let compacted = compact(&events[..*cut], level)?;
            judged(laws::joined(&events[..*cut], &compacted), &compacted)
        })
    });
}

/// Whether a run from this index on goes on from one that compaction removed, of which nobody knows
/// any more what it held.
fn goes_on_from_removed(events: &[Event], from: usize) -> bool {
    let runs = lineage(events).runs;
    let removed = |place: usize| is_marked(&events[runs[place].index]);
    let later = runs.iter().filter(|run| run.index >= from);
    later.filter_map(|run| run.predecessor).any(removed)
}

fn is_marked(event: &Event) -> bool {
    let Event::RunStarted(start) = event else {
        return false;
    };
    let metadata = start.metadata.as_ref();
    metadata.is_some_and(|metadata| metadata.contains_key("chatstate"))
}

#[test]
fn minimal_input() {
    check("minimal-input", |events, _, level| {
        let compacted = compact(events, level)?;
        judged(laws::minimal_input(events, &compacted), &compacted)
    });
}

#[test]
fn never_larger() {
    check("never-larger", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let compacted = compact(&events[..*cut], level)?;
            judged(
                laws::never_larger(&events[..*cut], &compacted, level),
                &compacted,
            )
        })
    });
}

#[test]
fn effective() {
    check("effective", |events, _, level| {
        let compacted = compact(events, level)?;
        judged(laws::effective(&compacted), &compacted)
    });
}

#[test]
fn pure() {
    check("pure", |events, _, level| {
        let before = events.to_vec();
        let (first, second) = (compact(events, level)?, compact(events, level)?);
        if before == events && text(&first) == text(&second) {
            return Ok(());
        }
        Err("the input or the output changed".to_owned())
    });
}
