//! `chatstate convert`: a document of one format in another.

use chatstate::Rejection;
use chatstate::cbor::{from_cbor, to_cbor};
use chatstate::compact::Framing;
use chatstate::dialect::{self, CANONICAL, Invention, Loss, ag_ui_draft, ag_ui_former};
use chatstate::generated::{Event, EventStream};
use chatstate::json::{ObjectWriter, Surrogates, WriteJson, parse_with, visible};

use crate::arguments::{AG_UI, AG_UI_DRAFT, CBOR, Convert};
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// Prints the converted document. What was lost or made up goes to stderr, and makes the exit code
/// 1 unless it is allowed.
pub fn run(arguments: &Convert) -> Result<u8, Failure> {
    let input = InputDocument::read(arguments.file.as_ref())?;
    let from = match arguments.from.as_deref() {
        Some(from) => from,
        None => recognised(arguments, &input)?,
    };
    let is_exact = if [AG_UI_DRAFT, ag_ui_former::NAME].contains(&from) {
        log(arguments, from, &input)?
    } else if from == CBOR || arguments.to == CBOR {
        bytes(arguments, from, &input)?
    } else {
        document(arguments, from, &input)?
    };
    Ok(if is_exact || arguments.allow_loss {
        0
    } else {
        UNEXPECTED
    })
}

/// The dialect that the document looks like. Nothing else is tried, since what is read as another
/// dialect than it was written in is lost without a word.
fn recognised(arguments: &Convert, input: &InputDocument) -> Result<&'static str, Failure> {
    let text = input
        .text()
        .map_err(|rejection| input.rejected(&rejection))?;
    let document = parse_with(text, Surrogates::AllowUnpairedAtEnds);
    let document = document.map_err(|rejection| input.rejected(&rejection))?;
    dialect::recognise(&document).ok_or_else(|| {
        let message = format!("{} looks like no format that is converted here", input.name);
        let names: Vec<_> = dialect::names().collect();
        let to = &arguments.to;
        let help = format!(
            "say which with `--from`, such as `chatstate convert --from {CANONICAL} --to {to}`: `{}`",
            names.join("`, `")
        );
        Failure::usage(message, help)
    })
}

/// Converts a document, and says whether nothing was lost.
fn document(arguments: &Convert, from: &str, input: &InputDocument) -> Result<bool, Failure> {
    let kind = arguments.kind.as_deref();
    let result = dialect::convert_bytes(input.bytes(), from, &arguments.to, kind);
    let Some(result) = result else {
        let message = format!("`{}` is only written from `{AG_UI_DRAFT}`", arguments.to);
        return Err(Failure::usage(message, None));
    };
    let conversion = result.map_err(|rejection| input.rejected(&rejection))?;
    if arguments.json {
        let mut out = String::new();
        conversion.write(&mut out);
        arguments.output.write_json(&out)?;
    } else {
        tell_losses(&conversion.losses);
        arguments
            .output
            .write_json(&conversion.document.to_json())?;
    }
    Ok(conversion.losses.is_empty())
}

/// Writes any JSON in CBOR or reads it from there. Nothing is ever lost.
fn bytes(arguments: &Convert, from: &str, input: &InputDocument) -> Result<bool, Failure> {
    if arguments.json || arguments.kind.is_some() {
        let message = format!("`{CBOR}` takes neither `--json` nor `--document`");
        return Err(Failure::usage(message, None));
    }
    let rejected = |rejection| input.rejected(&rejection);
    match (from, arguments.to.as_str()) {
        (CANONICAL, CBOR) => {
            let text = input.text().map_err(rejected)?;
            let value = parse_with(text, Surrogates::AllowUnpairedAtEnds).map_err(rejected)?;
            arguments
                .output
                .write_bytes(&to_cbor(&value).map_err(rejected)?)?;
        }
        (CBOR, CANONICAL) => {
            let value = from_cbor(input.bytes()).map_err(rejected)?;
            arguments.output.write_json(&value.to_json())?;
        }
        _ => {
            let message = format!("`{CBOR}` holds the canonical form and no other");
            let help = format!("convert to `{CANONICAL}` first, and that further");
            return Err(Failure::usage(message, help));
        }
    }
    Ok(true)
}

fn tell_losses(losses: &[Loss]) {
    for loss in losses {
        let loss = format!("lost ({}): {loss}", loss.class.as_str());
        output::note(&visible(&loss));
    }
}

/// The events of a log in another form.
struct ConvertedLog {
    events: Vec<Event>,
    inventions: Vec<Invention>,
    losses: Vec<Loss>,
}

/// Converts events of the draft or of 0.0.x, an array to an array and lines to lines, and says whether
/// nothing was made up or lost.
fn log(arguments: &Convert, from: &str, input: &InputDocument) -> Result<bool, Failure> {
    if arguments.to != AG_UI || arguments.kind.is_some() {
        let message = format!("events of `{from}` are only written as `{AG_UI}`");
        return Err(Failure::usage(message, format!("say `--to {AG_UI}`")));
    }
    let rejected = |rejection| input.rejected(&rejection);
    let text = input.text().map_err(rejected)?;
    let converted = read_log(from, text).map_err(rejected)?;
    let is_exact = converted.inventions.is_empty() && converted.losses.is_empty();
    if arguments.json {
        arguments.output.write_json(&log_as_json(converted))?;
    } else {
        for invention in &converted.inventions {
            output::note(&format!("made up: {invention}"));
        }
        tell_losses(&converted.losses);
        arguments
            .output
            .write_events(converted.events, Framing::of(text))?;
    }
    Ok(is_exact)
}

fn read_log(from: &str, text: &str) -> Result<ConvertedLog, Rejection> {
    if from == AG_UI_DRAFT {
        let read = ag_ui_draft::read(text)?;
        return Ok(ConvertedLog {
            events: read.events,
            inventions: read.inventions,
            losses: Vec::new(),
        });
    }
    let read = ag_ui_former::read(text)?;
    Ok(ConvertedLog {
        events: read.events,
        inventions: read.inventions,
        losses: read.losses,
    })
}

fn log_as_json(converted: ConvertedLog) -> String {
    let mut out = String::new();
    ObjectWriter::new(&mut out)
        .member("document", &EventStream(converted.events))
        .member("inventions", &converted.inventions)
        .member("losses", &converted.losses)
        .end();
    out
}
