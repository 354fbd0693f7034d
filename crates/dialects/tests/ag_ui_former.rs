//! Logs of AG-UI 0.0.x, and what becomes of the shapes that 1.0 retired.

use chatstate_dialects::ag_ui_former;
use chatstate_json::to_text;
use chatstate_json::{canonical, parse};
use chatstate_streams::replay::replay;
use chatstate_streams::verify::verify;
use chatstate_types::generated::{Event, EventStream};

/// Translates a log; what was made up and what was lost are named by their places.
#[track_caller]
fn check(log: &str, expected: &str, inventions: &[&str], losses: &[&str]) -> Vec<Event> {
    let log = ag_ui_former::read(log).unwrap_or_else(|rejection| panic!("{rejection}"));
    let value = |text: &str| canonical(&parse(text).expect("it is JSON"));
    let events = to_text(&EventStream(log.events.clone()));
    assert_eq!(value(&events), value(expected));
    let places: Vec<_> = log.inventions.iter().map(|it| it.at.as_str()).collect();
    assert_eq!(places, inventions, "{:?}", log.inventions);
    let places: Vec<_> = log.losses.iter().map(|it| it.at.as_str()).collect();
    assert_eq!(places, losses, "{:?}", log.losses);
    log.events
}

#[test]
fn thinking_is_reasoning() {
    let events = check(
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
            {"type":"THINKING_START","title":"plan"},
            {"type":"THINKING_TEXT_MESSAGE_START"},
            {"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"Hm"},
            {"type":"THINKING_TEXT_MESSAGE_END"},
            {"type":"THINKING_TEXT_MESSAGE_START"},
            {"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"Yes","timestamp":1},
            {"type":"THINKING_TEXT_MESSAGE_END"},
            {"type":"THINKING_END"},
            {"type":"TEXT_MESSAGE_START","messageId":"reasoning-2","role":"assistant"},
            {"type":"TEXT_MESSAGE_END","messageId":"reasoning-2"},
            {"type":"RUN_FINISHED","threadId":"t","runId":"r","result":null,"outcome":null}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
            {"type":"REASONING_START","messageId":"reasoning-1"},
            {"type":"REASONING_MESSAGE_START","messageId":"reasoning-3","role":"reasoning"},
            {"type":"REASONING_MESSAGE_CONTENT","messageId":"reasoning-3","delta":"Hm"},
            {"type":"REASONING_MESSAGE_END","messageId":"reasoning-3"},
            {"type":"REASONING_MESSAGE_START","messageId":"reasoning-4","role":"reasoning"},
            {"type":"REASONING_MESSAGE_CONTENT","messageId":"reasoning-4","delta":"Yes","timestamp":1},
            {"type":"REASONING_MESSAGE_END","messageId":"reasoning-4"},
            {"type":"REASONING_END","messageId":"reasoning-1"},
            {"type":"TEXT_MESSAGE_START","messageId":"reasoning-2","role":"assistant"},
            {"type":"TEXT_MESSAGE_END","messageId":"reasoning-2"},
            {"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"#,
        &["/1/messageId", "/2/messageId", "/5/messageId"],
        &["/1/title"],
    );
    assert!(verify(&events).is_valid());
    let replay = replay(&events).expect("it replays");
    assert_eq!(replay.messages.len(), 3);
}

#[test]
fn identities_that_are_said_stay() {
    check(
        r#"[{"type":"THINKING_START","messageId":"b"},
            {"type":"THINKING_TEXT_MESSAGE_START","messageId":"m"},
            {"type":"THINKING_TEXT_MESSAGE_END","messageId":"m"},
            {"type":"THINKING_END","messageId":"b"}]"#,
        r#"[{"type":"REASONING_START","messageId":"b"},
            {"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"},
            {"type":"REASONING_MESSAGE_END","messageId":"m"},
            {"type":"REASONING_END","messageId":"b"}]"#,
        &[],
        &[],
    );
}

#[test]
fn binary_parts_are_what_their_media_types_say() {
    check(
        r#"[{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"1","role":"user","content":[
            {"type":"binary","mimeType":"image/png","data":"AQID","url":null},
            {"type":"binary","mimeType":"audio/wav","url":"https://example.org/a"},
            {"type":"binary","mimeType":"video/mp4","id":"file-1"},
            {"type":"binary","mimeType":"application/pdf","data":"AQID","url":"https://example.org/b","filename":"b.pdf"},
            {"type":"binary","mimeType":"image/png"},
            {"type":"image","source":{"type":"url","value":"https://example.org/c"},"metadata":null}]}]}]"#,
        r#"[{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"1","role":"user","content":[
            {"type":"image","source":{"type":"data","value":"AQID","mimeType":"image/png"}},
            {"type":"audio","source":{"type":"url","value":"https://example.org/a","mimeType":"audio/wav"}},
            {"type":"video","source":{"type":"file","value":"file-1","mimeType":"video/mp4"}},
            {"type":"document","source":{"type":"data","value":"AQID","mimeType":"application/pdf"}},
            {"type":"binary","mimeType":"image/png"},
            {"type":"image","source":{"type":"url","value":"https://example.org/c"}}]}]}]"#,
        &[],
        &[
            "/0/messages/0/content/3/url",
            "/0/messages/0/content/3/filename",
        ],
    );
}

#[test]
fn null_for_nothing_is_left_out() {
    check(
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r","rawEvent":null,"input":{"threadId":"t","runId":"r","messages":[],
             "state":null,"forwardedProps":null,"tools":[{"name":"n","description":"d","parameters":null}],
             "resume":[{"interruptId":"i","status":"resolved","payload":null}]}},
            {"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":null},
            {"type":"CUSTOM","name":"n","value":null}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],
             "tools":[{"name":"n","description":"d"}],
             "resume":[{"interruptId":"i","status":"resolved"}]}},
            {"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"},
            {"type":"CUSTOM","name":"n","value":null}]"#,
        &[],
        &[],
    );
}

#[test]
fn what_1_0_did_not_retire_stays_or_is_rejected() {
    let log = r#"[{"type":"FUTURE","rawEvent":{"a":1},"title":"t"}]"#;
    check(log, log, &[], &[]);
    let refused = ag_ui_former::read(r#"[{"type":"RUN_STARTED","threadId":"t"}]"#);
    let refused = refused.expect_err("it is rejected");
    assert_eq!(
        (refused.at.as_str(), refused.rule.as_ref()),
        ("/0/runId", "required")
    );
}
