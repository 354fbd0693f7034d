//! Chats and sessions as SDKs save them: each reads in its dialect, is valid in the canonical form, and
//! comes back without loss, or there is a reason.

use chatstate::Rejection;
use chatstate::dialect::{CANONICAL, Conversion, DIALECTS, convert_bytes, same};
use chatstate::json::{Value, parse};
use chatstate::validate::check_value;
use chatstate_tests::samples::{self, EXCEPTIONS, Sample, SampleOutcome};

#[test]
fn samples_come_back() {
    let mut exceptions = 0;
    for sample in samples::all() {
        let ends = comes_home(&sample);
        let named = sample.exception().map(|it| it.ends);
        exceptions += usize::from(named.is_some());
        assert_eq!(
            ends.as_ref(),
            named.map(End::of).as_ref(),
            "{}",
            sample.file
        );
    }
    assert_eq!(exceptions, EXCEPTIONS.len(), "an exception names no sample");
}

/// What became of a sample that did not come home.
#[derive(Debug, PartialEq)]
enum End {
    Rejected(String, String),
    NotWritten(String),
    Changed(Vec<String>),
}

impl End {
    fn of(ends: SampleOutcome) -> Self {
        match ends {
            SampleOutcome::Rejected(rule, at) => Self::Rejected(rule.to_owned(), at.to_owned()),
            SampleOutcome::NotWritten(rule) => Self::NotWritten(rule.to_owned()),
            SampleOutcome::Changed(places) => {
                Self::Changed(places.iter().map(|&at| at.to_owned()).collect())
            }
        }
    }
}

/// Converts a sample and back, and says what became of it if it is not the same.
fn comes_home(sample: &Sample) -> Option<End> {
    let (file, text) = (&sample.file, sample.text());
    let read = match converted(&text, &sample.dialect, CANONICAL, None) {
        Ok(read) => read,
        Err(it) => return Some(End::Rejected(it.rule.to_string(), it.at)),
    };
    check_valid(file, &read.document);
    let dialect = chatstate::dialect::dialect(&sample.dialect).unwrap();
    let theirs = parse(&text).unwrap();
    let mut kinds = dialect.documents.iter();
    let kind = kinds.find(|kind| (kind.matches)(&theirs));
    let kind = kind.map(|kind| kind.name);
    let canonical = read.document.to_json();
    let written = match converted(&canonical, CANONICAL, &sample.dialect, kind) {
        Ok(written) => written,
        Err(it) => return Some(End::NotWritten(it.rule.to_string())),
    };
    assert_eq!(written.losses, [], "{file}");
    if read.losses.is_empty() {
        assert!(
            same(dialect, &theirs, &written.document),
            "{file} comes back as {}",
            written.document.to_json()
        );
        return None;
    }
    assert!(
        !same(dialect, &theirs, &written.document),
        "{file} loses nothing"
    );
    Some(End::Changed(
        read.losses.into_iter().map(|it| it.at).collect(),
    ))
}

fn converted(
    text: &str,
    from: &str,
    to: &str,
    kind: Option<&str>,
) -> Result<Conversion, Rejection> {
    convert_bytes(text.as_bytes(), from, to, kind).unwrap()
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
    let mut names: Vec<_> = DIALECTS.iter().map(|it| it.name).collect();
    names.sort_unstable();
    assert_eq!(samples::dialects(), names);
}
