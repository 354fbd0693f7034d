//! Level `snapshot`: finished runs as what they leave behind.
//!
//! The runs come in their `stream` form. Snapshots stand only in finished runs, just before the
//! terminal event; a run that is not over keeps its `stream` form.

mod form;
mod runs;
mod standings;
mod tips;

use super::{Options, Retain};
use chatstate_json::Object;
use chatstate_types::generated::Event;
use form::Form;
use standings::Standings;

/// Puts snapshots in the place of finished runs.
pub(super) struct Snapshots<'k> {
    retain: Retain,
    form: Form<'k>,
    standings: Standings,
    /// What stands before the first run, while it is held back.
    before: Vec<Event>,
}

impl<'k> Snapshots<'k> {
    pub fn new(retain: Retain, options: &Options<'k>) -> Self {
        Self {
            retain,
            form: Form::new(options),
            standings: Standings::default(),
            before: Vec::new(),
        }
    }

    /// Takes a finished run, or what stands outside of all runs, and gives what is settled by it.
    pub fn take(&mut self, events: Vec<Event>) -> Vec<Event> {
        if !matches!(events.first(), Some(Event::RunStarted(_))) {
            return self.take_outside(events);
        }
        match self.retain {
            Retain::Runs => runs::take(&mut self.standings, &self.form, events),
            Retain::Tips => {
                self.standings.take(events);
                Vec::new()
            }
        }
    }

    /// The messages at the end of the last run, as far as they are known.
    pub fn messages(&self) -> Option<Vec<Object>> {
        self.standings.messages()
    }

    /// Gives what was held back and the run that is not over.
    pub fn finish(mut self, unfinished: Vec<Event>) -> Vec<Event> {
        match self.retain {
            Retain::Runs => unfinished,
            Retain::Tips => {
                let mut events = std::mem::take(&mut self.before);
                events.extend(tips::finish(self.standings, &self.form, unfinished));
                events
            }
        }
    }

    /// An error after a run has finished belongs to that run.
    fn take_outside(&mut self, events: Vec<Event>) -> Vec<Event> {
        match self.retain {
            Retain::Runs => events,
            Retain::Tips => {
                let last = self.standings.last_mut();
                last.unwrap_or(&mut self.before).extend(events);
                Vec::new()
            }
        }
    }
}
