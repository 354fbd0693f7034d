//! The log that is joined: the path to its last run, and what it means.

use std::collections::HashSet;

use super::reopen::{SplitEnds, reopened};
use super::restate;
use super::run_texts::RunTexts;
use crate::compact::{ReadEvent, StreamCompactor};
use crate::lineage::Runs;
use crate::replay::{Ends, OpenRun, Reducer, left_out, name_left_out, read_event, with_carried};
use crate::sequence::Tracker;
use crate::verify::Verifier;
use chatstate_json::Rejection;
use chatstate_json::Tape;
use chatstate_types::generated::{Event, RunStartedEvent};

/// A log as it comes, compacted at level `stream`, which means the same and takes less memory.
pub(crate) struct CompactedLog {
    compactor: StreamCompactor<'static>,
    texts: RunTexts,
}

impl Default for CompactedLog {
    fn default() -> Self {
        Self {
            compactor: StreamCompactor::with_state(),
            texts: RunTexts::default(),
        }
    }
}

impl CompactedLog {
    /// Takes the next event.
    pub fn push(&mut self, tape: &mut Tape, text: &str) -> Result<(), Rejection> {
        let (texts, read) = (&mut self.texts, tape.read(text).map(ReadEvent::from));
        self.compactor
            .push(text, read, &mut |event| texts.push(event))?;
        if self.compactor.runs() > self.texts.runs() {
            // The events of a run come when it ends, so that all before it are there.
            self.texts.begin_run();
        }
        Ok(())
    }

    /// The whole log.
    pub(super) fn finish(mut self) -> Result<Log, Rejection> {
        let texts = &mut self.texts;
        self.compactor.finish(&mut |event| texts.push(event))?;
        let (runs, ends, open) = self.compactor.into_runs();
        let last = runs.rows().len().checked_sub(1);
        let path = last.map(|last| runs.path_to(last)).unwrap_or_default();
        Ok(Log {
            texts: self.texts,
            runs,
            ends,
            open,
            path,
        })
    }
}

/// A valid log, and what it means at the end of each run.
pub(super) struct Log {
    texts: RunTexts,
    runs: Runs,
    ends: Ends,
    /// The run that is not over.
    open: Option<OpenRun>,
    /// The places of the runs from the first to the last, each the predecessor of the next.
    pub path: Vec<usize>,
}

impl Log {
    /// The events of a run of the path.
    pub fn events_of(&self, position: usize) -> Result<Vec<Event>, Rejection> {
        self.events_of_run(self.path[position])
    }

    /// The events outside of all runs, where there are no runs.
    pub fn all_events(&self) -> Result<Vec<Event>, Rejection> {
        self.events_of_run(0)
    }

    fn events_of_run(&self, run: usize) -> Result<Vec<Event>, Rejection> {
        let events = self.texts.events_of(run);
        events.iter().map(|text| Event::from_json(text)).collect()
    }

    /// What the log means at its end, where it has runs.
    pub fn end(&mut self) -> Result<Reducer, Rejection> {
        let position = self.path.len() - 1;
        let Some(open) = &self.open else {
            return self.end_of(position);
        };
        if let Some(missing) = self.ends.missing_now(open) {
            return Err(missing.rejection(&self.runs));
        }
        let conversation = self.ends.before(open)?;
        let (mut reducer, mut tape) = (
            Reducer::at(Tracker::default(), conversation),
            Tape::default(),
        );
        let run = self.path[position];
        for (index, text) in self.texts.range(run).zip(self.texts.events_of(run)) {
            let (event, carried) = read_event(&mut tape, &text)?;
            reducer.apply(index, &event, carried)?;
        }
        Ok(reducer)
    }

    /// What the log means at the end of a run of the path that is over, and leaves nothing open.
    fn end_of(&mut self, position: usize) -> Result<Reducer, Rejection> {
        let place = self.path[position];
        if let Some(missing) = self.ends.missing(place) {
            return Err(missing.rejection(&self.runs));
        }
        let conversation = self.ends.at(place)?;
        Ok(Reducer::at(Tracker::default(), conversation))
    }

