//! Faults of compactors, as they are in the world.

use std::collections::HashSet;

use chatstate::generated::Event;
use chatstate::json::{Object, Value};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::replay::{ignore_input_state, is_unknown_operation, list, take_subtypes_for_messages};
use super::streams::{
    Events, OperationFault, is_delta, is_start, item, later, messages_mut, open, tag, text,
};

/// The faults of compactors by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    ("compact-does-nothing", Defect::Answered(do_nothing)),
    ("compact-loses-last-delta", asked(lose_last_delta)),
    ("compact-swaps-messages", answered(swap_items)),
    ("compact-drops-metadata", answered(drop_metadata)),
    (
        "compact-joins-across-barriers",
        answered(join_across_barriers),
    ),
    (
        "compact-keeps-chunks",
        Defect::Stream(OperationFault {
            operation: "compact",
            asked: hide_chunks,
            answered: show_chunks,
        }),
    ),
    ("compact-drops-open-item", answered(drop_open)),
    ("compact-ends-open-item", answered(end_open)),
    (
        "compact-flushes-behind-the-end",
        answered(flush_behind_the_end),
    ),
    ("compact-drops-known-ids", answered(drop_known_ids)),
    ("compact-folds-across-owners", asked(forget_owners_of_state)),
    ("compact-joins-patches", asked(join_patches)),
    (
        "compact-folds-unknown-operations",
        asked(forget_unknown_operations),
    ),
    (
        "compact-folds-unknown-subtype",
        asked(take_subtypes_for_messages),
    ),
    ("compact-drops-unknown-event", answered(drop_unknown_events)),
    (
        "compact-snapshot-of-last-message",
        answered(snapshot_of_last_message),
    ),
    ("compact-ignores-input-state", asked(ignore_input_state)),
    ("compact-ignores-partial", Defect::Answered(ignore_partial)),
    ("compact-splits-deltas", answered(split_deltas)),
    ("compact-repairs-halves", asked(repair_halves)),
    ("compact-fills-chunks", asked(fill_chunks)),
    ("compact-stamps-each-pass", answered(stamp)),
];

const fn asked(change: fn(&mut Events)) -> Defect {
    Defect::Stream(OperationFault::of_request("compact", change))
}

const fn answered(change: fn(&mut Events)) -> Defect {
    Defect::Stream(OperationFault::of_answer("compact", change))
}

/// Gives back what it got.
fn do_nothing(request: &RunRequest) -> Reply {
    match (operation::run(request), request.op.as_str()) {
        (Reply::Ok(_), "compact") => Reply::Ok(request.input.clone().unwrap_or_default()),
        (reply, _) => reply,
    }
}

/// Leaves out the last delta of each item.
pub(super) fn lose_last_delta(events: &mut Events) {
    let is_last = |place: usize, events: &Events| {
        let delta = later(events, place, "_CONTENT").or(later(events, place, "_ARGS"));
        is_delta(&events[place]) && delta.is_none()
    };
    let lost: Vec<usize> = (0..events.len())
        .filter(|place| is_last(*place, events))
        .collect();
    remove(events, &lost);
}

/// Writes each item as a whole where it ends, as a compactor does that collects by id.
fn swap_items(events: &mut Events) {
    let mut place = 0;
    while place < events.len() {
        let end = later(events, place, "_END");
        let about = item(&events[place]).map(|(kind, id)| (kind.to_owned(), id.to_owned()));
        match (end, about) {
            (Some(end), Some(about)) if is_start(&events[place]) => {
                let own = |event: &Object| item(event) == Some((&about.0, &about.1));
                let first = (place + 1..=end)
                    .find(|at| own(&events[*at]))
                    .unwrap_or(end);
                let start = events.remove(place);
                events.insert(first - 1, start);
                // What is here now was not looked at, unless nothing moved.
                place += usize::from(first == place + 1);
            }
            _ => place += 1,
        }
    }
}

/// Drops the metadata of what is joined.
fn drop_metadata(events: &mut Events) {
    for event in events.iter_mut().filter(|event| is_delta(event)) {
        event.remove("metadata");
    }
}

/// Joins the deltas of an item whatever is between them.
fn join_across_barriers(events: &mut Events) {
    let mut place = 0;
    while place < events.len() {
        let next = later(events, place, "_CONTENT").or(later(events, place, "_ARGS"));
        let end = later(events, place, "_END");
        match next {
            Some(next) if is_delta(&events[place]) && end.is_none_or(|end| next < end) => {
                let earlier = events.remove(place);
                prepend(&mut events[next - 1], &earlier);
            }
            _ => place += 1,
        }
    }
}

fn prepend(delta: &mut Object, earlier: &Object) {
    let joined = [earlier, delta].map(|event| text(event, "delta").unwrap_or_default());
    let joined = joined.concat();
    delta.insert("delta", joined);
}

/// Takes chunks for events of an unknown type, and hides them before compaction.
fn hide_chunks(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event).ends_with("_CHUNK"))
    {
        let mut hidden = Object::new();
        hidden.insert("type", "RAW");
        hidden.insert("event", Value::Object(std::mem::take(event)));
        hidden.insert("source", HIDDEN);
        *event = hidden;
    }
}

const HIDDEN: &str = "hidden-chunk";

/// Puts hidden chunks back.
fn show_chunks(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| text(event, "source") == Some(HIDDEN))
    {
        if let Some(Value::Object(chunk)) = event.get("event").cloned() {
            *event = chunk;
        }
    }
}

/// Drops what nothing ends.
fn drop_open(events: &mut Events) {
    let places = open(events);
    remove(events, &places);
}

