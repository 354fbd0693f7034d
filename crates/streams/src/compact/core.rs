//! The one compactor: events in as text, settled events out as text.

use super::ahead::{Ahead, Read, read_all};
use super::options::{Level, Options};
use super::run::RunInProgress;
use super::snapshot::Snapshots;
use crate::head::{EventKind, Head, Member};
use chatstate_json::Rejection;
use chatstate_json::range_within;
use chatstate_types::generated::Event;

/// So many events at once are worth a second thread.
const MANY: usize = 256;

/// Takes the settled events.
pub(super) type Give<'g> = dyn FnMut(&str) + 'g;

/// A compaction in progress.
#[derive(Default)]
pub(super) struct Core<'k> {
    options: Options<'k>,
    ahead: Ahead,
    /// The number of events that were taken.
    taken: usize,
    /// Why events are refused, or passed through if the options are lenient.
    stopped: Option<Rejection>,
    run: RunInProgress,
    is_running: bool,
    /// The run in progress as it came, for options that are lenient.
    verbatim: Vec<String>,
    /// What makes snapshots, at the levels that have some.
    snapshots: Option<Snapshots<'k>>,
}

impl<'k> Core<'k> {
    pub fn new(options: Options<'k>) -> Self {
        let snapshots = match options.level {
            Level::Stream => None,
            Level::Snapshot(retain) => Some(Snapshots::new(retain, &options)),
        };
        Self {
            options,
            snapshots,
            ..Self::default()
        }
    }

    /// What stopped the compaction, or made it pass through what came.
    pub fn stopped(&self) -> Option<&Rejection> {
        self.stopped.as_ref()
    }

    /// The number of events that were taken.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the next event, and gives what is settled by it.
    pub fn push(&mut self, event: &str, give: &mut Give<'_>) -> Result<(), Rejection> {
        let head = match &self.stopped {
            None => self.ahead.read(event),
            // Nobody looks at what follows.
            Some(rejection) => Err(rejection.clone()),
        };
        self.push_read(event, &head, give)
    }

    /// Takes the next events.
    pub fn push_all(&mut self, events: &[&str], give: &mut Give<'_>) -> Result<(), Rejection> {
        if events.len() < MANY || self.stopped.is_some() {
            return events.iter().try_for_each(|event| self.push(event, give));
        }
        let mut ahead = std::mem::take(&mut self.ahead);
        let take = |event: &str, head: &Read<'_>| self.push_read(event, head, give);
        let taken = read_all(&mut ahead, events, take);
        self.ahead = ahead;
        taken
    }

    fn push_read(
        &mut self,
        event: &str,
        head: &Read<'_>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let index = self.taken;
        self.taken += 1;
        if self.stopped.is_none() {
            let taken = match head {
                Ok(head) => self.take(index, event, head, give),
                Err(rejection) => Err(rejection.clone()),
            };
            match taken {
                Ok(()) => return Ok(()),
                Err(rejection) => self.stop(rejection, give),
            }
        }
        match &self.stopped {
            Some(rejection) if !self.options.lenient => Err(rejection.clone()),
            _ => {
                give(event);
                Ok(())
            }
        }
    }

    /// Gives the events of a run that is not over.
    pub fn finish(mut self, give: &mut Give<'_>) -> Result<(), Rejection> {
        match self.stopped {
            Some(rejection) if !self.options.lenient => return Err(rejection),
            _ => {}
        }
        let Some(snapshots) = self.snapshots else {
            self.run.finish(give);
            return Ok(());
        };
        let mut unfinished = Settled::default();
        self.run.finish(&mut |event| unfinished.take(event));
        let events = snapshots.finish(unfinished.events()?);
        give_all(&events, give);
        Ok(())
    }

