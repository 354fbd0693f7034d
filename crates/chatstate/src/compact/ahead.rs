//! What is known of events before they are compacted: their heads, and that they may stand where
//! they do. It is half of the work and needs nothing of the other half, so that a second thread can
//! be ahead with it.

use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

use crate::head::{Head, HeadReader};
use crate::rejection::Rejection;
use crate::verify::Verifier;

/// So many events are read and handed over at once.
const FEW: usize = 32;

/// So many are read here while the second thread starts.
const FIRST: usize = 64;

/// So many handovers may wait to be taken; heads are larger than most events.
const MOST_WAITING: usize = 8;

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

    fn read_few<'a>(&mut self, reader: &mut HeadReader<'a>, events: &[&'a str]) -> Vec<Read<'a>> {
        let read = |event: &&'a str| self.verify(reader.read(event));
        events.iter().map(read).collect()
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

/// Reads many events and hands them on. A second thread reads the later ones while the earlier ones
/// are taken.
pub(super) fn read_all(
    ahead: &mut Ahead,
    events: &[&str],
    mut take: impl FnMut(&str, &Read<'_>) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let mut take_few = |events: &[&str], heads: &[Read<'_>]| {
        let mut events = events.iter().zip(heads);
        events.try_for_each(|(event, head)| take(event, head))
    };
    let (first, rest) = events.split_at(FIRST.min(events.len()));
    let shared = &Mutex::new(ahead);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(MOST_WAITING);
        let read = move || {
            let mut ahead = lock(shared);
            let mut reader = HeadReader::default();
            for events in rest.chunks(FEW) {
                // Nobody waits for more when an event before them was refused.
                if sender.send(ahead.read_few(&mut reader, events)).is_err() {
                    break;
                }
            }
        };
        let mut ahead = lock(shared);
        // A thread takes a while to start. Where none can be had, its work is done here.
        let _ = std::thread::Builder::new().spawn_scoped(scope, read);
        let mut reader = HeadReader::default();
        let heads = ahead.read_few(&mut reader, first);
        drop(ahead);
        take_few(first, &heads)?;
        for events in rest.chunks(FEW) {
            let heads = receiver.recv();
            let heads = heads.unwrap_or_else(|_| lock(shared).read_few(&mut reader, events));
            take_few(events, &heads)?;
        }
        Ok(())
    })
}

fn lock<'l, 'a>(shared: &'l Mutex<&'a mut Ahead>) -> MutexGuard<'l, &'a mut Ahead> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
