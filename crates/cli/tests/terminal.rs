//! What is shown at a terminal while a log is read (only where `script` of Linux makes one).
#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread;

const RUN: &str = concat!(
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    "\n",
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    "\n"
);

/// What is shown on stderr where a log is slow to come: its second line comes two seconds after the first.
fn shown(arguments: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    fs::write(&log, RUN).expect("a file");
    let program = env!("CARGO_BIN_EXE_chatstate");
    let log = log.display();
    let line = format!(
        "(head -1 '{log}'; sleep 2; tail -1 '{log}') | '{program}' {arguments} > /dev/null"
    );
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    let output = command.env("TERM", "xterm").stdin(Stdio::null()).output();
    let output = output.expect("`script` of util-linux starts");
    let shown = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{arguments}: {shown}");
    shown
}

#[test]
fn every_verb_that_reads_a_log_says_how_far_it_is() {
    // All at once, as each waits.
    thread::scope(|scope| {
        for arguments in [
            "verify -",
            "replay -",
            "lineage -",
            "attach -",
            "compact -",
            "compact --level snapshot -",
        ] {
            scope.spawn(move || {
                let shown = shown(arguments);
                assert!(shown.contains("101 B/"), "{arguments}: {shown:?}");
            });
        }
    });
}
