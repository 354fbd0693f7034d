//! The texts that people read, whole: helps, rejections, differences and reports.
//!
//! `INSTA_UPDATE=always cargo test -p chatstate-cli` writes them again; read the difference.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chatstate");

fn run(arguments: &[&str], folder: &Path, stdin: &str) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A program that rejects its arguments does not read.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the program ends")
}

/// Everything that a call gives: its exit code, what it prints, and what it says beside.
fn said(arguments: &[&str], folder: &Path, stdin: &str) -> String {
    let output = run(arguments, folder, stdin);
    let code = output.status.code().expect("an exit code");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(PROGRAM, "chatstate");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let parts = [format!("exit code {code}"), stdout, stderr];
    let parts = parts.iter().map(|part| part.trim_end());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// The commands that a help lists, under one heading or several.
fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().take_while(|line| *line != "Options:");
    let names = lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(char::is_alphabetic))
        .filter_map(|line| line.split(' ').next());
    let names = names.filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// The helps of a command and of those below it.
fn check_helps(command: &[&str]) {
    let help = said(&[command, &["--help"]].concat(), Path::new("."), "");
    let name = [&["help"], command].concat().join("-");
    for below in commands(&help) {
        check_helps(&[command, &[&below]].concat());
    }
    insta::assert_snapshot!(name, help);
}

#[test]
fn helps() {
    check_helps(&[]);
}

