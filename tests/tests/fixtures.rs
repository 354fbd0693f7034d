//! Fixtures in the form of AG-UI's conformance data, as cases: those that hold, those that do not, and
//! files that are malformed.

use std::fs;
use std::path::PathBuf;

use chatstate_tests::call::check_words;
use chatstate_tests::program::{FinishedProgram, chatstate, chatstate_program};
use chatstate_tests::workspace;

/// The files of a folder of fixtures, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = workspace::root().join("tests/fixtures").join(folder);
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert_eq!(files.len(), 5);
    files
}

fn run(files: &[PathBuf], more: &[&str]) -> FinishedProgram {
    let files: Vec<_> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let mut arguments = vec!["test", "--fixtures"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(more);
    let finished = chatstate(&arguments, b"");
    check_words(&finished);
    finished
}

#[test]
fn fixtures_that_hold_pass() {
    let finished = run(&files("holds"), &[]);
    assert_eq!(finished.code, 0, "{}", finished.stdout);
    assert!(
        finished.stdout.contains(": 9 pass\n"),
        "{}",
        finished.stdout
    );
    let said = "expectations that are not judged, with how many fixtures of 6 have them: `errorContains` (1), \
                `messages` (1), `noWarnings` (1)\n";
    assert_eq!(finished.stderr, said);
}

#[test]
fn each_fixture_that_does_not_hold_fails() {
    for file in files("does-not-hold") {
        let finished = run(std::slice::from_ref(&file), &[]);
        let FinishedProgram { stdout, .. } = &finished;
        assert_eq!(finished.code, 1, "{stdout}");
        assert!(stdout.contains("1 unexpected failure\n"), "{stdout}");
        let again = format!("chatstate test --fixtures {} --only ", file.display());
        assert!(stdout.contains(&again), "{stdout}");
    }
}

#[test]
fn a_broken_adapter_is_found() {
    let program = chatstate_program().display().to_string();
    let adapter = ["--", &program, "adapter", "--mutant"];
    for (mutant, case) in MUTANTS {
        let finished = run(&files("holds"), &[&adapter[..], &[mutant]].concat());
        assert_eq!(finished.code, 1, "{mutant}: {}", finished.stdout);
        assert!(
            finished.stdout.contains(case),
            "{mutant}: {}",
            finished.stdout
        );
    }
}

/// Mutants of the reference, and a case that finds each.
const MUTANTS: [(&str, &str); 4] = [
    ("replay-ignores-state-delta", "FAIL  basket-state/replay"),
    ("replay-loses-last-delta", "FAIL  greeting/replay"),
    (
        "verify-takes-event-behind-finish",
        "FAIL  late-words/verify",
    ),
    ("replay-drops-chunks", "FAIL  weather-chunks/replay"),
];

#[test]
fn cases_are_selected_listed_and_reported() {
    let only = run(
        &files("holds"),
        &["--only", "greeting/*", "--report", "json"],
    );
    let report: serde_json::Value = serde_json::from_str(&only.stdout).expect("JSON");
    let cases = report["cases"].as_array().expect("a list").iter();
    let cases: Vec<_> = cases.filter_map(|case| case["id"].as_str()).collect();
    assert_eq!(cases, ["greeting/replay", "greeting/verify"]);
    let nothing = run(&files("holds"), &["--only", "gretting/*"]);
    assert_eq!(nothing.code, 2);
}

#[test]
fn a_list_of_expected_failures_names_fixtures() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("list.toml");
    let entry = "[[expect]]\ncase = \"other-state/replay\"\nreason = \"it keeps one pear\"\n";
    fs::write(&list, entry).expect("a file");
    let file = workspace::root().join("tests/fixtures/does-not-hold/other-state.json");
    let finished = run(&[file], &["--expect", &list.display().to_string()]);
    assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
}

/// Malformed files, and what is said of each.
const MALFORMED: &[(&str, &[&str])] = &[
    (
        "",
        &["this is not JSON", "help: a file of fixtures is JSON"],
    ),
    ("{\n\"name\":", &["at line 2: this is not JSON"]),
    ("[]", &["the list has no fixture", "help: add a fixture"]),
    (
        "7",
        &["this is not an object with `name`, `stream` and `expect`"],
    ),
    ("[7]", &["at `/0`: this is not an object"]),
    (
        "{}",
        &[
            "the member `name` is missing",
            "help: add `name`, which is a text",
        ],
    ),
    (r#"{"name":1}"#, &["at `/name`: this is not a text"]),
    (
        r#"{"name":"?"}"#,
        &["at `/name`: `?` makes no id of a case"],
    ),
    (r#"{"name":"a"}"#, &["the member `stream` is missing"]),
    (
        r#"{"name":"a","stream":{}}"#,
        &["at `/stream`: this is not a list of events"],
    ),
    (
        r#"{"name":"a","stream":[]}"#,
        &["the member `expect` is missing"],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{}}"#,
        &["at `/expect`: the member `outcome` is missing"],
    ),
    (
        r#"[{"name":"a","stream":[],"expect":{"outcome":"done"}}]"#,
        &[
            "at `/0/expect/outcome`: `done` is no outcome",
            "help: write `\"completed\"` or `\"failed\"` here",
        ],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","mesages":[]}}"#,
        &[
            "at `/expect/mesages`: `mesages` is no expectation",
            "help: the expectations are `outcome`, `messages`",
        ],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","messages":{}}}"#,
        &["at `/expect/messages`: this is not a list"],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","messageCount":-1}}"#,
        &["at `/expect/messageCount`: this is not a count"],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","messageCount":900000000000}}"#,
        &["900000000000 messages are too many"],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","eventTypes":[1]}}"#,
        &["at `/expect/eventTypes`: this is not a list of texts"],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","eventPaths":["0.type"]}}"#,
        &["at `/expect/eventPaths`: this is not an object of values by their paths"],
    ),
    (
        r#"{"name":"a","stream":[],"expect":{"outcome":"completed","messageCount":2,"messages":[{}]}}"#,
        &["the count is 2, and `messages` has 1"],
    ),
    (
        r#"[{"name":"a b","stream":[],"expect":{"outcome":"completed"}},{"name":"A-b","stream":[],"expect":{"outcome":"failed"}}]"#,
        &["at `/1/name`: an earlier fixture is the case `file/a-b-verify` already"],
    ),
];

#[test]
fn malformed_files_are_rejected_and_nothing_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file.json");
    for (text, words) in MALFORMED {
        fs::write(&file, text).expect("a file");
        let mut all = files("holds");
        all.push(file.clone());
        let finished = run(&all, &[]);
        assert_eq!(finished.code, 2, "{text}: {}", finished.stderr);
        assert_eq!(finished.stdout, "", "{text}");
        let file = format!("`{}`", file.display());
        for words in words.iter().copied().chain([file.as_str()]) {
            assert!(
                finished.stderr.contains(words),
                "{text}: no `{words}`:\n{}",
                finished.stderr
            );
        }
    }
    fs::write(&file, b"\"\xff\"").expect("a file");
    let finished = run(std::slice::from_ref(&file), &[]);
    assert!(
        finished.stderr.contains("the file is not UTF-8"),
        "{}",
        finished.stderr
    );
}

