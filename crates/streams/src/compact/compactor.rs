//! The one compactor: events in, the texts of settled events out.

use super::input::{ReadStart, read_start};
use super::options::{Level, Options};
use super::plain_delta::PlainDelta;
use super::run_buffer::{Arrived, RunBuffer};
use super::snapshot::{FinishedRun, Snapshots};
use crate::head::{Head, MessageHead, Messages};
use crate::replay::{Conversation, Ends, Thread, is_removed, read_raw};
use crate::verify::Verifier;
use chatstate_json::Rejection;
use chatstate_json::{Kind, Object, Raw, SplitText, Tape, Value};
use chatstate_types::generated::Event;

/// Takes the texts of settled events.
pub(crate) type Give<'g> = dyn FnMut(&str) + 'g;

/// An event that has come, as far as it was read without what came before it.
pub(crate) enum Incoming<'e> {
    /// It was read against the schema, with the messages that it carries.
    Read(Event, Vec<Object>),
    Delta(PlainDelta<'e>),
    /// It is still to be read.
    Text,
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
    tape: Tape,
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
            tape: Tape::default(),
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
                Incoming::Delta(delta) => self.take(text, delta.event(), Vec::new(), None, give),
                Incoming::Text => self.take_text(text, give),
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

    /// Takes an event as text.
    fn take_text(&mut self, text: &str, give: &mut Give<'_>) -> Result<(), Rejection> {
        let arrival = self.taken - 1;
        let mut tape = std::mem::take(&mut self.tape);
        let read = tape.read(text).and_then(|raw| {
            let tag = (raw.kind() == Kind::Object).then(|| raw.member("type"));
            match tag.flatten().and_then(|(_, tag)| tag.plain()) {
                Some("RUN_STARTED") => read_start(text, raw, self.held_by(raw)),
                _ => read_raw(raw).map(ReadStart::from),
            }
        });
        self.tape = tape;
        let read = read.map_err(|rejection| rejection.within(arrival))?;
        let text = read.text.as_deref().unwrap_or(text);
        self.take(text, read.event, read.messages, read.heads, give)
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

    fn take(
        &mut self,
        text: &str,
        event: Event,
        messages: Vec<Object>,
        heads: Option<Vec<MessageHead<'static>>>,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let is_kept = self.options.keep.is_some_and(|keep| keep(&event));
        self.settle(text, event, messages, heads, is_kept, give)?;
        if self.running.is_none() {
            self.verbatim.clear();
        } else if self.options.lenient {
            self.verbatim.push(text.to_owned());
        }
        Ok(())
    }

    fn settle(
        &mut self,
        text: &str,
        event: Event,
        messages: Vec<Object>,
        heads: Option<Vec<MessageHead<'static>>>,
        is_kept: bool,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        let mut head = Head::of(&event);
        if let Some(heads) = heads {
            head.messages = Messages::of_heads(heads);
        }
        let arrived = Arrived {
            arrival: self.taken - 1,
            text,
            event: &event,
            head: &head,
            is_kept,
        };
        let buffer = &mut self.buffer;
        let found = self
            .verifier
            .push_steps(self.taken - 1, &head, &mut |step| {
                buffer.step(&arrived, step);
            });
        // A finding may be about an earlier event.
        if let Some(error) = found.errors.first() {
            return Err(Rejection::from(error));
        }
        let arrival = self.taken - 1;
        let settled = match (&event, self.running.take()) {
            (Event::RunStarted(_), _) => self.begin(text, event, messages, is_kept),
            (Event::RunFinished(_) | Event::RunError(_), Some(running)) => {
                self.end(&arrived, running, give)
            }
            (_, Some(mut running)) => {
                running.restates |= matches!(event, Event::MessagesSnapshot(_));
                self.running = Some(running);
                self.buffer.take(&arrived, messages)
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
        running: Running,
        give: &mut Give<'_>,
    ) -> Result<(), Rejection> {
        self.buffer.end(arrived)?;
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
