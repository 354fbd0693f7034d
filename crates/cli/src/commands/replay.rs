//! `chatstate replay`: what a stream of events means.

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::replay::replay_text;

use crate::failure::Failure;
use crate::input::Input;
use crate::output;

/// Prints the messages, state, runs, open items and interrupts at the end of a run as one line of
/// JSON; without a run, at the end of the last.
pub fn run(file: Option<&PathBuf>, at: Option<&str>) -> Result<u8, Failure> {
    let input = Input::read(file)?;
    let refused = |rejection| input.refused(&rejection);
    let log = input.log().map_err(refused)?;
    let result = replay_text(log.text, at).map_err(refused)?;
    let mut text = String::new();
    result.write(&mut text);
    output::print_line(&text)?;
    Ok(log.code)
}
