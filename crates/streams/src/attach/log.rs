//! The log that is joined: the path to its last run, and what it means.

use std::ops::Range;

use super::reopen::{Halves, reopened};
use super::restate;
use crate::lineage::Runs;
use crate::replay::{Reducer, refuse_removed};
use crate::verify::Verifier;
use chatstate_json::Rejection;
use chatstate_types::generated::Event;

/// A valid log, and what stands at its end.
pub(super) struct Log<'a> {
    events: &'a [Event],
    runs: Runs,
    /// The places of the runs from the first to the last, each the predecessor of the next.
    pub path: Vec<usize>,
    verifier: Verifier,
    /// What the log means at its end.
    pub last: Reducer,
}

impl<'a> Log<'a> {
    /// Verifies and replays a log.
    pub fn of(events: &'a [Event]) -> Result<Self, Rejection> {
        let verifier = verified(events)?;
        let (runs, _) = Runs::of(events);
        let last = runs.rows().len().checked_sub(1);
        let path = last.map(|last| runs.path_to(last)).unwrap_or_default();
        refuse_removed(events, &runs, &path)?;
        let mut log = Self {
            events,
            runs,
            path,
            verifier,
            last: Reducer::default(),
        };
        if let Some(last) = log.path.len().checked_sub(1) {
            log.last = log.replayed(last)?;
        }
        Ok(log)
    }

    /// The indexes of the events of a run of the path.
    pub fn range(&self, place: usize) -> Range<usize> {
        self.runs.events_of(self.path[place], self.events.len())
    }

    /// What the log means at the end of a run of the path.
    pub fn replayed(&self, place: usize) -> Result<Reducer, Rejection> {
        let mut reducer = Reducer::default();
        for earlier in 0..=place {
            self.replay_run(&mut reducer, earlier)?;
        }
        Ok(reducer)
    }

    fn replay_run(&self, reducer: &mut Reducer, place: usize) -> Result<(), Rejection> {
        for index in self.range(place) {
            reducer
                .apply(index, &self.events[index])
                .map_err(|rejection| rejection.within(index))?;
        }
        Ok(())
    }

    /// A run of the path as its frame, snapshots of all messages and the state, and what is open;
    /// nothing if snapshots cannot say it.
    pub fn restated(&self, place: usize, standing: &Reducer) -> Option<Vec<Event>> {
        let run = self.range(place);
        let start = self.runs.rows()[self.path[place]].index;
        let Event::RunStarted(started) = &self.events[start] else {
            return None;
        };
        let mut halves = Halves::taken_from(&standing.messages());
        let snapshot = restate::messages_snapshot(&halves.messages)?;
        let reopened = reopened(self.events, start..run.end, standing, &mut halves);
        let mut bare = restate::without_messages(started);
        if let Some(input) = &mut bare.input {
            input.state = None;
        }
        let mut events = vec![Event::RunStarted(Box::new(bare))];
        events.extend(reopened.before);
        events.push(snapshot);
        events.push(restate::state_snapshot(standing.state()));
        events.extend(reopened.after);
        let terminal = self.events[start..run.end].iter();
        events.extend(terminal.filter(|event| is_terminal(event)).cloned());
        Some(events)
    }

    /// Whether whatever may follow the log may follow these events, and means the same.
    pub fn is_as_good(&self, prelude: &[Event]) -> bool {
        let (Ok(verifier), Ok(reducer)) = (verified(prelude), replayed(prelude)) else {
            return false;
        };
        let is_over = self.events.last().is_some_and(is_terminal);
        self.last.stands_like(&reducer) && (is_over || self.verifier.stands_like(&verifier))
    }

    /// The last run of the path but one, or an earlier one, whose end snapshots and its terminal
    /// event can say.
    pub fn latest_that_snapshots_say(&self) -> Option<usize> {
        let mut reducer = Reducer::default();
        let mut latest = None;
        for place in 0..self.path.len().saturating_sub(1) {
            self.replay_run(&mut reducer, place).ok()?;
            let mut run = self.events[self.range(place)].iter();
            let says_interrupts = reducer.interrupts().is_empty()
                || run.any(|event| matches!(event, Event::RunFinished(_)));
            if says_interrupts && restate::can_be_restated(&reducer.messages()) {
                latest = Some(place);
            }
        }
        latest
    }
}

fn is_terminal(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

fn verified(events: &[Event]) -> Result<Verifier, Rejection> {
    let mut verifier = Verifier::default();
    for (index, event) in events.iter().enumerate() {
        if let Some(error) = verifier.push(index, event).errors.first() {
            return Err(Rejection::from(error));
        }
    }
    Ok(verifier)
}

fn replayed(events: &[Event]) -> Result<Reducer, Rejection> {
    let mut reducer = Reducer::default();
    for (index, event) in events.iter().enumerate() {
        reducer.apply(index, event)?;
    }
    Ok(reducer)
}
