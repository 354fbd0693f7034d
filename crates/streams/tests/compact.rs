//! What compaction does with small streams: one rule each, with the exact result.
//!
//! `RS` and `RF` stand for the frame of a run; each other line is one event.

use chatstate_json::to_text;
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_types::generated::Event;

const RS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const RF: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;

fn event(text: &str) -> Event {
    let text = match text {
        "RS" => RS,
        "RF" => RF,
        other => other,
    };
    Event::from_json(text).unwrap_or_else(|rejection| panic!("{text}: {rejection}"))
}

fn lines(events: &[Event]) -> String {
    let texts: Vec<String> = events.iter().map(to_text).collect();
    texts.join("\n")
}

fn check_at(level: Level, input: &[&str], expected: &[&str]) {
    let events = |texts: &[&str]| texts.iter().map(|text| event(text)).collect::<Vec<_>>();
    let compacted = compact(&events(input), &Options::at(level)).expect("the stream is valid");
    assert_eq!(lines(&compacted), lines(&events(expected)));
}

fn check(input: &[&str], expected: &[&str]) {
    check_at(Level::Stream, input, expected);
}

#[test]
fn deltas_are_one_before_the_end() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d","metadata":{"x":1},"rawEvent":1}"#,
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ude00b","timestamp":2,"metadata":{"x":2}}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            "RF",
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a😀b","timestamp":2,"metadata":{"x":2}}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            "RF",
        ],
    );
}

#[test]
fn open_deltas_stand_before_the_error_in_the_order_of_beginning() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"RUN_ERROR","message":"x"}"#,
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{"}"#,
            r#"{"type":"RUN_ERROR","message":"x"}"#,
        ],
    );
}

#[test]
fn a_tool_result_with_the_id_of_an_open_text_is_a_barrier() {
    let stream = [
        "RS",
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"r"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    ];
    check(&stream, &stream);
}

#[test]
fn text_and_reasoning_of_one_id_stay_as_they_are() {
    let stream = [
        "RS",
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
        r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b"}"#,
        r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"c"}"#,
        r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"d"}"#,
    ];
    check(&stream, &stream);
}

#[test]
fn chunks_with_the_id_of_an_open_text_stay_where_they_are() {
    let text = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
    let custom = r#"{"type":"CUSTOM","name":"n","value":1,"subagentRunId":"s"}"#;
    let chunk = r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m","delta":"a"}"#;
    let failed = r#"{"type":"RUN_ERROR","message":"gone"}"#;
    check(
        &["RS", text, chunk, custom, failed],
        &[
            "RS",
            text,
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            custom,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"m"}"#,
            failed,
        ],
    );
}

#[test]
fn a_delta_with_an_unknown_member_stands_alone() {
    let stream = [
        "RS",
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b","later":1}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"c"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    ];
    check(&stream, &stream);
}

#[test]
fn closed_chunks_are_spelled_out() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"user","delta":"a","timestamp":1,"metadata":{"x":1}}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"b","timestamp":2}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK"}"#,
            "RF",
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user","timestamp":1}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"ab","metadata":{"x":1}}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            "RF",
        ],
    );
}

#[test]
fn a_chunk_without_a_delta_is_a_start() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","metadata":{"x":1}}"#,
            "RF",
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","metadata":{"x":1}}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            "RF",
        ],
    );
}

#[test]
fn open_chunks_stay_chunks_and_nothing_closes_them() {
    check(
        &[
            "RS",
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{"}"#,
            r#"{"type":"RAW","event":1}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","delta":"}"}"#,
        ],
        &[
            "RS",
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{"}"#,
            r#"{"type":"RAW","event":1}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","delta":"}"}"#,
        ],
    );
}

#[test]
fn what_would_close_open_chunks_stands_where_it_stood() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"x"}"#,
            r#"{"type":"RAW","event":1}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}"#,
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"x"}"#,
            r#"{"type":"RAW","event":1}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}"#,
        ],
    );
}

