//! The texts that people read most, whole.

use std::fmt::Write;

use chatstate_tests::embedded::corpus;
use chatstate_tests::program::{chatstate, chatstate_program};
use chatstate_tests::recording::recordings;
use serde_json::Value;

#[test]
fn what_a_failing_validate_says() {
    let document = recordings()[0]
        .text
        .replace(r#""messageId""#, r#""messageID""#);
    let event = document
        .lines()
        .find(|line| line.contains("messageID"))
        .unwrap();
    let event: Value = serde_json::from_str(event).unwrap();
    let mut said = String::new();
    for document in [
        format!("{event:#}"),
        r#"{"type":"RUN_FINISHED","threadId":7}"#.to_owned(),
        r#"{"type":"RUN_STARTED","threadId":"t",}"#.to_owned(),
    ] {
        let finished = chatstate(&["validate", "--type", "Event"], document.as_bytes());
        assert_eq!(finished.code, 1);
        writeln!(said, "{}", finished.stderr).unwrap();
    }
    insta::assert_snapshot!(said);
}

#[test]
fn what_a_failing_test_says() {
    let program = chatstate_program().display().to_string();
    let arguments = [
        "test",
        "--only",
        "round-trip/unknown-event-in-stream",
        "--only",
        "channel-key/two-parts",
        "--",
        &program,
        "adapter",
        "--mutant",
        "drop-unknown-variant",
    ];
    let finished = chatstate(&arguments, b"");
    assert_eq!((finished.code, finished.stderr.as_str()), (1, ""));
    let digest = &corpus().digest()[..12];
    let said = finished
        .stdout
        .replace(&program, "chatstate")
        .replace(digest, "DIGEST");
    insta::assert_snapshot!(said);
}
