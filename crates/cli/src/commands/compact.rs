//! `chatstate compact`: fewer events that mean the same.

use chatstate::compact::{self, Level, Options, compact};
use chatstate::generated::{Event, EventStream};
use chatstate::replay::read_stream;

use crate::arguments::{Compact, CompactLevel, Retain};
use crate::failure::Failure;
use crate::input::Input;
use crate::output;

/// Prints the compacted events: an array for an array, lines for lines.
pub fn run(arguments: &Compact) -> Result<u8, Failure> {
    let input = Input::read(arguments.file.as_ref())?;
    let text = input
        .text()
        .map_err(|rejection| input.refused(&rejection))?;
    let events = read_stream(text).map_err(|rejection| input.refused(&rejection))?;
    let level = match (arguments.level, arguments.retain) {
        (CompactLevel::Stream, _) => Level::Stream,
        (CompactLevel::Snapshot, Retain::Runs) => Level::Snapshot(compact::Retain::Runs),
    };
    let compacted =
        compact(&events, &Options::at(level)).map_err(|rejection| input.refused(&rejection))?;
    if text.trim_start().starts_with('[') {
        output::print_line(&EventStream(compacted).to_json())?;
    } else {
        let line = |event: &Event| event.to_json() + "\n";
        output::print(&compacted.iter().map(line).collect::<String>())?;
    }
    Ok(0)
}
