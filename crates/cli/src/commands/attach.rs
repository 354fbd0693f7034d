//! `chatstate attach`: what a client needs to join a running thread.

use std::path::PathBuf;

use chatstate::attach::attach;
use chatstate::compact::Framing;
use chatstate::replay::read_stream;

use crate::failure::Failure;
use crate::input::Input;
use crate::output;

/// Prints the prelude: an array for an array, lines for lines.
pub fn run(file: Option<&PathBuf>) -> Result<u8, Failure> {
    let input = Input::read(file)?;
    let refused = |rejection| input.refused(&rejection);
    let log = input.log().map_err(refused)?;
    let prelude = read_stream(log.text).and_then(|events| attach(&events));
    output::print_events(prelude.map_err(refused)?, Framing::of(log.text))?;
    Ok(log.code)
}
