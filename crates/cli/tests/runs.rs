//! Runs against a small SDK with planted defects: what they name, compare, excuse and promote.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// An SDK that drops nulls and timestamps, and writes what is no JSON.
const SDK: &str = r#"import json, sys
def drop(o): return {k: v for k, v in o.items() if v is not None and k != "timestamp"}
for line in sys.stdin.buffer:
    r = json.loads(line)
    if r["cmd"] == "stop": break
    if r["cmd"] == "start":
        a = {"protocol": 1, "implementation": {"name": "tiny", "version": "1", "language": "python"}, "capabilities": ["round-trip", "events", "chat",
             "sessions", "unknown-members", "unknown-variants", "big-numbers", "split-surrogates"]}
    else:
        a = {"seq": r["seq"]}
        try: a["ok"] = json.dumps(json.loads(r["input"], object_hook=drop, parse_int=float))
        except ValueError as e: a["rejected"] = {"class": "syntax", "message": str(e)}
    print(json.dumps(a), flush=True)
"#;

/// Nulls are excused wherever they are dropped, and nothing else is.
const LIST: &str = r#"[[expect]]
case = "round-trip/*"
fingerprint = "absent-for-null@*"
max = 60
reason = "nulls are dropped"
"#;

/// No case fails so.
const IDLE_LIST: &str = r#"[[expect]]
case = "round-trip/null-*"
fingerprint = "number-rounded@/nowhere"
reason = "there is no such failure"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("sdk.py", SDK.to_owned()),
        ("better.py", SDK.replace(" and k != \"timestamp\"", "")),
        (
            "breaks.py",
            SDK.replace("except ValueError", "except KeyError"),
        ),
        ("list.toml", LIST.to_owned()),
        ("idle.toml", IDLE_LIST.to_owned()),
        (
            "events.py",
            SDK.replace("\"events\", \"chat\",\n             \"sessions\"", "\"events\", \"Event\"")
                .replace("        try: a", "        if r[\"type\"] != \"Event\": a[\"unsupported\"] = \"only events\"\n        else:\n         try: a")
                .replace("        except", "         except"),
        ),
        ("chat.json", r#"{"history":[],"channels":[]}"#.to_owned()),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
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
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path);
    let output: Output = command.stdin(Stdio::null()).output().expect("bash starts");
    let said = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("an exit code");
    (code, String::from_utf8(said).expect("text"))
}

/// What a call comes to: the line, the exit code, and what it says.
const CALLS: &[(&str, i32, &[&str])] = &[
    (
        "chatstate test --only round-trip/number-too-large -- python3 sdk.py",
        1,
        &["known as  not-json\n"],
    ),
    (
        "chatstate test --only round-trip/null-raw -- python3 breaks.py",
        1,
        &[
            "the adapter breaks on a document that is not JSON, which it should answer with `rejected`",
        ],
    ),
    (
        "chatstate test --only 'round-trip/null-*' --only round-trip/channel-state-kinds --expect list.toml -- python3 sdk.py",
        0,
        &["1 pass, 8 expected-failure\n", "result: as expected"],
    ),
    (
        "chatstate test --only 'round-trip/null-*' --expect idle.toml -- python3 sdk.py",
        1,
        &["of which none fails in the way of its fingerprint; take the entry away"],
    ),
    (
        "chatstate test --only round-trip -- python3 sdk.py",
        2,
        &["say `--suite round-trip`, or `--only 'round-trip/*'`"],
    ),
    (
        "chatstate test --only replay/tex -- python3 sdk.py",
        2,
        &["did you mean `replay/text`"],
    ),
    (
        "chatstate test --only round-trip/null-raw --expect none.toml",
        2,
        &["help: give the path of a readable file\n"],
    ),
    (
        "chatstate test --only round-trip/null-raw --only round-trip/content-call --only round-trip/session-list-empty --only round-trip/message-activity -- python3 events.py",
        1,
        &["round-trip     4: 1 fail, 3 skip"],
    ),
    (
        "chatstate show replay/snapsht",
        2,
        &["did you mean `replay/snapshot`?"],
    ),
    (
        "chatstate list --suite replya",
        2,
        &["did you mean `replay`?"],
    ),
    (
        "chatstate generate python --schema - --schema - --out types < chat.json",
        2,
        &["stdin is named twice"],
    ),
    (
        "chatstate verify - - < chat.json",
        2,
        &["stdin is named twice"],
    ),
    (
        "chatstate verify --jobs 2 - < chat.json",
        2,
        &["`--jobs` has no effect on one log"],
    ),
    ("chatstate test --corpus none", 2, &["cannot read `none`"]),
    (
        "chatstate new case mine --op replay",
        2,
        &["such as `round-trip/my-chat`"],
    ),
    (
        "chatstate new case a/b --op round-trip",
        2,
        &["name it with `--type`"],
    ),
];

