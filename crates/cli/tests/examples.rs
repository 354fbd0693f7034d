//! Each example that a help shows is run, in a folder that has the files which it names.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chatstate");

/// The examples that say 1, since they show differences or a loss.
const SAY_ONE: [&str; 3] = ["chatstate diff", "| chatstate diff", "chatstate convert"];

/// An adapter in Python that lets the reference answer.
const ADAPTER: &str = r#"import os, sys
os.execvp("chatstate", ["chatstate", "adapter"])
"#;

const EVENTS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}
{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}
{"type":"TEXT_MESSAGE_END","messageId":"m"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
"#;

const FILES: &[(&str, &str)] = &[
    ("adapter.py", ADAPTER),
    ("other.py", ADAPTER),
    ("events.jsonl", EVENTS),
    ("logs/monday.jsonl", EVENTS),
    (
        "chat.json",
        r#"{"history":[{"role":"user","items":[{"type":"text","text":"Hi"}]}],"participants":[{"id":"a","type":"ChatCompletionAgent"}],"channels":[]}"#,
    ),
    (
        "saved.json",
        r#"{"history":[],"participants":[{"id":"a","type":"ChatCompletionAgent"}],"channels":[]}"#,
    ),
    (
        "target.json",
        r#"{"target":{"agents":[{"id":"a","type":"ChatCompletionAgent","channelkeys":["k"]}]}}"#,
    ),
    (
        "hello.json",
        r#"{"name":"hello","stream":[{"type":"RUN_STARTED","threadId":"t","runId":"r"}],"expect":{"outcome":"completed","messages":[]}}"#,
    ),
    (
        "saved/one.json",
        r#"{"history":[],"participants":[],"channels":[]}"#,
    ),
    (
        "my-cases/round-trip/mine.json",
        r#"{"title":"mine","requirements":[],"why":"","op":"round-trip","needs":["chat"],"type":"ChatState","input":{"history":[],"channels":[]},"since":"1"}"#,
    ),
    ("key", "0123456789abcdef0123456789abcdef"),
    (
        "order.schema.json",
        r#"{"title":"Order","type":"object","required":["id"],"properties":{"id":{"type":"string"}}}"#,
    ),
];

/// What else the examples read, made by calls.
const MADE: [&str; 6] = [
    "chatstate encode chat.json --output encoded.json",
    "chatstate seal --key-file key chat.json --output sealed.json",
    "chatstate test --report jsonl=run.jsonl --quiet",
    "cp run.jsonl before.jsonl",
    "chatstate test --suite replay --shard 1/2 --report jsonl=first.jsonl",
    "chatstate test --suite replay --shard 2/2 --report jsonl=second.jsonl",
];

fn help(arguments: &[String]) -> String {
    let output = Command::new(PROGRAM).args(arguments).arg("--help").output();
    String::from_utf8(output.expect("the program starts").stdout).expect("text")
}

/// The verbs that a help lists, with those below them.
fn verbs(above: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for name in names(&help(above)) {
        let verb = [above, &[name]].concat();
        let below = verbs(&verb);
        found.push(verb);
        found.extend(below);
    }
    found
}

fn names(help: &str) -> Vec<String> {
    let lines = help.lines().take_while(|line| *line != "Options:");
    let lines = lines.skip_while(|line| *line == "Arguments:");
    let lines = lines.filter_map(|line| line.strip_prefix("  "));
    let names = lines.filter_map(|line| line.split(' ').next());
    names
        .filter(|name| name.starts_with(char::is_alphabetic) && *name != "help")
        .map(str::to_owned)
        .collect()
}

fn examples(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Examples:");
    lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.contains("chatstate "))
}

fn check(example: &str, folder: &Path) {
    let programs = Path::new(PROGRAM).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let mut shell = Command::new("bash");
    shell
        .args(["-o", "pipefail", "-c", example])
        .current_dir(folder);
    let output = shell
        .env("PATH", format!("{}:{path}", programs.display()))
        .output();
    let output = output.expect("bash starts");
    let expected = i32::from(SAY_ONE.iter().any(|start| example.contains(start)));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{example}\n{said}");
}

#[test]
fn each_example_of_a_help_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let mut count = 0;
    for line in MADE {
        check(line, folder.path());
    }
    for verb in verbs(&[]) {
        let help = help(&verb);
        for example in examples(&help) {
            check(example, folder.path());
            count += 1;
        }
    }
    assert!(count > 50, "only {count} examples were found");
}
