//! The one compactor: events in, the texts of settled events out.

use super::arrived::{Arrived, ArrivedEvent, Carried};
use super::input::RunStart;
use super::options::{Level, Options};
use super::plain_delta::PlainDelta;
use super::run_buffer::RunBuffer;
use super::snapshot::{FinishedRun, Snapshots};
use crate::header::{Header, MessageHeader, Messages};
use crate::replay::{Conversation, Ends, Thread, is_removed, read_raw};
use crate::verify::Verifier;
use chatstate_json::Rejection;
use chatstate_json::{Kind, Object, Raw, SplitText, Tape, TapedDocument, Value};
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::EventKind;

/// Takes the texts of settled events.
pub(crate) type Give<'g> = dyn FnMut(&str) + 'g;

/// An event that has come, as far as it was read without what came before it.
pub(crate) enum Incoming<'e> {
    /// It was read against the schema, with the messages that it carries.
    Read(Event, Vec<Object>),
    Delta(PlainDelta<'e>),
    /// The beginning of a run, of which the path may hold messages.
    Start(Box<RunStart<'e>>),
    /// It is no event.
    Rejected(Rejection),
}

impl<'e> Incoming<'e> {
    /// What can be read of an event by itself.
    pub fn of(tape: &mut Tape, text: &'e str) -> Self {
        Self::read(tape, text).unwrap_or_else(Self::Rejected)
    }

    fn read(tape: &mut Tape, text: &'e str) -> Result<Self, Rejection> {
        let mut document = TapedDocument::read(text, std::mem::take(tape))?;
        if is_start(document.root()) {
            document = match RunStart::read(document, text) {
                Ok(start) => return Ok(Self::Start(Box::new(start))),
                Err(document) => *document,
            };
        }
        let raw = document.root();
        let read = match PlainDelta::of(text, raw) {
            Some(delta) => Ok(Self::Delta(delta)),
            None => read_raw(raw).map(|(event, messages)| Self::Read(event, messages)),
        };
        *tape = document.into_tape();
        read
    }
}

/// Whether an event begins a run.
fn is_start(event: Raw<'_>) -> bool {
    let tag = (event.kind() == Kind::Object).then(|| event.member("type"));
    let tag = tag.flatten().and_then(|(_, tag)| tag.plain());
    tag.is_some() && tag == EventKind::RunStarted.tag()
}

/// A run that is over, as far as later ones need to know.
struct RunRecord {
    /// Whether compaction kept only its frame.
    is_removed: bool,
    /// Whether its path needs what compaction removed.
    is_incomplete: bool,
    is_followed: bool,
}

/// The run in progress.
struct Running {
    predecessor: Option<usize>,
    /// The messages of its path with those of its input.
    start: Thread,
    is_removed: bool,
    /// Whether it says all messages anew.
    restates: bool,
    /// Whether it is the first that goes on from its predecessor.
    is_first: bool,
}

/// A compaction in progress.
pub(crate) struct StreamCompactor<'k> {
    options: Options<'k>,
    verifier: Verifier,
    /// The number of events that were taken.
    taken: usize,
    /// Why events are refused, or passed through if the options are lenient.
    stopped: Option<Rejection>,
    buffer: RunBuffer,
    running: Option<Running>,
    records: Vec<RunRecord>,
    ends: Ends,
    /// The run in progress as it came, for options that are lenient.
    verbatim: Vec<String>,
    /// What makes snapshots, at the levels that have some.
    snapshots: Option<Snapshots>,
}

