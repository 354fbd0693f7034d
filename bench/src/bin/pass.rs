//! One pass over a log on one thread, to count its instructions: see `docs/ablation.md`.

use std::error::Error;
use std::hint::black_box;
use std::io::Read;
use std::path::PathBuf;

use chatstate::compact::{Options, TextCompactor};
use chatstate::generated::Event;
use chatstate::json::{ReadJson, Tape, Value, WriteJson};
use chatstate::log::{LogReader, Verifying};
use clap::{Parser, ValueEnum};

/// Reads a log in one way and discards what comes of it.
#[derive(Debug, Parser)]
struct PassArguments {
    /// What is done with the events
    work: Work,
    /// The log, in JSON Lines
    log: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Work {
    /// Compacts them at level `stream`
    Compact,
    /// Verifies them
    Verify,
    /// Reads each into its type and writes it again
    Typed,
    /// Reads each into a value and writes it again
    Tree,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = PassArguments::parse();
    let mut log = std::fs::File::open(&arguments.log)?;
    match arguments.work {
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
