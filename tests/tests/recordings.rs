//! What real producers wrote is valid, survives a round trip, and means what their peers say.

use chatstate::diff::diff;
use chatstate::generated::Event;
use chatstate::json::to_text;
use chatstate::json::{Surrogates, Value, WriteJson, parse_with};
use chatstate::lineage::lineage;
use chatstate::replay::{read_stream, replay};
use chatstate_tests::program::chatstate;
use chatstate_tests::recording::{Recording, recordings};
use chatstate_tests::workspace;

const FOLDER: &str = "tests/recordings";

#[test]
fn every_recording_is_valid() {
    for recording in recordings() {
        let file = format!("{FOLDER}/{}", recording.name);
        let validated = chatstate(&["validate", "--type", "EventStream", &file], b"");
        assert_eq!(validated.code, 0, "{}", validated.stderr);
    }
}

#[test]
fn every_recording_verifies() {
    for recording in recordings() {
        let file = format!("{FOLDER}/{}", recording.name);
        let verified = chatstate(&["verify", "--json", &file], b"");
        assert_eq!(verified.code, 0, "{file}: {}", verified.stdout);
    }
}

/// No producer of these recordings names a parent, so every thread is one line of runs.
#[test]
fn every_lineage_is_a_line() {
    for recording in recordings() {
        let events = read_stream(&recording.text).expect("a recording can be read");
        let lineage = lineage(&events);
        let predecessors = lineage.runs.iter().map(|run| run.predecessor);
        let before = (0..lineage.runs.len()).map(|place: usize| place.checked_sub(1));
        assert!(predecessors.eq(before), "{}", recording.name);
    }
}

#[test]
fn every_event_survives_a_round_trip() {
    for recording in recordings() {
        for (index, line) in recording.lines().enumerate() {
            let place = format!("{}:{}", recording.name, index + 1);
            let event = Event::from_json(line);
            let event = event.unwrap_or_else(|rejection| panic!("{place}: {rejection}"));
            let lost = diff(&value_of(line), &value_of(&to_text(&event)), None).found;
            assert!(lost.is_empty(), "{place}: {lost:?}");
        }
    }
}

#[test]
fn every_recording_replays() {
    for recording in recordings() {
        let runs = recording
            .lines()
            .filter(|line| value_of(line).get("type") == Some(&"RUN_STARTED".into()));
        let replayed = replayed(&recording);
        let listed = replayed
            .get("runs")
            .and_then(Value::as_array)
            .map(<[Value]>::len);
        assert_eq!(listed, Some(runs.count()), "{}", recording.name);
        let messages = replayed.get("messages").and_then(Value::as_array);
        assert!(
            messages.is_some_and(|messages| !messages.is_empty()),
            "{}",
            recording.name
        );
    }
}

#[test]
fn the_command_line_says_the_same() {
    for recording in recordings() {
        let file = format!("{FOLDER}/{}", recording.name);
        let printed = chatstate(&["replay", &file], b"");
        assert_eq!(printed.code, 0, "{file}: {}", printed.stderr);
        // One thread was recorded with a patch that does not apply, which is said.
        let of_patch = |line: &str| line.ends_with("(rule `verify.failed-patch`)");
        assert!(
            printed.stderr.lines().all(of_patch),
            "{file}: {}",
            printed.stderr
        );
        let lost = diff(&replayed(&recording), &value_of(&printed.stdout), None).found;
        assert!(lost.is_empty(), "{file}: {lost:?}");
    }
}

/// `replayed/NAME.json` holds what the peer makes of each thread whose name begins with NAME.
#[test]
fn peers_hold_the_same_chat() {
    let recordings = recordings();
    for name in workspace::names_in(&format!("{FOLDER}/replayed")) {
        let peer = value_of(&workspace::text(&format!("{FOLDER}/replayed/{name}")));
        let prefix = format!("threads/{}", name.trim_end_matches(".json"));
        let of_peer = recordings.iter().filter(|it| it.name.starts_with(&prefix));
        let of_peer: Vec<_> = of_peer.collect();
        assert!(!of_peer.is_empty(), "no thread belongs to `{name}`");
        for recording in of_peer {
            check(recording, &peer);
        }
    }
}

fn check(recording: &Recording, peer: &Value) {
    let ours = replayed(recording);
    for member in ["messages", "state"] {
        let (theirs, ours) = (peer.get(member), ours.get(member));
        let (Some(theirs), Some(ours)) = (theirs, ours) else {
            panic!("{}: one of the two has no `{member}`", recording.name);
        };
        let differences = diff(theirs, ours, None).found;
        assert!(
            differences.is_empty(),
            "{} `{member}`: {differences:?}",
            recording.name
        );
    }
}

/// The table of the recordings' page names every file with its number of events and runs.
#[test]
fn the_page_lists_every_recording() {
    let page = workspace::text(&format!("{FOLDER}/README.md"));
    for recording in recordings() {
        let events = recording.lines().count();
        let runs = recording
            .lines()
            .filter(|line| line.contains(r#""type":"RUN_STARTED""#))
            .count();
        let runs = if runs == 1 {
            String::new()
        } else {
            format!(" in {runs} runs")
        };
        let row = format!("| `{}` | {events}{runs} |", recording.name);
        assert!(
            page.contains(&row),
            "`{FOLDER}/README.md` has no row that begins `{row}`"
        );
    }
}

fn replayed(recording: &Recording) -> Value {
    let replayed = read_stream(&recording.text).and_then(|events| replay(&events));
    let replayed = replayed.unwrap_or_else(|rejection| panic!("{}: {rejection}", recording.name));
    let mut text = String::new();
    replayed.write(&mut text);
    value_of(&text)
}

fn value_of(text: &str) -> Value {
    parse_with(text, Surrogates::AllowUnpairedAtEnds)
        .unwrap_or_else(|rejection| panic!("{rejection}: {text}"))
}