#[test]
fn calls_come_to_what_their_rows_say() {
    let folder = folder();
    for (line, expected, says) in CALLS {
        let (code, said) = shell(folder.path(), line);
        assert_eq!(code, *expected, "{line}: {said}");
        for words in *says {
            assert!(said.contains(words), "{line}: {said}");
        }
    }
}

/// A case that has lost a part of what was wrong with it got better.
#[test]
fn a_part_of_a_failure_is_better_than_all_of_it() {
    let folder = folder();
    let run = "chatstate test --only round-trip/unknown-event-odd-members";
    for (name, sdk) in [("before", "sdk.py"), ("after", "better.py")] {
        let line = format!("{run} --report jsonl={name}.jsonl -- python3 {sdk}");
        assert_eq!(shell(folder.path(), &line).0, 1, "{line}");
    }
    for (files, code, count) in [
        ("before.jsonl after.jsonl", 0, "0 worse, 0 otherwise"),
        ("after.jsonl before.jsonl", 1, "0 worse, 1 otherwise"),
    ] {
        let line = format!("chatstate report diff --only-worse {files}");
        let (found, said) = shell(folder.path(), &line);
        assert_eq!(found, code, "{line}: {said}");
        assert!(said.contains(count), "{line}: {said}");
    }
    let (_, said) = shell(
        folder.path(),
        "chatstate report diff before.jsonl after.jsonl",
    );
    assert!(said.contains("1 better"), "{said}");
}

/// Runs of one SDK are told apart on a page by their files.
#[test]
fn runs_of_one_sdk_have_the_names_of_their_files() {
    let folder = folder();
    for name in ["one", "two"] {
        let line = format!(
            "chatstate test --only round-trip/null-raw --report jsonl={name}.jsonl -- python3 sdk.py"
        );
        assert_eq!(shell(folder.path(), &line).0, 1, "{line}");
    }
    let line = "chatstate report show --report html=page.html one.jsonl two.jsonl";
    assert_eq!(shell(folder.path(), line).0, 0);
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    for name in ["tiny 1 (python), one.jsonl", "tiny 1 (python), two.jsonl"] {
        assert!(page.contains(name), "{name}");
    }
    // What is wrong with a report is said once.
    let text = fs::read_to_string(folder.path().join("one.jsonl")).expect("a report");
    let changed = text.replace("\"verdict\":\"fail\"", "\"verdict\":\"pass\"");
    assert_ne!(changed, text);
    fs::write(folder.path().join("one.jsonl"), changed).expect("a file");
    let (_, said) = shell(folder.path(), "chatstate report verify one.jsonl");
    let first = said
        .lines()
        .find(|line| line.len() > 40)
        .expect("a sentence");
    let sentence = &first[first.len() - 30..];
    assert_eq!(said.matches(sentence).count(), 1, "{said}");
}

/// What stands between the first two backticks after a word.
fn hint<'said>(said: &'said str, word: &str) -> &'said str {
    let (_, rest) = said
        .split_once(word)
        .unwrap_or_else(|| panic!("no `{word}`: {said}"));
    rest.split('`').nth(1).expect("a command in backticks")
}

