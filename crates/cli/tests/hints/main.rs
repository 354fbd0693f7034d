//! Each hint that a message gives is followed, as a user would who copies it. A hint in the sources
//! that no case follows fails.

mod cases;
mod sources;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use cases::{Hint, NOT_FOLLOWED, OF_CALLS, OF_CODE, OF_LOGS_AND_DOCUMENTS, OF_RUNS, OWN_WORDS};

const GROUPS: [&[Hint]; 4] = [OF_CALLS, OF_LOGS_AND_DOCUMENTS, OF_RUNS, OF_CODE];

/// An SDK that drops nulls.
const SDK: &str = r#"import json, sys
def drop(o): return {k: v for k, v in o.items() if v is not None}
for line in sys.stdin.buffer:
    r = json.loads(line)
    if r["cmd"] == "stop": break
    if r["cmd"] == "start":
        a = {"protocol": 1, "implementation": {"name": "tiny", "version": "1", "language": "python"},
             "capabilities": ["round-trip", "events", "chat"]}
    else:
        a = {"seq": r["seq"]}
        try: a["ok"] = json.dumps(json.loads(r["input"], object_hook=drop))
        except ValueError as e: a["rejected"] = {"class": "syntax", "message": str(e)}
    print(json.dumps(a), flush=True)
"#;

/// An adapter that lets the reference answer.
const ADAPTER: &str = r#"import os
os.execvp("chatstate", ["chatstate", "adapter"])
"#;

