//! What the log means at the ends of its runs.

use std::collections::HashMap;

use crate::head::Head;
use crate::lineage::Runs;
use crate::replay::{Reducer, is_removed};
use chatstate_json::Object;
use chatstate_types::generated::Event;

/// The finished runs, and what the log means at the end of each run from which the next may go on.
///
/// A run takes what its predecessor left behind, so a log without branches is replayed once. Where
/// a second run goes on from a run, that end is replayed again and kept.
#[derive(Default)]
pub(super) struct Standings {
    runs: Runs,
    /// The events of each run.
    events: Vec<Vec<Event>>,
    /// Whether a run goes on from it.
    followed: Vec<bool>,
    /// The ends of the runs from which none or several go on. Nothing is known of a run that goes
    /// on from what compaction removed.
    ends: HashMap<usize, Option<Reducer>>,
}

impl Standings {
    /// Takes the next run and works out what it leaves behind.
    pub fn take(&mut self, run: Vec<Event>) {
        let before = self.before(&run);
        let after = before.and_then(|before| applied(before, &run));
        self.put(run, after);
    }

    /// What a run goes on from; it is the next to be put.
    pub fn before(&mut self, run: &[Event]) -> Option<Reducer> {
        let place = self.events.len();
        if let Some(start) = run.first() {
            self.begin(start);
        }
        let Some(predecessor) = self.predecessor(place) else {
            return Some(Reducer::default());
        };
        if !std::mem::replace(&mut self.followed[predecessor], true) {
            let before = self.ends.remove(&predecessor).flatten();
            return before.filter(|_| !self.is_removed(predecessor) || restates(run));
        }
        let end = self.end(predecessor);
        end.filter(|_| !self.is_removed(predecessor))
    }

    /// Puts the events of the run that was asked about, and what it leaves behind.
    pub fn put(&mut self, run: Vec<Event>, after: Option<Reducer>) {
        self.ends.insert(self.events.len(), after);
        self.followed.push(false);
        self.events.push(run);
    }

    /// The messages at the end of the last run.
    pub fn messages(&self) -> Option<Vec<Object>> {
        let last = self.events.len().checked_sub(1)?;
        Some(self.ends.get(&last)?.as_ref()?.messages())
    }

    /// The lineage of the runs.
    pub fn lineage(&self) -> &Runs {
        &self.runs
    }

    /// Notes the beginning of the next run.
    pub fn begin(&mut self, start: &Event) {
        self.runs.push(self.events.len(), &Head::of(start));
    }

    pub fn predecessor(&self, place: usize) -> Option<usize> {
        self.runs.rows().get(place)?.predecessor
    }

    /// Whether of a run only the frame is there.
    pub fn is_removed(&self, place: usize) -> bool {
        let start = self.events.get(place).and_then(|run| run.first());
        start.is_some_and(is_removed)
    }

    /// The events of a run.
    pub fn events(&self, place: usize) -> &[Event] {
        self.events.get(place).map_or(&[], Vec::as_slice)
    }

    /// The events of all runs.
    pub fn into_events(self) -> Vec<Vec<Event>> {
        self.events
    }

    /// The events of the last run.
    pub fn last_mut(&mut self) -> Option<&mut Vec<Event>> {
        self.events.last_mut()
    }

    /// What the log means at the end of a run, which is kept from now on.
    pub fn end(&mut self, place: usize) -> Option<Reducer> {
        if !self.ends.contains_key(&place) {
            let end = self.replayed(place);
            self.ends.insert(place, end);
        }
        self.ends.get(&place).cloned().flatten()
    }

    /// What the log means at the end of a run, from the latest end on its path that is known.
    fn replayed(&self, place: usize) -> Option<Reducer> {
        let mut path = vec![place];
        let mut standing = Reducer::default();
        while let Some(predecessor) = self.predecessor(path[path.len() - 1]) {
            if let Some(end) = self.ends.get(&predecessor) {
                standing = end.clone()?;
                break;
            }
            path.push(predecessor);
        }
        for place in path.into_iter().rev() {
            standing = applied(standing, self.events(place))?;
        }
        Some(standing)
    }
}

/// Whether a run says all messages anew.
fn restates(run: &[Event]) -> bool {
    let is_snapshot = |event: &Event| matches!(event, Event::MessagesSnapshot(_));
    run.first().is_some_and(is_removed) || run.iter().any(is_snapshot)
}

/// What stands behind the events; nothing if they cannot be replayed.
pub(super) fn applied(mut standing: Reducer, events: &[Event]) -> Option<Reducer> {
    for (index, event) in events.iter().enumerate() {
        standing.apply(index, event).ok()?;
    }
    standing.end_run();
    Some(standing)
}
