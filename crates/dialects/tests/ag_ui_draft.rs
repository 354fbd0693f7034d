//! The examples of AG-UI's serialization draft, and what becomes of them.

use chatstate_dialects::ag_ui_draft;
use chatstate_json::to_text;
use chatstate_json::{canonical, parse};
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_streams::replay::replay;
use chatstate_streams::verify::verify;
use chatstate_types::generated::{Event, EventStream};

/// Converts a log; `expected` are the events, and `inventions` the places of what was made up.
fn check(draft: &str, expected: &str, inventions: &[&str]) -> Vec<Event> {
    let converted = ag_ui_draft::read(draft).unwrap_or_else(|rejection| panic!("{rejection}"));
    let value = |text: &str| canonical(&parse(text).expect("it is JSON"));
    let events = to_text(&EventStream(converted.events.clone()));
    assert_eq!(value(&events), value(expected));
    let places: Vec<&str> = converted
        .inventions
        .iter()
        .map(|it| it.at.as_str())
        .collect();
    assert_eq!(places, inventions, "{:?}", converted.inventions);
    converted.events
}

fn check_rejected(draft: &str, class: &str, at: &str, rule: &str) {
    let rejection = ag_ui_draft::read(draft).expect_err("it is rejected");
    let found = (
        rejection.class.as_str(),
        rejection.at.as_str(),
        rejection.rule.as_ref(),
    );
    assert_eq!(found, (class, at, rule), "{rejection}");
}