    /// A run of the path as its frame, snapshots of all messages and the state, and what is open;
    /// nothing if snapshots cannot say it.
    pub fn restated(
        &self,
        position: usize,
        end: &Reducer,
    ) -> Result<Option<Vec<Event>>, Rejection> {
        let conversation = end.conversation();
        if !conversation.knows_state() || !conversation.knows_messages() {
            return Ok(None);
        }
        let run = self.path[position];
        let first = self.texts.start(run);
        let before = first - self.texts.range(run).start;
        let events = self.events_of(position)?.split_off(before);
        let Some(Event::RunStarted(started)) = events.first() else {
            return Ok(None);
        };
        let mut ends = SplitEnds::taken_from(conversation.thread().messages());
        let Some(snapshot) = restate::messages_snapshot(&ends.messages) else {
            return Ok(None);
        };
        let reopened = reopened(&events, first, end, &mut ends);
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
    pub fn restated_whole(&mut self, position: usize) -> Result<Option<Vec<Event>>, Rejection> {
        let end = self.end_of(position)?;
        let messages = end.conversation().thread().messages();
        if !restate::can_be_restated(&messages.cloned().collect::<Vec<_>>()) {
            return Ok(None);
        }
        self.restated(position, &end)
    }

    /// Whether these events can take the place of the log, which means `end`: what may follow one
    /// may follow the other, and means the same.
    pub fn is_as_good(&self, prelude: &[Event], end: &Reducer) -> Result<bool, Rejection> {
        let Ok(reducer) = replayed(prelude) else {
            return Ok(false);
        };
        if !end.is_equivalent(&reducer) {
            return Ok(false);
        }
        let last = self.events_of(self.path.len() - 1)?;
        if last.last().is_some_and(is_terminal) {
            return Ok(verified(prelude).is_some());
        }
        Ok(match (verified(&last), verified(prelude)) {
            (Some(log), Some(prelude)) => log.stands_like(&prelude),
            _ => false,
        })
    }

    /// The last run of the path but one, or an earlier one, whose end snapshots and its terminal
    /// event can say.
    pub fn latest_that_snapshots_say(&self) -> Result<Option<usize>, Rejection> {
        for position in (0..self.path.len().saturating_sub(1)).rev() {
            let place = self.path[position];
            if !self.ends.has_shared_ids(place)
                && (self.ends.interrupts(place).is_empty() || self.has_finished(position)?)
            {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Has a prelude name the runs of the log that it leaves out, in their order.
    pub fn name_left_out(&self, prelude: &mut [Event]) -> Result<(), Rejection> {
        if self.runs.rows().is_empty() {
            return Ok(());
        }
        let mut run_ids: Vec<String> = match self.events_of_run(0)?.iter().find_map(start_of) {
            Some(start) => left_out(start).map(str::to_owned).collect(),
            None => Vec::new(),
        };
        let starts = prelude.iter().filter_map(start_of);
        let staying: HashSet<String> = starts.map(|start| start.run_id.clone()).collect();
        let rows = self.runs.rows().iter().map(|row| &row.run_id);
        run_ids.extend(rows.filter(|id| !staying.contains(*id)).cloned());
        let start = prelude.iter_mut().find_map(|event| match event {
            Event::RunStarted(start) => Some(start),
            _ => None,
        });
        if let Some(start) = start.filter(|_| !run_ids.is_empty()) {
            name_left_out(start, run_ids);
        }
        Ok(())
    }

    /// Whether a run of the path says what it waits for.
    fn has_finished(&self, position: usize) -> Result<bool, Rejection> {
        let events = self.events_of(position)?;
        Ok(events
            .iter()
            .any(|event| matches!(event, Event::RunFinished(_))))
    }
}

fn start_of(event: &Event) -> Option<&RunStartedEvent> {
    match event {
        Event::RunStarted(start) => Some(start),
        _ => None,
    }
}

fn is_terminal(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

/// A verifier after the events of one run, if it accepts them.
fn verified(events: &[Event]) -> Option<Verifier> {
    let mut verifier = Verifier::default();
    let mut events = events.iter().enumerate();
    events
        .all(|(index, event)| verifier.push(index, event).is_valid())
        .then_some(verifier)
}

fn replayed(events: &[Event]) -> Result<Reducer, Rejection> {
    let (mut reducer, mut tape) = (Reducer::default(), Tape::default());
    for (index, event) in events.iter().enumerate() {
        with_carried(&mut tape, event, |carried| {
            reducer.apply(index, event, carried)
        })??;
    }
    Ok(reducer)
}
