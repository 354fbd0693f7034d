//! One pass over a log on one thread, to count its instructions: see `docs/ablation.md`.

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;

use chatstate::compact::{Options, TextCompactor};
use chatstate::generated::Event;
use chatstate::json::{ReadJson, Tape, Value, WriteJson};
use chatstate::log::{LogReader, Verifying};
use clap::ValueEnum;

/// What is done with the events of a log.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Work {
    /// Compacts them at level `stream`
    Compact,
    /// Verifies them
    Verify,
    /// Reads each into its type and writes it again
    Typed,
    /// Reads each into a value and writes it again
    Tree,
}

/// Reads a log in JSON Lines in one way, and discards what comes of it.
pub fn pass(work: Work, log: &Path) -> Result<(), Box<dyn Error>> {
    let mut log = File::open(log)?;
    match work {
        Work::Compact => compact(&mut log),
        Work::Verify => verify(&mut log),
        Work::Typed => round_trip::<Event>(&mut log),
        Work::Tree => round_trip::<Value>(&mut log),
    }
}

fn compact(log: &mut impl Read) -> Result<(), Box<dyn Error>> {
    let mut compactor = TextCompactor::new(Options::default());
    let (mut block, mut out) = (vec![0; TextCompactor::BLOCK_BYTES], Vec::new());
    loop {
        let length = log.read(&mut block)?;
        if length == 0 {
            break;
        }
        compactor.push(&block[..length], &mut out)?;
        black_box(&out);
        out.clear();
    }
    compactor.finish(&mut out)?;
    Ok(())
}

fn verify(log: &mut impl Read) -> Result<(), Box<dyn Error>> {
    let mut reader = LogReader::new(Verifying::default());
    let mut block = vec![0; TextCompactor::BLOCK_BYTES];
    loop {
        let length = log.read(&mut block)?;
        if length == 0 {
            break;
        }
        reader.push(&block[..length])?;
    }
    black_box(reader.finish()?);
    Ok(())
}

fn round_trip<T: ReadJson + WriteJson>(log: &mut impl Read) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    log.read_to_string(&mut text)?;
    let (mut tape, mut out) = (Tape::default(), String::new());
    for line in text.lines() {
        let value = T::read(tape.read(line)?)?;
        out.clear();
        value.write(&mut out);
        black_box(&out);
    }
    Ok(())
}
