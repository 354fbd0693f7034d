//! The judgement of a value tree is the judgement of its text, over the whole corpus.

use chatstate::generated::ROOT_NAMES;
use chatstate::json::{Surrogates, parse_with};
use chatstate::validate::{check_value, validate};
use chatstate::{Class, Rejection};
use chatstate_tests::embedded::{corpus, input_text};

/// What two judgements of one document have in common. The message is not part of it: a text has
/// lines and columns, and a tree has none.
fn judgement(result: Result<(), Rejection>) -> Result<(), (Class, String, String)> {
    result.map_err(|rejection| (rejection.class, rejection.rule.into_owned(), rejection.at))
}

/// Judges a document as every root type; gives how many of the judgements were rejections, or nothing
/// for a text that is no tree.
fn check(place: &str, text: &str) -> Option<usize> {
    let value = parse_with(text, Surrogates::AllowUnpairedAtEnds).ok()?;
    let mut rejections = 0;
    for type_name in ROOT_NAMES {
        let by_text = judgement(validate(type_name, text).expect("a root type"));
        let by_value = judgement(check_value(type_name, &value).expect("a root type"));
        assert_eq!(by_value, by_text, "{place} as {type_name}: {text}");
        rejections += usize::from(by_text.is_err());
    }
    Some(rejections)
}

#[test]
fn trees_and_texts_of_the_corpus_are_judged_alike() {
    let mut documents = 0;
    let mut rejections = 0;
    for case in corpus().cases() {
        let Some(text) = input_text(case) else {
            continue;
        };
        if let Some(rejected) = check(&case.id, &text) {
            documents += 1;
            rejections += rejected;
        }
    }
    assert!(documents > 150, "only {documents} documents were trees");
    assert!(
        rejections > documents,
        "only {rejections} rejections of {documents} documents"
    );
}

/// Documents with an unpaired surrogate where none may be, or with a version that is not supported.
const MORE: &[(&str, &str)] = &[
    (
        "a half in a delta",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d"}"#,
    ),
    (
        "a half in an id",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"\ud83d","delta":""}"#,
    ),
    (
        "a half in any value",
        r#"{"type":"CUSTOM","name":"n","value":[{"a":"\ude00"}]}"#,
    ),
    (
        "a half in an unknown member",
        r#"{"type":"RUN_ERROR","message":"m","more":{"a":["\ud83d"]}}"#,
    ),
    (
        "a half in an unknown event",
        r#"{"type":"FUTURE","delta":"\ud83d"}"#,
    ),
    ("a half in a tag", r#"{"type":"\ud83d"}"#),
    (
        "a half before a wrong type",
        r#"{"type":"RUN_ERROR","timestamp":"x","message":"\ud83d"}"#,
    ),
    (
        "a half in a version",
        r#"{"schemaVersion":"\ud83d","history":[],"channels":[]}"#,
    ),
    ("another version", r#"{"schemaVersion":"2","history":0}"#),
    (
        "another version and a half",
        r#"{"schemaVersion":"2","history":[],"channels":[],"more":"\ud83d"}"#,
    ),
    (
        "a version that is no text",
        r#"{"schemaVersion":2,"history":[],"channels":[]}"#,
    ),
];

#[test]
fn halves_and_versions_are_judged_alike() {
    for (place, text) in MORE {
        assert!(check(place, text).is_some(), "{place}: {text} is no tree");
    }
}

#[test]
fn deep_trees_are_judged_alike() {
    let open = r#"{"role":"user","items":[{"type":"message","message":"#;
    // A content that is no message at the bottom, and one that is malformed.
    for bottom in [
        r#"{"role":"user","items":[]}"#,
        r#"{"role":"user","items":[{"type":5}]}"#,
    ] {
        for depth in [1, 100, 168] {
            let text = open.repeat(depth) + bottom + &"}]}".repeat(depth);
            assert!(check("deep", &text).is_some(), "depth {depth}");
        }
    }
    let arrays = "[".repeat(500) + &"]".repeat(500);
    let text = format!(r#"{{"type":"RAW","event":{arrays}}}"#);
    assert!(check("arrays", &text).is_some());
}
