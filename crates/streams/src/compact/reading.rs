//! A log read by one thread and compacted by another.
//!
//! To take a log apart and to check its text needs nothing of what the events mean. It is a third of
//! the work, so it is done ahead.

use std::ops::Range;
use std::sync::mpsc::{SyncSender, sync_channel};

use super::frame::{Frames, Framing, TornTail};
use super::text::Failed;
use chatstate_json::{Raw, Rejection, Tape, TapedDocument};

/// How many pieces are read ahead at most.
const AHEAD: usize = 2;

/// How much is read at once, in bytes.
const BLOCK: usize = 128 * 1024;

/// What is read of a log at once.
pub(super) enum Piece {
    Events(ReadEvents),
    /// There is nothing more, or the rest cannot be read.
    End {
        framing: Option<Framing>,
        torn: Result<Option<TornTail>, Rejection>,
    },
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

/// Reads a log on another thread, and hands its pieces to this one, until it does not want any more.
pub(super) fn read_elsewhere<E: Send>(
    read: &mut (dyn FnMut(&mut [u8]) -> Result<usize, E> + Send),
    take: &mut dyn FnMut(Piece) -> Result<(), Failed<E>>,
) -> Result<(), Failed<E>> {
    std::thread::scope(|scope| {
        let (sender, pieces) = sync_channel(AHEAD);
        scope.spawn(move || {
            if let Err(error) = read_all(read, &sender) {
                // Without a receiver, the compaction has ended with an error of its own.
                let _ = sender.send(Err(error));
            }
        });
        for piece in pieces {
            take(piece.map_err(Failed::Caller)?)?;
        }
        Ok(())
    })
}

fn read_all<E>(
    read: &mut dyn FnMut(&mut [u8]) -> Result<usize, E>,
    sender: &SyncSender<Result<Piece, E>>,
) -> Result<(), E> {
    let (mut block, mut frames) = (vec![0; BLOCK], Frames::default());
    let mut ahead = Ahead {
        sender,
        is_wanted: true,
    };
    while ahead.is_wanted {
        let length = read(&mut block)?;
        if length == 0 {
            let framing = frames.framing();
            let torn = frames.finish(&mut |events, framing| {
                ahead.send(Piece::Events(ReadEvents::of(events, framing)));
                Ok(())
            });
            ahead.send(Piece::End { framing, torn });
            return Ok(());
        }
        let pushed = frames.push(&block[..length], &mut |events, framing| {
            ahead.send(Piece::Events(ReadEvents::of(events, framing)));
            Ok(())
        });
        if let Err(rejection) = pushed {
            let (framing, torn) = (frames.framing(), Err(rejection));
            ahead.send(Piece::End { framing, torn });
            return Ok(());
        }
    }
    Ok(())
}

/// The pieces on their way to the other thread.
struct Ahead<'s, E> {
    sender: &'s SyncSender<Result<Piece, E>>,
    /// Whether the other thread takes more.
    is_wanted: bool,
}

impl<E> Ahead<'_, E> {
    fn send(&mut self, piece: Piece) {
        self.is_wanted = self.is_wanted && self.sender.send(Ok(piece)).is_ok();
    }
}
