//! The laws of compaction for a caller who keeps events of his own choice as they are.
//!
//! `CHATSTATE_STREAMS` sets how many streams they are tried on, `CHATSTATE_SEED` which.

use chatstate_arbitrary::strategies::{cuts, events};
use chatstate_arbitrary::testing::{case, config};
use chatstate_json::Surrogates;
use chatstate_json::{Value, WriteJson, parse_with};
use chatstate_laws as laws;
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_streams::replay::read_stream;
use chatstate_types::generated::Event;
use proptest::prelude::*;

/// Chooses events by what compaction does not make: a name in their metadata, or their type.
#[derive(Debug, Clone, Copy)]
enum Rule {
    Metadata(&'static [&'static str]),
    Types(&'static [&'static str]),
}

fn rule() -> impl Strategy<Value = Rule> {
    prop::sample::select(vec![
        Rule::Metadata(&["a"]),
        Rule::Metadata(&["b", "c"]),
        Rule::Types(&["CUSTOM", "STEP_STARTED"]),
        Rule::Types(&["TEXT_MESSAGE_CONTENT", "TOOL_CALL_CHUNK"]),
        Rule::Types(&["STATE_DELTA", "TEXT_MESSAGE_CHUNK", "ACTIVITY_DELTA"]),
    ])
}

impl Rule {
    /// Whether it keeps chunks that say nothing: each is an event, but none where the chunks of the
    /// log are spelled out, by which *never larger* counts.
    fn keeps_chunks(self) -> bool {
        matches!(self, Self::Types(tags) if tags.iter().any(|tag| tag.ends_with("_CHUNK")))
    }

    fn keeps(self, event: &Event) -> bool {
        match self {
            Self::Metadata(names) => names.iter().any(|name| has_metadata(event, name)),
            Self::Types(tags) => tags.contains(&event.tag()),
        }
    }
}

fn has_metadata(event: &Event, name: &str) -> bool {
    let mut text = String::new();
    event.write(&mut text);
    let value =
        parse_with(&text, Surrogates::AllowUnpairedAtEnds).expect("what is written can be read");
    let metadata = value.get("metadata").and_then(Value::as_object);
    metadata.is_some_and(|metadata| metadata.contains_key(name))
}

fn lines(events: &[Event]) -> String {
    let texts: Vec<String> = events.iter().map(Event::to_json).collect();
    texts.join("\n")
}

/// Behind a removed run, a start that is kept with its input says the messages in another order than
/// the snapshot that follows it, so that compacting again is not the same.
fn may_keep(level: Level, event: &Event) -> bool {
    level != Level::Snapshot(Retain::Tips) || !matches!(event, Event::RunStarted(_))
}

/// The laws for one stream and the places where it may be cut.
fn holds(rule: Rule, level: Level, events: &[Event], cuts: &[usize]) -> Result<(), String> {
    let keep = move |event: &Event| rule.keeps(event) && may_keep(level, event);
    let mut options = Options::at(level);
    options.keep = Some(&keep);
    let compacted = |events: &[Event]| compact(events, &options).expect("the stream is valid");
    let whole = compacted(events);
    for cut in cuts {
        let events_so_far = &events[..*cut];
        let once = compacted(events_so_far);
        let judge = || {
            laws::idempotent(&once, &compacted(&once))?;
            laws::replay(events_so_far, &once, level)?;
            laws::closed(&once)?;
            laws::contained(events_so_far, &once, level)?;
            if rule.keeps_chunks() {
                return Ok(());
            }
            laws::never_larger(events_so_far, &once, level)
        };
        let shown = |broken| format!("{broken}, cut at {cut}\n{}", lines(&once));
        judge().map_err(shown)?;
        verbatim(rule, level, events_so_far, &once)
            .map_err(|lost| format!("{lost} is lost, cut at {cut}\n{}", lines(&once)))?;
        // What continues a removed run is not known any more.
        if level != Level::Snapshot(Retain::Tips) {
            let joined = [once.as_slice(), &events[*cut..]].concat();
            laws::incremental(&whole, &compacted(&joined)).map_err(shown)?;
        }
    }
    Ok(())
}

/// All kept events are there, in their order.
fn verbatim(rule: Rule, level: Level, before: &[Event], after: &[Event]) -> Result<(), String> {
    let mut rest = after.iter();
    let lost = before
        .iter()
        .filter(|event| rule.keeps(event) && may_keep(level, event))
        .find(|event| !rest.any(|other| other == *event));
    lost.map_or(Ok(()), |lost| Err(lost.to_json()))
}

const STREAMS: u32 = 300;

proptest! {
    #![proptest_config(config(STREAMS))]

    #[test]
    fn kept_events_stay_at_level_stream(
        rule in rule(),
        cuts in cuts(config(STREAMS).cases),
        events in events(),
    ) {
        check(rule, Level::Stream, &events, &cuts.of(events.len()))?;
    }

    #[test]
    fn kept_events_stay_where_runs_are_retained(
        rule in rule(),
        cuts in cuts(config(STREAMS).cases),
        events in events(),
    ) {
        check(rule, Level::Snapshot(Retain::Runs), &events, &cuts.of(events.len()))?;
    }

    #[test]
    fn kept_events_stay_where_tips_are_retained(
        rule in rule(),
        cuts in cuts(config(STREAMS).cases),
        events in events(),
    ) {
        check(rule, Level::Snapshot(Retain::Tips), &events, &cuts.of(events.len()))?;
    }
}

fn check(rule: Rule, level: Level, events: &[Event], cuts: &[usize]) -> Result<(), TestCaseError> {
    holds(rule, level, events, cuts).map_err(|reason| {
        let case = case("idempotent", level, events);
        TestCaseError::fail(format!("{level:?}: {reason}\n{case}"))
    })
}

#[test]
fn a_kept_patch_stays_in_front_of_a_later_snapshot() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"STATE_DELTA","delta":[{"op":"add","path":"/n","value":1}]}
{"type":"STATE_SNAPSHOT","snapshot":{"n":2}}"#;
    let events = read_stream(log).expect("the log can be read");
    let keep = |event: &Event| matches!(event, Event::StateDelta(_));
    let mut options = Options::at(Level::Stream);
    options.keep = Some(&keep);
    let compacted = compact(&events, &options).expect("the log is valid");
    assert_eq!(lines(&compacted), log);
}
