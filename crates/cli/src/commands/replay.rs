//! `chatstate replay`: what a stream of events means.

use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::log::Replaying;
use chatstate::replay::ReplayOptions;

use super::findings::{self, is_about_patch};
use crate::failure::Failure;
use crate::log::read_log;
use crate::output;

/// Prints the messages, state, runs, open items and interrupts at the end of a run as one line of
/// JSON; without a run, at the end of the last. What had no effect is said on stderr.
pub fn run(file: Option<&PathBuf>, at: Option<&str>, lenient: bool) -> Result<u8, Failure> {
    let options = ReplayOptions { run: at, lenient };
    let log = read_log(file, Replaying::with(&options))?;
    let code = log.code();
    let (name, places, replayed) = (log.name, log.places, log.output);
    let mut warnings = replayed.found.warnings;
    warnings.retain(is_about_patch);
    findings::report("passed over", &replayed.found.errors, &name, &places);
    findings::report("warning", &warnings, &name, &places);
    let mut text = String::new();
    replayed.replay.write(&mut text);
    output::print_line(&text)?;
    Ok(code)
}
