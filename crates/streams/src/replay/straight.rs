//! Replay of a log whose runs follow each other, without holding more than one event
//! and a few patches.
//!
//! Nearly all logs are so. Everything else is left to the replay that holds all events: branches,
//! what compaction removed, and whatever is refused, since of several reasons to refuse a log only
//! that replay knows which comes first.

use super::plain::{Plain, WaitingState};
use super::{Reducer, Replay, is_removed};
use crate::head::{Head, Member};
use crate::lineage::Runs;
use chatstate_json::{Raw, ReadJson, Tape};
use chatstate_types::generated::Event;

/// The replay of a log as text at the end of a run, or of the last one; `None` if the log has to be
/// looked at as a whole.
pub(super) fn replay_straight(text: &str, at: Option<&str>) -> Option<Replay> {
    let mut replay = Straight {
        at,
        runs: Runs::default(),
        reducer: Reducer::default(),
        state: WaitingState::default(),
        is_there: false,
        index: 0,
    };
    let mut tape = Tape::default();
    if text.trim_start().starts_with('[') {
        tape.each_element(text, |raw| replay.take(raw))?;
    } else {
        for line in text.split('\n').filter(|line| !line.trim().is_empty()) {
            replay.take(tape.read(line).ok()?)?;
        }
    }
    replay.finish()
}

struct Straight<'a> {
    at: Option<&'a str>,
    runs: Runs,
    reducer: Reducer,
    /// The state, as long as the reducer need not know it.
    state: WaitingState,
    /// Whether the run that is asked for is over.
    is_there: bool,
    /// The index of the next event.
    index: usize,
}

impl Straight<'_> {
    fn take(&mut self, raw: Raw<'_>) -> Option<()> {
        match Plain::of(raw) {
            Some(_) if self.is_there => {}
            Some(Plain::Text(kind, id, text)) => {
                self.reducer.append(self.index, kind, id, &text).ok()?;
            }
            Some(Plain::State(state)) => {
                self.reducer.pass_state().ok()?;
                self.state.set(state);
            }
            None => self.whole(Event::read(raw).ok()?)?,
        }
        self.index += 1;
        Some(())
    }

    fn whole(&mut self, event: Event) -> Option<()> {
        if let Event::RunStarted(_) = event {
            self.begin_run(&event)?;
        }
        if self.is_there {
            return Some(());
        }
        if let Event::StateDelta(delta) = &event
            && self.state.may_wait(&delta.delta)
        {
            self.reducer.pass_patch(self.index, &event).ok()?;
            self.state.patch(event);
            return Some(());
        }
        match &event {
            Event::StateDelta(_) => self.settle_state()?,
            Event::StateSnapshot(_) => self.state.forget(),
            Event::RunStarted(event) => {
                let input = event.input.as_ref();
                if input.is_some_and(|input| input.state.is_some()) {
                    self.state.forget();
                }
            }
            _ => {}
        }
        self.reducer.apply(self.index, &event).ok()
    }

    /// Lets the reducer know the state.
    fn settle_state(&mut self) -> Option<()> {
        match self.state.take() {
            Some((state, patches)) => self.reducer.settle_state(state, &patches).ok(),
            None => Some(()),
        }
    }

    /// Notes the run that an event begins, if it goes on from the run before it.
    fn begin_run(&mut self, event: &Event) -> Option<()> {
        let head = Head::of(event);
        let is_new = self.runs.place_of(head.text(Member::RunId)?).is_none();
        let rows = self.runs.rows();
        let last = rows.last().map(|row| row.run_id.as_str());
        self.is_there |= self.at.is_some() && last == self.at;
        let before = rows.len().checked_sub(1);
        self.runs.push(self.index, &head);
        let goes_on = self.runs.rows().last()?.predecessor == before;
        (is_new && goes_on && !is_removed(event)).then_some(())
    }

    fn finish(mut self) -> Option<Replay> {
        self.settle_state()?;
        let is_known = self.at.is_none_or(|at| self.runs.place_of(at).is_some());
        (is_known && self.index > 0).then(|| self.reducer.finish())
    }
}
