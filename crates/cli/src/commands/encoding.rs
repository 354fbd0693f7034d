//! `chatstate encode` and `chatstate decode`: the two forms of a saved chat.

use std::path::PathBuf;

use chatstate::Rejection;
use chatstate::encoding::{decode_text, encode_text};

use crate::destination::OutputFile;
use crate::failure::Failure;
use crate::input::InputDocument;

/// Prints the encoded form of a saved chat.
pub fn encode(file: Option<&PathBuf>, output: &OutputFile) -> Result<u8, Failure> {
    rewrite(file, output, encode_text)
}

/// Prints the plain form of an encoded chat.
pub fn decode(file: Option<&PathBuf>, output: &OutputFile) -> Result<u8, Failure> {
    rewrite(file, output, decode_text)
}

fn rewrite(
    file: Option<&PathBuf>,
    output: &OutputFile,
    change: fn(&str) -> Result<String, Rejection>,
) -> Result<u8, Failure> {
    let input = InputDocument::read(file)?;
    let text = input.text().and_then(change);
    output.write_json(&text.map_err(|rejection| input.rejected(&rejection))?)?;
    Ok(0)
}
