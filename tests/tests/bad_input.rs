//! Bad input: rejected with a message that helps, the right exit code, and no panic. And input that is
//! only large is processed.

use std::fs;
use std::io::Write;

use chatstate::json::visible_lines;
use chatstate_tests::call::{CALL, CommandCall, call_in, check, check_words, files};
use chatstate_tests::program::chatstate;
use serde_json::Value;

const NOT_JSON: &[(&str, &str)] = &[
    ("nope", "not JSON: expected a value, but there is `n` ("),
    (r#"{"a":1,"a":2}"#, "a member name occurs twice"),
    (r#"{"a":"\ud800x"}"#, "an unpaired surrogate"),
    ("\u{feff}{}", "byte order mark"),
    ("{} {}", "not JSON"),
    ("'a'", "not JSON"),
    ("{\"a\":\u{0}}", "not JSON"),
];

/// Every verb that reads a document, and how it is called.
const READERS: &[&[&str]] = &[
    &["validate", "--type", "Event"],
    &["validate", "--type", "ChatState"],
    &["validate", "--type", "EventStream"],
    &["encode"],
    &["decode"],
    &["canonicalize"],
    &["canonicalize", "--type", "Message"],
    &["verify"],
    &["replay"],
    &["attach"],
    &["convert", "--from", "ag-ui-draft", "--to", "ag-ui"],
    &["convert", "--from", "ag-ui-0.0.x", "--to", "ag-ui"],
    &["lineage"],
];

#[test]
fn text_that_is_not_json_is_rejected_by_every_reader() {
    for (text, says) in NOT_JSON {
        for reader in READERS {
            rejected(reader, text.as_bytes(), says);
        }
    }
}

/// The verbs that take a log, which may break off while it is written.
const LOG_READERS: [&str; 4] = ["verify", "replay", "attach", "lineage"];

#[test]
fn text_that_breaks_off_is_rejected_or_named_by_every_reader() {
    let text = br#"{"type":"RAW","event":[1"#;
    for reader in READERS {
        if LOG_READERS.contains(&reader[0]) {
            let finished = chatstate(reader, text);
            let says = "breaks off within an event; what begins at byte 0 was left out (line 1)";
            assert_eq!(finished.code, 1, "{reader:?}: {}", finished.stderr);
            assert!(
                finished.stderr.contains(says),
                "{reader:?}: {}",
                finished.stderr
            );
        } else {
            let says = "but the document ends (line 1, column 25), at `/";
            rejected(reader, text, says);
        }
    }
}

/// A log that nothing was written into yet is one; a document is never empty.
#[test]
fn text_that_is_empty_is_a_log_and_no_document() {
    for text in ["", " \n"] {
        for reader in READERS {
            if LOG_READERS.contains(&reader[0]) {
                let finished = chatstate(reader, text.as_bytes());
                assert_eq!(finished.code, 0, "{reader:?}: {}", finished.stderr);
            } else {
                rejected(reader, text.as_bytes(), "the document is empty");
            }
        }
    }
}

#[test]
fn deep_nesting_is_a_limit_for_every_reader() {
    let arrays = "[".repeat(10_000);
    let objects = r#"{"a":"#.repeat(10_000);
    let complete = format!("{arrays}{}", "]".repeat(10_000));
    let in_event = format!(r#"{{"type":"CUSTOM","name":"a","value":{complete}}}"#);
    for text in [arrays, objects, complete, in_event] {
        for reader in READERS {
            rejected(reader, text.as_bytes(), "nested deeper than 512 levels");
        }
    }
    let row = chatstate(
        &["validate", "--type", "Event", "--json"],
        "[".repeat(10_000).as_bytes(),
    );
    let row: Value = serde_json::from_str(&row.stdout).unwrap();
    assert_eq!(row["class"], "limit");
}

#[test]
fn bytes_that_are_no_text_are_rejected_by_every_reader() {
    for bytes in [
        &b"\xff"[..],
        b"{\"type\":\"\xc3\x28\"}",
        b"[\"\xed\xa0\x80\"]",
    ] {
        for reader in READERS {
            rejected(reader, bytes, "not UTF-8");
        }
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    for (file, says) in [
        ("missing.json", "cannot read `missing.json`"),
        ("folder", "cannot read `folder`"),
    ] {
        // `validate` takes the documents in a folder.
        let readers = READERS
            .iter()
            .filter(|it| file != "folder" || it[0] != "validate");
        for reader in readers.chain([&["diff", "one.json"][..]].iter()) {
            let arguments: Vec<_> = reader.iter().chain([&file]).copied().collect();
            let finished = call_in(files().path(), &arguments, b"");
            // `verify` takes the logs in a folder.
            let says = match arguments.as_slice() {
                ["verify", "folder"] => "there is no log in `folder`",
                _ => says,
            };
            assert_eq!(finished.code, 2, "{arguments:?}: {}", finished.stderr);
            assert!(
                finished.stderr.contains(says),
                "{arguments:?}: {}",
                finished.stderr
            );
            check_words(&finished);
        }
    }
}

fn rejected(arguments: &[&str], stdin: &[u8], says: &str) {
    let finished = chatstate(arguments, stdin);
    let shown: String = String::from_utf8_lossy(stdin).chars().take(40).collect();
    assert_eq!(
        finished.code, 1,
        "{arguments:?} of `{shown}`: {}",
        finished.stderr
    );
    assert_eq!(finished.stdout, "", "{arguments:?} of `{shown}`");
    let said = &finished.stderr;
    assert!(
        said.contains(says),
        "{arguments:?} of `{shown}` says {said}"
    );
    check_words(&finished);
}

const ADAPTERS: &[CommandCall] = &[
    CommandCall {
        arguments: &["test", "--", "./no-such-adapter"],
        code: 5,
        says: &["cannot start the adapter `./no-such-adapter`"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--", "./folder"],
        code: 5,
        says: &["cannot start the adapter `./folder`"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--", "sh", "-c", "echo no such module >&2; exit 3"],
        code: 5,
        says: &[
            "exited with status 3 before it answered `start`",
            "no such module",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--", "sh", "-c", "echo Welcome; read -r line"],
        code: 5,
        says: &["answered `start` with what is no introduction", "`Welcome`"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "test",
            "--",
            "sh",
            "-c",
            r#"echo '{"protocol":0,"error":"I speak 7"}'; exit 1"#,
        ],
        code: 5,
        says: &["I speak 7"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "test",
            "--timeout",
            "0.2",
            "--",
            "sh",
            "-c",
            r#"echo "$STARTED"; while :; do sleep 1; done"#,
        ],
        code: 1,
        prints: &["CANARY", "no answer within 200 ms"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "test",
            "--",
            "sh",
            "-c",
            r#"echo "$STARTED"; read -r a; read -r b; exit 9"#,
        ],
        code: 1,
        prints: &["CANARY", "exited with status 9"],
        ..CALL
    },
];

#[test]
fn adapters_that_do_not_work() {
    ADAPTERS.iter().for_each(check);
}

#[test]
fn a_document_of_200_megabytes_is_processed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.json");
    let message = format!(
        r#"{{"role":"user","items":[{{"type":"text","text":"{}"}}]}}"#,
        "0123456789abcdef".repeat(1 << 12)
    );
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    file.write_all(br#"{"history":["#).unwrap();
    let mut size = 0;
    while size < 200_000_000 {
        size += message.len() + 1;
        write!(file, "{message},").unwrap();
    }
    write!(file, r#"{message}],"participants":[],"channels":[]}}"#).unwrap();
    file.into_inner().unwrap().sync_all().unwrap();
    let arguments = ["validate", "--type", "ChatState", "large.json"];
    let finished = call_in(folder.path(), &arguments, b"");
    assert_eq!(
        (finished.code, finished.stderr.as_str()),
        (0, "`large.json` is a valid ChatState\n")
    );
}

#[test]
fn agents_that_join_a_long_history_are_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let history = vec![r#"{"role":"user","items":[]}"#; 100_001].join(",");
    let agent =
        |index: usize| format!(r#"{{"id":"{index}","type":"A","channelkeys":["{index}"]}}"#);
    let joining: Vec<_> = (0..10).map(agent).collect();
    let target = format!(
        r#"{{"target":{{"agents":[{}]}},"join":[{}]}}"#,
        agent(10),
        joining.join(",")
    );
    fs::write(folder.path().join("target.json"), target).unwrap();
    let chat = format!(r#"{{"history":[{history}],"channels":[]}}"#);
    let arguments = ["restore", "--target", "target.json"];
    let finished = call_in(folder.path(), &arguments, chat.as_bytes());
    assert_eq!(finished.code, 1, "{}", finished.stderr);
    let said = "more than 1000000 messages together; let fewer of them join, at `/join/9`";
    assert!(finished.stderr.contains(said), "{}", finished.stderr);
}

/// What is in a document must not command the terminal, or the service that shows the log.
#[test]
fn data_in_messages_commands_nothing() {
    let evil = r"\u001b]0;x\u0007\u009b31m\n##[error]x\r::set-output name=a::b\u202e";
    let chat = format!(r#"{{"schemaVersion":"{evil}","history":[],"channels":[]}}"#);
    let member = format!(r#"{{"history":[{{"{evil}":1}}],"channels":[]}}"#);
    let log = [
        format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{evil}"}}"#),
        format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"{evil}"}}"#),
    ]
    .join("\n");
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("other.json"),
        r#"{"history":[],"channels":[]}"#,
    )
    .unwrap();
    let calls: [(&[&str], &str); 7] = [
        (&["validate", "--type", "ChatState"], &chat),
        (&["validate", "--type", "ChatState"], &member),
        (&["verify"], &log),
        (&["compact"], &log),
        (&["diff", "other.json", "-"], &member),
        (&["diff", "-", "other.json"], &chat),
        (
            &[
                "convert",
                "--from",
                "canonical",
                "--to",
                "semantic-kernel-dotnet",
            ],
            &member,
        ),
    ];
    let mut telling = 0;
    for (arguments, stdin) in calls {
        let finished = call_in(folder.path(), arguments, stdin.as_bytes());
        let said = finished.stdout + &finished.stderr;
        assert_eq!(said, visible_lines(&said), "{arguments:?}");
        telling += usize::from(said.contains(r"\u{1b}]0;x\u{7}"));
    }
    assert!(
        telling > 2,
        "only {telling} of the messages tell of the data"
    );
}
