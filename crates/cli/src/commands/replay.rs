//! `chatstate replay`: what a stream of events means.

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::log::Replaying;

use crate::failure::Failure;
use crate::input::read_log;
use crate::output;

/// Prints the messages, state, runs, open items and interrupts at the end of a run as one line of
/// JSON; without a run, at the end of the last.
pub fn run(file: Option<&PathBuf>, at: Option<&str>) -> Result<u8, Failure> {
    let log = read_log(file, Replaying::up_to(at))?;
    let mut text = String::new();
    log.output.write(&mut text);
    output::print_line(&text)?;
    Ok(log.code)
}
