//! Documents: from bytes to text, and from text to a value or a rejection.

use super::tokenizer::Tokenizer;
use super::{Tape, Value};
use crate::rejection::{Class, Rejection};

/// What to do with a string that begins or ends with an unpaired surrogate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surrogates {
    /// Reject it, as everywhere but in a `delta`.
    Reject,
    /// Read it as [`Value::Split`].
    AllowUnpairedAtEnds,
}

/// Bytes as the text of a document, or the reason why they are none.
pub fn text_of(bytes: &[u8]) -> Result<&str, Rejection> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(error.valid_up_to() as u64))?;
    if text.starts_with('\u{feff}') {
        return Err(byte_order_mark());
    }
    Ok(text)
}

/// The rejection of bytes that are not UTF-8.
#[must_use]
pub fn not_utf8(at: u64) -> Rejection {
    let message =
        format!("the document is not UTF-8: byte {at} begins no character; save it as UTF-8");
    Rejection::new(Class::Syntax, "utf-8", message)
}

/// The rejection of a byte order mark.
#[must_use]
pub fn byte_order_mark() -> Rejection {
    let message = "the document begins with a byte order mark; save it as UTF-8 without one";
    Rejection::new(Class::Syntax, "byte-order-mark", message)
}

/// Reads one document without unpaired surrogates.
pub fn parse(text: &str) -> Result<Value, Rejection> {
    parse_with(text, Surrogates::Reject)
}

/// Reads one document.
pub fn parse_with(text: &str, surrogates: Surrogates) -> Result<Value, Rejection> {
    let mut tape = Tape::default();
    tape.read_with(text, surrogates).map(super::Raw::tree)
}

/// Checks one document and builds nothing: grammar, depth, numbers, duplicate names, and surrogates
/// inside of strings. Unpaired surrogates at the ends of strings are allowed, since only the schema
/// knows where they may be.
pub fn check(text: &str) -> Result<(), Rejection> {
    let mut tokenizer = Tokenizer::new(text, Surrogates::AllowUnpairedAtEnds);
    tokenizer
        .document(|_, _| ())
        .map_err(|rejection| *rejection)
}

/// Whether a text is the beginning of a document, and not all of it.
#[must_use]
pub fn is_cut_off(text: &str) -> bool {
    let mut tokenizer = Tokenizer::new(text, Surrogates::AllowUnpairedAtEnds);
    let is_bad = tokenizer.document(|_, _| ()).is_err();
    is_bad && tokenizer.is_at_cut()
}
