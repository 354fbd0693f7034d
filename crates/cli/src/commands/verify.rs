//! `chatstate verify`: whether the events of a stream may stand in their order.

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::replay::read_stream;
use chatstate::verify::{Finding, Verification, verify};

use crate::failure::{Failure, UNEXPECTED};
use crate::input::Input;
use crate::output;

/// Says on stderr, or with `--json` on stdout, what is wrong with the stream. Warnings do not make
/// it invalid.
pub fn run(file: Option<&PathBuf>, json: bool) -> Result<u8, Failure> {
    let input = Input::read(file)?;
    let refused = |rejection| input.refused(&rejection);
    let log = input.log().map_err(refused)?;
    let found = verify(&read_stream(log.text).map_err(refused)?);
    if json {
        let mut text = String::new();
        found.write(&mut text);
        output::print_line(&text)?;
    } else {
        report(&input.name, &found);
    }
    Ok(if found.is_valid() {
        log.code
    } else {
        UNEXPECTED
    })
}

fn report(name: &str, found: &Verification) {
    let errors = found.errors.iter().map(|finding| ("error", finding));
    let warnings = found.warnings.iter().map(|finding| ("warning", finding));
    for (level, finding) in errors.chain(warnings) {
        output::note(&line(level, finding));
    }
    if found.is_valid() {
        output::note(&format!("{name} is a valid stream of events"));
    }
}

fn line(level: &str, finding: &Finding) -> String {
    let Finding {
        rule, at, message, ..
    } = finding;
    let other = finding
        .other
        .map(|index| format!(", with the event at `/{index}`"));
    format!(
        "{level}: {message}, at `/{at}`{} (rule `{rule}`)",
        other.unwrap_or_default()
    )
}
