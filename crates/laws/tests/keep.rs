//! The laws of compaction for a caller who keeps events of his own choice as they are.
//!
//! `CHATSTATE_STREAMS` sets how many streams they are tried on, `CHATSTATE_SEED` which.

use chatstate_arbitrary::testing::{Source, case, cuts, generate, setting, shrink};
use chatstate_json::Surrogates;
use chatstate_json::{Value, WriteJson, parse_with};
use chatstate_laws as laws;
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_streams::replay::read_stream;
use chatstate_types::generated::Event;

/// Chooses events by what compaction does not make: a name in their metadata, or their type.
#[derive(Clone, Copy)]
struct Rule(u64);

impl Rule {
    fn keeps(self, event: &Event) -> bool {
        let tags: &[&str] = match self.0 % 5 {
            0 => return has_metadata(event, "a"),
            1 => return has_metadata(event, "b") || has_metadata(event, "c"),
            2 => &["CUSTOM", "STEP_STARTED"],
            3 => &["TEXT_MESSAGE_CONTENT", "TOOL_CALL_CHUNK"],
            _ => &["STATE_DELTA", "TEXT_MESSAGE_CHUNK", "ACTIVITY_DELTA"],
        };
        tags.contains(&event.tag())
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

/// The laws for one stream and the places where it may be cut.
fn holds(rule: Rule, level: Level, events: &[Event], cuts: &[usize]) -> Result<(), String> {
    let keep = move |event: &Event| rule.keeps(event);
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
            laws::never_larger(events_so_far, &once, level)
        };
        let shown = |broken| format!("{broken}, cut at {cut}\n{}", lines(&once));
        judge().map_err(shown)?;
        verbatim(rule, events_so_far, &once)
            .map_err(|lost| format!("{lost} is lost, cut at {cut}\n{}", lines(&once)))?;
        // What goes on from a removed run is not known any more.
        if level != Level::Snapshot(Retain::Tips) {
            let joined = [once.as_slice(), &events[*cut..]].concat();
            laws::incremental(&whole, &compacted(&joined)).map_err(shown)?;
        }
    }
    Ok(())
}

/// All kept events are there, in their order.
fn verbatim(rule: Rule, before: &[Event], after: &[Event]) -> Result<(), String> {
    let mut rest = after.iter();
    let lost = before
        .iter()
        .filter(|event| rule.keeps(event))
        .find(|event| !rest.any(|other| other == *event));
    lost.map_or(Ok(()), |lost| Err(lost.to_json()))
}

fn check(level: Level) {
    let count = setting("CHATSTATE_STREAMS", 300);
    for number in 0..count {
        let events = generate(Source::new(setting("CHATSTATE_SEED", 1), number)).events;
        let rule = Rule(number);
        if holds(rule, level, &events, &cuts(number, count, &events)).is_err() {
            let all = |events: &[Event]| (0..=events.len()).collect::<Vec<_>>();
            let fails = |events: &[Event]| holds(rule, level, events, &all(events)).is_err();
            let smallest = shrink(&events, fails);
            let reason = holds(rule, level, &smallest, &all(&smallest)).unwrap_err();
            let shown = case("idempotent", level, &smallest);
            panic!(
                "{level:?}, rule {}, stream {number}: {reason}\n{shown}",
                number % 5
            );
        }
    }
}

#[test]
fn kept_events_stay_at_level_stream() {
    check(Level::Stream);
}

#[test]
fn kept_events_stay_where_runs_are_retained() {
    check(Level::Snapshot(Retain::Runs));
}

#[test]
fn kept_events_stay_where_tips_are_retained() {
    check(Level::Snapshot(Retain::Tips));
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
