//! A log as text replays as its events do, whatever is left until it is asked for.

use chatstate_streams::replay::{read_stream, replay, replay_at, replay_text};

/// A run of these events, and the same with a further run after it.
fn check(name: &str, events: &[&str]) {
    let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let end = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
    let next = r#"{"type":"RUN_STARTED","threadId":"t","runId":"s"}"#;
    let patch = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/last","value":1}]}"#;
    let lines = [&[start], events, &[end, next, patch]].concat();
    for length in 0..=lines.len() {
        let text = lines[..length].join("\n");
        if text.is_empty() {
            continue;
        }
        let events = read_stream(&text);
        let expected = events.clone().and_then(|events| replay(&events));
        assert_eq!(replay_text(&text, None), expected, "{name}: {text}");
        let expected = events.and_then(|events| replay_at(&events, "r"));
        assert_eq!(
            replay_text(&text, Some("r")),
            expected,
            "{name}, at `r`: {text}"
        );
    }
}

#[test]
fn a_state_that_waits_is_the_state() {
    let snapshot = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":[1,{"b":"c"}]},"timestamp":5}"#;
    let other = r#"{"type":"STATE_SNAPSHOT","snapshot":{"d":1},"metadata":{"m":1}}"#;
    let patch = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a/-","value":2}]}"#;
    let fails = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/e","value":2},{"op":"remove","path":"/x"}]}"#;
    let copy =
        r#"{"type":"STATE_DELTA","delta":[{"op":"copy","from":"/a","path":"/f"}],"metadata":{}}"#;
    let wrong = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"a"}]}"#;
    let input = r#"{"type":"RUN_STARTED","threadId":"t","runId":"i","input":{"threadId":"t","runId":"i","messages":[],"tools":[],"context":[],"forwardedProps":{},"state":{"g":1}}}"#;
    check("patches", &[snapshot, patch, fails, patch]);
    check("nothing to patch", &[patch, fails]);
    check(
        "a later snapshot",
        &[snapshot, patch, other, patch, fails, snapshot, patch],
    );
    check("a copy", &[snapshot, patch, copy, patch, copy, fails]);
    check("a patch that is none", &[snapshot, wrong, snapshot]);
    check("an input with a state", &[snapshot, patch, input, patch]);
    let mut many = vec![snapshot];
    many.extend([patch; 300]);
    many.extend([fails, copy, patch, snapshot, patch]);
    check("many patches", &many);
}

#[test]
fn a_snapshot_is_taken_only_if_its_event_is_right() {
    let member = |member: &str| format!(r#"{{"type":"STATE_SNAPSHOT",{member}}}"#);
    for members in [
        r#""snapshot":null"#,
        r#""snapshot":{"a":"\ud83d"}"#,
        r#""snapshot":{"a":"\ud83d\ude00"}"#,
        r#""snapshot":1,"timestamp":1.5"#,
        r#""snapshot":1,"timestamp":"1""#,
        r#""snapshot":1,"timestamp":1e3"#,
        r#""snapshot":1,"timestamp":12345678901234567890"#,
        r#""snapshot":1,"subagentRunId":"s""#,
        r#""snapshot":1,"messageId":"m""#,
        r#""snapshot":1,"delta":[]"#,
        r#""timestamp":1"#,
    ] {
        check(members, &[&member(members)]);
    }
}

#[test]
fn text_is_appended_as_its_event_says() {
    let begun = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
    let ended = r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#;
    let text =
        |members: &str| format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m"{members}}}"#);
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"open"}"#;
    let call =
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}"#;
    let arguments =
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":1}","timestamp":1}"#;
    let reasoning = r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"r"}"#;
    let plain = text(r#","delta":"a""#);
    for members in [
        r#","delta":"a","timestamp":1"#,
        r#","delta":"""#,
        r#","delta":"\n\u0061""#,
        r#","delta":"\ud83d""#,
        r#","delta":"\ude00""#,
        r#","delta":1"#,
        r#","delta":"a","timestamp":-1"#,
        r#","delta":"a","timestamp":true"#,
        r#","delta":"a","metadata":{"m":1}"#,
        r#","delta":"a","subagentRunId":"s""#,
        r#","delta":"a","toolCallId":"c""#,
        r#","delta":"a","snapshot":1"#,
        "",
    ] {
        check(members, &[begun, &text(members), &plain, ended]);
    }
    check("not open", &[&plain]);
    check("another kind", &[begun, reasoning]);
    check("a chunk between", &[begun, chunk, &plain, chunk, ended]);
    check(
        "a call",
        &[begun, call, arguments, &plain, arguments, ended],
    );
    let activity =
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"x","content":{}}"#;
    check("an activity of its id", &[activity, begun, &plain, ended]);
}
