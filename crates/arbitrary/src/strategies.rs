//! Streams, and places to cut them, as strategies of proptest.
//!
//! A stream is made by [`generate`] from a number that proptest draws. It shrinks by its events: a
//! stream that was made at random is full of events that have nothing to do with a fault.

use std::fmt;
use std::ops::Deref;

use chatstate_json::to_text;
use chatstate_streams::verify::verify;
use chatstate_types::generated::Event;
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::Source;
use crate::streams::generate;

/// The events of a valid stream. They are shown as JSON Lines.
#[derive(Clone, PartialEq)]
pub struct StreamEvents(pub Vec<Event>);

impl Deref for StreamEvents {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.0
    }
}

impl fmt::Debug for StreamEvents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut events = self.iter();
        events.try_for_each(|event| write!(formatter, "\n{}", to_text(event)))
    }
}

/// A valid stream, complete or cut off.
pub fn events() -> impl Strategy<Value = StreamEvents> {
    let made = any::<[u64; 2]>().no_shrink();
    let made = made.prop_map(|[seed, number]| generate(Source::new(seed, number)).events);
    made.prop_ind_flat_map(|events| {
        // What stays in the first round may go in the second, when more has gone around it.
        let rounds = [included(events.len()), included(events.len())];
        rounds.prop_map(move |rounds| StreamEvents(valid_part(&events, &rounds)))
    })
}

/// For each event whether it is there. All are, until proptest shrinks.
fn included(count: usize) -> impl Strategy<Value = Vec<bool>> {
    vec(weighted(1.0), count)
}

/// The events that every round includes, without those that are not valid alone: with the event
/// that begins an item, everything that belongs to the item goes.
fn valid_part(events: &[Event], rounds: &[Vec<bool>]) -> Vec<Event> {
    let included = |place: &usize| rounds.iter().all(|round| round[*place]);
    let places = (0..events.len()).filter(included);
    let mut part: Vec<Event> = places.map(|place| events[place].clone()).collect();
    while part.len() < events.len() {
        let Some(error) = verify(&part).errors.into_iter().next() else {
            break;
        };
        part.remove(error.at);
    }
    part
}

/// Where a stream is cut.
#[derive(Debug, Clone, Copy)]
pub enum Cuts {
    /// Before each event, and at the end.
    Everywhere,
    /// At one place.
    Once(Index),
}

/// Streams that are shorter are always cut everywhere.
const SHORT: usize = 8;

impl Cuts {
    /// The places where a stream of so many events is cut: how many of them come before.
    #[must_use]
    pub fn of(self, count: usize) -> Vec<usize> {
        match self {
            Self::Once(place) if count >= SHORT => vec![place.index(count + 1)],
            _ => (0..=count).collect(),
        }
    }
}

/// Of so many streams, a tenth is cut everywhere, but about 10,000 at most. Shrinks to cuts
/// everywhere, so that the fault stays while events go; take it before the events.
pub fn cuts(streams: u32) -> impl Strategy<Value = Cuts> {
    let everywhere = (streams / 10).clamp(1, 10_000);
    let once = any::<Index>().no_shrink().prop_map(Cuts::Once);
    prop_oneof![
        everywhere => Just(Cuts::Everywhere),
        streams.saturating_sub(everywhere).max(1) => once,
    ]
}