/// An adapter that delivers all events but those of one type, or says nothing of them.
const DELIVERS: &str = r#"
import json, sys
kept_back = sys.argv[1]
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        name = {"name": "delivers", "version": "1", "language": "python"}
        answer = {"protocol": 1, "implementation": name, "capabilities": ["events", "replay"]}
    elif request["cmd"] == "stop":
        break
    else:
        answer = {"seq": request["seq"]}
        try:
            events = json.loads(request.get("input", "?"))
            events = [event for event in events if event["type"] != kept_back]
            said = {} if kept_back == "all" else {"delivered": events}
            answer["ok"] = json.dumps({"messages": [], "state": {}, **said})
        except ValueError:
            answer["rejected"] = {"class": "syntax"}
    print(json.dumps(answer), flush=True)
"#;

/// What a fixture says of delivered events, in each of the four ways.
const DELIVERED: &str = r#"[
  {"name": "types", "stream": [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, {"type": "CUSTOM", "name": "n", "value": {"a.b": 0, "a": [1]}}],
   "expect": {"outcome": "completed", "eventTypes": ["RUN_STARTED", "CUSTOM"]}},
  {"name": "absent types", "stream": [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, {"type": "CUSTOM", "name": "n", "value": 1}],
   "expect": {"outcome": "completed", "eventTypesAbsent": ["RAW", "NEW"]}},
  {"name": "paths", "stream": [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, {"type": "RAW", "event": 1}, {"type": "CUSTOM", "name": "n", "value": {"a": [1, null]}}],
   "expect": {"outcome": "completed", "eventPaths": {"2.value.a.1": null, "2.value": {"a": [1, null]}}}},
  {"name": "absent paths", "stream": [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, {"type": "RAW", "event": 1}, {"type": "CUSTOM", "name": "n", "value": 1}],
   "expect": {"outcome": "completed", "eventAbsentPaths": ["1.value", "2.event", "3"]}},
  {"name": "new types", "stream": [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, {"type": "NEW", "value": 1}],
   "expect": {"outcome": "completed", "eventTypesAbsent": ["NEW"]}},
  {"name": "failed", "stream": [{"type": "NEW", "value": 1}],
   "expect": {"outcome": "failed", "eventTypes": []}}
]"#;

/// The counts of the verdicts of the cases `delivery`, by what the adapter keeps back.
const DELIVERIES: &[(&str, &[&str])] = &[
    (
        "nothing",
        &["FAIL  file/new-types-delivery", "4 pass, 1 fail\n"],
    ),
    (
        "CUSTOM",
        &[
            "FAIL  file/types-delivery",
            "FAIL  file/paths-delivery",
            "FAIL  file/new-types-delivery",
            "2 pass, 3 fail\n",
        ],
    ),
    (
        "RAW",
        &[
            "FAIL  file/paths-delivery",
            "FAIL  file/absent-paths-delivery",
        ],
    ),
    ("NEW", &["5 pass\n"]),
    (
        "all",
        &[
            "5 skip\n",
            "skipped: 5 cases, since no answer has `delivered`",
        ],
    ),
];

#[test]
fn delivered_events_are_judged_where_an_adapter_tells_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, adapter) = (folder.path().join("file.json"), folder.path().join("a.py"));
    fs::write(&file, DELIVERED).expect("a file");
    fs::write(&adapter, DELIVERS).expect("a file");
    let adapter = adapter.display().to_string();
    for (kept_back, words) in DELIVERIES {
        let more = [
            "--verbose",
            "--only",
            "file/*-delivery",
            "--",
            "python3",
            &adapter,
            kept_back,
        ];
        let finished = run(std::slice::from_ref(&file), &more);
        for words in *words {
            let said = &finished.stdout;
            assert!(said.contains(words), "{kept_back}: no `{words}`:\n{said}");
        }
        let said = "of 6 have them: `eventTypes` (1)\n";
        assert!(finished.stderr.contains(said), "{}", finished.stderr);
    }
}
