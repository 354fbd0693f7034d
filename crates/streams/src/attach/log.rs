//! The log that is joined: the path to its last run, and what it means.

use std::ops::Range;

use super::reopen::{SplitEnds, reopened};
use super::restate;
use crate::compact::{Incoming, StreamCompactor};
use crate::lineage::Runs;
use crate::replay::{Reducer, is_removed, messages_of, read_event, removed_run};
use crate::verify::Verifier;
use chatstate_json::Rejection;
use chatstate_json::Tape;
use chatstate_types::generated::Event;

/// A log as it comes, compacted at level `stream`, which means the same and takes less memory.
pub(crate) struct CompactedLog {
    compactor: StreamCompactor<'static>,
    events: Vec<String>,
}

impl Default for CompactedLog {
    fn default() -> Self {
        Self {
            compactor: StreamCompactor::new(crate::compact::Options::default()),
            events: Vec::new(),
        }
    }
}

impl CompactedLog {
    /// Takes the next event.
    pub fn push(&mut self, text: &str, event: Incoming<'_>) -> Result<(), Rejection> {
        let events = &mut self.events;
        self.compactor
            .push(text, event, &mut |event| events.push(event.to_owned()))
    }

    /// The events of the whole log.
    pub fn finish(mut self) -> Result<Vec<String>, Rejection> {
        let events = &mut self.events;
        self.compactor
            .finish(&mut |event| events.push(event.to_owned()))?;
        Ok(self.events)
    }
}

/// A valid log, and what stands at its end.
pub(super) struct Log {
    events: Vec<String>,
    runs: Runs,
    /// The places of the runs from the first to the last, each the predecessor of the next.
    pub path: Vec<usize>,
    verifier: Verifier,
    /// What the log means at its end.
    pub last: Reducer,
}

impl Log {
    /// Replays a log that is compacted.
    pub fn of(events: Vec<String>) -> Result<Self, Rejection> {
        let mut log = Self {
            runs: runs_of(&events)?,
            events,
            path: Vec::new(),
            verifier: Verifier::default(),
            last: Reducer::default(),
        };
        let Some(last) = log.runs.rows().len().checked_sub(1) else {
            return Ok(log);
        };
        log.path = log.runs.path_to(last);
        log.require_all()?;
        log.last = log.replayed(log.path.len() - 1)?;
        log.verifier = verified(&log.events_of(log.path.len() - 1)?).unwrap_or_default();
        Ok(log)
    }

    /// Refuses a path that needs what compaction removed.
    fn require_all(&self) -> Result<(), Rejection> {
        let removed = |place: usize| {
            let start = self.runs.rows()[place].index;
            Event::from_json(&self.events[start]).is_ok_and(|event| is_removed(&event))
        };
        let last = self.path[self.path.len() - 1];
        if removed(last) {
            return Err(removed_run(&self.runs, last, last));
        }
        for (position, step) in self.path.windows(2).enumerate() {
            let (before, after) = (step[0], step[1]);
            if !removed(before) {
                continue;
            }
            let mut run = self.events_of(position + 1)?.into_iter();
            let restates =
                removed(after) || run.any(|event| matches!(event, Event::MessagesSnapshot(_)));
            let first = self.runs.rows().iter();
            let first = first
                .skip(before + 1)
                .position(|row| row.predecessor == Some(before));
            if !restates || first.map(|first| first + before + 1) != Some(after) {
                return Err(removed_run(&self.runs, before, after));
            }
        }
        Ok(())
    }

    /// The indexes of the events of a run of the path.
    fn range(&self, position: usize) -> Range<usize> {
        self.runs.events_of(self.path[position], self.events.len())
    }

    /// The events of a run of the path.
    pub fn events_of(&self, position: usize) -> Result<Vec<Event>, Rejection> {
        let events = self.events[self.range(position)].iter();
        events.map(|text| Event::from_json(text)).collect()
    }

    /// The events outside of all runs, where there are no runs.
    pub fn all_events(&self) -> Result<Vec<Event>, Rejection> {
        let events = self.events.iter();
        events.map(|text| Event::from_json(text)).collect()
    }

    /// What the log means at the end of a run of the path.
    pub fn replayed(&self, position: usize) -> Result<Reducer, Rejection> {
        let mut reducer = Reducer::default();
        for earlier in 0..=position {
            self.replay_run(&mut reducer, earlier)?;
        }
        Ok(reducer)
    }

