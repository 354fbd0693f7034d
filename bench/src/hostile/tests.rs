//! The inputs are what they are said to be: few items of each, judged by the library.

use chatstate::replay::read_stream;
use chatstate::verify::verify;

use super::documents::flood;
use super::measure::{WrittenInput, spelled};
use super::rows::{HostileInput, ROWS, RightEnd};

/// How many items an input has here.
const FEW: usize = 6;

fn logs() -> impl Iterator<Item = (&'static str, String)> {
    ROWS.iter().filter_map(|row| match (row.input)(FEW) {
        HostileInput::Log(text) => Some((row.goal.id, text)),
        HostileInput::Documents(_) => None,
    })
}

#[test]
fn every_log_is_valid() {
    for (id, text) in logs() {
        let events = read_stream(&text).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(events.len() >= FEW / 2, "{id}: {} events", events.len());
        let verification = verify(&events);
        assert!(
            verification.is_valid(),
            "{id}: {:?}, {:?}",
            verification.errors,
            verification.warnings
        );
    }
}

#[test]
fn every_document_is_json() {
    for row in ROWS {
        let HostileInput::Documents(texts) = (row.input)(FEW) else {
            continue;
        };
        for text in texts {
            let read = chatstate::json::parse(&text);
            assert!(read.is_ok(), "{}: {:?}", row.goal.id, read.err());
        }
    }
}

#[test]
fn twice_the_items_are_twice_the_bytes() {
    for row in ROWS {
        let bytes = |count| match (row.input)(count) {
            HostileInput::Log(text) => text.len(),
            HostileInput::Documents(texts) => texts.iter().map(String::len).sum(),
        };
        let (one, two) = (bytes(100), bytes(200));
        assert!(
            one * 2 <= two + 1_000 && two <= one * 5 / 2,
            "{}: {one} and {two}",
            row.goal.id
        );
    }
}

#[test]
fn copies_that_double_reach_the_limit() {
    for (id, count) in [("doubling", 32), ("doubling-activities", 1)] {
        let row = ROWS.iter().find(|row| row.goal.id == id).expect("the row");
        assert!(matches!(row.end, RightEnd::Limit("than 64 MiB")), "{id}");
        let HostileInput::Log(text) = (row.input)(count) else {
            panic!("{id} is no log");
        };
        assert!(text.len() < 4_000, "{id}: {} bytes", text.len());
    }
}

#[test]
fn commands_name_the_files_of_their_row() {
    for row in ROWS {
        let folder = tempfile::tempdir().expect("a folder");
        let input = WrittenInput::write(&row, FEW, folder.path()).expect("an input");
        for command in row.commands {
            let arguments = input.arguments(command).expect("arguments");
            let wrong = |argument: &std::path::PathBuf| argument.to_string_lossy().contains('{');
            assert!(!arguments.iter().any(wrong), "{}", spelled(command));
        }
    }
}

#[test]
fn a_flood_answers_each_request() {
    let requests = "{\"cmd\":\"start\"}\n{\"cmd\":\"run\",\"seq\":1}\n{\"cmd\":\"stop\"}\n";
    let mut answers = Vec::new();
    flood(requests.as_bytes(), &mut answers, 3).expect("answers");
    let answers = String::from_utf8(answers).expect("text");
    assert_eq!(answers.lines().nth(1), Some(r#"{"seq":1,"ok":[0,0,0]}"#));
}