/// What is rejected: the name of the snapshot, the arguments and the document.
const REJECTIONS: &[(&str, &[&str], &str)] = &[
    ("unknown-command", &["verfy"], ""),
    ("no-near-command", &["init"], ""),
    ("unknown-command-below", &["report", "shwo"], ""),
    ("unknown-option", &["validate", "--typo", "Event"], ""),
    ("no-option", &["canonicalize", "--sort"], ""),
    ("unknown-value", &["compact", "--level", "snapshto"], ""),
    ("wrong-value", &["test", "--jobs", "0"], ""),
    ("missing-value", &["test", "--jobs"], ""),
    ("missing-argument", &["diff", "a.json"], ""),
    ("adapter-without-dashes", &["test", "python3", "sdk.py"], ""),
    ("no-list", &["test", "--expect", "no-such-list.toml"], ""),
    ("no-key", &["seal", "--key-file", "no-such-key"], "{}"),
    ("unknown-type", &["validate", "--type", "Evnt"], "{}"),
    ("unknown-suite", &["list", "--suite", "compakt"], ""),
    (
        "no-file",
        &["validate", "--type", "Event", "no-such-file.json"],
        "",
    ),
    (
        "not-json",
        &["validate", "--type", "Event"],
        r#"{"type":"RUN_STARTED","threadId":"t",}"#,
    ),
    (
        "duplicate-name",
        &["canonicalize"],
        r#"{"a":1,"b":{"c":1,"c":2}}"#,
    ),
    ("unpaired-surrogate", &["canonicalize"], r#"{"a":"\ud800"}"#),
    (
        "misspelled-member",
        &["validate", "--type", "Event"],
        "{\n  \"type\": \"TEXT_MESSAGE_START\",\n  \"messageID\": \"m\"\n}",
    ),
    (
        "several-faults",
        &["validate", "--type", "Event"],
        r#"{"type":"RUN_FINISHED","threadId":7}"#,
    ),
    (
        "event-out-of-order",
        &["verify"],
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
    ),
    (
        "compact-out-of-order",
        &["compact"],
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
    ),
    (
        "attach-out-of-order",
        &["attach"],
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
    ),
    (
        "compact-torn",
        &["compact"],
        "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n{\"type\":\"CUS",
    ),
    (
        "replay-schema",
        &["replay"],
        r#"[{"type":"RUN_STARTED","threadId":"t"}]"#,
    ),
    ("decode-not-json", &["decode"], "%%%"),
    (
        "restore-misspelled",
        &["restore", "--target", "misspelled.json"],
        "{}",
    ),
    (
        "restore-unknown",
        &["restore", "--target", "unknown.json"],
        "{}",
    ),
    (
        "adapter-missing",
        &[
            "test",
            "--only",
            "channel-key/two-parts",
            "--",
            "./no-such-adapter",
        ],
        "",
    ),
];

/// Chats to restore into, with members that are not described.
const TARGETS: &[(&str, &str)] = &[
    ("misspelled.json", r#"{"target":{"agents":[]},"joins":[]}"#),
    (
        "unknown.json",
        r#"{"target":{"agents":[{"id":"a","type":"T","channelkeys":["k"],"colour":1}]}}"#,
    ),
];

#[test]
fn rejections() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in TARGETS {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    for (name, arguments, document) in REJECTIONS {
        let said = said(arguments, folder.path(), document);
        insta::assert_snapshot!(format!("rejection-{name}"), said);
    }
}

/// A conversation with a tool call, an escape that a terminal would obey, and a run that goes on.
const CONVERSATION: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","timestamp":1764000000000,"input":{"threadId":"t","runId":"r1","messages":[{"id":"u1","role":"user","content":[{"type":"text","text":"Weather in Paris?"}]}],"tools":[],"context":[],"state":{"city":"Paris"}}}
{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather","parentMessageId":"m1"}
{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Paris\"}"}
{"type":"TOOL_CALL_END","toolCallId":"c1"}
{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":"sunny\n25 degrees"}
{"type":"TEXT_MESSAGE_START","messageId":"m3","role":"assistant","name":"Guide"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m3","delta":"It is \u001b[31msunny."}
{"type":"TEXT_MESSAGE_END","messageId":"m3"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1","timestamp":1764000004700}
{"type":"RUN_STARTED","threadId":"t","runId":"r2","timestamp":1764000010000}
{"type":"RUN_ERROR","message":"out of quota","timestamp":1764000010040}
{"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r3","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"confirmation"}]}}
{"type":"RUN_STARTED","threadId":"t","runId":"r4"}
{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{"steps":[1]}}
{"type":"TEXT_MESSAGE_START","messageId":"m4","role":"assistant"}
"#;

/// What is printed of the conversation: the name of the snapshot and the arguments.
const READINGS: &[(&str, &[&str])] = &[
    ("replay", &["replay", "--format", "text"]),
    ("replay-at", &["replay", "--format", "text", "--at", "r2"]),
    ("replay-at-no-run", &["replay", "--at", "nope"]),
    ("lineage", &["lineage"]),
];

#[test]
fn conversations() {
    for (name, arguments) in READINGS {
        let said = said(arguments, Path::new("."), CONVERSATION);
        insta::assert_snapshot!(format!("conversation-{name}"), said);
    }
}

/// Two documents and what `diff` says of them.
const DIFFERENCES: &[(&str, &[&str], &str, &str)] = &[
    ("equal", &[], r#"{"a":1}"#, r#"{ "a": 1 }"#),
    (
        "values",
        &[],
        r#"{"number":1,"list":[1,2],"gone":null,"text":"a"}"#,
        r#"{"number":2,"list":[2,1],"text":"b","new":{}}"#,
    ),
    (
        "events",
        &["--type", "EventStream"],
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"FUTURE_EVENT","x":1}]"#,
        r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"}]"#,
    ),
    (
        "sliding-window",
        &[],
        r#"["a","b","c","d","e"]"#,
        r#"["b","c","d","e","f"]"#,
    ),
    (
        "moved",
        &[],
        r#"[{"id":"1","t":"a"},{"id":"2","t":"b"},{"id":"3","t":"c"}]"#,
        r#"[{"id":"3","t":"c"},{"id":"1","t":"a"},{"id":"2","t":"B"}]"#,
    ),
    (
        "long-text",
        &[],
        r#"{"a":"The quick brown fox jumps over the lazy dog and then it runs away from the wolf"}"#,
        r#"{"a":"The quick brown fox jumps over the lazy dog and then it runs away from the bear"}"#,
    ),
    (
        "lines",
        &[],
        "{\"a\":1}\n{\"b\":1}\n",
        "{\"a\":1}\n{\"b\":2}\n",
    ),
    ("json", &["--json"], r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
    ("not-compared", &["--json"], "[1]", "[1,"),
    ("whole-document", &[], "1", "\"b\""),
];

#[test]
fn differences() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, arguments, before, after) in DIFFERENCES {
        fs::write(folder.path().join("before.json"), before).expect("a file");
        fs::write(folder.path().join("after.json"), after).expect("a file");
        let arguments = [&["diff", "before.json", "after.json"], *arguments].concat();
        let said = said(&arguments, folder.path(), "");
        insta::assert_snapshot!(format!("difference-{name}"), said);
    }
}

/// The first screen after a run, in lines.
const SCREEN: usize = 40;

/// An SDK with six defects: the first screen names them all, each with its count and an input.
#[test]
fn causes() {
    let sdk = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/six_causes.py");
    let said = without_digest(&said(&["test", "--", "python3", sdk], Path::new("."), ""));
    let screen: Vec<&str> = said.lines().take(SCREEN + 2).collect();
    insta::assert_snapshot!("report-causes", screen.join("\n"));
}

/// Runs of two cases: the name of the snapshot, the format of the report, and the mutant that answers.
const REPORTS: &[(&str, &str, &str)] = &[
    ("text", "text", "drop-unknown-variant"),
    ("markdown", "markdown", "drop-unknown-variant"),
    ("tap", "tap", "drop-unknown-variant"),
    ("github", "github", "drop-unknown-variant"),
    ("text-of-a-canary", "text", "reject-all"),
];

#[test]
fn reports() {
    for (name, format, mutant) in REPORTS {
        let cases = [
            "round-trip/unknown-event-in-stream",
            "channel-key/two-parts",
        ];
        let mut arguments = vec!["test", "--report", format];
        arguments.extend(cases.iter().flat_map(|case| ["--only", case]));
        arguments.extend(["--", PROGRAM, "adapter", "--mutant", mutant]);
        let report = without_digest(&said(&arguments, Path::new("."), ""));
        insta::assert_snapshot!(format!("report-{name}"), report);
    }
}

/// The report of any corpus: 12 digits and more of a hash are the digest of this one.
fn without_digest(report: &str) -> String {
    let is_digit = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
    let mut text = String::new();
    for word in report.split_inclusive(|letter: char| !is_digit(letter)) {
        let rest = word.trim_start_matches(is_digit);
        let is_digest = word.len() - rest.len() >= 12;
        text.push_str(if is_digest { "DIGEST" } else { word });
        text.push_str(if is_digest { rest } else { "" });
    }
    text
}
