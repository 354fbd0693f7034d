//! The command line: what each verb prints, and every exit code.

use std::fs;
use std::process::Command;

use chatstate_tests::call::{CALL, CommandCall, EVENT, call_in, check, files};
use chatstate_tests::embedded::corpus;
use chatstate_tests::program::{chatstate, chatstate_program, finish};
use chatstate_tests::workspace;
use serde_json::Value;

const DOCUMENTS: &[CommandCall] = &[
    CommandCall {
        arguments: &["validate", "--type", "Event", "event.json"],
        says: &["`event.json` is a valid Event"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "Event", "-"],
        stdin: EVENT,
        says: &["stdin is a valid Event"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--json", "--type", "Event", "event.json"],
        prints: &["{\"valid\":true,\"type\":\"Event\"}\n"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "EventStream", "stream.jsonl"],
        says: &["is a valid EventStream"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "Event", "other.json"],
        code: 1,
        says: &["at `/runId`", "class `schema`, rule `required`"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--json", "--type", "Event", "other.json"],
        code: 1,
        prints: &[
            r#""valid":false"#,
            r#""class":"schema""#,
            r#""at":"/runId""#,
            r#""rule":"required""#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "EventStream"],
        stdin: "{\"type\":\"RAW\",\"event\":1}\n{\"type\":\"RAW\"}\n",
        code: 1,
        says: &["at `/1/event`"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "ChatState"],
        stdin: r#"{"schemaVersion":"2","history":[],"channels":[]}"#,
        code: 1,
        says: &["the version `2` is not supported", "at `/schemaVersion`"],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "Message"],
        stdin: r#"{"id":"m","role":"assistant","toolCalls":[{"type":"future","id":"c"}]}"#,
        code: 1,
        says: &[
            "at `/toolCalls/0/type`",
            "also wrong:",
            "stdin:1:43: the member `function` is missing, at `/toolCalls/0/function` (rule `required`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["validate", "--type", "Evnt"],
        code: 2,
        says: &[
            "`Evnt` is not a type of the schema",
            "did you mean `Event`?",
            "`ChatState`, ",
            "RunAgentInput",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["canonicalize"],
        stdin: "{ \"b\": 1.0, \"a\": [1e2, -0, \"\\u0061\"] }\n",
        prints: &[r#"{"a":[100,0,"a"],"b":1}"#],
        ..CALL
    },
    CommandCall {
        arguments: &["canonicalize", "--type", "Event"],
        stdin: r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\uD83D"}"#,
        prints: &[r#"{"delta":"\ud83d","messageId":"m","type":"TEXT_MESSAGE_CONTENT"}"#],
        ..CALL
    },
    CommandCall {
        arguments: &["canonicalize", "--type", "Event", "other.json"],
        code: 1,
        says: &["at `/runId`"],
        ..CALL
    },
    CommandCall {
        arguments: &["diff", "one.json", "one-point-zero.json"],
        ..CALL
    },
    CommandCall {
        arguments: &["diff", "--json", "one.json", "one-point-zero.json"],
        prints: &["{\"differences\":[],\"more\":0}\n"],
        ..CALL
    },
    CommandCall {
        arguments: &["diff", "--lexical", "one.json", "one-point-zero.json"],
        code: 1,
        prints: &["at `/a`: 1 -> 1.0"],
        ..CALL
    },
    CommandCall {
        arguments: &["diff", "event.json", "other.json"],
        code: 1,
        prints: &["at `/runId`: \"r\" -> nothing"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "diff",
            "--json",
            "--type",
            "Event",
            "event.json",
            "other.json",
        ],
        code: 1,
        prints: &[r#""at":"/runId","before":"r""#],
        ..CALL
    },
    CommandCall {
        arguments: &["diff", "one.json", "not-utf-8.json"],
        code: 2,
        says: &["`not-utf-8.json`", "not UTF-8"],
        ..CALL
    },
    CommandCall {
        arguments: &["diff", "one.json"],
        code: 2,
        says: &["<AFTER>"],
        ..CALL
    },
    CommandCall {
        arguments: &[],
        code: 2,
        says: &["Usage: chatstate [OPTIONS] <COMMAND>"],
        ..CALL
    },
    CommandCall {
        arguments: &["--version"],
        prints: &["chatstate "],
        ..CALL
    },
];

#[test]
fn verbs_that_read_a_document() {
    DOCUMENTS.iter().for_each(check);
}

const CORPUS: &[CommandCall] = &[
    CommandCall {
        arguments: &["list", "--suite", "channel-key"],
        prints: &["channel-key/two-parts "],
        ..CALL
    },
    CommandCall {
        arguments: &["list", "--requirement", "limit.depth"],
        prints: &["/"],
        ..CALL
    },
    CommandCall {
        arguments: &["list", "--requirement", "limit.no-such-rule"],
        code: 2,
        says: &["no case tests the requirement `limit.no-such-rule`"],
        ..CALL
    },
    CommandCall {
        arguments: &["show", "channel-key/two-parts"],
        prints: &["\"op\": \"channel-key\""],
        ..CALL
    },
    CommandCall {
        arguments: &["show", "channel-key/no-such-case"],
        code: 2,
        says: &[
            "there is no case `channel-key/no-such-case`",
            "`chatstate list`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["copy", "new/folder"],
        prints: &["files to `new/folder`"],
        ..CALL
    },
    CommandCall {
        arguments: &["copy", "folder"],
        code: 2,
        says: &["`folder` is not empty"],
        ..CALL
    },
    CommandCall {
        arguments: &["copy", "one.json"],
        code: 2,
        says: &["cannot write `one.json`"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--only", "channel-key/*"],
        prints: &["result: as expected"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "test",
            "--suite",
            "channel-key",
            "--jobs",
            "3",
            "--timeout",
            "60",
        ],
        prints: &["result: as expected"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--suite", "channel-key", "--report", "json"],
        prints: &["\"implementation\": {", "\"verdict\": \"pass\""],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--only", "no-such-case*"],
        code: 2,
        says: &["`no-such-case*` matches no case; `chatstate list` shows every id"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--only", "["],
        code: 2,
        says: &["`[` is not a pattern"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--suite", "no-such-suite"],
        code: 2,
        says: &["there is no suite `no-such-suite`"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--suite", "json", "--only", "channel-key/*"],
        code: 3,
        prints: &["no case"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--suite", "channel-key", "--expect", "stale.toml"],
        code: 4,
        prints: &[
            "STALE stale.toml line 1: `channel-key/two-parts` passes",
            "channel-key/two-parts",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "test",
            "--suite",
            "channel-key",
            "--expect",
            "names-nothing.toml",
        ],
        code: 4,
        prints: &[
            "STALE names-nothing.toml line 1",
            "channel-key/no-such-case",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--expect", "without-reason.toml"],
        code: 2,
        says: &["`without-reason.toml` line 1: `reason` is empty"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--expect", "not-toml.toml"],
        code: 2,
        says: &["`not-toml.toml` line 1"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--expect", "missing.toml"],
        code: 2,
        says: &["cannot read `missing.toml`"],
        ..CALL
    },
    CommandCall {
        arguments: &[
            "test",
            "--suite",
            "channel-key",
            "--report",
            "json=missing/report.json",
        ],
        code: 2,
        says: &["cannot write `missing/report.json`"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--report", "yaml"],
        code: 2,
        says: &["`yaml` is not a report; the reports are `text`, `jsonl`, `json`"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--timeout", "0"],
        code: 2,
        says: &["give a number of seconds above 0"],
        ..CALL
    },
    CommandCall {
        arguments: &["test", "--jobs", "0"],
        code: 2,
        says: &["give a whole number above 0"],
        ..CALL
    },
    CommandCall {
        arguments: &["adapter", "--mutant", "no-such-mutant"],
        code: 2,
        says: &[
            "there is no mutant `no-such-mutant`",
            "`corpus/mutants.toml` of the repository lists the mutants",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["adapter", "--mutant", "acept-all"],
        code: 2,
        says: &[
            "there is no mutant `acept-all`",
            "did you mean `accept-all`?",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["selftest", "--only", "acept-all"],
        code: 2,
        says: &[
            "there is no mutant `acept-all`",
            "did you mean `accept-all`?",
        ],
        ..CALL
    },
];

#[test]
fn verbs_of_the_corpus() {
    CORPUS.iter().for_each(check);
}

#[test]
fn a_report_goes_to_a_file_and_text_to_stdout() {
    let folder = files();
    let arguments = [
        "test",
        "--suite",
        "channel-key",
        "--report",
        "json=report.json",
        "--report",
        "text=report.txt",
    ];
    let finished = call_in(folder.path(), &arguments, b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let text = fs::read_to_string(folder.path().join("report.txt")).unwrap();
    assert_eq!(finished.stdout, text);
    let report = fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let schema = workspace::text("schema/kit/report.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let wrong: Vec<_> = schema
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let cases = report["cases"].as_array().unwrap().len();
    assert_eq!(report["summary"]["pass"], cases);
    assert_eq!(report["corpus"]["digest"], corpus().digest());
}

#[test]
fn copy_writes_the_corpus_byte_for_byte() {
    let folder = files();
    let finished = call_in(folder.path(), &["copy", "copied"], b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    for (name, bytes) in corpus().files() {
        let copied = fs::read(folder.path().join("copied").join(name)).unwrap();
        assert!(copied == bytes, "`{name}` differs");
    }
}

#[test]
fn list_and_show_know_every_case() {
    let listed = chatstate(&["list"], b"").stdout;
    let ids = listed
        .lines()
        .map(|line| line.split(' ').next().unwrap_or(""));
    let known: Vec<_> = corpus()
        .cases()
        .iter()
        .map(|case| case.id.as_str())
        .collect();
    assert_eq!(ids.collect::<Vec<_>>(), known);
    let case = &corpus().cases()[0];
    assert_eq!(
        chatstate(&["show", &case.id], b"").stdout,
        corpus().text(case)
    );
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let program = chatstate_program().display();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("{{ '{program}' list; echo \"code $?\" >&2; }} | head -n 1"),
    ]);
    let finished = finish(command, b"");
    assert_eq!(finished.stderr, "code 0\n");
}
