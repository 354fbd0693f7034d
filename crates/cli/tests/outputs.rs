//! `--output FILE`: the file gets its place when all is written, and not before.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const RUN: &str = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n";

const FILES: &[(&str, &str)] = &[
    ("log.jsonl", RUN),
    ("chat.json", r#"{"history":[],"channels":[]}"#),
    (
        "encoded.json",
        r#"{"encoding":"base64","history":"W10=","participants":[],"channels":[]}"#,
    ),
    (
        "target.json",
        r#"{"target":{"agents":[{"id":"a","type":"T","channelkeys":["k"]}]}}"#,
    ),
    ("key", "0123456789abcdef0123456789abcdef"),
];

/// Every verb that writes a document.
const VERBS: &[&str] = &[
    "compact log.jsonl",
    "compact --level snapshot log.jsonl",
    "replay log.jsonl",
    "replay --format text log.jsonl",
    "attach log.jsonl",
    "lineage log.jsonl",
    "lineage --json log.jsonl",
    "lineage --branch r log.jsonl",
    "canonicalize chat.json",
    "convert --to ag-ui chat.json",
    "convert --to cbor --from canonical chat.json",
    "convert --json --to ag-ui chat.json",
    "restore --target target.json chat.json",
    "encode chat.json",
    "decode encoded.json",
    "seal --key-file key chat.json",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn call(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatstate"));
    command
        .args(line.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// The names in a folder; what was begun beside a place is gone afterwards.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|it| it.expect("an entry").file_name().into_string());
    let mut names: Vec<_> = names.map(|name| name.expect("a name")).collect();
    names.sort();
    names
}

#[test]
fn each_verb_writes_to_a_file_what_it_would_print() {
    for line in VERBS {
        let folder = folder();
        let printed = call(folder.path(), line);
        assert_eq!(printed.status.code(), Some(0), "{line}");
        assert!(!printed.stdout.is_empty(), "{line}");
        let written = call(folder.path(), &format!("{line} --output out"));
        assert_eq!(written.status.code(), Some(0), "{line}");
        assert!(written.stdout.is_empty(), "{line}");
        let file = fs::read(folder.path().join("out")).expect("the file");
        assert_eq!(file, printed.stdout, "{line}");
        let expected = FILES.len() + 1;
        assert_eq!(names(folder.path()).len(), expected, "{line}");
    }
}

#[test]
fn the_input_may_be_the_output() {
    for line in VERBS {
        let input = line.rsplit(' ').next().expect("a word");
        let folder = folder();
        let printed = call(folder.path(), line);
        let written = call(folder.path(), &format!("{line} --output {input}"));
        assert_eq!(written.status.code(), Some(0), "{line}");
        let file = fs::read(folder.path().join(input)).expect("the file");
        assert_eq!(file, printed.stdout, "{line}");
    }
}

/// A file keeps what it had when nothing comes of the call.
#[test]
fn what_is_rejected_leaves_the_file_alone() {
    for line in VERBS {
        let folder = folder();
        fs::write(folder.path().join("out"), "before").expect("a file");
        let input = line.rsplit(' ').next().expect("a word");
        let wrong = format!("{RUN}nonsense\n").replace("RUN_FINISHED", "RAW");
        fs::write(folder.path().join(input), wrong).expect("a file");
        let written = call(folder.path(), &format!("{line} --output out"));
        assert_eq!(written.status.code(), Some(1), "{line}");
        let file = fs::read_to_string(folder.path().join("out")).expect("the file");
        assert_eq!(file, "before", "{line}");
        assert_eq!(names(folder.path()).len(), FILES.len() + 1, "{line}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let folder = folder();
    for output in ["no-such-folder/out", "."] {
        let written = call(
            folder.path(),
            &format!("encode chat.json --output {output}"),
        );
        let said = String::from_utf8_lossy(&written.stderr);
        assert_eq!(written.status.code(), Some(2), "{output}: {said}");
        assert!(said.contains(&format!("cannot write `{output}`")), "{said}");
    }
    let written = call(folder.path(), "encode chat.json --output -");
    assert!(written.stdout.starts_with(b"{"));
    let written = call(
        folder.path(),
        "unseal --key-file key --check --output out chat.json",
    );
    assert_eq!(written.status.code(), Some(2));
}