const FILES: &[(&str, &str)] = &[
    ("sdk.py", SDK),
    ("adapter.py", ADAPTER),
    ("other.py", ADAPTER),
    ("chat.json", r#"{"history":[],"channels":[]}"#),
    (
        "saved.json",
        r#"{"history":[],"participants":[{"id":"a","type":"T"}],"channels":[]}"#,
    ),
    (
        "wrong.json",
        r#"{"history":7,"participants":[{"id":"a"}],"channels":[],"text":8}"#,
    ),
    ("named.json", r#"{"history":[],"channels":[],"hystory":[]}"#),
    ("odd.json", "[1]"),
    (
        "odd-target.json",
        r#"{"target":{"agents":[{"id":"a","type":"T","channelkeys":["k"],"colour":"A"}]}}"#,
    ),
    (
        "ag-ui.json",
        r#"{"messages":[{"id":"1","role":"user","content":"Hi"}]}"#,
    ),
    ("key", "0123456789abcdef0123456789abcdef"),
    (
        "events.jsonl",
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
"#,
    ),
    (
        "future.jsonl",
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"CUSTOM","name":"n","value":1,"future":1}
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
"#,
    ),
    (
        "order.json",
        r#"{"title":"Order","type":"object","properties":{"m":{"type":"string"}}}"#,
    ),
    (
        "numbered.json",
        r#"{"title":"1","type":"object","properties":{"m":{"type":"string"}}}"#,
    ),
    (
        "one.json",
        r#"{"title":"Order","type":"object","properties":{"m":{"type":"object","patternProperties":{"^(?!x)":{}}}}}"#,
    ),
    (
        "two.json",
        r#"{"title":"Order","type":"object","properties":{"m":{"type":"object","patternProperties":{"^(?!x)":{}}},"n":{"type":"object","patternProperties":{"^(?!x)":{}}}}}"#,
    ),
];

/// Runs that the log does not hold the parent of, more than are told one by one.
const RUNS_WITHOUT_PARENTS: usize = 12;

/// What else the calls need, made by calls.
const MADE: [&str; 3] = [
    "chatstate seal --key-file key chat.json --output sealed.json",
    "gzip -c events.jsonl > damaged.jsonl.gz; printf XXXX | dd of=damaged.jsonl.gz bs=1 seek=30 conv=notrunc 2> made.log",
    "chatstate test --report jsonl=whole.jsonl --quiet -- python3 sdk.py; true",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let lost = (0..RUNS_WITHOUT_PARENTS).map(|run| {
        let ids = format!(r#""threadId":"t","runId":"r{run}""#);
        format!(
            "{{\"type\":\"RUN_STARTED\",{ids},\"parentRunId\":\"gone\"}}\n{{\"type\":\"RUN_FINISHED\",{ids}}}\n"
        )
    });
    fs::write(folder.path().join("lost.jsonl"), lost.collect::<String>()).expect("a file");
    for line in MADE {
        let (code, said) = shell(folder.path(), line);
        assert_eq!(code, 0, "{line}: {said}");
    }
    folder
}

/// Runs a command line as a shell would, with the program on the path.
fn shell(folder: &Path, line: &str) -> (i32, String) {
    let programs = Path::new(env!("CARGO_BIN_EXE_chatstate")).parent();
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", programs.expect("a folder").display());
    let mut command = Command::new("bash");
    command
        .args(["-o", "pipefail", "-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("REPOSITORY", concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let output = command.stdin(Stdio::null()).output().expect("bash starts");
    let said = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("an exit code");
    (code, String::from_utf8(said).expect("text"))
}

/// The longest part of a hint that stands in the message as in the sources.
fn fixed_part(text: &str) -> &str {
    let text = text.trim_start_matches("\\n").trim_end_matches('$');
    let parts = text.split('{').map(|part| {
        let (_, after) = part.split_once('}').unwrap_or(("", part));
        after
    });
    parts.max_by_key(|part| part.len()).unwrap_or(text)
}

/// The call that a user makes who follows a hint: its words from the line of the message.
fn followed(hint: &Hint, said: &str) -> String {
    let fixed = fixed_part(hint.text);
    let line = said.lines().rfind(|line| line.contains(fixed));
    let line = line.unwrap_or_else(|| panic!("no `{fixed}` after {}:\n{said}", hint.call));
    let mut follow = hint.follow.to_owned();
    if let Some((_, command)) = line.split_once("chatstate ") {
        follow = follow.replace("{line}", &format!("chatstate {command}"));
    }
    for (index, piece) in line.split('`').enumerate().filter(|(at, _)| at % 2 == 1) {
        let words = OWN_WORDS
            .iter()
            .fold(piece.to_owned(), |words, (word, own)| {
                words.replace(word, own)
            });
        follow = follow.replace(&format!("{{{}}}", index.div_ceil(2)), &words);
    }
    follow
}

fn check(hint: &Hint, folder: &Path) {
    let (_, said) = shell(folder, hint.call);
    let follow = followed(hint, &said);
    let (code, answer) = shell(folder, &follow);
    let about = format!("{}\n{said}\n$ {follow}\n{answer}", hint.call);
    assert_eq!(code, hint.code, "{about}");
    assert!(answer.contains(hint.says), "no `{}`: {about}", hint.says);
}

#[test]
fn hints_keep_their_word() {
    let folder = folder();
    for hint in GROUPS.iter().copied().flatten() {
        check(hint, folder.path());
    }
}

#[test]
fn each_hint_of_the_sources_is_followed() {
    let followed = GROUPS.iter().copied().flatten().map(|hint| hint.text);
    let known: Vec<_> = followed
        .chain(NOT_FOLLOWED.iter().map(|(text, _)| *text))
        .collect();
    let mut hints: Vec<_> = sources::hints();
    for text in known {
        let is_it = |hint: &sources::SourceHint| match text.strip_suffix('$') {
            Some(text) => hint.text == text,
            None => hint.text.contains(text),
        };
        let at = hints.iter().position(is_it);
        let at = at.unwrap_or_else(|| panic!("`{text}` is in no source, or has two cases"));
        hints.remove(at);
    }
    let new: Vec<_> = hints
        .iter()
        .map(|hint| format!("{}: {}", hint.file, hint.text))
        .collect();
    assert!(new.is_empty(), "no case follows:\n{}", new.join("\n"));
}
