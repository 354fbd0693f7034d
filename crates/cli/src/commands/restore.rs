//! `chatstate restore`: what comes of a restore.

use std::path::{Path, PathBuf};

use chatstate::Rejection;
use chatstate_reference::Scenario;

use crate::failure::Failure;
use crate::input::InputDocument;
use crate::output;

/// Restores a saved chat into the chat that a file describes, and prints the participants, the
/// channels and the history as one line of JSON.
pub fn run(target: &Path, file: Option<&PathBuf>) -> Result<u8, Failure> {
    let target = InputDocument::read_file(target)?;
    let scenario = target.text().and_then(Scenario::from_json);
    let scenario = scenario.map_err(|rejection| target.rejected(&rejection))?;
    let input = InputDocument::read(file)?;
    let text = input
        .text()
        .map_err(|rejection| input.rejected(&rejection))?;
    let answer = scenario
        .run(text)
        .map_err(|rejection| rejected(&input, &target, rejection))?;
    output::print_line(&answer.to_json(false))?;
    Ok(0)
}

/// Shows a rejection in the file that it is about: the saved chat, or the chat to restore into.
fn rejected(state: &InputDocument, target: &InputDocument, rejection: Rejection) -> Failure {
    match rejection.at.strip_prefix("/state") {
        Some(at) => state.rejected(&Rejection {
            at: at.to_owned(),
            ..rejection
        }),
        None => target.rejected(&rejection),
    }
}