    fn replay_run(&self, reducer: &mut Reducer, position: usize) -> Result<(), Rejection> {
        let mut tape = Tape::default();
        for index in self.range(position) {
            let (event, messages) = read_event(&mut tape, &self.events[index])?;
            reducer
                .apply(index, &event, messages)
                .map_err(|rejection| rejection.within(index))?;
        }
        Ok(())
    }

    /// A run of the path as its frame, snapshots of all messages and the state, and what is open;
    /// nothing if snapshots cannot say it.
    pub fn restated(
        &self,
        position: usize,
        standing: &Reducer,
    ) -> Result<Option<Vec<Event>>, Rejection> {
        let conversation = standing.conversation();
        if !conversation.knows_state() || !conversation.knows_activities() {
            return Ok(None);
        }
        let run = self.range(position);
        let first = self.runs.rows()[self.path[position]].index;
        let events = self.events_of(position)?.split_off(first - run.start);
        let Some(Event::RunStarted(started)) = events.first() else {
            return Ok(None);
        };
        let mut ends = SplitEnds::taken_from(conversation.thread().messages());
        let Some(snapshot) = restate::messages_snapshot(&ends.messages) else {
            return Ok(None);
        };
        let reopened = reopened(&events, first, standing, &mut ends);
        let mut bare = restate::without_messages(started);
        if let Some(input) = &mut bare.input {
            input.state = None;
        }
        let mut prelude = vec![Event::RunStarted(Box::new(bare))];
        prelude.extend(reopened.before);
        prelude.push(snapshot);
        prelude.push(restate::state_snapshot(conversation.state()));
        prelude.extend(reopened.after);
        prelude.extend(events.into_iter().filter(is_terminal));
        Ok(Some(prelude))
    }

    /// The same for a run that is over, of whose messages nothing is taken out to begin it again.
    pub fn restated_whole(&self, position: usize) -> Result<Option<Vec<Event>>, Rejection> {
        let standing = self.replayed(position)?;
        let messages = standing.conversation().thread().messages();
        if !restate::can_be_restated(&messages.cloned().collect::<Vec<_>>()) {
            return Ok(None);
        }
        self.restated(position, &standing)
    }

    /// Whether whatever may follow the log may follow these events, and means the same.
    pub fn is_as_good(&self, prelude: &[Event]) -> bool {
        let (Some(verifier), Ok(reducer)) = (verified(prelude), replayed(prelude)) else {
            return false;
        };
        let last = self.events.last();
        let is_over =
            last.is_some_and(|text| Event::from_json(text).is_ok_and(|event| is_terminal(&event)));
        self.last.is_equivalent(&reducer) && (is_over || self.verifier.stands_like(&verifier))
    }

    /// The last run of the path but one, or an earlier one, whose end snapshots and its terminal
    /// event can say.
    pub fn latest_that_snapshots_say(&self) -> Result<Option<usize>, Rejection> {
        let mut reducer = Reducer::default();
        let mut latest = None;
        for position in 0..self.path.len().saturating_sub(1) {
            self.replay_run(&mut reducer, position)?;
            let conversation = reducer.conversation();
            let says_interrupts = conversation.interrupts().is_empty()
                || self
                    .events_of(position)?
                    .iter()
                    .any(|event| matches!(event, Event::RunFinished(_)));
            if says_interrupts && !conversation.thread().has_shared_ids() {
                latest = Some(position);
            }
        }
        Ok(latest)
    }
}

fn runs_of(events: &[String]) -> Result<Runs, Rejection> {
    let mut runs = Runs::default();
    for (index, text) in events.iter().enumerate() {
        let event = Event::from_json(text)?;
        if let Event::RunStarted(start) = event {
            runs.push(index, &start.run_id, start.parent_run_id.as_deref());
        }
    }
    Ok(runs)
}

fn is_terminal(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

/// A verifier behind the events of one run, if it accepts them.
fn verified(events: &[Event]) -> Option<Verifier> {
    let mut verifier = Verifier::default();
    let mut events = events.iter().enumerate();
    events
        .all(|(index, event)| verifier.push(index, event).is_valid())
        .then_some(verifier)
}

fn replayed(events: &[Event]) -> Result<Reducer, Rejection> {
    let mut reducer = Reducer::default();
    for (index, event) in events.iter().enumerate() {
        reducer.apply(index, event, messages_of(event))?;
    }
    Ok(reducer)
}
