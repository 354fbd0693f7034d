//! The logs are what they are said to be.

use std::collections::BTreeMap;

use chatstate::replay::read_stream;
use chatstate::verify::verify;
use serde_json::Value;

use super::{FileFraming, log, write_to};

const EVENTS: usize = 6_000;

fn text(framing: FileFraming, seed: u64) -> String {
    let mut out = Vec::new();
    write_to(&mut out, framing, EVENTS, seed).expect("a log in memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn equal_seeds_give_equal_logs() {
    assert_eq!(text(FileFraming::Lines, 1), text(FileFraming::Lines, 1));
    assert_ne!(text(FileFraming::Lines, 1), text(FileFraming::Lines, 2));
}

#[test]
fn both_framings_hold_the_same_valid_events() {
    let lines = read_stream(&text(FileFraming::Lines, 7)).expect("events");
    let array = read_stream(&text(FileFraming::Array, 7)).expect("events");
    assert_eq!(lines.len(), EVENTS);
    assert!(lines == array, "the framings differ");
    let verification = verify(&lines);
    assert!(verification.is_valid(), "{:?}", verification.errors);
    assert!(
        verification.warnings.is_empty(),
        "{:?}",
        verification.warnings
    );
}

/// The least and the most percentage of the events that a type has.
const MIX: &[(&str, f64, f64)] = &[
    ("TEXT_MESSAGE_CONTENT", 50.0, 60.0),
    ("TOOL_CALL_ARGS", 14.0, 22.0),
    ("REASONING_MESSAGE_CONTENT", 6.0, 10.0),
    ("STATE_DELTA", 2.0, 4.5),
    ("STATE_SNAPSHOT", 0.5, 1.5),
    ("RUN_STARTED", 0.5, 1.5),
    ("ACTIVITY_SNAPSHOT", 0.2, 1.0),
    ("MESSAGES_SNAPSHOT", 0.1, 0.5),
    ("CUSTOM", 0.2, 4.0),
    ("RAW", 0.1, 1.0),
    ("RUN_ERROR", 0.005, 0.1),
];

#[test]
fn the_mix_is_as_promised() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for event in log(EVENTS, 7) {
        *counts
            .entry(event["type"].as_str().expect("a type").to_owned())
            .or_default() += 1;
    }
    let all: u32 = counts.values().sum();
    for (tag, least, most) in MIX {
        let share = 100.0 * f64::from(*counts.get(*tag).unwrap_or(&0)) / f64::from(all);
        assert!(
            (*least..=*most).contains(&share),
            "{share:.2} % of the events are {tag}"
        );
    }
}

#[test]
fn inputs_repeat_messages_and_leave_the_state_to_its_snapshot() {
    let starts = log(EVENTS, 7).filter(|event| event["type"] == "RUN_STARTED");
    let inputs: Vec<Value> = starts.map(|event| event["input"].clone()).collect();
    assert!(inputs.iter().all(|input| input.get("state").is_none()));
    let messages = |input: &Value| input["messages"].as_array().map_or(0, Vec::len);
    assert_eq!(inputs.iter().map(messages).max(), Some(20));
}

#[test]
fn some_lines_are_escaped_to_ascii() {
    let text = text(FileFraming::Lines, 7);
    let escaped = text
        .lines()
        .filter(|line| line.is_ascii() && line.contains("\\u"))
        .count();
    assert!(escaped > 0 && escaped < EVENTS / 20, "{escaped} lines");
}