#[test]
fn a_patch_with_an_unknown_operation_is_never_folded() {
    let stream = [
        "RS",
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"increment","path":"/n"},{"op":"add","path":"/m","value":2}]}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":3}}"#,
        "RF",
    ];
    check(&stream, &stream);
    check_at(Level::Snapshot(Retain::Runs), &stream[..3], &stream[..3]);
    let run = [&stream[..3], &["RF"]].concat();
    check_at(Level::Snapshot(Retain::Runs), &run, &run);
    check_at(Level::Snapshot(Retain::Tips), &run, &run);
}

#[test]
fn two_barred_parts_stand_in_the_order_of_beginning() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"parent"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"c"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"c","delta":"b"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"parent","delta":"a"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"parent"}"#,
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"parent"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"c"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"parent","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"c","delta":"b"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"parent"}"#,
        ],
    );
}

#[test]
fn the_state_folds_from_the_last_snapshot_on() {
    check(
        &[
            "RS",
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"old":1},"metadata":{"a":1}}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1},"timestamp":5,"rawEvent":1}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":2}],"metadata":{"b":1}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/none"}]}"#,
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            "RF",
        ],
        &[
            "RS",
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":2},"timestamp":5,"metadata":{"b":1}}"#,
            "RF",
        ],
    );
}

#[test]
fn folding_stops_at_another_owner_and_patches_alone_stay() {
    check(
        &[
            "RS",
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":2}]}"#,
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"STATE_DELTA","delta":[],"subagentRunId":"s"}"#,
            r#"{"type":"STATE_DELTA","delta":[]}"#,
        ],
        &[
            "RS",
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":2}}"#,
            r#"{"type":"STATE_DELTA","delta":[],"subagentRunId":"s"}"#,
            r#"{"type":"STATE_DELTA","delta":[]}"#,
        ],
    );
    let alone = [
        "RS",
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/n","value":1}]}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/n","value":2}]}"#,
    ];
    check(&alone, &alone);
}

#[test]
fn input_repeats_no_message_that_is_held() {
    let input = |messages: &str| {
        format!(
            r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{{"threadId":"t","runId":"r2","messages":[{messages}]}}}}"#
        )
    };
    let held = r#"{"id":"m","role":"assistant","content":""}"#;
    let edited = r#"{"id":"m","role":"assistant","content":"edited"}"#;
    let new = r#"{"id":"u","role":"user","content":"hi"}"#;
    let start = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
    let end = r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#;
    check(
        &[
            "RS",
            start,
            end,
            "RF",
            &input(&[held, edited, new].join(",")),
        ],
        &["RS", start, end, "RF", &input(&[edited, new].join(","))],
    );
}

#[test]
fn a_finished_run_becomes_snapshots() {
    check_at(
        Level::Snapshot(Retain::Runs),
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/n","value":1}]}"#,
            "RF",
        ],
        &[
            "RS",
            r#"{"type":"CUSTOM","name":"n","value":1}"#,
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"a"}]}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}"#,
            "RF",
        ],
    );
}

#[test]
fn what_snapshots_cannot_say_stays() {
    let second = |kind: &str| format!(r#"{{"type":"{kind}","threadId":"t","runId":"r2"}}"#);
    let (start, end) = (second("RUN_STARTED"), second("RUN_FINISHED"));
    let call = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},{"id":"m","role":"user","content":""}]}"#;
    let result = r#"{"type":"TOOL_CALL_RESULT","messageId":"x","toolCallId":"c","content":"r"}"#;
    let stream = ["RS", call, "RF", &start, result, &end];
    check_at(Level::Snapshot(Retain::Runs), &stream, &stream);
}

#[test]
fn messages_of_one_id_are_not_put_into_a_snapshot() {
    let stream = [
        "RS",
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"m","toolCallName":"f"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"m"}"#,
        "RF",
    ];
    check_at(Level::Snapshot(Retain::Runs), &stream, &stream);
}

#[test]
fn a_chunk_that_says_nothing_leaves_nothing() {
    check(
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","later":1}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"b"}"#,
        ],
        &[
            "RS",
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"b"}"#,
        ],
    );
}
