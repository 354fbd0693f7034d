//! What `validate`, `convert` and `diff` do with documents whose type is not named, with several
//! documents, and with what the schema does not name.

use std::fs;
use std::path::Path;

use chatstate_tests::call::{CALL, CommandCall, call_in, check};
use serde_json::Value;

const CHAT: &str = r#"{"history":[],"participants":[{"id":"a","type":"b"}],"channels":[]}"#;
const TWO_FAULTS: &str = "{\n  \"history\": [{\"role\": \"user\", \"items\": [{\"type\": \"text\", \"text\": 7}]}],\n  \"participants\": [{\"id\": \"a\"}],\n  \"channels\": []\n}";
const TYPING_ERRORS: &str = r#"{"history":[{"role":"user","items":[{"type":"texxt","text":"a"},{"type":"text","text":"","txet":1}]}],"channels":[],"partisipants":[]}"#;
const LOG: &str = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n{\"type\":\"FUTURE\",\"x\":1}\n";
const PYTHON_CHAT: &str = r#"{"messages":[{"content_type":"message","role":"user","items":[{"content_type":"text","text":"hi"}]}]}"#;

/// Documents of each type, as they are recognised.
const RECOGNISED: &[(&str, &str)] = &[
    (CHAT, "ChatState"),
    (
        r#"{"encoding":"base64","history":"W10=","participants":[],"channels":[]}"#,
        "EncodedChatState",
    ),
    (r#"{"role":"user","items":[]}"#, "ChatMessage"),
    (r#"{"id":"a","type":"b"}"#, "Participant"),
    (r#"{"channelkey":"k","channelstate":1}"#, "ChannelState"),
    (r#"{"type":"FUTURE"}"#, "Event"),
    (r#"[{"type":"RAW","event":1}]"#, "EventStream"),
    (LOG, "EventStream"),
    (r#"{"id":"m","role":"user","content":"hi"}"#, "Message"),
    (
        r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}"#,
        "RunAgentInput",
    ),
    (r#"{"stateBag":{}}"#, "AgentSession"),
    (r#"[{"stateBag":{}}]"#, "SessionList"),
];

/// Types without a member that a document must have, and with members that others have too.
const NEVER_RECOGNISED: [&str; 1] = ["AgentCapabilities"];

#[test]
fn each_type_is_recognised() {
    let types: Vec<_> = RECOGNISED.iter().map(|(_, name)| *name).collect();
    for name in chatstate::generated::ROOT_NAMES {
        let is_known = types.contains(name) || NEVER_RECOGNISED.contains(name);
        assert!(is_known, "`{name}` has no document here");
    }
    for (document, type_name) in RECOGNISED {
        let finished = call_in(Path::new("."), &["validate"], document.as_bytes());
        let says = format!("stdin is a valid {type_name}\n");
        assert_eq!((finished.code, finished.stderr), (0, says), "{document}");
    }
}

const CALLS: &[CommandCall] = &[
    CommandCall {
        arguments: &["validate"],
        stdin: "[]",
        code: 2,
        says: &["stdin looks like no type of the schema", "`EventStream`"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate"],
        stdin: PYTHON_CHAT,
        code: 2,
        says: &["it looks like `semantic-kernel-python`; `chatstate convert --to canonical`"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate"],
        stdin: TWO_FAULTS,
        code: 1,
        says: &[
            "must be of type string, but is number, at `/history/0/items/0/text`",
            "stdin:3:20: the member `type` is missing, at `/participants/0/type` (rule `required`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--json"],
        stdin: TWO_FAULTS,
        code: 1,
        prints: &[
            r#""line":2,"column":67,"#,
            r#""also":[{"at":"/participants/0/type","rule":"required","message":"the member `type` is missing","line":3,"column":20}]"#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["validate"],
        stdin: "{\"type\":\"RAW\",\"event\":1}\n\n{\"type\":\"RAW\"}\n",
        code: 1,
        says: &["stdin:3:1", "the member `event` is missing, at `/1/event`"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate"],
        stdin: TYPING_ERRORS,
        says: &["stdin is a valid ChatState"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--strict"],
        stdin: TYPING_ERRORS,
        code: 1,
        says: &[
            "the schema names no variant `texxt` (did you mean `text`?), at `/history/0/items/0/type`",
            "stdin:1:97: the schema names no member `txet` (did you mean `text`?), at `/history/0/items/1/txet` (rule `strict.unknown-member`)",
            "the schema names no member `partisipants` (did you mean `participants`?)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--strict"],
        stdin: LOG,
        code: 1,
        says: &[
            "stdin:2:9",
            "the schema names no variant `FUTURE`, at `/1/type`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--strict"],
        stdin: CHAT,
        says: &["stdin is a valid ChatState"],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--to", "canonical"],
        stdin: PYTHON_CHAT,
        prints: &[
            r#"{"history":[{"role":"user","items":[{"type":"text","text":"hi"}]}],"channels":[]}"#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--to", "canonical"],
        stdin: r#"{"a":1}"#,
        code: 2,
        says: &[
            "stdin looks like no format that is converted here",
            "`semantic-kernel-dotnet`",
        ],
        ..CALL
    },
];

#[test]
fn documents_without_a_name_of_their_type() {
    CALLS.iter().for_each(check);
}

#[test]
fn several_documents_have_a_line_each() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    let files = [
        ("a.json", CHAT),
        ("deep/b.json", TWO_FAULTS),
        ("deep/c.jsonl", LOG),
        ("deep/one-event.jsonl", r#"{"type":"RAW","event":1}"#),
        ("none.json", "{}"),
        ("notes.txt", "no document"),
        ("broken.json", "{"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let finished = call_in(folder.path(), &["validate", "."], b"");
    let expected = "valid    ./a.json: ChatState\n\
        invalid  ./broken.json: not JSON: expected a member name in double quotes, but the document ends (line 1, column 2)\n\
        invalid  ./deep/b.json:2:67: must be of type string, but is number, at `/history/0/items/0/text` (rule `type`) (and 1 more)\n\
        valid    ./deep/c.jsonl: EventStream\n\
        valid    ./deep/one-event.jsonl: EventStream\n\
        unread   ./none.json looks like no type of the schema\n";
    assert_eq!((finished.code, finished.stdout.as_str()), (2, expected));
    assert_eq!(
        finished.stderr,
        "6 documents: 3 valid, 2 invalid, 1 unread\n"
    );
    let finished = call_in(
        folder.path(),
        &["validate", "--json", "a.json", "deep/*.json"],
        b"",
    );
    let document: Value = serde_json::from_str(&finished.stdout).expect("a document");
    assert_eq!(finished.code, 1);
    assert_eq!(document["valid"], false);
    assert_eq!(document["documents"][0]["type"], "ChatState");
    assert_eq!(document["documents"][1]["also"][0]["line"], 3);
}

/// Documents of one type are compared as such: an unknown member is told from a known one.
#[test]
fn diff_knows_the_type_of_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = r#"{"history":[],"channels":[],"extra":1}"#;
    let after = r#"{"history":[],"channels":[]}"#;
    fs::write(folder.path().join("before.json"), before).expect("a file");
    fs::write(folder.path().join("after.json"), after).expect("a file");
    let finished = call_in(folder.path(), &["diff", "before.json", "after.json"], b"");
    assert!(
        finished
            .stdout
            .starts_with("unknown-dropped at `/extra`: 1 -> nothing\n"),
        "{}",
        finished.stdout
    );
}
