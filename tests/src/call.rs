//! Calls of the command line, as rows of a table.

use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use tempfile::TempDir;

use crate::program::{FinishedProgram, chatstate_program, finish};

/// One call, in a folder that holds [`FILES`].
pub struct CommandCall {
    /// The arguments.
    pub arguments: &'static [&'static str],
    /// What is written to stdin.
    pub stdin: &'static str,
    /// The exit code.
    pub code: i32,
    /// What stdout holds. Nothing here means that nothing is printed.
    pub prints: &'static [&'static str],
    /// What stderr holds. Nothing here means that nothing is said.
    pub says: &'static [&'static str],
}

/// A call without input that goes well and says nothing.
pub const CALL: CommandCall = CommandCall {
    arguments: &[],
    stdin: "",
    code: 0,
    prints: &[],
    says: &[],
};

/// An event.
pub const EVENT: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

/// A stream as JSON Lines.
const LINES: &str = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\
                     {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n";
/// A stream of four runs, of which the third branches off and the fourth continues there.
const BRANCHES: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
{"type":"RUN_STARTED","threadId":"t","runId":"r2"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}
{"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r3"}
{"type":"RUN_STARTED","threadId":"t","runId":"r4"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r4"}
"#;
/// A chat to restore into, and an agent that joins it.
const TARGET: &[u8] = br#"{"target":{"agents":[{"id":"g","type":"Guide","channelkeys":["a","b"]}]},
    "join":[{"id":"d","type":"Desk","channelkeys":["d"]}]}"#;
/// A chat in use.
const USED_TARGET: &[u8] =
    br#"{"target":{"agents":[{"id":"g","type":"Guide","channelkeys":["a","b"]}],
    "history":[{"role":"user","items":[]}]}}"#;
/// The files that calls can read.
const FILES: &[(&str, &[u8])] = &[
    ("event.json", EVENT.as_bytes()),
    ("other.json", br#"{"type":"RUN_STARTED","threadId":"t"}"#),
    ("one.json", br#"{"a":1}"#),
    ("other-key", b"another key of bytes\n"),
    ("one-point-zero.json", br#"{"a":1.0}"#),
    ("stream.jsonl", LINES.as_bytes()),
    ("branches.jsonl", BRANCHES.as_bytes()),
    ("empty.json", b""),
    ("not-utf-8.json", b"{\"a\":\"\xff\"}"),
    ("folder/file.json", b"{}"),
    ("target.json", TARGET),
    ("empty-target.json", br#"{"target":{"agents":[]}}"#),
    ("used-target.json", USED_TARGET),
    ("key", b"a key of some bytes\n"),
    (
        "stale.toml",
        b"[[expect]]\ncase = \"channel-key/two-parts\"\nreason = \"it did once\"\n",
    ),
    (
        "names-nothing.toml",
        b"[[expect]]\ncase = \"channel-key/no-such-case\"\nreason = \"it did once\"\n",
    ),
    (
        "without-reason.toml",
        b"[[expect]]\ncase = \"channel-key/two-parts\"\nreason = \" \"\n",
    ),
    ("not-toml.toml", b"expect\n"),
];

/// What adapters that are shell scripts introduce themselves with, in the variable `STARTED`.
const STARTED: &str = r#"{"protocol":1,"implementation":{"name":"a","version":"1","language":"sh"},"capabilities":["channel-key"]}"#;

/// Runs a call and compares all that it comes to.
///
/// # Panics
///
/// When something is not as the row says.
pub fn check(call: &CommandCall) {
    let finished = call_in(files().path(), call.arguments, call.stdin.as_bytes());
    let CommandCall {
        arguments,
        code,
        prints,
        says,
        ..
    } = call;
    let FinishedProgram { stdout, stderr, .. } = &finished;
    assert_eq!(finished.code, *code, "{arguments:?}\n{stdout}\n{stderr}");
    for (name, text, wanted) in [("stdout", stdout, prints), ("stderr", stderr, says)] {
        if wanted.is_empty() {
            assert_eq!(text, "", "{arguments:?}: {name}");
        }
        for words in *wanted {
            assert!(
                text.contains(words),
                "{arguments:?}: {name} has no `{words}`:\n{text}"
            );
        }
    }
    check_words(&finished);
}

/// Nothing that a user reads is in the language of this program.
///
/// # Panics
///
/// When something is.
pub fn check_words(finished: &FinishedProgram) {
    let inner = Regex::new(
        r"panicked|RUST_BACKTRACE|\w::\w|\b(Err|Some|Ok)\(|\bOs \{|Utf8Error|ParseIntError|serde|unwrap",
    );
    let found = inner
        .unwrap()
        .find(&finished.stderr)
        .map(|found| found.as_str().to_owned());
    assert_eq!(found, None, "{}", finished.stderr);
}

/// A new folder with the files that calls read.
///
/// # Panics
///
/// When there is no room for them.
#[must_use]
pub fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// Runs `chatstate` in a folder.
#[must_use]
pub fn call_in(folder: &Path, arguments: &[&str], stdin: &[u8]) -> FinishedProgram {
    let mut command = Command::new(chatstate_program());
    command.args(arguments).current_dir(folder);
    command.env("STARTED", STARTED);
    finish(command, stdin)
}
