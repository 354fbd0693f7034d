//! The runs of a log, and which of them lie on the path to another.

use std::collections::HashMap;

use super::hash::{Identity, hash_of};

/// The number of a run in the log.
pub(super) type Place = u32;

/// No run.
pub(super) const NONE: Place = Place::MAX;

/// A run, with what it takes to find its predecessors in a few steps.
struct Row {
    predecessor: Place,
    /// A predecessor further away; see [`Path::at_depth`].
    jump: Place,
    /// How many predecessors there are.
    depth: u32,
    /// From this run on, each is the predecessor of the next.
    chain: Place,
    /// By class of messages, the nearest run on the path, itself included, that restated them.
    restated: [Place; CLASSES],
}

/// How many classes of messages there are that a snapshot restates or leaves alone.
pub(super) const CLASSES: usize = 3;

/// The runs of a log.
#[derive(Default)]
pub(super) struct Path {
    rows: Vec<Row>,
    by_id: HashMap<u64, Place, Identity>,
}

impl Path {
    /// Begins a run, and gives its number.
    pub fn begin(&mut self, run_id: &str, parent_run_id: Option<&str>) -> Place {
        let place = Place::try_from(self.rows.len()).unwrap_or(NONE);
        let named = parent_run_id.filter(|parent| *parent != run_id);
        let named = named.and_then(|parent| self.by_id.get(&hash_of(parent)).copied());
        let predecessor = named.unwrap_or(place.wrapping_sub(1));
        let row = match self.row(predecessor) {
            None => Row {
                predecessor: NONE,
                jump: place,
                depth: 0,
                chain: place,
                restated: [NONE; CLASSES],
            },
            Some(before) => Row {
                predecessor,
                jump: self.jump_from(predecessor),
                depth: before.depth + 1,
                chain: if predecessor + 1 == place {
                    before.chain
                } else {
                    place
                },
                restated: before.restated,
            },
        };
        self.rows.push(row);
        self.by_id.insert(hash_of(run_id), place);
        place
    }

    /// The run before this one on its path.
    pub fn predecessor(&self, place: Place) -> Place {
        self.row(place).map_or(NONE, |row| row.predecessor)
    }

    /// Notes that a run restated a class of messages.
    pub fn restate(&mut self, place: Place, class: usize) {
        if let Some(row) = self.rows.get_mut(place as usize) {
            row.restated[class] = place;
        }
    }

    /// The nearest run on the path to this one that restated a class of messages.
    pub fn restated(&self, place: Place, class: usize) -> Place {
        self.row(place).map_or(NONE, |row| row.restated[class])
    }

    /// Whether a run is on the path to another, or is that run.
    pub fn is_on(&self, place: Place, last: Place) -> bool {
        let (Some(row), Some(end)) = (self.row(place), self.row(last)) else {
            return false;
        };
        place <= last && (place >= end.chain || self.at_depth(last, row.depth) == place)
    }

    /// The run on the path that has this many predecessors.
    ///
    /// Jumps double in length as the digits of a skew binary number do, so that a path of n runs
    /// takes about log n steps.
    fn at_depth(&self, mut place: Place, depth: u32) -> Place {
        while let Some(row) = self.row(place).filter(|row| row.depth > depth) {
            let jumps = self.row(row.jump).is_some_and(|far| far.depth >= depth);
            place = if jumps { row.jump } else { row.predecessor };
        }
        place
    }

    /// Where the run after this one jumps to.
    fn jump_from(&self, place: Place) -> Place {
        let depth = |place| self.row(place).map_or(0, |row: &Row| row.depth);
        let jump = |place| self.row(place).map_or(NONE, |row: &Row| row.jump);
        let (near, far) = (jump(place), jump(jump(place)));
        if depth(place) - depth(near) == depth(near) - depth(far) {
            far
        } else {
            place
        }
    }

    fn row(&self, place: Place) -> Option<&Row> {
        self.rows.get(place as usize)
    }

    /// The bytes that a run takes, without what growing tables keep in reserve.
    #[cfg(test)]
    pub const BYTES_PER_RUN: usize = size_of::<Row>() + size_of::<(u64, Place)>() + 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_that_following_predecessors_finds() {
        let mut path = Path::default();
        let mut predecessors: Vec<Option<usize>> = Vec::new();
        let mut state = 1_u64;
        for place in 0..600_usize {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let any = usize::try_from(state >> 33).unwrap_or(0);
            // Long chains with some branches between them.
            let parent = (place > 0 && any % 10 == 0).then(|| any / 10 % place);
            let name = parent.map(|parent| format!("r{parent}"));
            path.begin(&format!("r{place}"), name.as_deref());
            predecessors.push(parent.or_else(|| place.checked_sub(1)));
        }
        for last in 0..600 {
            let mut on_path = vec![false; 600];
            let mut next = Some(last);
            while let Some(place) = next {
                on_path[place] = true;
                next = predecessors[place];
            }
            for (place, is_on_path) in on_path.into_iter().enumerate() {
                let (first, second) = (u32::try_from(place), u32::try_from(last));
                let found = path.is_on(first.unwrap_or(NONE), second.unwrap_or(NONE));
                assert_eq!(found, is_on_path, "{place} on the path to {last}");
            }
        }
    }
}
