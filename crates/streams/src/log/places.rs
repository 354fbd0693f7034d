//! Where events stand in a log, for those who are told of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::compact::{Frames, Position};

/// Where an event begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventPlace {
    /// Its line; the first is 1.
    pub line: u64,
    /// Its first byte in that line; the first is 1.
    pub column: u64,
    /// The bytes before it.
    pub byte: u64,
}

impl From<Position> for EventPlace {
    fn from(position: Position) -> Self {
        Self {
            line: position.line,
            column: position.byte - position.line_start + 1,
            byte: position.byte,
        }
    }
}

/// Finds the places of some events in a log that comes in blocks.
pub struct EventPlaces {
    frames: Frames,
    wanted: BTreeSet<usize>,
    count: usize,
    found: BTreeMap<usize, EventPlace>,
}

impl EventPlaces {
    /// Finds the events of these indexes.
    #[must_use]
    pub fn of(wanted: BTreeSet<usize>) -> Self {
        Self {
            frames: Frames::default(),
            wanted,
            count: 0,
            found: BTreeMap::new(),
        }
    }

    /// Takes the next block, and says whether more are needed.
    pub fn push(&mut self, block: &[u8]) -> bool {
        let Self {
            frames,
            wanted,
            count,
            found,
        } = self;
        let pushed = frames.push(block, &mut |framed| {
            let first = *count;
            *count += framed.places.len();
            if wanted.range(first..*count).next().is_some() {
                let positions = (first..).zip(framed.positions());
                let positions = positions.filter(|(index, _)| wanted.contains(index));
                found.extend(positions.map(|(index, position)| (index, position.into())));
            }
            Ok(())
        });
        // Where the log cannot be taken apart, nothing behind has an index.
        pushed.is_ok() && self.wanted.last().is_some_and(|last| *last >= self.count)
    }

    /// The places that were found. What is not taken apart has the index behind the last event.
    #[must_use]
    pub fn finish(self) -> BTreeMap<usize, EventPlace> {
        let mut found = self.found;
        if self.wanted.contains(&self.count) {
            found.insert(self.count, self.frames.rest().into());
        }
        found
    }
}
