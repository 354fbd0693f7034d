//! The one compactor: events in, the texts of settled events out.

use super::arrived::{Arrived, ArrivedEvent};
use super::input::without_messages;
use super::options::{Level, Options};
use super::plain_delta::PlainDelta;
use super::reading::ReadEvent;
use super::run_buffer::{MOST_KEPT, RunBuffer};
use super::snapshot::{FinishedRun, Snapshots};
use crate::header::{EventKind, Header};
use crate::lineage::Runs;
use crate::replay::{Carried, Conversation, Ends, OpenRun, Remark};
use crate::verify::Verifier;
use chatstate_json::{Raw, ReadJson, Rejection, SplitText};
use chatstate_types::generated::{Event, RunStartedEvent};

/// Takes the texts of settled events.
pub(crate) type Give<'g> = dyn FnMut(&str) + 'g;

/// The run in progress.
enum Running {
    Whole(OpenRun),
    /// The rest of a run that began elsewhere, which belongs to no path that could be looked at.
    Rest,
}

impl Running {
    /// The run, if its beginning is known.
    fn whole(&self) -> Option<&OpenRun> {
        match self {
            Self::Whole(open) => Some(open),
            Self::Rest => None,
        }
    }
}

/// A compaction in progress.
pub(crate) struct StreamCompactor<'k> {
    options: Options<'k>,
    verifier: Verifier,
    /// Whether no known event has come, and the first one may be inside of a run.
    may_begin_inside: bool,
    /// The number of events that were taken.
    taken: usize,
    /// Why events are rejected, or passed through if the options are lenient.
    stopped: Option<Rejection>,
    buffer: RunBuffer,
    /// The text of the last delta, for its memory.
    delta_text: SplitText,
    running: Option<Running>,
    ends: Ends,
    /// The run in progress as it came, for options that are lenient.
    verbatim: Vec<String>,
    /// What makes snapshots, at the levels that have some.
    snapshots: Option<Snapshots>,
    /// Whether events of unknown types are left out where no run is in progress.
    omits_unknown_outside: bool,
    /// What had no effect in the runs that are over.
    remarks: Vec<Remark>,
}

impl<'k> StreamCompactor<'k> {
    pub fn new(options: Options<'k>) -> Self {
        match options.level {
            Level::Snapshot(retain) if !options.partial => {
                let snapshots = Snapshots::new(retain);
                Self::of(options, Some(snapshots), Conversation::default())
            }
            // No event of level `stream` says a state that another run made. Of the rest of a thread it
            // is not known what all messages are, so that it stays at this level.
            Level::Stream | Level::Snapshot(_) => {
                Self::of(options, None, Conversation::without_state())
            }
        }
    }

    /// A compactor at level `stream` that also works out what is said at the end of each run.
    ///
    /// Unknown events outside of runs belong to no path, and are left out.
    pub fn with_state() -> Self {
        Self {
            omits_unknown_outside: true,
            ..Self::of(Options::default(), None, Conversation::default())
        }
    }

    fn of(options: Options<'k>, snapshots: Option<Snapshots>, first: Conversation) -> Self {
        Self {
            may_begin_inside: options.partial,
            options,
            verifier: Verifier::default(),
            taken: 0,
            stopped: None,
            buffer: RunBuffer::default(),
            delta_text: SplitText::EMPTY,
            running: None,
            ends: Ends::from(first),
            verbatim: Vec::new(),
            snapshots,
            omits_unknown_outside: false,
            remarks: Vec::new(),
        }
    }

    /// What stopped the compaction, or made it pass through what came.
    pub fn stopped(&self) -> Option<&Rejection> {
        self.stopped.as_ref()
    }

