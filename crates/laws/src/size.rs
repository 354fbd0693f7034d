//! *Never larger*: compaction does not grow a log.

use std::collections::HashSet;

use super::expansion::{Spelled, expanded, has_chunks};
use super::{Broken, LawResult, may_remove_runs};
use chatstate_json::{Value, canonical};
use chatstate_streams::compact::Level;
use chatstate_streams::replay::is_removed;
use chatstate_types::generated::Event;

/// *Never larger*: the compacted log has no more events than the log with its chunks spelled out,
/// and, where every run is retained, no more bytes of canonical text, where state events and the
/// timestamps of chunks do not count.
///
/// # Errors
///
/// When it has more.
pub fn never_larger(before: &[Event], after: &[Event], level: Level) -> LawResult {
    let (input, output) = (expanded(before), expanded(after));
    let own = if may_remove_runs(level) {
        snapshots_of_retained_runs(after)
    } else {
        0
    };
    let events = after.len().max(output.len()) - own;
    if events > input.len() {
        let problem = format!("{} events became {events}", input.len());
        return Err(Broken::new(problem));
    }
    if may_remove_runs(level) {
        return Ok(());
    }
    let timestamps = !has_chunks(before);
    let (bytes, bytes_after) = (bytes(&input, timestamps), bytes(&output, timestamps));
    if bytes_after > bytes {
        let problem = format!("{bytes} bytes became {bytes_after}");
        return Err(Broken::new(problem));
    }
    Ok(())
}

/// The events without the chunks that say nothing, which are no events where chunks are spelled out.
/// Compaction leaves them out, but for those that its caller keeps: *never larger* is judged without
/// these.
#[must_use]
pub fn without_idle_chunks(events: &[Event]) -> Vec<Event> {
    let spelled: HashSet<usize> = expanded(events).iter().map(|event| event.index).collect();
    let events = events.iter().enumerate();
    let events = events.filter(|(index, _)| spelled.contains(index));
    events.map(|(_, event)| event.clone()).collect()
}

/// The bytes of all events but those of the state.
fn bytes(events: &[Spelled], timestamps: bool) -> usize {
    let counted = events.iter().filter(|event| !is_state(event));
    let size = |event: &Spelled| {
        let mut members = event.members.clone();
        if !timestamps {
            members.remove("timestamp");
        }
        canonical(&Value::Object(members)).len()
    };
    counted.map(size).sum()
}

fn is_state(event: &Spelled) -> bool {
    matches!(event.tag(), "STATE_SNAPSHOT" | "STATE_DELTA")
}

/// How many snapshots the retained runs have for themselves, one of each kind at most.
fn snapshots_of_retained_runs(events: &[Event]) -> usize {
    let (mut count, mut retained, mut seen) = (0, true, Vec::new());
    for event in events {
        match event.tag() {
            "RUN_STARTED" => {
                retained = !is_removed(event);
                seen.clear();
            }
            tag @ ("MESSAGES_SNAPSHOT" | "STATE_SNAPSHOT") if retained && !seen.contains(&tag) => {
                seen.push(tag);
                count += 1;
            }
            _ => {}
        }
    }
    count
}
