//! The laws of compaction for a caller who keeps events of his own choice as they are.
//!
//! `CHATSTATE_STREAMS` sets how many streams they are tried on, `CHATSTATE_SEED` which.

use chatstate_arbitrary::strategies::{cuts, events};
use chatstate_arbitrary::testing::{case, config};
use chatstate_json::Surrogates;
use chatstate_json::to_text;
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
    let texts: Vec<String> = events.iter().map(to_text).collect();
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
            laws::never_larger(events_so_far, &laws::without_idle_chunks(&once), level)
        };
        let shown = |broken| format!("{broken}, cut at {cut}\n{}", lines(&once));
        judge().map_err(shown)?;
        verbatim(rule, events_so_far, &once)
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
fn verbatim(rule: Rule, before: &[Event], after: &[Event]) -> Result<(), String> {
    let mut rest = after.iter();
    let lost = before
        .iter()
        .filter(|event| rule.keeps(event))
        .find(|event| !rest.any(|other| other == *event));
    lost.map_or(Ok(()), |lost| Err(to_text(lost)))
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

#[test]
fn the_caller_sees_the_state_of_a_snapshot() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"STATE_SNAPSHOT","snapshot":{"isKept":true}}
{"type":"STATE_SNAPSHOT","snapshot":{"n":2}}"#;
    let events = read_stream(log).expect("the log can be read");
    let keep = |event: &Event| match event {
        Event::StateSnapshot(event) => event.snapshot.get("isKept").is_some(),
        _ => false,
    };
    let mut options = Options::at(Level::Stream);
    options.keep = Some(&keep);
    let compacted = compact(&events, &options).expect("the log is valid");
    assert_eq!(lines(&compacted), log);
}

/// The laws hold for a log, wherever it is cut, and it compacts to the other.
fn becomes(rule: Rule, level: Level, log: &str, expected: &str) {
    let events = read_stream(log).expect("the log can be read");
    let cuts: Vec<usize> = (0..=events.len()).collect();
    holds(rule, level, &events, &cuts).unwrap();
    let keep = move |event: &Event| rule.keeps(event);
    let mut options = Options::at(level);
    options.keep = Some(&keep);
    let compacted = compact(&events, &options).expect("the log is valid");
    assert_eq!(lines(&compacted), expected);
}

const CHUNKS: Rule = Rule::Types(&["TEXT_MESSAGE_CHUNK"]);

#[test]
fn what_is_pending_stands_before_a_kept_chunk_that_it_would_close() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"s"}
{"type":"TEXT_MESSAGE_START","messageId":"m2"}
{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"a"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m3","delta":"b"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"c","subagentRunId":"s"}
{"type":"RUN_ERROR","message":"broken"}"#;
    becomes(CHUNKS, Level::Stream, log, log);
}

#[test]
fn a_state_before_a_kept_chunk_goes_when_a_later_snapshot_replaces_it() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}
{"type":"CUSTOM","name":"mark","value":1}
{"type":"STATE_SNAPSHOT","snapshot":{"n":2}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let expected = log.replace("{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"n\":1}}\n", "");
    becomes(CHUNKS, Level::Stream, log, &expected);
}

#[test]
fn a_delta_for_the_chunks_of_another_lane_stands_before_a_kept_chunk() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"1","subagentRunId":"s","later":1}
{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"2"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}
{"type":"CUSTOM","name":"mark","value":1}
{"type":"CUSTOM","name":"mark","value":2,"subagentRunId":"s"}"#;
    let expected = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"1","subagentRunId":"s","later":1}
{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"2"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}
{"type":"CUSTOM","name":"mark","value":1}
{"type":"TOOL_CALL_END","toolCallId":"c","subagentRunId":"s"}
{"type":"CUSTOM","name":"mark","value":2,"subagentRunId":"s"}"#;
    becomes(CHUNKS, Level::Stream, log, expected);
}

#[test]
fn a_kept_input_behind_a_removed_run_makes_the_run_before_say_the_path() {
    let log = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","input":{"threadId":"t","runId":"r1","messages":[{"id":"u1","role":"user","content":"hi"}]}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[{"id":"u2","role":"user","content":"hi"},{"id":"u1","role":"user","content":"hi"}]},"metadata":{"a":1}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}"#;
    let expected = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","input":{"threadId":"t","runId":"r1","messages":[]}}
{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u1","role":"user","content":"hi"}]}
{"type":"STATE_SNAPSHOT","snapshot":{}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[{"id":"u2","role":"user","content":"hi"},{"id":"u1","role":"user","content":"hi"}]},"metadata":{"a":1}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}"#;
    let tips = Level::Snapshot(Retain::Tips);
    becomes(Rule::Metadata(&["a"]), tips, log, expected);
}