/// A case is begun, finished and run by the commands that the program itself names.
#[test]
fn a_case_of_ones_own_runs_beside_the_corpus() {
    let folder = folder();
    let (code, said) = shell(folder.path(), "mkdir cases; chatstate test --corpus cases");
    assert_eq!(code, 2, "{said}");
    let begin = hint(&said, "<suite>/<name>.json`;").to_owned();
    let (code, said) = shell(folder.path(), &begin);
    assert_eq!(code, 0, "{begin}: {said}");
    let run = hint(&said, "then run").to_owned();
    let (code, said) = shell(folder.path(), &begin);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("is there already"), "{said}");

    let case = folder.path().join("cases/round-trip/my-chat.json");
    let text = fs::read_to_string(&case).expect("the case");
    let chat = r#""input": {"history":[],"channels":[],"ext":{"a":null}}"#;
    fs::write(&case, text.replace("\"input\": {}", chat)).expect("a file");
    let (code, said) = shell(folder.path(), &format!("{run} -- python3 sdk.py"));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("`/ext/a` absent-for-null"), "{said}");
    let again = said.split("again     ").nth(1).expect("a command");
    let again = again.lines().next().expect("a line").to_owned();
    assert!(again.contains("--corpus cases"), "{again}");
    assert_eq!(shell(folder.path(), &again).0, 1, "{again}");
    assert_eq!(shell(folder.path(), &run).0, 0, "{run}");

    // An id is that of one case.
    fs::create_dir(folder.path().join("other")).expect("a folder");
    let (code, said) = shell(
        folder.path(),
        "mkdir other/round-trip; echo '{}' > other/round-trip/null-raw.json; chatstate test --corpus other",
    );
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("other/round-trip/null-raw.json"), "{said}");
    assert!(said.contains("another case has this id"), "{said}");
}

/// What a search finds is written as cases, and those are run.
#[test]
fn found_cases_are_run() {
    let folder = folder();
    let search =
        "chatstate fuzz --op round-trip --cases 60 --seed 1 --promote found -- python3 sdk.py";
    let (code, said) = shell(folder.path(), search);
    assert_eq!(code, 1, "{said}");
    let found = fs::read_dir(folder.path().join("found/round-trip")).expect("cases");
    let found = found.count();
    assert!(found > 1, "{said}");
    let run = "chatstate test --corpus found --only 'round-trip/found-*' -- python3";
    let (code, said) = shell(folder.path(), &format!("{run} sdk.py"));
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains(&format!("round-trip {found:5}: {found} fail")),
        "{said}"
    );
}

/// The first step of the guide: an adapter that answers the handshake.
#[test]
fn a_new_adapter_shakes_hands() {
    let folder = folder();
    let (code, said) = shell(folder.path(), "chatstate new adapter python && ls adapter");
    assert_eq!(code, 0, "{said}");
    let (code, said) = shell(folder.path(), "chatstate new adapter cobol");
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("the values are `dotnet`, `python`, `rust`, `typescript`"),
        "{said}"
    );
}

/// A new list says each kind of failure once, and excuses no other one.
#[test]
fn a_list_of_kinds_is_short_and_true() {
    let folder = folder();
    let update = "chatstate expect update --group new.toml -- python3 sdk.py";
    let (code, said) = shell(folder.path(), update);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("added    absent-for-null@*:"), "{said}");
    let list = fs::read_to_string(folder.path().join("new.toml")).expect("the list");
    assert!(list.matches("[[expect]]").count() < 12, "{list}");
    assert!(
        list.contains("fingerprint = \"absent-for-null@*\"\nmax = "),
        "{list}"
    );
    let run = "chatstate test --expect new.toml --quiet -- python3";
    let (code, said) = shell(folder.path(), &format!("{run} sdk.py"));
    assert_eq!(code, 0, "{said}");
    let (code, said) = shell(folder.path(), update);
    assert_eq!((code, said.as_str()), (0, "nothing to change\n"));
    // A null that is dropped beside another loss is another failure.
    let worse = SDK.replace("v is not None and", "v is not None and k != \"name\" and");
    fs::write(folder.path().join("worse.py"), worse).expect("a file");
    let (code, said) = shell(folder.path(), &format!("{run} worse.py"));
    assert_eq!(code, 1, "{said}");
}

/// A case of one's own that the SDK fails, since it drops nulls.
const OWN_CASE: &str = r#"{"title":"a null is kept","requirements":["round-trip.null"],"needs":["chat"],"why":"it was set","op":"round-trip",
"type":"ChatState","input":{"history":[],"channels":[],"ext":{"a":null}},"since":"1"}"#;

