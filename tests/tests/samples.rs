//! Chats and sessions as SDKs save them: each reads in its dialect, is valid in the canonical form, and
//! comes back without loss.

use chatstate::dialect::{CANONICAL, Conversion, DIALECTS, convert_bytes, same};
use chatstate::json::{Value, parse};
use chatstate::validate::check_value;
use chatstate_tests::workspace;

const SAMPLES: &str = "tests/samples";

#[test]
fn samples_come_back() {
    for dialect in DIALECTS {
        let folder = format!("{SAMPLES}/{}", dialect.name);
        let files = workspace::names_in(&folder);
        assert!(!files.is_empty(), "`{folder}` has no sample");
        for file in files {
            check(dialect.name, &format!("{folder}/{file}"));
        }
    }
}

#[track_caller]
fn check(name: &str, file: &str) {
    let text = workspace::text(file);
    let read = converted(file, &text, name, CANONICAL, None);
    assert_eq!(read.losses, [], "{file}");
    check_valid(file, &read.document);
    let dialect = chatstate::dialect::dialect(name).unwrap();
    let theirs = parse(&text).unwrap();
    let kind = dialect
        .documents
        .iter()
        .find(|kind| (kind.matches)(&theirs));
    let canonical = read.document.to_json();
    let kind = kind.map(|kind| kind.name);
    let written = converted(file, &canonical, CANONICAL, name, kind);
    assert_eq!(written.losses, [], "{file}");
    let document = written.document;
    assert!(
        same(dialect, &theirs, &document),
        "{file} comes back as {}",
        document.to_json()
    );
}

fn converted(file: &str, text: &str, from: &str, to: &str, kind: Option<&str>) -> Conversion {
    let result = convert_bytes(text.as_bytes(), from, to, kind).unwrap();
    result.unwrap_or_else(|rejection| panic!("{file} to `{to}`: {rejection}"))
}

fn check_valid(file: &str, document: &Value) {
    let types = ["ChatState", "ChatMessage", "AgentSession", "SessionList"];
    let is_valid = |name: &&str| check_value(name, document).is_some_and(|it| it.is_ok());
    assert!(
        types.iter().any(is_valid),
        "{file} is read as {}",
        document.to_json()
    );
}

#[test]
fn every_dialect_has_samples() {
    let mut folders = workspace::names_in(SAMPLES);
    folders.retain(|name| workspace::path(SAMPLES).join(name).is_dir());
    let mut names: Vec<_> = DIALECTS.iter().map(|it| it.name).collect();
    names.sort_unstable();
    assert_eq!(folders, names);
}
