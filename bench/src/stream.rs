//! Event logs to measure with: one thread of many runs, as an agent with tools, state and activities
//! streams it.
//!
//! Of the events, more than half are text deltas, about a sixth are pieces of tool arguments, a
//! twelfth reasoning deltas and one in thirty a `STATE_DELTA`. Each run begins with the last 20
//! messages in its input and with a `STATE_SNAPSHOT`; three lines in a hundred are escaped to ASCII.

mod state;
#[cfg(test)]
mod tests;
mod thread;
pub(crate) mod words;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use fastrand::Rng;
use serde_json::Value;

use thread::GrowingThread;
use words::{chance, escaped};

/// The fewest events of a run: its beginning, its state, its end.
const FEWEST_EVENTS_OF_A_RUN: usize = 3;

/// How events are in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFraming {
    /// One event on each line.
    Lines,
    /// A JSON array.
    Array,
}

/// Writes a log of exactly so many events, at least three; equal seeds give equal events. Gives how
/// many messages and runs it begins, which is what a compactor has to remember.
pub fn write(path: &Path, framing: FileFraming, events: usize, seed: u64) -> Result<usize, String> {
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::new(file);
        let held = write_to(&mut out, framing, events, seed)?;
        out.flush()?;
        Ok(held)
    });
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn write_to(
    out: &mut impl Write,
    framing: FileFraming,
    events: usize,
    seed: u64,
) -> io::Result<usize> {
    let mut spelling = Rng::with_seed(seed);
    let (before, between, after) = match framing {
        FileFraming::Lines => ("", "\n", "\n"),
        FileFraming::Array => ("[", ",\n", "]\n"),
    };
    let mut separator = before;
    let mut held = 0;
    for event in log(events, seed) {
        let text = event.to_string();
        let ascii = chance(&mut spelling, 0.03);
        let text = if ascii { escaped(&text) } else { text };
        write!(out, "{separator}{text}")?;
        separator = between;
        held += held_for(&event);
    }
    out.write_all(after.as_bytes())?;
    Ok(held)
}

/// How many messages and runs an event begins. A run begins with a message of the user.
fn held_for(event: &Value) -> usize {
    match event["type"].as_str() {
        Some("RUN_STARTED") => 2,
        Some(
            "TEXT_MESSAGE_START"
            | "REASONING_MESSAGE_START"
            | "TOOL_CALL_RESULT"
            | "ACTIVITY_SNAPSHOT",
        ) => 1,
        _ => 0,
    }
}

/// The events of a log.
pub fn log(events: usize, seed: u64) -> impl Iterator<Item = Value> {
    let mut thread = GrowingThread::new(seed);
    let mut left = events;
    let runs = std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let run = thread.run();
        // What is left at the end becomes a run of its own, of the length that is wanted.
        let fits = run.len() == left || run.len() + FEWEST_EVENTS_OF_A_RUN <= left;
        let run = if fits { run } else { thread.filler(left) };
        left = left.saturating_sub(run.len());
        Some(run)
    });
    runs.flatten()
}
