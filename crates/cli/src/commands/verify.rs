//! `chatstate verify`: whether the order of the events of a stream is valid.

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::log::Verifying;
use chatstate::verify::Verification;

use super::findings;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::read_log;
use crate::output;

/// Says on stderr, or with `--json` on stdout, what is wrong with the stream. Warnings do not make
/// it invalid.
pub fn run(file: Option<&PathBuf>, json: bool) -> Result<u8, Failure> {
    let log = read_log(file, Verifying::default())?;
    let found = log.output;
    if json {
        let mut text = String::new();
        found.write(&mut text);
        output::print_line(&text)?;
    } else {
        report(&log.name, &found);
    }
    Ok(if found.is_valid() {
        log.code
    } else {
        UNEXPECTED
    })
}

fn report(name: &str, found: &Verification) {
    for (level, findings) in [("error", &found.errors), ("warning", &found.warnings)] {
        findings::report(level, findings);
    }
    if found.is_valid() {
        output::note(&format!("{name} is a valid stream of events"));
    }
}
