//! What is known of events before they are compacted: their heads, and that they may stand where
//! they do. A head needs nothing of the events before it, so that a second thread can read heads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::head::{Head, HeadReader};
use crate::verify::Verifier;
use chatstate_json::Rejection;

/// So many events are read and handed over at once.
const FEW: usize = 32;

/// The head of an event that may stand where it does, or why it may not.
pub(super) type Read<'a> = Result<Head<'a>, Rejection>;

/// Reads the heads of events and verifies their order.
#[derive(Default)]
pub(super) struct Ahead {
    verifier: Verifier,
    /// The number of events that were read.
    read: usize,
}

impl Ahead {
    /// Reads the next event.
    pub fn read<'a>(&mut self, event: &'a str) -> Read<'a> {
        self.verify(Head::read(event))
    }

    fn verify<'a>(&mut self, head: Result<Head<'a>, Rejection>) -> Read<'a> {
        let index = self.read;
        self.read += 1;
        let head = head.map_err(|rejection| rejection.within(index))?;
        let found = self.verifier.push_head(index, &head);
        match found.errors.first() {
            Some(error) => Err(Rejection::from(error)),
            None => Ok(head),
        }
    }
}

/// Reads many events and hands them on, in their order.
///
/// Here they are read from the first on, and a second thread reads from the last on, until both
/// meet. So nobody waits for the other but once: to wake a thread that waits takes longer than to
/// read what it waits for.
pub(super) fn read_all<'a>(
    ahead: &mut Ahead,
    events: &[&'a str],
    mut take: impl FnMut(&'a str, &Read<'a>) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let pieces: Vec<Piece<'_, 'a>> = events.chunks(FEW).map(Piece::new).collect();
    let begun = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let read_from_the_last = || {
            let mut reader = HeadReader::default();
            for (index, piece) in pieces.iter().enumerate().rev() {
                let mut heads = piece.heads();
                if index < begun.load(Ordering::Relaxed) {
                    break;
                }
                *heads = Some(piece.read(&mut reader));
            }
        };
        // Where no thread can be had, its work is done here.
        let _ = std::thread::Builder::new().spawn_scoped(scope, read_from_the_last);
        let mut reader = HeadReader::default();
        let taken = pieces.iter().enumerate().try_for_each(|(index, piece)| {
            begun.store(index + 1, Ordering::Relaxed);
            let heads = piece.heads().take();
            let heads = heads.unwrap_or_else(|| piece.read(&mut reader));
            let mut heads = piece.events.iter().zip(heads);
            heads.try_for_each(|(event, head)| take(event, &ahead.verify(head)))
        });
        // What was refused ends the work of both.
        begun.store(pieces.len(), Ordering::Relaxed);
        taken
    })
}

/// Some events, and their heads once the second thread has read them.
struct Piece<'e, 'a> {
    events: &'e [&'a str],
    heads: Mutex<Option<Heads<'a>>>,
}

type Heads<'a> = Vec<Result<Head<'a>, Rejection>>;

impl<'e, 'a> Piece<'e, 'a> {
    fn new(events: &'e [&'a str]) -> Self {
        Self {
            events,
            heads: Mutex::new(None),
        }
    }

    fn read(&self, reader: &mut HeadReader<'a>) -> Heads<'a> {
        self.events.iter().map(|event| reader.read(event)).collect()
    }

    /// Waits while the second thread is reading this piece.
    fn heads(&self) -> MutexGuard<'_, Option<Heads<'a>>> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
