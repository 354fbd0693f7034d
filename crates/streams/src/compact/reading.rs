//! A log read by one thread and compacted by another.
//!
//! To take a log apart and to check its text needs nothing of what the events mean. It is a third of
//! the work, so it is done ahead.

use std::cell::Cell;
use std::ops::Range;
use std::sync::mpsc::{SyncSender, sync_channel};

use super::frame::{FramedEvents, Frames, Framing, TornTail};
use super::text::Failed;
use chatstate_json::{Raw, Rejection, Tape, TapedDocument};

/// How many pieces are read ahead at most.
const AHEAD: usize = 2;

/// How much is read at once, in bytes.
const BLOCK: usize = 128 * 1024;

/// How a log ends.
pub(super) struct LogEnd {
    pub framing: Option<Framing>,
    /// Where it breaks off, or why the rest cannot be read.
    pub torn: Result<Option<TornTail>, Rejection>,
}

/// Some events with their values.
pub(super) struct ReadEvents {
    pub framing: Framing,
    /// The texts of all events.
    texts: String,
    tape: Tape,
    events: Vec<ReadEvent>,
}

/// The place of an event in the texts, and on the tape unless something is wrong with it.
struct ReadEvent {
    place: Range<usize>,
    document: Result<TapedDocument, Rejection>,
}

impl ReadEvents {
    fn of(events: &[&str], framing: Framing) -> Self {
        let mut read = Self {
            framing,
            texts: String::with_capacity(events.iter().map(|event| event.len()).sum()),
            tape: Tape::default(),
            events: Vec::with_capacity(events.len()),
        };
        for event in events {
            let start = read.texts.len();
            read.texts.push_str(event);
            read.events.push(ReadEvent {
                place: start..read.texts.len(),
                document: read.tape.add(event),
            });
        }
        read
    }

    /// The texts of the events, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Result<Raw<'_>, Rejection>)> {
        self.events.iter().map(|event| {
            let text = &self.texts[event.place.clone()];
            let read = event.document.clone();
            (
                text,
                read.map(|document| self.tape.document(text, document)),
            )
        })
    }
}

/// Reads a log on another thread, and hands its events to this one until it rejects some.
pub(super) fn read_elsewhere<E: Send>(
    read: &mut (dyn FnMut(&mut [u8]) -> Result<usize, E> + Send),
    take: &mut dyn FnMut(&ReadEvents) -> Result<(), Failed<E>>,
) -> Result<LogEnd, Failed<E>> {
    std::thread::scope(|scope| {
        let (sender, pieces) = sync_channel(AHEAD);
        let reader = scope.spawn(move || read_all(read, &sender));
        for events in pieces {
            take(&events)?;
        }
        match reader.join() {
            Ok(end) => end.map_err(Failed::Caller),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Sends all events of a log, until nobody receives them any more.
fn read_all<E>(
    read: &mut dyn FnMut(&mut [u8]) -> Result<usize, E>,
    sender: &SyncSender<ReadEvents>,
) -> Result<LogEnd, E> {
    let (mut block, mut frames) = (vec![0; BLOCK], Frames::default());
    let is_wanted = Cell::new(true);
    let mut send = |framed: &FramedEvents<'_>| {
        let sent = sender.send(ReadEvents::of(framed.events, framed.framing));
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
