//! The laws of compaction over streams made at random.
//!
//! `CHATSTATE_STREAMS` sets how many streams the laws are tried on, `CHATSTATE_SEED` which, and
//! `CHATSTATE_LAWS` which laws (of `idempotent replay closed never-larger joined incremental
//! contained in-place minimal-input effective pure`). Each level is a test of its own.

use chatstate_arbitrary::strategies::{cuts, events};
use chatstate_arbitrary::testing::{case, config};
use chatstate_json::to_text;
use chatstate_laws as laws;
use chatstate_streams::compact::{Level, Options, Retain};
use chatstate_streams::lineage::lineage;
use chatstate_types::generated::Event;
use proptest::prelude::*;
use std::sync::LazyLock;

/// What the laws judge: a stream up to a cut, and what comes of compacting it.
struct Compaction<'e> {
    level: Level,
    /// The whole stream.
    events: &'e [Event],
    /// What comes of compacting the whole stream.
    all_compacted: &'e [Event],
    cut: usize,
    /// What comes of compacting the stream up to the cut.
    compacted: &'e [Event],
}

impl<'e> Compaction<'e> {
    fn before(&self) -> &'e [Event] {
        &self.events[..self.cut]
    }
}

/// Where a stream is cut before a law judges it.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    AnyWhere,
    AtTheEnd,
}

/// Says how a law is broken, if it is.
type Judge = fn(&Compaction<'_>) -> laws::LawResult;

/// A law, where streams are cut for it, and the name that a case gives it.
struct Law {
    name: &'static str,
    cut: Cut,
    judge: Judge,
    in_a_case: &'static str,
}

const fn law(name: &'static str, cut: Cut, judge: Judge, in_a_case: &'static str) -> Law {
    Law {
        name,
        cut,
        judge,
        in_a_case,
    }
}

const LAWS: &[Law] = &[
    law("idempotent", Cut::AnyWhere, idempotent, "idempotent"),
    law("replay", Cut::AnyWhere, replay, "replay"),
    law("closed", Cut::AnyWhere, closed, "closed"),
    law("never-larger", Cut::AnyWhere, never_larger, "never-larger"),
    // No law, but what level `stream` joins: everything between two barriers, and nothing across one.
    law("joined", Cut::AnyWhere, joined, "effective"),
    law("incremental", Cut::AnyWhere, incremental, "incremental"),
    law("contained", Cut::AtTheEnd, contained, "contained"),
    // No law, but the first placement rule: what nothing is merged into keeps its place.
    law("in-place", Cut::AtTheEnd, in_place, "contained"),
    law(
        "minimal-input",
        Cut::AtTheEnd,
        minimal_input,
        "minimal-input",
    ),
    law("effective", Cut::AtTheEnd, effective, "effective"),
    law("pure", Cut::AtTheEnd, pure, "pure"),
];

/// The laws that `CHATSTATE_LAWS` names, or all.
static LAWS_TO_TRY: LazyLock<Vec<&'static Law>> = LazyLock::new(|| {
    let Ok(names) = std::env::var("CHATSTATE_LAWS") else {
        return LAWS.iter().collect();
    };
    let find = |name| LAWS.iter().find(|law| law.name == name);
    let laws = names.split(' ').map(|name| find(name).ok_or(name));
    laws.collect::<Result<_, _>>()
        .unwrap_or_else(|name| panic!("`CHATSTATE_LAWS` names `{name}`, which is no law"))
});

const STREAMS: u32 = 1000;

proptest! {
    #![proptest_config(config(STREAMS))]

    #[test]
    fn laws_hold_at_level_stream(cuts in cuts(config(STREAMS).cases), events in events()) {
        hold(&events, &cuts.of(events.len()), Level::Stream)?;
    }

    #[test]
    fn laws_hold_at_level_snapshot_with_runs(
        cuts in cuts(config(STREAMS).cases),
        events in events(),
    ) {
        hold(&events, &cuts.of(events.len()), Level::Snapshot(Retain::Runs))?;
    }

    #[test]
    fn laws_hold_at_level_snapshot_with_tips(
        cuts in cuts(config(STREAMS).cases),
        events in events(),
    ) {
        hold(&events, &cuts.of(events.len()), Level::Snapshot(Retain::Tips))?;
    }
}

/// Fails with the first law that does not hold, how it is broken, and the stream as a case.
fn hold(events: &[Event], cuts: &[usize], level: Level) -> Result<(), TestCaseError> {
    first_broken(&LAWS_TO_TRY, events, cuts, level).map_err(|(law, reason)| {
        let case = case(law.in_a_case, level, events);
        TestCaseError::fail(format!("{}, {level:?}: {reason}\n{case}", law.name))
    })
}

