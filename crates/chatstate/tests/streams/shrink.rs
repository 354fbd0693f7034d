//! Making a stream that breaks a law as small as it goes, and showing it.

use super::validity::is_valid;
use chatstate::compact::{Level, Retain};
use chatstate::generated::{Event, EventStream};

/// Removes events as long as the stream stays valid and `fails` says so.
pub fn shrink(events: &[Event], fails: impl Fn(&[Event]) -> bool) -> Vec<Event> {
    let mut smallest = events.to_vec();
    let mut size = smallest.len() / 2;
    while size > 0 {
        let mut start = 0;
        let mut removed = false;
        while start < smallest.len() {
            let mut candidate = smallest.clone();
            candidate.drain(start..(start + size).min(smallest.len()));
            if is_valid(&candidate) && fails(&candidate) {
                smallest = candidate;
                removed = true;
            } else {
                start += 1;
            }
        }
        // Pairs such as START and END go only together, so small pieces are tried again.
        if !removed {
            size /= 2;
        }
    }
    pairwise(smallest, fails)
}

/// Removes two events that stand apart, such as START and END.
fn pairwise(mut smallest: Vec<Event>, fails: impl Fn(&[Event]) -> bool) -> Vec<Event> {
    let mut first = 0;
    while first < smallest.len() {
        let found = (first + 1..smallest.len()).find_map(|second| {
            let mut candidate = smallest.clone();
            candidate.remove(second);
            candidate.remove(first);
            (is_valid(&candidate) && fails(&candidate)).then_some(candidate)
        });
        match found {
            Some(candidate) => {
                smallest = candidate;
                first = 0;
            }
            None => first += 1,
        }
    }
    smallest
}

/// A stream as a case of the corpus.
pub fn case(law: &str, level: Level, events: &[Event]) -> String {
    let input = EventStream(events.to_vec()).to_json();
    let input = input.replace("},{\"type\"", "},\n    {\"type\"");
    let arguments = match level {
        Level::Snapshot(Retain::Runs) => "\"level\": \"snapshot\", \"retain\": \"runs\"",
        Level::Snapshot(_) => "\"level\": \"snapshot\", \"retain\": \"tips\"",
        _ => "\"level\": \"stream\"",
    };
    format!(
        "{{ \"title\": \"compaction is {law}\",\n  \"requirements\": [\"compact.{law}\"],\n  \
         \"op\": \"compact\", \"args\": {{ {arguments} }},\n  \"input\": {input},\n  \
         \"expect\": {{ \"laws\": [\"{law}\"] }} }}"
    )
}

/// A stream as a case of `attach`.
pub fn case_of(operation: &str, events: &[Event]) -> String {
    let input = EventStream(events.to_vec()).to_json();
    let input = input.replace("},{\"type\"", "},\n    {\"type\"");
    format!(
        "{{ \"title\": \"a client joins\",\n  \"requirements\": [\"attach.law\"],\n  \
         \"op\": \"{operation}\",\n  \"input\": {input},\n  \"expect\": {{ \"ok\": [] }} }}"
    )
}