    /// Forgets the run in progress, or gives it as it came.
    fn stop(&mut self, rejection: Rejection, give: &mut Give<'_>) {
        self.stopped = Some(rejection);
        self.run = RunInProgress::default();
        let settled = self.snapshots.take().map(|it| it.finish(Vec::new()));
        give_all(&settled.unwrap_or_default(), give);
        for event in std::mem::take(&mut self.verbatim) {
            give(&event);
        }
    }

    fn take(
        &mut self,
        index: usize,
        event: &str,
        head: &Head<'_>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let is_kept = self.is_kept(event);
        self.settle(event, head, is_kept, give)
            .map_err(|rejection| rejection.within(index))?;
        if !self.is_running {
            self.verbatim.clear();
        } else if self.options.lenient {
            self.verbatim.push(event.to_owned());
        }
        Ok(())
    }

    /// Whether the caller keeps the event as it is.
    fn is_kept(&self, event: &str) -> bool {
        let keeps = |keep: &dyn Fn(&Event) -> bool| Event::from_json(event).is_ok_and(|e| keep(&e));
        self.options.keep.is_some_and(keeps)
    }

    fn settle(
        &mut self,
        event: &str,
        head: &Head<'_>,
        is_kept: bool,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        match head.kind {
            EventKind::RunStarted => {
                self.begin(event, head, is_kept);
                Ok(())
            }
            EventKind::RunFinished | EventKind::RunError if self.is_running => {
                self.is_running = false;
                self.end(event, give)
            }
            _ if self.is_running => self.run.push(event, head, is_kept),
            _ => self.give_outside(event, give),
        }
    }

    fn begin(&mut self, event: &str, head: &Head<'_>, is_kept: bool) {
        self.is_running = true;
        let run_id = head.text(Member::RunId).unwrap_or_default();
        self.run
            .held
            .begin_run(run_id, head.text(Member::ParentRunId));
        let messages = head.messages.as_read();
        let mut kept = Vec::with_capacity(messages.len());
        for (message, digest) in head.messages.with_digests() {
            let is_held = self.run.held.take_input(message, digest);
            if is_kept || !is_held {
                kept.push(message.value);
            }
        }
        match (messages.first(), messages.last()) {
            (Some(first), Some(last)) if kept.len() < messages.len() => {
                let start = range_within(event, first.value).unwrap_or_default().start;
                let end = range_within(event, last.value).unwrap_or_default().end;
                let (before, after) = (&event[..start], &event[end..]);
                self.run.begin(&[before, &kept.join(","), after]);
            }
            _ => self.run.begin(&[event]),
        }
    }

    fn end(&mut self, terminal: &str, give: &mut Give<'_>) -> Result<(), Rejection> {
        if let Some(snapshots) = &mut self.snapshots {
            let mut settled = Settled::default();
            self.run.end(terminal, &mut |event| settled.take(event));
            let written = snapshots.take(settled.events()?);
            // What a later run did to a message is known here, since snapshots hold all messages.
            if let Some(messages) = snapshots.messages() {
                self.run.held.learn(&messages);
            }
            give_all(&written, give);
        } else {
            self.run.end(terminal, give);
        }
        self.run.held.end_run();
        Ok(())
    }

    fn give_outside(&mut self, event: &str, give: &mut Give<'_>) -> Result<(), Rejection> {
        match &mut self.snapshots {
            None => give(event),
            Some(snapshots) => {
                let written = snapshots.take(vec![Event::from_json(event)?]);
                give_all(&written, give);
            }
        }
        Ok(())
    }
}

fn give_all(events: &[Event], give: &mut Give<'_>) {
    for event in events {
        give(&event.to_json());
    }
}

/// Settled events, read for the levels that look at their values.
#[derive(Default)]
struct Settled(Vec<Result<Event, Rejection>>);

impl Settled {
    fn take(&mut self, event: &str) {
        self.0.push(Event::from_json(event));
    }

    fn events(self) -> Result<Vec<Event>, Rejection> {
        self.0.into_iter().collect()
    }
}
