//! `chatstate compact`: fewer events that mean the same.

use chatstate::compact::{self, Level, Options, compact};
use chatstate::replay::read_stream;

use crate::arguments::{Compact, CompactLevel, Retain};
use crate::failure::Failure;
use crate::input::Input;
use crate::output::{self, Framing};

/// Prints the compacted events: an array for an array, lines for lines.
pub fn run(arguments: &Compact) -> Result<u8, Failure> {
    let input = Input::read(arguments.file.as_ref())?;
    let refused = |rejection| input.refused(&rejection);
    let text = input.text().map_err(refused)?;
    let level = match (arguments.level, arguments.retain) {
        (CompactLevel::Stream, _) => Level::Stream,
        (CompactLevel::Snapshot, Retain::Runs) => Level::Snapshot(compact::Retain::Runs),
    };
    let compacted = read_stream(text).and_then(|events| compact(&events, &Options::at(level)));
    output::print_events(compacted.map_err(refused)?, Framing::of(text))?;
    Ok(0)
}
