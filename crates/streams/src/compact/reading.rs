//! A log read by one thread and compacted by another.
//!
//! To take a log apart and to check each event by itself needs nothing of what came before. It is
//! half of the work, so it is done ahead.

use std::cell::Cell;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};

use super::frame::{FramedEvents, Frames, Framing, TornTail};
use super::text::Failed;
use chatstate_json::{Kind, Raw, ReadJson, Rejection, Tape, TapedDocument, Tokenizer};
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::{EventKind, Subject};

/// How many pieces are read ahead at most.
const AHEAD: usize = 2;

/// How much is read at once, in bytes. With smaller blocks, the threads wake each other more often.
const BLOCK: usize = 512 * 1024;

/// How a log ends.
pub(super) struct LogEnd {
    pub framing: Option<Framing>,
    /// Where it breaks off, or why the rest cannot be read.
    pub torn: Result<Option<TornTail>, Rejection>,
}

/// An event with its values, and as its type if it was read ahead.
pub(crate) struct ReadEvent<'t> {
    pub raw: Raw<'t>,
    pub event: Option<&'t mut Event>,
}

impl<'t> From<Raw<'t>> for ReadEvent<'t> {
    fn from(raw: Raw<'t>) -> Self {
        Self { raw, event: None }
    }
}

/// Some events with their values.
#[derive(Default)]
pub(super) struct ReadEvents {
    pub framing: Option<Framing>,
    /// The text that the events are parts of.
    text: String,
    tape: Tape,
    events: Vec<PlacedEvent>,
}

/// The place of an event in the text, and what it is unless something is wrong with it.
struct PlacedEvent {
    place: Range<usize>,
    read: Result<(TapedDocument, Option<Event>), Rejection>,
}

impl ReadEvents {
    /// Reads these events in place of those that are here.
    fn read(&mut self, framed: &FramedEvents<'_>) {
        self.framing = Some(framed.framing);
        framed.text.clone_into(&mut self.text);
        self.tape.clear();
        self.events.clear();
        let mut tokenizer = Tokenizer::default();
        for (event, place) in framed.texts().zip(framed.places) {
            let read = read_ahead(&mut self.tape, &mut tokenizer, event);
            let place = place.clone();
            self.events.push(PlacedEvent { place, read });
        }
    }

    /// The texts of the events, with what was read of them.
    pub fn iter(&mut self) -> impl Iterator<Item = (&str, Result<ReadEvent<'_>, Rejection>)> {
        let (whole, tape) = (&self.text, &self.tape);
        self.events.iter_mut().map(move |event| {
            let text = &whole[event.place.clone()];
            let read = match &mut event.read {
                Ok((document, event)) => Ok(ReadEvent {
                    raw: tape.document(text, *document),
                    event: event.as_mut(),
                }),
                Err(rejection) => Err(rejection.clone()),
            };
            (text, read)
        })
    }
}

/// Puts an event on the tape, and reads it into its type unless it is seldom needed or kept.
fn read_ahead<'t>(
    tape: &mut Tape,
    tokenizer: &mut Tokenizer<'t>,
    text: &'t str,
) -> Result<(TapedDocument, Option<Event>), Rejection> {
    let document = tape.add(text, tokenizer)?;
    let raw = tape.document(text, document);
    let event = is_read_ahead(raw).then(|| Event::read(raw));
    Ok((document, event.transpose()?))
}

/// Whether an event is read into its type ahead. A delta is seldom read into its type at all. A state
/// is kept by who takes it, and what one thread allocates is slow to be freed by another.
fn is_read_ahead(event: Raw<'_>) -> bool {
    let is_object = event.kind() == Kind::Object;
    let tag = is_object.then(|| event.member("type")).flatten();
    let kind = tag.and_then(|(_, tag)| tag.plain()).map(EventKind::of);
    kind.is_none_or(|kind| match kind.role().subject {
        Subject::Item(item) => item.appends() != Some(kind),
        _ => kind != EventKind::StateSnapshot,
    })
}

/// Reads a log on another thread, and hands its events to this one until it rejects some.
pub(super) fn read_elsewhere<E: Send>(
    read: &mut (dyn FnMut(&mut [u8]) -> Result<usize, E> + Send),
    take: &mut dyn FnMut(&mut ReadEvents) -> Result<(), Failed<E>>,
) -> Result<LogEnd, Failed<E>> {
    std::thread::scope(|scope| {
        let (sender, pieces) = sync_channel(AHEAD);
        let (giver_back, used) = channel();
        let reader = scope.spawn(move || read_all(read, &sender, &used));
        for mut events in pieces {
            take(&mut events)?;
            // A large event should not hold its memory until the end of the log, where nobody wants
            // any.
            if events.text.len() <= 2 * BLOCK {
                let _ = giver_back.send(events);
            }
        }
        match reader.join() {
            Ok(end) => end.map_err(Failed::Caller),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Sends all events of a log, until nobody receives them any more. What comes back is freed or used
/// again here, where it was allocated.
fn read_all<E>(
    read: &mut dyn FnMut(&mut [u8]) -> Result<usize, E>,
    sender: &SyncSender<ReadEvents>,
    used: &Receiver<ReadEvents>,
) -> Result<LogEnd, E> {
    let (mut block, mut frames) = (vec![0; BLOCK], Frames::default());
    let is_wanted = Cell::new(true);
    let mut send = |framed: &FramedEvents<'_>| {
        // Nothing has come back at the beginning.
        let mut events = used.try_recv().unwrap_or_else(|_| ReadEvents::default());
        events.read(framed);
        let sent = sender.send(events);
        is_wanted.set(sent.is_ok());
        Ok(())
    };
    while is_wanted.get() {
        let length = read(&mut block)?;
        if length == 0 {
            break;
        }
        if let Err(rejection) = frames.push(&block[..length], &mut send) {
            let framing = frames.framing();
            let torn = Err(rejection);
            return Ok(LogEnd { framing, torn });
        }
    }
    let framing = frames.framing();
    let torn = frames.finish(&mut send);
    Ok(LogEnd { framing, torn })
}
