//! `chatstate replay`: what a stream of events means.

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::replay::{read_stream, replay};

use crate::failure::Failure;
use crate::input::Input;
use crate::output;

/// Prints the messages, state, runs, open items and interrupts of a stream as one line of JSON.
pub fn run(file: Option<&PathBuf>) -> Result<u8, Failure> {
    let input = Input::read(file)?;
    let result = input
        .text()
        .and_then(read_stream)
        .and_then(|events| replay(&events));
    let result = result.map_err(|rejection| input.refused(&rejection))?;
    let mut text = String::new();
    result.write(&mut text);
    output::print_line(&text)?;
    Ok(0)
}
