//! Where events stand whose place depends on which chunks stay chunks.

use std::collections::BTreeMap;
use std::ops::Range;

use super::span::Slot;

/// What stands in a slot. The texts of the events are in one place for the whole run.
pub(super) enum Content {
    /// Nothing, or not yet.
    Nothing,
    /// An event that stays where it is.
    Event(Range<usize>),
    /// Deltas as one, which close the chunks of this lane. They may have to stand before a chunk.
    Joined(Range<usize>, Option<Box<str>>),
}

/// A chunk that stays one.
pub(super) struct StayingChunk {
    pub slot: Slot,
    pub event: Range<usize>,
    pub lane: Option<String>,
    /// The slot of the event that closed its item; none if that is open at the end of the input.
    pub closed: Option<Slot>,
}

impl StayingChunk {
    /// Whether what stands in a slot would stand between this chunk and the end of its item.
    fn spans(&self, slot: Slot) -> bool {
        self.slot < slot && self.closed.is_none_or(|closed| slot < closed)
    }
}

/// Gives the texts of the events in order.
///
/// A joined delta that would stand after an open chunk of the lane it closes stands just before the
/// first such chunk, and a folded state before the first open chunk: otherwise an item that is open
/// at the end of the input would be closed. The state has its place given, or stands at the end.
pub(super) fn in_order(
    slots: &[Content],
    chunks: &[StayingChunk],
    state: Option<(Slot, Range<usize>)>,
    give: impl FnMut(Range<usize>),
) {
    if chunks.is_empty() {
        return as_they_stand(slots, state, give);
    }
    let mut placed = Placed::default();
    for (slot, content) in slots.iter().enumerate() {
        match content {
            Content::Nothing => {}
            Content::Event(event) => placed.put(slot, Rank::Standing, event),
            Content::Joined(event, lane) => {
                let closed = |chunk: &&StayingChunk| {
                    chunk.lane.as_deref() == lane.as_deref() && chunk.spans(slot)
                };
                match first(chunks.iter().filter(closed)) {
                    Some(first) => placed.put(first, Rank::JoinedBefore, event),
                    None => placed.put(slot, Rank::Standing, event),
                }
            }
        }
    }
    if let Some((slot, state)) = &state {
        // The state stands between events, so that a chunk in the same slot comes after it.
        let first = first(chunks.iter().filter(|chunk| chunk.spans(*slot)));
        placed.put(first.unwrap_or(*slot), Rank::StateBefore, state);
    }
    for chunk in chunks {
        placed.put(chunk.slot, Rank::Standing, &chunk.event);
    }
    placed.0.into_values().flatten().for_each(give);
}

fn as_they_stand(
    slots: &[Content],
    state: Option<(Slot, Range<usize>)>,
    mut give: impl FnMut(Range<usize>),
) {
    let mut state = state;
    for (slot, content) in slots.iter().enumerate() {
        if let Some((_, state)) = state.take_if(|(place, _)| *place == slot) {
            give(state);
        }
        match content {
            Content::Nothing => {}
            Content::Event(event) | Content::Joined(event, _) => give(event.clone()),
        }
    }
    if let Some((_, state)) = state {
        give(state);
    }
}

fn first<'c>(chunks: impl Iterator<Item = &'c StayingChunk>) -> Option<Slot> {
    chunks.map(|chunk| chunk.slot).min()
}

/// The order of events in one place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    JoinedBefore,
    StateBefore,
    Standing,
}

#[derive(Default)]
struct Placed(BTreeMap<(Slot, Rank), Vec<Range<usize>>>);

impl Placed {
    fn put(&mut self, slot: Slot, rank: Rank, event: &Range<usize>) {
        self.0.entry((slot, rank)).or_default().push(event.clone());
    }
}
