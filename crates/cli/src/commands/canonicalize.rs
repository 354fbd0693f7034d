//! `chatstate canonicalize`: the one text of a document's value.

use std::path::PathBuf;

use chatstate::json::{Surrogates, canonical_text};
use chatstate::validate::validate;

use super::known_type;
use crate::destination::OutputFile;
use crate::failure::Failure;
use crate::input::InputDocument;

/// Prints the canonical form, without a newline, so that its bytes can be hashed as they are.
pub fn run(
    document_type: Option<&str>,
    file: Option<&PathBuf>,
    output: &OutputFile,
) -> Result<u8, Failure> {
    let document_type = document_type.map(known_type).transpose()?;
    let input = InputDocument::read(file)?;
    let canonical = input.text().and_then(|text| match document_type {
        // Only a type says where text may be split inside a character.
        Some(document_type) => {
            validate(document_type, text).unwrap_or(Ok(()))?;
            canonical_text(text, Surrogates::AllowUnpairedAtEnds)
        }
        None => canonical_text(text, Surrogates::Reject),
    });
    output.write(&canonical.map_err(|rejection| input.rejected(&rejection))?)?;
    Ok(0)
}