/// A fixture that asks for a message that nobody sent.
const FIXTURE: &str = r#"{"name":"hello","stream":[{"type":"RUN_STARTED","threadId":"t","runId":"r"}],
"expect":{"outcome":"completed","messages":[{"id":"m"}]}}"#;

/// Lists about own cases: what brings them up to date, the run that they are then true of, and what they
/// name.
const LISTS: &[(&str, &str, &str)] = &[
    (
        "--corpus cases",
        "python3 sdk.py",
        "case = \"round-trip/mine\"",
    ),
    (
        "--fixtures hello.json",
        "chatstate adapter",
        "case = \"hello/replay\"",
    ),
];

#[test]
fn lists_of_own_cases_are_kept_up_to_date() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("cases/round-trip")).expect("a folder");
    fs::write(folder.path().join("cases/round-trip/mine.json"), OWN_CASE).expect("a file");
    fs::write(folder.path().join("hello.json"), FIXTURE).expect("a file");
    for (own, adapter, entry) in LISTS {
        let update = format!("chatstate expect update list-of-own.toml {own} -- {adapter}");
        fs::remove_file(folder.path().join("list-of-own.toml")).ok();
        let (code, said) = shell(folder.path(), &update);
        assert_eq!(code, 0, "{update}: {said}");
        let list = fs::read_to_string(folder.path().join("list-of-own.toml")).expect("a list");
        assert!(list.contains(entry), "{list}");
        let (_, said) = shell(folder.path(), &update);
        assert_eq!(said.lines().last(), Some("nothing to change"), "{update}");
        let run = format!(
            "chatstate test {own} --report jsonl=own.jsonl --expect list-of-own.toml -- {adapter}"
        );
        let (code, said) = shell(folder.path(), &run);
        assert_eq!(code, 0, "{run}: {said}");

        // The report says what it is about, and is no run of the corpus alone.
        let from = "chatstate expect update from.toml --from own.jsonl";
        let (code, said) = shell(folder.path(), from);
        assert_eq!(code, 3, "{said}");
        let (option, _) = own.split_once(' ').expect("an option");
        assert!(said.contains(&format!("give `{option}`")), "{said}");
        let (code, said) = shell(folder.path(), &format!("rm -f from.toml; {from} {own}"));
        assert_eq!(code, 0, "{said}");
        let again = fs::read_to_string(folder.path().join("from.toml")).expect("a list");
        assert!(again.contains(entry), "{again}");
    }
}

/// Code scanning shows a result in the repository that is scanned: a failure at the adapter, a failure
/// of an own case at that case, and an expected failure at the entry that expects it.
#[test]
fn sarif_points_into_the_repository() {
    let folder = folder();
    for name in ["cases/round-trip", "my sdk"] {
        fs::create_dir_all(folder.path().join(name)).expect("a folder");
    }
    fs::write(folder.path().join("cases/round-trip/mine.json"), OWN_CASE).expect("a file");
    fs::write(folder.path().join("my sdk/the adapter.py"), SDK).expect("a file");
    let list = "# known\n\n[[expect]]\ncase = \"round-trip/null-text\"\nreason = \"dropped\"\n";
    fs::write(folder.path().join("known.toml"), list).expect("a file");
    let line = "chatstate test --corpus cases --expect known.toml --only 'round-trip/null-*' --only round-trip/mine \
                --report sarif -- python3 'my sdk/the adapter.py'";
    let (code, said) = shell(folder.path(), line);
    assert_eq!(code, 1, "{said}");
    let page: serde_json::Value = serde_json::from_str(&said).expect("SARIF");
    let results = page["runs"][0]["results"].as_array().expect("results");
    let place = |case: &str| {
        let result = results.iter().find(|it| it["properties"]["case"] == case);
        let location = &result.expect("a result")["locations"][0]["physicalLocation"];
        format!(
            "{} {}",
            location["artifactLocation"]["uri"], location["region"]["startLine"]
        )
    };
    for (case, expected) in [
        ("round-trip/null-raw", "\"my%20sdk/the%20adapter.py\" 1"),
        ("round-trip/mine", "\"cases/round-trip/mine.json\" 1"),
        ("round-trip/null-text", "\"known.toml\" 3"),
    ] {
        assert_eq!(place(case), expected, "{case}");
    }
}
