//! `chatstate replay`: what a stream of events means.

mod text;

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::log::Replaying;
use chatstate::replay::ReplayOptions;

use super::findings::{self, is_about_patch};
use crate::arguments::ReplayFormat;
use crate::destination::OutputFile;
use crate::failure::Failure;
use crate::log::read_log;

/// Prints the messages, state, runs, open items and interrupts at the end of a run as JSON or as a
/// conversation; without a run, at the end of the last. What had no effect is said on stderr.
pub fn run(
    file: Option<&PathBuf>,
    options: &ReplayOptions<'_>,
    format: ReplayFormat,
    output: &OutputFile,
) -> Result<u8, Failure> {
    let log = read_log(file, Replaying::with(options))?;
    let code = log.code();
    let (name, places, replayed) = (log.name, log.places, log.output);
    let mut warnings = replayed.found.warnings;
    warnings.retain(is_about_patch);
    findings::report("passed over", &replayed.found.errors, &name, &places);
    findings::report("warning", &warnings, &name, &places);
    if format == ReplayFormat::Text {
        output.write(&text::conversation(&replayed.replay))?;
        return Ok(code);
    }
    let mut text = String::new();
    replayed.replay.write(&mut text);
    output.write_json(&text)?;
    Ok(code)
}