    /// What had no effect so far, in the order of the log.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        let mut remarks = std::mem::take(&mut self.remarks);
        remarks.extend(self.buffer.conversation.take_remarks());
        remarks
    }

    /// The number of events that were taken.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the next event with its values, or with what is wrong with its text, and gives what is
    /// settled by it.
    pub fn push(
        &mut self,
        text: &str,
        read: Result<ReadEvent<'_>, Rejection>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        self.taken += 1;
        if self.stopped.is_none() {
            match self.take(text, read, give) {
                Ok(()) => {
                    self.note_verbatim(text);
                    return Ok(());
                }
                Err(rejection) => self.stop(rejection, give)?,
            }
        }
        match &self.stopped {
            Some(rejection) if !self.options.lenient => Err(rejection.clone()),
            _ => {
                give(text);
                Ok(())
            }
        }
    }

    /// Gives the events of a run that is not over.
    pub fn finish(&mut self, give: &mut Give<'_>) -> Result<(), Rejection> {
        if let Some(rejection) = &self.stopped {
            return if self.options.lenient {
                Ok(())
            } else {
                Err(rejection.clone())
            };
        }
        self.give_back();
        if let Some(snapshots) = self.snapshots.take() {
            let running = self.running.as_ref().and_then(Running::whole);
            let retained = running.and_then(|open| open.predecessor);
            snapshots.finish(&mut self.ends, retained, give)?;
        }
        if self.running.is_some() {
            self.buffer.finish();
            self.buffer.iter().for_each(give);
        }
        Ok(())
    }

    /// How many runs have begun.
    pub fn runs(&self) -> usize {
        self.verifier.runs().rows().len()
    }

    /// The runs of the log, what was said at the ends of those that are over, and the one that is not.
    pub fn into_runs(self) -> (Runs, Ends, Option<OpenRun>) {
        let open = match self.running {
            Some(Running::Whole(open)) => Some(open),
            Some(Running::Rest) | None => None,
        };
        (self.verifier.into_runs(), self.ends, open)
    }

    /// Has the run in progress, if there is one, give back the messages that it continues.
    fn give_back(&mut self) {
        if let Some(open) = self.running.as_ref().and_then(Running::whole) {
            let thread = self.buffer.conversation.take_thread();
            self.ends.give_back(open, thread);
        }
    }

    /// Forgets the run in progress, or gives it as it came.
    fn stop(&mut self, rejection: Rejection, give: &mut Give<'_>) -> Result<(), Rejection> {
        self.stopped = Some(rejection);
        self.give_back();
        self.running = None;
        self.remarks.extend(self.buffer.conversation.take_remarks());
        self.buffer = RunBuffer::default();
        if let Some(snapshots) = self.snapshots.take() {
            snapshots.finish(&mut self.ends, None, give)?;
        }
        for event in std::mem::take(&mut self.verbatim) {
            give(&event);
        }
        Ok(())
    }

    fn take(
        &mut self,
        text: &str,
        read: Result<ReadEvent<'_>, Rejection>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let index = self.taken - 1;
        let within = |wrong: Rejection| wrong.within(index);
        let ReadEvent { raw, event } = read.map_err(within)?;
        if let Some(event) = event {
            return self.take_event(text, raw, event, give);
        }
        if self.options.keep.is_none() && !self.may_begin_inside {
            let mut memory = std::mem::take(&mut self.delta_text);
            let delta = PlainDelta::of(raw, &mut memory);
            let taken = delta.map(|delta| self.take_delta(text, &delta));
            // A large delta should not hold its memory until the end of the log.
            if text.len() <= MOST_KEPT {
                self.delta_text = memory;
            }
            if let Some(taken) = taken {
                return taken;
            }
        }
        let mut event = Event::read(raw).map_err(within)?;
        self.take_event(text, raw, &mut event, give)
    }

    fn take_event(
        &mut self,
        text: &str,
        raw: Raw<'_>,
        event: &mut Event,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let within = self.taken - 1;
        // The caller looks at the event before its state is taken out.
        let is_kept = self.options.keep.is_some_and(|keep| keep(event));
        let carried = Carried::taken_from(event, raw);
        let header = Header::of(event);
        self.begin_inside(header.kind);
        let arrived = Arrived {
            arrival: within,
            text,
            event: ArrivedEvent::Typed(event),
            header: &header,
            is_kept,
        };
        self.verify(&arrived)?;
        let settled = self.settle(&arrived, raw, event, carried, give);
        settled.map_err(|wrong| wrong.within(within))
    }

    /// Takes a delta that is plain to see.
    fn take_delta(&mut self, text: &str, delta: &PlainDelta<'_>) -> Result<(), Rejection> {
        let header = delta.header();
        let arrived = Arrived {
            arrival: self.taken - 1,
            text,
            event: ArrivedEvent::Delta(delta),
            header: &header,
            is_kept: false,
        };
        self.verify(&arrived)?;
        let taken = self.buffer.take(&arrived, Carried::default());
        taken.map_err(|rejection| rejection.within(self.taken - 1))
    }

    /// Notes an event of the run in progress as it came, if that may be needed.
    fn note_verbatim(&mut self, text: &str) {
        if self.running.is_none() {
            self.verbatim.clear();
        } else if self.options.lenient {
            self.verbatim.push(text.to_owned());
        }
    }

    /// Lets the run know what an event begins, continues and ends, if it is allowed here.
    fn verify(&mut self, arrived: &Arrived<'_>) -> Result<(), Rejection> {
        let buffer = &mut self.buffer;
        let found = self
            .verifier
            .push_steps(arrived.arrival, arrived.header, &mut |step| {
                buffer.step(arrived, step);
            });
        // A finding may be about an earlier event.
        match found.errors.first() {
            Some(error) => Err(Rejection::from(error)),
            None => Ok(()),
        }
    }

    fn settle(
        &mut self,
        arrived: &Arrived<'_>,
        raw: Raw<'_>,
        event: &Event,
        carried: Carried<'_>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        match (event, &mut self.running) {
            (Event::RunStarted(start), _) => self.begin(arrived, raw, start, &carried.messages),
            (Event::RunFinished(_) | Event::RunError(_), Some(_)) => self.end(arrived, event, give),
            (_, Some(running)) => {
                if let Running::Whole(open) = running {
                    open.take(event);
                }
                self.buffer.take(arrived, carried)
            }
            (Event::Unknown(_), None) if self.omits_unknown_outside => Ok(()),
            (_, None) => {
                self.give_outside(arrived.text, give);
                Ok(())
            }
        }
    }

    /// Begins with the rest of a run, if the first known event of a fragment is in one.
    fn begin_inside(&mut self, first: EventKind) {
        if !self.may_begin_inside || first == EventKind::Unknown {
            return;
        }
        self.may_begin_inside = false;
        if matches!(first, EventKind::RunStarted | EventKind::RunError) {
            return;
        }
        self.verifier.begin_inside();
        self.buffer.begin_inside(Conversation::without_state());
        self.running = Some(Running::Rest);
    }

    /// Begins a run, without the messages of its input that its path holds. One that the caller
    /// keeps, that was removed, or whose path lacks something stays as it came.
    fn begin(
        &mut self,
        arrived: &Arrived<'_>,
        raw: Raw<'_>,
        start: &RunStartedEvent,
        messages: &[Raw<'_>],
    ) -> Result<(), Rejection> {
        let open = self.ends.begin(self.verifier.predecessor(), start);
        let mut conversation = self.ends.continued_by(&open)?;
        let repeated = conversation.run_started(start, messages);
        let stays = arrived.is_kept || self.ends.missing_now(&open).is_some();
        let repeated = if stays { &[] } else { repeated.as_slice() };
        let text = without_messages(arrived.text, raw, repeated);
        self.running = Some(Running::Whole(open));
        self.buffer.begin(&text, conversation, arrived.is_kept);
        Ok(())
    }

    fn end(
        &mut self,
        arrived: &Arrived<'_>,
        event: &Event,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        self.buffer.end(arrived, event)?;
        let finished = self.finished_run()?;
        if let (Some(snapshots), Some(run)) = (&mut self.snapshots, finished) {
            snapshots.take(run, &self.buffer.conversation, give)?;
        } else {
            self.buffer.iter().for_each(&mut *give);
        }
        let mut conversation = std::mem::take(&mut self.buffer.conversation);
        self.remarks.extend(conversation.take_remarks());
        if let Some(Running::Whole(open)) = self.running.take() {
            self.ends.end(&open, conversation);
        }
        Ok(())
    }

    /// The run that has ended, if snapshots are made of it.
    fn finished_run(&mut self) -> Result<Option<FinishedRun>, Rejection> {
        let (Some(_), Some(Running::Whole(open))) = (&self.snapshots, &self.running) else {
            return Ok(None);
        };
        let mut run = self.buffer.take_run();
        if let Some(keep) = self.options.keep {
            run.keep(keep)?;
        }
        Ok(Some(FinishedRun {
            run,
            predecessor: open.predecessor,
            is_incomplete: self.ends.needed(open).is_some(),
            is_removed: open.is_removed,
            after: Vec::new(),
        }))
    }

    fn give_outside(&mut self, text: &str, give: &mut Give<'_>) {
        match &mut self.snapshots {
            None => give(text),
            Some(snapshots) => snapshots.take_outside(text, give),
        }
    }
}