/// Gives the first law that does not hold, and how it is broken.
fn first_broken<'l>(
    laws: &[&'l Law],
    events: &[Event],
    cuts: &[usize],
    level: Level,
) -> Result<(), (&'l Law, String)> {
    let first = laws[0];
    let compact = |events: &[Event]| compact(events, level).map_err(|reason| (first, reason));
    let all_compacted = compact(events)?;
    let judge = |wanted, cut, compacted: &[Event]| {
        let compaction = Compaction {
            level,
            events,
            all_compacted: &all_compacted,
            cut,
            compacted,
        };
        let mut laws = laws.iter().filter(|law| law.cut == wanted);
        laws.try_for_each(|law| {
            let finding = (law.judge)(&compaction);
            finding.map_err(|broken| (*law, format!("{broken}\n{}", text(compacted))))
        })
    };
    judge(Cut::AtTheEnd, events.len(), &all_compacted)?;
    for cut in cuts {
        judge(Cut::AnyWhere, *cut, &compact(&events[..*cut])?)?;
    }
    Ok(())
}

/// Compacts a valid stream at a level; what was compacted must be valid too.
fn compact(events: &[Event], level: Level) -> Result<Vec<Event>, String> {
    let compacted = chatstate_streams::compact::compact(events, &Options::at(level));
    compacted.map_err(|rejection| format!("compaction rejects {rejection}\n{}", text(events)))
}

fn text(events: &[Event]) -> String {
    let lines = events.iter().map(to_text);
    lines.collect::<Vec<_>>().join("\n")
}

/// `compact(compact(s)) = compact(s)`
fn idempotent(of: &Compaction<'_>) -> laws::LawResult {
    laws::idempotent(of.compacted, &again(of.compacted, of.level)?)
}

/// `replay(compact(s)) = replay(s)`
fn replay(of: &Compaction<'_>) -> laws::LawResult {
    laws::replay(of.before(), of.compacted, of.level)
}

/// `verify(compact(s)) = valid`
fn closed(of: &Compaction<'_>) -> laws::LawResult {
    laws::closed(of.compacted)
}

/// `size(compact(s)) <= size(s)`
fn never_larger(of: &Compaction<'_>) -> laws::LawResult {
    laws::never_larger(of.before(), of.compacted, of.level)
}

/// `spans(compact(s)) = joined(spans(s))` at level `stream`, between any two barriers.
fn joined(of: &Compaction<'_>) -> laws::LawResult {
    match of.level {
        Level::Stream => laws::joined(of.before(), of.compacted),
        _ => Ok(()),
    }
}

/// `compact(compact(s) + rest) = compact(s + rest)`, unless `rest` continues a removed run.
fn incremental(of: &Compaction<'_>) -> laws::LawResult {
    let kept = of.compacted.len();
    let joined = [of.compacted, &of.events[of.cut..]].concat();
    if goes_on_from_removed(&joined, kept) {
        return Ok(());
    }
    let in_steps = again(&joined, of.level)?;
    let finding = laws::incremental(of.all_compacted, &in_steps);
    finding.map_err(|broken| broken.when(format!("cut at {}", of.cut)))
}

/// `contents(compact(s)) = contents(s)`
fn contained(of: &Compaction<'_>) -> laws::LawResult {
    laws::contained(of.before(), of.compacted, of.level)
}

/// `order(compact(s)) = order(s)`, for what nothing is merged into
fn in_place(of: &Compaction<'_>) -> laws::LawResult {
    laws::in_place(of.before(), of.compacted, of.level)
}

/// `input(s) - input(compact(s))` is a part of what `replay(compact(s))` holds before that input.
fn minimal_input(of: &Compaction<'_>) -> laws::LawResult {
    laws::minimal_input(of.before(), of.compacted)
}

/// `rest(compact(s)) = nothing`: no deltas, state events or messages of inputs are left to compact.
fn effective(of: &Compaction<'_>) -> laws::LawResult {
    laws::effective(of.compacted)
}

/// `compact(s) = compact(s)`, byte by byte, and `s` stays as it is.
fn pure(of: &Compaction<'_>) -> laws::LawResult {
    let before = of.before().to_vec();
    let second = again(of.before(), of.level)?;
    if before == of.before() && text(of.compacted) == text(&second) {
        return Ok(());
    }
    Err(laws::Broken::new("the input or the output changed"))
}

/// Compacts what a law needs to see compacted.
fn again(events: &[Event], level: Level) -> Result<Vec<Event>, laws::Broken> {
    compact(events, level).map_err(laws::Broken::new)
}

/// Whether a run from this index on continues one that compaction removed, of which it is not known
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