#[test]
fn patches_and_states_get_their_names() {
    let events = check(
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
            {"type":"STATE_SNAPSHOT","timestamp":1,"state":{"foo":0},"other":1},
            {"type":"STATE_DELTA","patch":{"op":"replace","path":"/foo","value":2}},
            {"type":"STATE_DELTA","patch":[{"op":"add","path":"/bar","value":null}]},
            {"type":"STATE_DELTA","delta":[{"op":"add","path":"/baz","value":1}]}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
            {"type":"STATE_SNAPSHOT","timestamp":1,"snapshot":{"foo":0},"other":1},
            {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/foo","value":2}]},
            {"type":"STATE_DELTA","delta":[{"op":"add","path":"/bar","value":null}]},
            {"type":"STATE_DELTA","delta":[{"op":"add","path":"/baz","value":1}]}]"#,
        &[],
    );
    let text = to_text(&events[1]);
    assert!(text.starts_with(r#"{"type":"STATE_SNAPSHOT""#), "{text}");
}

#[test]
fn a_log_without_a_run_gets_one() {
    let events = check(
        r#"[{"type":"TEXT_MESSAGE_START","messageId":"msg1","role":"user"},
            {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg1","delta":"Hello "},
            {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg1","delta":"world"},
            {"type":"TEXT_MESSAGE_END","messageId":"msg1"},
            {"type":"STATE_DELTA","patch":{"op":"add","path":"/foo","value":1}},
            {"type":"STATE_DELTA","patch":{"op":"replace","path":"/foo","value":2}}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1"},
            {"type":"TEXT_MESSAGE_START","messageId":"msg1","role":"user"},
            {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg1","delta":"Hello "},
            {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg1","delta":"world"},
            {"type":"TEXT_MESSAGE_END","messageId":"msg1"},
            {"type":"STATE_DELTA","delta":[{"op":"add","path":"/foo","value":1}]},
            {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/foo","value":2}]},
            {"type":"RUN_FINISHED","threadId":"thread-1","runId":"run-1"}]"#,
        &["/0", "/5"],
    );
    assert!(verify(&events).is_valid());
    let replay = replay(&events).expect("it replays");
    assert_eq!(replay.state.to_json(), r#"{"foo":2}"#);
    assert_eq!(replay.messages.len(), 1);
    // The draft's own "after", in the run that AG-UI wants around it.
    let compacted = compact(&events, &Options::at(Level::Snapshot(Retain::Tips)));
    let after = to_text(&EventStream(compacted.expect("it compacts")));
    assert_eq!(
        after,
        concat!(
            r#"[{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1"},"#,
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"msg1","role":"user","content":"Hello world"}]},"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"foo":2}},"#,
            r#"{"type":"RUN_FINISHED","threadId":"thread-1","runId":"run-1"}]"#
        )
    );
}

#[test]
fn a_run_that_another_follows_is_over() {
    let events = check(
        r#"[{"type":"RUN_STARTED","threadId":"thread1","runId":"run1","input":{"messages":["Tell me about Paris"]}},
            {"type":"RUN_STARTED","threadId":"thread1","runId":"run2","parentRunId":"run1",
             "input":{"messages":["Actually, tell me about London instead"]}}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"thread1","runId":"run1","input":{"threadId":"thread1","runId":"run1",
             "messages":[{"id":"message-1","role":"user","content":"Tell me about Paris"}]}},
            {"type":"RUN_FINISHED","threadId":"thread1","runId":"run1"},
            {"type":"RUN_STARTED","threadId":"thread1","runId":"run2","parentRunId":"run1","input":{"threadId":"thread1","runId":"run2",
             "messages":[{"id":"message-2","role":"user","content":"Actually, tell me about London instead"}]}}]"#,
        &["/0/input/messages/0", "/1", "/1/input/messages/0"],
    );
    assert!(verify(&events).is_valid());
}

#[test]
fn a_run_with_something_open_has_no_end() {
    // Its text may go on in what the log does not have.
    check(
        r#"[{"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"t"}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1"},
            {"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"t"}]"#,
        &["/0"],
    );
}

#[test]
fn messages_that_are_text_are_those_of_users() {
    check(
        r#"[{"type":"RUN_STARTED","threadId":"thread1","runId":"run1","input":{"messages":["Tell me about Paris"]}},
            {"type":"RUN_FINISHED"},
            {"type":"RUN_STARTED","threadId":"thread1","runId":"run2","parentRunId":"run1",
             "input":{"messages":["Actually, tell me about London instead",{"id":"message-2","role":"user","content":"!"}]}}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"thread1","runId":"run1","input":{"threadId":"thread1","runId":"run1",
             "messages":[{"id":"message-1","role":"user","content":"Tell me about Paris"}]}},
            {"type":"RUN_FINISHED","threadId":"thread1","runId":"run1"},
            {"type":"RUN_STARTED","threadId":"thread1","runId":"run2","parentRunId":"run1","input":{"threadId":"thread1","runId":"run2",
             "messages":[{"id":"message-3","role":"user","content":"Actually, tell me about London instead"},{"id":"message-2","role":"user","content":"!"}]}}]"#,
        &[
            "/0/input/messages/0",
            "/1/threadId",
            "/1/runId",
            "/2/input/messages/0",
        ],
    );
}

#[test]
fn lines_are_read_too() {
    check(
        "{\"type\":\"RUN_STARTED\",\"runId\":\"run1\",\"input\":{\"messages\":[{\"id\":\"msg1\",\"role\":\"user\",\"content\":\"Hello\"}]}}\n\n{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n",
        r#"[{"type":"RUN_STARTED","threadId":"thread-1","runId":"run1","input":{"threadId":"thread-1","runId":"run1","messages":[{"id":"msg1","role":"user","content":"Hello"}]}},
            {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"message-1","role":"user","content":"Hi"}]}]"#,
        &["/0/threadId", "/1/messages/0/id"],
    );
    check("[]", "[]", &[]);
}

#[test]
fn what_ag_ui_says_stays_as_it_is() {
    let log = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"state":9007199254740993}},
        {"type":"FUTURE","patch":{"op":"add"},"state":1},
        {"type":"ACTIVITY_DELTA","messageId":"a","activityType":"X","patch":[]},
        {"type":"STATE_DELTA","patch":[],"delta":[]}]"#;
    let expected = log.replace(r#""patch":[],"delta""#, r#""delta""#);
    check(log, &expected, &[]);
}

#[test]
fn what_has_no_one_meaning_is_rejected() {
    let run = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let with = |event: &str| format!("[{run},{event}]");
    check_rejected(
        &with(r#"{"type":"STATE_DELTA","patch":[],"delta":[{"op":"remove","path":"/a"}]}"#),
        "semantic",
        "/1/patch",
        "convert.two-values",
    );
    check_rejected(
        &with(r#"{"type":"STATE_DELTA"}"#),
        "schema",
        "/1/delta",
        "required",
    );
    check_rejected(&with("1"), "schema", "/1", "type");
    check_rejected("[{", "syntax", "/0", "json");
}