impl<'k> StreamCompactor<'k> {
    pub fn new(options: Options<'k>) -> Self {
        let (snapshots, first) = match options.level {
            // No event of this level says a state that another run made.
            Level::Stream => (None, Conversation::without_state()),
            Level::Snapshot(retain) => {
                let snapshots = Snapshots::new(retain, &options);
                (Some(snapshots), Conversation::default())
            }
        };
        Self {
            options,
            verifier: Verifier::default(),
            taken: 0,
            stopped: None,
            buffer: RunBuffer::default(),
            running: None,
            records: Vec::new(),
            ends: Ends::from(first),
            verbatim: Vec::new(),
            snapshots,
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
    pub fn push(
        &mut self,
        text: &str,
        event: Incoming<'_>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        self.taken += 1;
        if self.stopped.is_none() {
            let taken = match event {
                Incoming::Read(event, messages) => self.take(text, event, messages, None, give),
                Incoming::Delta(delta) => self.take_delta(text, &delta, give),
                Incoming::Start(start) => self.take_start(text, *start, give),
                Incoming::Rejected(rejection) => Err(rejection.within(self.taken - 1)),
            };
            match taken {
                Ok(()) => return Ok(()),
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
    pub fn finish(mut self, give: &mut Give<'_>) -> Result<(), Rejection> {
        if let Some(rejection) = self.stopped {
            return if self.options.lenient {
                Ok(())
            } else {
                Err(rejection)
            };
        }
        let is_running = self.running.is_some();
        let retained = self.running.and_then(|running| running.predecessor);
        if let Some(snapshots) = self.snapshots {
            snapshots.finish(&mut self.ends, retained, give)?;
        }
        if is_running {
            self.buffer.finish();
            self.buffer.iter().for_each(give);
        }
        Ok(())
    }

    /// Forgets the run in progress, or gives it as it came.
    fn stop(&mut self, rejection: Rejection, give: &mut Give<'_>) -> Result<(), Rejection> {
        self.stopped = Some(rejection);
        self.running = None;
        self.buffer = RunBuffer::default();
        if let Some(snapshots) = self.snapshots.take() {
            snapshots.finish(&mut self.ends, None, give)?;
        }
        for event in std::mem::take(&mut self.verbatim) {
            give(&event);
        }
        Ok(())
    }

    /// Takes the beginning of a run.
    fn take_start(
        &mut self,
        text: &str,
        start: RunStart<'_>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let held = self.held_by(start.root());
        let read = start.finish(held);
        let read = read.map_err(|rejection| rejection.within(self.taken - 1))?;
        let text = read.text.as_deref().unwrap_or(text);
        self.take(text, read.event, read.messages, read.headers, give)
    }

    /// The messages that the path holds of a run that is about to begin, if they may be left out.
    fn held_by(&self, start: Raw<'_>) -> Option<&Thread> {
        // What the caller keeps, or what may be passed through, is needed as it came.
        if self.options.keep.is_some() || self.options.lenient {
            return None;
        }
        let member = |name| start.member(name).and_then(|(_, value)| value.decoded());
        let (run_id, parent) = (member("runId"), member("parentRunId"));
        let (run_id, parent) = (run_id.as_ref(), parent.as_ref());
        let runs = self.verifier.runs();
        let place = runs.predecessor_of(run_id?.as_str(), parent.and_then(SplitText::as_str))?;
        let before = self.records.get(place)?;
        let is_marked = start.member("metadata").is_some();
        let is_known = !before.is_removed && !before.is_incomplete && !is_marked;
        is_known.then(|| self.ends.thread(place))
    }

    /// Takes a delta that is plain to see.
    fn take_delta(
        &mut self,
        text: &str,
        delta: &PlainDelta<'_>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        if self.options.keep.is_some() {
            return self.take(text, delta.event(), Vec::new(), None, give);
        }
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
        taken.map_err(|rejection| rejection.within(self.taken - 1))?;
        self.note_verbatim(text);
        Ok(())
    }

    fn take(
        &mut self,
        text: &str,
        event: Event,
        messages: Vec<Object>,
        headers: Option<Vec<MessageHeader<'static>>>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let is_kept = self.options.keep.is_some_and(|keep| keep(&event));
        self.settle(text, event, messages, headers, is_kept, give)?;
        self.note_verbatim(text);
        Ok(())
    }

    /// Notes an event of the run in progress as it came, if that may be needed.
    fn note_verbatim(&mut self, text: &str) {
        if self.running.is_none() {
            self.verbatim.clear();
        } else if self.options.lenient {
            self.verbatim.push(text.to_owned());
        }
    }

    /// Lets the run know what an event begins, continues and ends, if it may stand here.
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
        text: &str,
        mut event: Event,
        messages: Vec<Object>,
        headers: Option<Vec<MessageHeader<'static>>>,
        is_kept: bool,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let state = match &mut event {
            Event::StateSnapshot(event) => std::mem::take(&mut event.snapshot),
            _ => Value::Null,
        };
        let mut header = Header::of(&event);
        if let Some(headers) = headers {
            header.messages = Messages::of_heads(headers);
        }
        let arrival = self.taken - 1;
        let arrived = Arrived {
            arrival,
            text,
            event: ArrivedEvent::Typed(&event),
            header: &header,
            is_kept,
        };
        self.verify(&arrived)?;
        let settled = match (&event, self.running.take()) {
            (Event::RunStarted(_), _) => self.begin(text, event, messages, is_kept),
            (Event::RunFinished(_) | Event::RunError(_), Some(running)) => {
                self.end(&arrived, &event, running, give)
            }
            (_, Some(mut running)) => {
                running.restates |= matches!(event, Event::MessagesSnapshot(_));
                self.running = Some(running);
                self.buffer.take(&arrived, Carried { messages, state })
            }
            (_, None) => {
                self.give_outside(text, give);
                Ok(())
            }
        };
        settled.map_err(|rejection| rejection.within(arrival))
    }

    /// Begins a run without the messages that its path holds already.
    fn begin(
        &mut self,
        text: &str,
        event: Event,
        messages: Vec<Object>,
        is_kept: bool,
    ) -> Result<(), Rejection> {
        let predecessor = self.verifier.predecessor();
        let mut conversation = self.ends.go_on_from(predecessor)?;
        conversation.event(&event, Vec::new())?;
        let is_removed = is_removed(&event);
        let knows_path = predecessor.is_none_or(|place| {
            let before = &self.records[place];
            !before.is_removed && !before.is_incomplete
        });
        let is_known = knows_path && !is_removed && !is_kept;
        let stays = take_input(conversation.thread_mut(), messages, is_known);
        self.running = Some(Running {
            predecessor,
            start: conversation.thread().clone(),
            is_removed,
            restates: false,
            is_first: predecessor
                .is_none_or(|place| !std::mem::replace(&mut self.records[place].is_followed, true)),
        });
        if stays.iter().all(|stays| *stays) {
            self.buffer.begin(text, conversation, is_kept);
        } else {
            let text = with_messages(event, &stays).to_json();
            self.buffer.begin(&text, conversation, is_kept);
        }
        Ok(())
    }

    fn end(
        &mut self,
        arrived: &Arrived<'_>,
        event: &Event,
        running: Running,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        self.buffer.end(arrived, event)?;
        let conversation = std::mem::take(&mut self.buffer.conversation);
        let is_incomplete = running.predecessor.is_some_and(|place| {
            let before = &self.records[place];
            let is_said = running.is_first && (running.is_removed || running.restates);
            before.is_incomplete || (before.is_removed && !is_said)
        });
        match &mut self.snapshots {
            None => self.buffer.iter().for_each(give),
            Some(snapshots) => {
                let mut run = self.buffer.take_run();
                if let Some(keep) = self.options.keep {
                    run.keep(keep)?;
                }
                let run = FinishedRun {
                    run,
                    start: running.start,
                    predecessor: running.predecessor,
                    is_incomplete,
                    is_removed: running.is_removed,
                    after: Vec::new(),
                };
                snapshots.take(run, &conversation, give);
            }
        }
        self.ends.push(running.predecessor, conversation);
        self.records.push(RunRecord {
            is_removed: running.is_removed,
            is_incomplete,
            is_followed: false,
        });
        Ok(())
    }

    fn give_outside(&mut self, text: &str, give: &mut Give<'_>) {
        match &mut self.snapshots {
            None => give(text),
            Some(snapshots) => snapshots.take_outside(text, give),
        }
    }
}

/// Takes the messages of an input into a thread, and says of each whether it stays in the input: not
/// if the thread holds it. AG-UI tells owners to each run anew, so a message with one stays.
fn take_input(thread: &mut Thread, messages: Vec<Object>, is_known: bool) -> Vec<bool> {
    let mut stays = Vec::with_capacity(messages.len());
    for message in messages {
        let id = message.get("id").and_then(Value::as_str);
        if let Some(held) = id.and_then(|id| thread.find(id)) {
            let is_held = is_known && *held == message;
            stays.push(!is_held || message.contains_key("subagentRunId"));
        } else {
            stays.push(true);
            thread.push(message);
        }
    }
    stays
}

/// The beginning of a run with only those messages of its input that stay.
fn with_messages(event: Event, stays: &[bool]) -> Event {
    let Event::RunStarted(mut start) = event else {
        return event;
    };
    if let Some(input) = &mut start.input {
        let mut stays = stays.iter();
        input
            .messages
            .retain(|_| stays.next().is_none_or(|stays| *stays));
    }
    Event::RunStarted(start)
}
