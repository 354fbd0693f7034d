//! `chatstate convert`: a document of another format in the canonical one.

use chatstate::dialect::Invention;
use chatstate::dialect::ag_ui_draft::{self, Converted};
use chatstate::generated::EventStream;
use chatstate::json::ObjectWriter;

use crate::arguments::{Convert, SourceDialect, TargetDialect};
use crate::failure::{Failure, UNEXPECTED};
use crate::input::Input;
use crate::output::{self, Framing};

/// Prints the converted document: an array for an array, lines for lines. What was made up goes to
/// stderr, and makes the exit code 1 unless it is allowed.
pub fn run(arguments: &Convert) -> Result<u8, Failure> {
    let input = Input::read(arguments.file.as_ref())?;
    let text = input
        .text()
        .map_err(|rejection| input.refused(&rejection))?;
    let converted = match (arguments.from, arguments.to) {
        (SourceDialect::AgUiDraft, TargetDialect::AgUi) => ag_ui_draft::read(text),
    };
    let converted = converted.map_err(|rejection| input.refused(&rejection))?;
    let is_exact = converted.inventions.is_empty();
    if arguments.json {
        output::print_line(&as_json(converted))?;
    } else {
        converted.inventions.iter().for_each(tell);
        output::print_events(converted.events, Framing::of(text))?;
    }
    Ok(if is_exact || arguments.allow_loss {
        0
    } else {
        UNEXPECTED
    })
}

fn tell(invention: &Invention) {
    output::note(&format!("made up: {invention}"));
}

fn as_json(converted: Converted) -> String {
    let mut out = String::new();
    ObjectWriter::new(&mut out)
        .member("document", &EventStream(converted.events))
        .member("inventions", &converted.inventions)
        .end();
    out
}
