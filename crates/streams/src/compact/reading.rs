//! Reading many events: one thread reads them, and this one compacts them.
//!
//! To read an event takes about as long as to compact it, and needs nothing of the events before it.
//! The two threads meet in a short queue of pieces.

use std::sync::mpsc::{Receiver, sync_channel};

use super::compactor::{Give, Incoming, StreamCompactor};
use chatstate_json::{Rejection, Tape};

/// So many events at once are worth a second thread.
const MANY: usize = 512;

/// So many events are handed over at once.
const PIECE: usize = 64;

/// How many pieces wait at most.
const QUEUE: usize = 8;

/// Takes events in their order.
pub(super) fn push_all(
    compactor: &mut StreamCompactor<'_>,
    tape: &mut Tape,
    events: &[&str],
    give: &mut Give<'_>,
) -> Result<(), Rejection> {
    let mut pieces = events.chunks(PIECE);
    std::thread::scope(|scope| {
        let read = (events.len() >= MANY && compactor.stopped().is_none())
            .then(|| read_elsewhere(scope, tape, events))
            .flatten();
        let mut tape = Tape::default();
        pieces.try_for_each(|piece| {
            // Where no thread can be had, its work is done here.
            let read = read.as_ref().and_then(|read| read.recv().ok());
            let read = read.unwrap_or_else(|| read_piece(&mut tape, piece));
            let mut read = piece.iter().zip(read);
            read.try_for_each(|(text, incoming)| compactor.push(text, incoming, give))
        })
    })
}

fn read_elsewhere<'s, 'e: 's>(
    scope: &'s std::thread::Scope<'s, '_>,
    tape: &'s mut Tape,
    events: &'s [&'e str],
) -> Option<Receiver<Vec<Incoming<'e>>>> {
    let (sender, receiver) = sync_channel(QUEUE);
    let read = move || {
        for piece in events.chunks(PIECE) {
            // Nobody takes more where an event was refused.
            if sender.send(read_piece(tape, piece)).is_err() {
                break;
            }
        }
    };
    let thread = std::thread::Builder::new()
        .name("reading events".to_owned())
        .spawn_scoped(scope, read);
    thread.is_ok().then_some(receiver)
}

fn read_piece<'e>(tape: &mut Tape, events: &[&'e str]) -> Vec<Incoming<'e>> {
    let read = |text: &&'e str| Incoming::of(tape, text);
    events.iter().map(read).collect()
}
