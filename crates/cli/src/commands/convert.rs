//! `chatstate convert`: a document of one format in another.

use chatstate::cbor::{from_cbor, to_cbor};
use chatstate::compact::Framing;
use chatstate::dialect::ag_ui_draft::{self, Converted};
use chatstate::dialect::{self, CANONICAL};
use chatstate::generated::EventStream;
use chatstate::json::{ObjectWriter, Surrogates, WriteJson, parse_with, visible};

use crate::arguments::{AG_UI, AG_UI_DRAFT, CBOR, Convert};
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// Prints the converted document. What was lost or made up goes to stderr, and makes the exit code
/// 1 unless it is allowed.
pub fn run(arguments: &Convert) -> Result<u8, Failure> {
    let input = InputDocument::read(arguments.file.as_ref())?;
    let is_exact = if arguments.from == AG_UI_DRAFT {
        draft(arguments, &input)?
    } else if arguments.from == CBOR || arguments.to == CBOR {
        bytes(arguments, &input)?
    } else {
        document(arguments, &input)?
    };
    Ok(if is_exact || arguments.allow_loss {
        0
    } else {
        UNEXPECTED
    })
}

/// Converts a document, and says whether nothing was lost.
fn document(arguments: &Convert, input: &InputDocument) -> Result<bool, Failure> {
    let kind = arguments.kind.as_deref();
    let result = dialect::convert_bytes(input.bytes(), &arguments.from, &arguments.to, kind);
    let Some(result) = result else {
        let message = format!("`{}` is only written from `{AG_UI_DRAFT}`", arguments.to);
        return Err(Failure::usage(message, None));
    };
    let conversion = result.map_err(|rejection| input.rejected(&rejection))?;
    if arguments.json {
        let mut out = String::new();
        conversion.write(&mut out);
        output::print_line(&out)?;
    } else {
        for loss in &conversion.losses {
            let loss = format!("lost ({}): {loss}", loss.class.as_str());
            output::note(&visible(&loss));
        }
        output::print_line(&conversion.document.to_json())?;
    }
    Ok(conversion.losses.is_empty())
}

/// Writes any JSON in CBOR or reads it from there. Nothing is ever lost.
fn bytes(arguments: &Convert, input: &InputDocument) -> Result<bool, Failure> {
    if arguments.json || arguments.kind.is_some() {
        let message = format!("`{CBOR}` takes neither `--json` nor `--document`");
        return Err(Failure::usage(message, None));
    }
    let rejected = |rejection| input.rejected(&rejection);
    match (arguments.from.as_str(), arguments.to.as_str()) {
        (CANONICAL, CBOR) => {
            let text = input.text().map_err(rejected)?;
            let value = parse_with(text, Surrogates::AllowUnpairedAtEnds).map_err(rejected)?;
            output::print_bytes(&to_cbor(&value).map_err(rejected)?)?;
        }
        (CBOR, CANONICAL) => {
            let value = from_cbor(input.bytes()).map_err(rejected)?;
            output::print_line(&value.to_json())?;
        }
        _ => {
            let message = format!("`{CBOR}` holds the canonical form and no other");
            let help = format!("convert to `{CANONICAL}` first, and that further");
            return Err(Failure::usage(message, help));
        }
    }
    Ok(true)
}

/// Converts events of the draft, an array to an array and lines to lines, and says whether nothing
/// was made up.
fn draft(arguments: &Convert, input: &InputDocument) -> Result<bool, Failure> {
    if arguments.to != AG_UI || arguments.kind.is_some() {
        let message = format!("events of `{AG_UI_DRAFT}` are only written as `{AG_UI}`");
        return Err(Failure::usage(message, format!("say `--to {AG_UI}`")));
    }
    let text = input
        .text()
        .map_err(|rejection| input.rejected(&rejection))?;
    let converted = ag_ui_draft::read(text).map_err(|rejection| input.rejected(&rejection))?;
    let is_exact = converted.inventions.is_empty();
    if arguments.json {
        output::print_line(&draft_as_json(converted))?;
    } else {
        for invention in &converted.inventions {
            output::note(&format!("made up: {invention}"));
        }
        output::print_events(converted.events, Framing::of(text))?;
    }
    Ok(is_exact)
}

fn draft_as_json(converted: Converted) -> String {
    let mut out = String::new();
    ObjectWriter::new(&mut out)
        .member("document", &EventStream(converted.events))
        .member("inventions", &converted.inventions)
        .end();
    out
}
