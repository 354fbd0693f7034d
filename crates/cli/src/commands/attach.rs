//! `chatstate attach`: what a client needs to join a running thread.

use std::path::PathBuf;

use chatstate::log::Attaching;

use crate::destination::OutputFile;
use crate::failure::Failure;
use crate::log::read_log;

/// Prints the prelude: an array for an array, lines for lines.
pub fn run(file: Option<&PathBuf>, output: &OutputFile) -> Result<u8, Failure> {
    let log = read_log(file, Attaching::default())?;
    let code = log.code();
    output.write_events(log.output, log.framing)?;
    Ok(code)
}
