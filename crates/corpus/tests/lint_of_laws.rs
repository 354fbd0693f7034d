//! What the lint says of cases of `compact` and `attach`: their arguments, and their laws.

use chatstate_corpus::{
    ArgumentValue, OperationArgument, VERSION, Vocabulary, lint, load_dir, specification,
};
use serde_json::{Value, json};

/// A log that verifies.
fn log() -> Value {
    json!([{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}])
}

fn vocabulary() -> Vocabulary {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let argument = |name: &str, required: bool, takes: ArgumentValue| OperationArgument {
        name: name.to_owned(),
        required,
        takes,
    };
    let compact = vec![
        argument(
            "level",
            true,
            ArgumentValue::Word(owned(&["stream", "snapshot"])),
        ),
        argument("partial", false, ArgumentValue::Flag),
        argument("run", false, ArgumentValue::Text),
    ];
    Vocabulary {
        operations: owned(&["compact", "attach", "replay"]),
        arguments: [("compact".to_owned(), compact)].into(),
        capabilities: owned(&["snapshots"]),
        values: vec![["level", "snapshot", "snapshots"].map(str::to_owned)],
        ..Vocabulary::default()
    }
}

/// Lints one case; `expected` are the beginnings of what is found.
fn check(changes: &Value, expected: &[&str]) {
    let mut case = json!({
        "title": "a title", "requirements": ["a.must"], "why": "it matters", "op": "compact",
        "args": {"level": "stream"}, "input": log(), "expect": {"laws": ["closed"]}, "since": "1"
    });
    let changes = changes
        .as_object()
        .expect("the changes are an object")
        .clone();
    case.as_object_mut()
        .expect("the case is an object")
        .extend(changes);
    let files = vec![("suite/one.json".to_owned(), case.to_string().into_bytes())];
    let corpus = load_dir(VERSION, files).expect("the file is well-formed");
    let requirements = specification::parse("**[a.must]** It MUST.").expect("it is well-formed");
    let problems = lint(&corpus, &requirements, &vocabulary());
    let found: Vec<_> = problems
        .iter()
        .map(|it| format!("{} {}", it.at, it.message))
        .collect();
    let begins = |(found, words): (&String, &&str)| found.starts_with(words);
    let holds = found.len() == expected.len() && found.iter().zip(expected).all(begins);
    assert!(holds, "{case}: {found:#?}");
}

fn laws(laws: &[&str]) -> Value {
    json!({ "expect": { "laws": laws } })
}

#[test]
fn laws_are_named_once_and_fit_the_operation() {
    check(&laws(&["closed", "never-larger"]), &[]);
    check(&laws(&[]), &["`/expect/laws` no law judges this case"]);
    check(
        &laws(&["closed", "closed"]),
        &["`/expect/laws/1` `closed` occurs twice"],
    );
    check(
        &laws(&["attach"]),
        &["`/expect/laws/0` `attach` is no law of `compact`"],
    );
    let attach = json!({"op": "attach", "args": {}, "expect": {"laws": ["attach"]}});
    check(&attach, &[]);
    let replay = json!({"op": "replay", "args": {}});
    check(
        &replay,
        &["`/expect/laws/0` `closed` is no law of `replay`"],
    );
}

#[test]
fn laws_judge_what_verifies() {
    let open = json!([{"type": "TEXT_MESSAGE_END", "messageId": "m"}]);
    check(
        &json!({"input": open}),
        &["`/input` no law judges an input that does not verify: "],
    );
    let no_list = json!({"input": {"type": "RAW", "event": 1}});
    check(&no_list, &["`/input` no law judges"]);
    check(
        &json!({"input": [{"type": "RUN_STARTED"}]}),
        &["`/input` no law judges"],
    );
}

#[test]
fn exact_events_bind_the_reference_alone() {
    let exact = json!({"expect": {"ok": log()}});
    check(&exact, &["`/expect/ok` other events may be right, too"]);
    check(
        &json!({"expect": {"ok": log()}, "profile": "reference"}),
        &[],
    );
}

#[test]
fn arguments_are_what_the_operation_takes() {
    let with = |args: Value| json!({ "args": args });
    check(
        &with(json!({})),
        &["`/args` `compact` needs the argument `level`"],
    );
    check(
        &with(json!({"level": "medium"})),
        &["`/args/level` `level` cannot be \"medium\""],
    );
    check(
        &with(json!({"level": "stream", "partial": "yes"})),
        &["`/args/partial` `partial` cannot be \"yes\""],
    );
    check(
        &with(json!({"level": "stream", "run": 1})),
        &["`/args/run` `run` cannot be 1"],
    );
    check(
        &with(json!({"level": "stream", "partial": true, "run": "r"})),
        &[],
    );
    check(
        &with(json!({"level": "stream", "depth": 1})),
        &["`/args/depth` `compact` takes no argument `depth`"],
    );
}

#[test]
fn lint_of_values_that_not_everyone_has() {
    let snapshot = json!({"level": "snapshot"});
    check(&json!({"args": snapshot, "needs": ["snapshots"]}), &[]);
    check(
        &json!({"args": snapshot}),
        &["`/needs` `level` is `snapshot` without a need for `snapshots`"],
    );
}
