//! Does a document come back from CBOR through the command line, and is bad CBOR rejected?

use std::fs;
use std::process::Command;

use chatstate::json::{Surrogates, canonical, parse_with};
use chatstate_tests::call::{CALL, CommandCall, check};
use chatstate_tests::program::chatstate_program;

const CALLS: &[CommandCall] = &[
    CommandCall {
        arguments: &["convert", "--from", "canonical", "--to", "cbor"],
        stdin: r#" "a" "#,
        prints: &["aa"],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "cbor", "--to", "canonical"],
        stdin: "aa",
        prints: &["\"a\"\n"],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "cbor", "--to", "canonical"],
        stdin: r#"{"a":1}"#,
        code: 1,
        says: &["stdin: the value that begins here is cut off (byte 0)"],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "canonical", "--to", "cbor"],
        stdin: r#"{"a":1,"a":2}"#,
        code: 1,
        says: &["a member name occurs twice in one object"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "convert",
            "--from",
            "cbor",
            "--to",
            "semantic-kernel-python",
        ],
        code: 2,
        says: &["`cbor` holds the canonical form and no other"],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "canonical", "--to", "cbor", "--json"],
        code: 2,
        says: &["neither `--json` nor `--document`"],
        prints: &["{\"error\":\"`cbor` takes neither `--json` nor `--document`\"}\n"],
        ..CALL
    },
];

#[test]
fn calls() {
    CALLS.iter().for_each(check);
}

/// What `convert` prints of a file with these bytes.
fn converted(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document");
    fs::write(&file, bytes).unwrap();
    let arguments = ["convert", "--from", from, "--to", to];
    let mut command = Command::new(chatstate_program());
    let output = command.args(arguments).arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output.stdout
}

#[test]
fn documents_come_back() {
    let documents = [
        r#"{"stateBag":{"amount":0.12345678901234567890,"id":123456789012345678901234567890,"n":null}}"#,
        r#"{"history":[{"role":"user","items":[{"type":"text","text":"\u00e9\ud83d\ude00"}]}],"channels":[]}"#,
        r#"[{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d"}]"#,
    ];
    for document in documents {
        let there = converted(document.as_bytes(), "canonical", "cbor");
        assert!(there.len() < document.len(), "{document}");
        let back = converted(&there, "cbor", "canonical");
        let meaning =
            |text: &str| canonical(&parse_with(text, Surrogates::AllowUnpairedAtEnds).unwrap());
        assert_eq!(
            meaning(std::str::from_utf8(&back).unwrap()),
            meaning(document)
        );
    }
}