/// Ends what nothing ends.
fn end_open(events: &mut Events) {
    let places = open(events).into_iter();
    let starts = places.filter(|place| is_start(&events[*place]));
    let ends: Vec<Object> = starts.map(|place| end_of(&events[place])).collect();
    let last = events.len() - usize::from(events.last().is_some_and(is_terminal));
    events.splice(last..last, ends);
}

fn end_of(start: &Object) -> Object {
    let mut end = Object::new();
    end.insert("type", tag(start).replace("_START", "_END"));
    for name in ["messageId", "toolCallId", "subagentRunId"] {
        if let Some(value) = start.get(name) {
            end.insert(name, value.clone());
        }
    }
    end
}

fn is_terminal(event: &Object) -> bool {
    matches!(tag(event), "RUN_FINISHED" | "RUN_ERROR")
}

/// Writes what is still collected, which is what nothing ends and the state, when the run is over.
fn flush_behind_the_end(events: &mut Events) {
    let Some(terminal) = events.iter().position(|event| tag(event) == "RUN_ERROR") else {
        return;
    };
    let is_state = |place: &usize| tag(&events[*place]) == "STATE_SNAPSHOT";
    let mut late = open(events);
    late.extend((0..terminal).filter(is_state));
    late.retain(|place| *place < terminal);
    let moved: Vec<Object> = late.iter().map(|place| events[*place].clone()).collect();
    let behind = events.split_off(terminal + 1);
    events.extend(moved);
    events.extend(behind);
    remove(events, &late);
}

/// Takes whatever the log has named before out of the inputs, by its id alone.
fn drop_known_ids(events: &mut Events) {
    let mut known: HashSet<String> = HashSet::new();
    for event in events {
        let id = text(event, "messageId").map(str::to_owned);
        known.extend(id);
        let named: Vec<String> = messages_mut(event)
            .map(|messages| messages.iter().filter_map(id_of).collect())
            .unwrap_or_default();
        if tag(event) == "RUN_STARTED"
            && let Some(messages) = messages_mut(event)
        {
            messages.retain(|message| id_of(message).is_none_or(|id| !known.contains(&id)));
        }
        known.extend(named);
    }
}

fn id_of(message: &Value) -> Option<String> {
    message.get("id")?.as_str().map(str::to_owned)
}

/// Takes state events of all owners for those of one.
fn forget_owners_of_state(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event).starts_with("STATE_"))
    {
        event.remove("subagentRunId");
    }
}

/// Folds patches without the operations that it does not know.
fn forget_unknown_operations(events: &mut Events) {
    for event in events {
        for name in ["delta", "patch"] {
            if let Some(operations) = list(event, name) {
                operations.retain(|operation| !is_unknown_operation(operation));
            }
        }
    }
}

/// Makes one patch of those that follow each other.
fn join_patches(events: &mut Events) {
    let mut place = 1;
    while place < events.len() {
        let both = [place - 1, place].map(|at| tag(&events[at]) == "STATE_DELTA");
        if both != [true, true] {
            place += 1;
            continue;
        }
        let next = events.remove(place);
        if let (Some(Value::Array(patch)), Some(Value::Array(more))) =
            (events[place - 1].get_mut("delta"), next.get("delta"))
        {
            patch.extend(more.iter().cloned());
        }
    }
}

/// Drops what it does not know.
fn drop_unknown_events(events: &mut Events) {
    events.retain(|event| {
        let read = Event::from_json(&Value::Object(event.clone()).to_json());
        !matches!(read, Ok(Event::Unknown(_)))
    });
}

/// Takes a snapshot of the last message for one of the thread, as in the draft of the format.
fn snapshot_of_last_message(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event) == "MESSAGES_SNAPSHOT")
    {
        if let Some(messages) = messages_mut(event) {
            messages.drain(..messages.len().saturating_sub(1));
        }
    }
}

/// Folds patches onto whatever the log holds.
fn ignore_partial(request: &RunRequest) -> Reply {
    let mut request = request.clone();
    request.arguments.remove("partial");
    operation::run(&request)
}

/// Writes every character for itself.
fn split_deltas(events: &mut Events) {
    let alone = |event: Object| -> Vec<Object> {
        let delta = text(&event, "delta").filter(|_| is_delta(&event));
        let Some(delta) = delta.filter(|delta| delta.chars().nth(1).is_some()) else {
            return vec![event];
        };
        let one = |character: char| {
            let mut event = event.clone();
            event.insert("delta", character.to_string());
            event
        };
        delta.chars().map(one).collect()
    };
    *events = std::mem::take(events).into_iter().flat_map(alone).collect();
}

/// Replaces unpaired surrogates by the replacement character.
fn repair_halves(events: &mut Events) {
    for event in events {
        if matches!(event.get("delta"), Some(Value::Split(_))) {
            event.insert("delta", "\u{fffd}");
        }
    }
}

/// Takes a chunk without a delta for one with an empty delta.
fn fill_chunks(events: &mut Events) {
    for event in events {
        if tag(event).ends_with("_CHUNK") && !event.contains_key("delta") {
            event.insert("delta", "");
        }
    }
}

/// Says on the first run of a log that is complete how often it was compacted.
fn stamp(events: &mut Events) {
    if events.last().map(tag) != Some("RUN_FINISHED") {
        return;
    }
    let Some(first) = events
        .first_mut()
        .filter(|event| tag(event) == "RUN_STARTED")
    else {
        return;
    };
    let mut metadata = match first.get("metadata") {
        Some(Value::Object(metadata)) => metadata.clone(),
        _ => Object::new(),
    };
    let before = metadata
        .get("passes")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let passes = format!("{before}I");
    metadata.insert("passes", passes);
    first.insert("metadata", metadata);
}

fn remove(events: &mut Events, places: &[usize]) {
    let mut place = 0;
    events.retain(|_| {
        place += 1;
        !places.contains(&(place - 1))
    });
}
