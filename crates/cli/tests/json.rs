//! `--json` is one document on stdout, whatever comes of a call.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const FILES: &[(&str, &str)] = &[
    ("broken.json", "{\"a\":"),
    ("number.json", "7"),
    (
        "malformed.jsonl",
        "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\"}\n",
    ),
];

/// Each verb that has `--json`, where nothing comes of it: the exit code and what the document has.
const CALLS: &[(&str, i32, &[&str])] = &[
    ("verify --json malformed.jsonl", 1, &["valid", "errors"]),
    ("verify --json none.jsonl", 2, &["valid", "error"]),
    ("verify --json --no-such-option", 2, &["error"]),
    (
        "validate --json --type Event broken.json",
        1,
        &["valid", "at"],
    ),
    (
        "validate --json --type Event none.json",
        2,
        &["valid", "error"],
    ),
    (
        "validate --json --type Evnt number.json",
        2,
        &["valid", "error"],
    ),
    (
        "diff --json number.json broken.json",
        2,
        &["error", "class", "at"],
    ),
    ("diff --json number.json none.json", 2, &["error"]),
    ("diff --json number.json", 2, &["error"]),
    (
        "lineage --json malformed.jsonl",
        1,
        &["error", "class", "at", "rule"],
    ),
    ("lineage --format json none.jsonl", 2, &["error"]),
    (
        "convert --json --from ag-ui --to canonical broken.json",
        1,
        &["error", "rule"],
    ),
    (
        "convert --json --from ag-ui --to canonical none.json",
        2,
        &["error"],
    ),
    ("report diff --json number.json broken.json", 1, &["error"]),
    (
        "fuzz --json --op replay -- ./no-such-adapter",
        5,
        &["error"],
    ),
    ("interop --json -- ./no-such-adapter", 2, &["error"]),
    ("selftest --json --only no-such-mutant", 2, &["error"]),
];

fn call(folder: &Path, line: &str, out: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatstate"));
    command.args(line.split(' ')).current_dir(folder);
    command
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    child.wait_with_output().expect("the program ends")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn json_is_one_document_whatever_comes_of_it() {
    let folder = folder();
    for (line, code, members) in CALLS {
        let output = call(folder.path(), line, Stdio::piped());
        let text = String::from_utf8(output.stdout).expect("text");
        let document: Result<Value, _> = serde_json::from_str(&text);
        let document = document.unwrap_or_else(|error| panic!("{line}: {error}: {text}"));
        assert_eq!(output.status.code(), Some(*code), "{line}: {text}");
        for member in *members {
            assert!(document.get(member).is_some(), "{line}: {text}");
        }
        assert_ne!(document.get("valid"), Some(&true.into()), "{line}");
    }
}

/// What a full disk takes away is told by the exit code, of helps too.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_by_every_output() {
    let folder = folder();
    for line in ["--help", "--version", "verify --help", "list", "help diff"] {
        let full = fs::File::options().write(true).open("/dev/full");
        let output = call(folder.path(), line, full.expect("a full device").into());
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("cannot write to stdout"), "{line}: {said}");
    }
}

/// Colours are forced and forbidden for results, helps and failures alike.
#[test]
fn colours_are_as_asked() {
    let folder = folder();
    let lines = [
        "diff number.json malformed.jsonl",
        "diff --help",
        "diff x y",
        "diff x",
    ];
    for line in lines {
        for (when, is_coloured) in [("always", true), ("never", false), ("auto", false)] {
            let output = call(
                folder.path(),
                &format!("{line} --color {when}"),
                Stdio::piped(),
            );
            let text = [output.stdout, output.stderr].concat();
            assert_eq!(
                text.contains(&b'\x1b'),
                is_coloured,
                "{line} --color {when}"
            );
        }
    }
}
