//! The law of `attach` over streams made at random, and its forms on small ones.
//!
//! `CHATSTATE_STREAMS` sets how many streams the law is tried on, `CHATSTATE_SEED` which.

use chatstate_arbitrary::strategies::{cuts, events};
use chatstate_arbitrary::testing::{Choose, Source, attach_case, config, generate};
use chatstate_json::to_text;
use chatstate_laws as laws;
use chatstate_streams::attach::attach;
use chatstate_streams::replay::read_stream;
use chatstate_types::generated::Event;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn lines(events: &[Event]) -> String {
    let texts: Vec<String> = events.iter().map(to_text).collect();
    texts.join("\n")
}

/// `replay(attach(log) + rest) = replay(log + rest)`, at the end of each run of `rest` too.
fn joined_at(events: &[Event], cut: usize) -> Result<(), String> {
    let (log, rest) = events.split_at(cut);
    let prelude = attach(log).map_err(|rejection| format!("rejected: {rejection}"))?;
    let shown = |broken| format!("{broken}, cut at {cut}\n{}", lines(&prelude));
    ends(rest).into_iter().try_for_each(|length| {
        laws::attached(&events[..cut + length], cut, &prelude).map_err(shown)
    })
}

fn run_id(log: &[Event]) -> Option<&str> {
    log.iter().rev().find_map(|event| match event {
        Event::RunStarted(start) => Some(start.run_id.as_str()),
        _ => None,
    })
}

/// Nothing, the end of each run, and everything.
fn ends(rest: &[Event]) -> Vec<usize> {
    let starts = rest.iter().enumerate();
    let starts = starts.filter(|(_, event)| matches!(event, Event::RunStarted(_)));
    let mut ends: Vec<usize> = starts.map(|(index, _)| index).collect();
    ends.extend([0, rest.len()]);
    ends
}

const STREAMS: u32 = 1000;

proptest! {
    #![proptest_config(config(STREAMS))]

    #[test]
    fn a_client_that_joins_anywhere_sees_what_the_others_see(
        cuts in cuts(config(STREAMS).cases),
        events in events(),
    ) {
        for cut in cuts.of(events.len()) {
            joined_at(&events, cut).map_err(|reason| {
                TestCaseError::fail(format!("{reason}\n{}", attach_case(&events)))
            })?;
        }
    }
}

/// The form of a prelude by what it has of runs and snapshots.
fn form(prelude: &[Event], run_id: Option<&str>) -> &'static str {
    match prelude {
        [Event::RunStarted(start), Event::MessagesSnapshot(_), ..]
            if Some(start.run_id.as_str()) == run_id =>
        {
            "the last run"
        }
        [Event::RunStarted(_), Event::MessagesSnapshot(_), ..] => "from a run on",
        _ => "all runs",
    }
}

#[test]
fn most_preludes_are_snapshots() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..1000 {
        let events = generate(Source::new(1, number)).events;
        let log = &events[..Source::new(2, number).below(events.len() + 1)];
        let prelude = attach(log).expect("the log is valid");
        *seen.entry(form(&prelude, run_id(log))).or_default() += 1;
    }
    let share = |form: &str| seen.get(form).copied().unwrap_or_default();
    assert!(share("the last run") > 350, "{seen:?}");
    assert!(share("from a run on") > 100, "{seen:?}");
    assert!((1..300).contains(&share("all runs")), "{seen:?}");
}

const RS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

fn check(log: &[&str], expected: &[&str]) {
    let events = |texts: &[&str]| {
        let read = |text: &&str| Event::from_json(text).expect("the event can be read");
        texts.iter().map(read).collect::<Vec<_>>()
    };
    let prelude = attach(&events(log)).expect("the log is valid");
    assert_eq!(lines(&prelude), lines(&events(expected)));
}

#[test]
fn nothing_and_an_error_before_any_run_are_their_own_prelude() {
    check(&[], &[]);
    let error = r#"{"type":"RUN_ERROR","message":"no run"}"#;
    check(&[error], &[error]);
}

#[test]
fn an_open_text_begins_again_and_goes_on_inside_a_character() {
    check(
        &[
            RS,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","metadata":{"a":1},"rawEvent":1}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi \ud83d"}"#,
        ],
        &[
            RS,
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"Hi ","metadata":{"a":1}}]}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d"}"#,
        ],
    );
}

#[test]
fn an_item_whose_message_is_gone_begins_before_the_snapshot() {
    let start = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
    let snapshot = r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#;
    let state = r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#;
    check(&[RS, start, snapshot], &[RS, start, snapshot, state]);
}

#[test]
fn chunks_go_on_without_naming_their_item() {
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","name":"Bob"}"#;
    let state = r#"{"type":"STATE_SNAPSHOT","snapshot":[1]}"#;
    let more = r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"Hi"}"#;
    let snapshot = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"Hi","name":"Bob"}]}"#;
    check(&[RS, state, chunk, more], &[RS, snapshot, state, chunk]);
    let half = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","name":"Bob","delta":"\ud83d"}"#;
    check(
        &[
            RS,
            state,
            chunk,
            more,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"\ud83d"}"#,
        ],
        &[RS, snapshot, state, half],
    );
}

#[test]
fn what_an_earlier_run_waits_for_is_not_lost() {
    let asks = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"ask"}]}}"#;
    let next = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#;
    let error = r#"{"type":"RUN_ERROR","message":"x"}"#;
    let last = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r3"}"#;
    let none = r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#;
    let state = r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#;
    check(
        &[RS, asks, next, error, last],
        &[RS, none, state, asks, next, error, last],
    );
}

#[test]
fn a_message_that_only_its_call_has_made_is_not_put_into_a_snapshot() {
    // No event has named the owner of the message `c` yet, and a snapshot would.
    let call = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#;
    check(&[RS, call], &[RS, call]);
}

#[test]
fn a_run_that_has_not_heard_of_earlier_messages_stands_behind_the_run_before() {
    let text = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
    let end = r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#;
    let finished = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let next = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#;
    let snapshot =
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":""}]}"#;
    let state = r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#;
    let custom = r#"{"type":"CUSTOM","name":"n","value":1}"#;
    check(&[RS, text, end, finished], &[RS, snapshot, state, finished]);
    check(
        &[RS, text, end, finished, next, custom],
        &[RS, snapshot, state, finished, next, custom],
    );
}

#[test]
fn what_a_verifier_rejects_and_what_was_removed_is_rejected() {
    let rejected = |log: &str| {
        let rejection = attach(&read_stream(log).expect("the log can be read")).unwrap_err();
        (rejection.class.as_str(), rejection.rule.into_owned())
    };
    let end = r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#;
    assert_eq!(
        rejected(&format!("{RS}\n{end}")),
        ("sequence", "text.not-open".to_owned())
    );
    let removed = RS.replace('}', r#","metadata":{"chatstate":{"compacted":"tips"}}}"#);
    assert_eq!(
        rejected(&removed),
        ("semantic", "replay.removed-run".to_owned())
    );
}
