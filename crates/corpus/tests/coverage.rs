//! Which points of the schema a case touches, and which one it violates.

use chatstate_corpus::coverage::{Coverage, coverage};
use chatstate_corpus::{Corpus, VERSION, load_dir};

/// A corpus of one case of `validate` about a run input, and rows of exceptions.
fn corpus(input: &str, expect: &str, exceptions: &str) -> Corpus {
    let case = format!(
        r#"{{ "title": "a title", "requirements": ["a.must"], "needs": ["events"],
             "why": "it matters", "op": "validate", "type": "RunAgentInput", "input": {input},
             "expect": {expect}, "since": "1" }}"#
    );
    let files = [
        ("s/case.json", case),
        ("excluded.toml", exceptions.to_owned()),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes()));
    load_dir(VERSION, files).expect("the files are well-formed")
}

fn covered(input: &str, expect: &str) -> Coverage {
    coverage(&corpus(input, expect, ""))
}

const OK: &str = r#"{ "ok": true }"#;
const REJECTED: &str = r#"{ "rejected": { "class": "schema" } }"#;

/// An accepted document touches all of these, and not `but`.
fn check_touched(input: &str, points: &[&str], but: &str) {
    let touched = covered(input, OK).touched;
    for point in points {
        assert!(touched.contains(*point), "{point}: {touched:?}");
    }
    assert!(!touched.contains(but), "{touched:?}");
}

/// A rejected document violates these and no others.
fn check_violated(input: &str, points: &[&str]) {
    let violated = covered(input, REJECTED).violated;
    let violated: Vec<_> = violated.iter().map(String::as_str).collect();
    assert_eq!(violated, points, "{input}");
}

#[test]
fn accepted_documents_touch_what_they_have() {
    check_touched(
        r#"{ "threadId": "t", "runId": "r", "messages": [] }"#,
        &["RunAgentInput/threadId", "RunAgentInput/messages"],
        "RunAgentInput/messages[]",
    );
    check_touched(
        r#"{ "threadId": "t", "runId": "r", "messages": [
             { "id": "m", "role": "user", "content": [{ "type": "text", "text": "" }] },
             { "id": "n", "role": "oracle" } ] }"#,
        &[
            "RunAgentInput/messages[]",
            "Message:user",
            "Message:*",
            "TextOrParts|array",
            "ContentPart:text",
            "TextPart/text",
        ],
        "TextOrParts|string",
    );
}

#[test]
fn rejected_documents_violate_where_their_fault_is() {
    check_violated(
        r#"{ "threadId": 1, "runId": "r", "messages": [] }"#,
        &["RunAgentInput/threadId"],
    );
    check_violated(
        r#"{ "runId": "r", "messages": [] }"#,
        &["RunAgentInput/threadId required"],
    );
    check_violated(
        r#"{ "threadId": "t", "runId": "r", "messages": [{ "id": "m", "content": "" }] }"#,
        &["Message without role"],
    );
    check_violated(
        r#"{ "threadId": "t", "runId": "r", "messages": [],
             "resume": [{ "interruptId": "i", "status": "maybe" }] }"#,
        &["ResumeEntry/status", "ResumeStatus enum"],
    );
}

#[test]
fn two_faults_violate_nothing() {
    check_violated(r#"{ "threadId": 1, "runId": 1, "messages": [] }"#, &[]);
}

#[test]
fn gaps_are_told_unless_they_are_excepted() {
    let input = r#"{ "threadId": "t", "runId": "r", "messages": [] }"#;
    let found = |exceptions: &str| {
        let corpus = corpus(input, OK, exceptions);
        let problems = coverage(&corpus).problems(&corpus);
        let messages = problems.into_iter().map(|problem| problem.message);
        messages.collect::<Vec<_>>()
    };
    let row = |point: &str| format!("[[uncovered]]\npoint = '{point}'\nreason = 'no way'\n");
    let gap = "no case touches `RunAgentInput/tools`".to_owned();
    assert!(found("").contains(&gap));
    assert!(!found(&row("RunAgentInput/tools")).contains(&gap));
    assert!(!found(&row("RunAgentInput/*")).contains(&gap));
    assert_eq!(found(&row("*")), Vec::<String>::new());
    let stale = "`RunAgentInput/toys` names no point that is not covered".to_owned();
    assert!(found(&row("RunAgentInput/toys")).contains(&stale));
}
