//! Where events stand whose place depends on what is open at the end of the input.

use std::collections::BTreeMap;

use super::reach::Closes;
use super::run::Content;
use super::span::Slot;
use crate::generated::Event;

/// Fills the slots and gives their events.
///
/// A joined delta that would stand after an open chunk of the lane it closes stands just before the
/// first such chunk, and a folded state before the first open chunk: otherwise an item that is open
/// at the end of the input would be closed. The state has its place given, or stands at the end.
pub(super) fn in_order(
    slots: Vec<Content>,
    open: Vec<(Slot, Event)>,
    state: Option<Event>,
    state_place: Option<Slot>,
) -> Vec<Event> {
    let end = slots.len();
    let first_open = open.iter().map(|(slot, _)| *slot).min();
    let state_place = state_place.unwrap_or(end).min(first_open.unwrap_or(end));
    let mut placed = Placed::default();
    for (slot, content) in slots.into_iter().enumerate() {
        match content {
            Content::Nothing => {}
            Content::Event(event) => placed.put(slot, Rank::Standing, event),
            Content::Joined(event) => {
                let first = first_closed_by(&event, &open).filter(|first| *first < slot);
                match first {
                    Some(first) => placed.put(first, Rank::JoinedBefore, event),
                    None => placed.put(slot, Rank::Standing, event),
                }
            }
        }
    }
    if let Some(state) = state {
        placed.put(state_place, Rank::StateBefore, state);
    }
    for (slot, chunk) in open {
        placed.put(slot, Rank::Standing, chunk);
    }
    placed.0.into_values().flatten().collect()
}

/// The first open chunk that an event would close.
fn first_closed_by(event: &Event, open: &[(Slot, Event)]) -> Option<Slot> {
    let Closes::Lane(closed) = Closes::of(event) else {
        return None;
    };
    let in_lane = open
        .iter()
        .filter(|(_, chunk)| lane_of(chunk) == closed)
        .map(|(slot, _)| *slot);
    in_lane.min()
}

/// The lane of an open chunk, which always says whose it is.
fn lane_of(chunk: &Event) -> Option<&str> {
    match chunk {
        Event::TextMessageChunk(chunk) => chunk.subagent_run_id.as_deref(),
        Event::ReasoningMessageChunk(chunk) => chunk.subagent_run_id.as_deref(),
        Event::ToolCallChunk(chunk) => chunk.subagent_run_id.as_deref(),
        _ => None,
    }
}

/// The order of events in one place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    JoinedBefore,
    StateBefore,
    Standing,
}

#[derive(Default)]
struct Placed(BTreeMap<(Slot, Rank), Vec<Event>>);

impl Placed {
    fn put(&mut self, slot: Slot, rank: Rank, event: Event) {
        self.0.entry((slot, rank)).or_default().push(event);
    }
}
