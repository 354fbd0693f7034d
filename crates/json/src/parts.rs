//! Parts of a text as text, each found by a tape of its own.

use std::borrow::Cow;

use super::tokenizer::Tokenizer;
use super::{Kind, SplitText, Surrogates, Tape, wrong_kind};
use super::{parse_with, typed::expect_kind};
use crate::rejection::Rejection;

/// The length of a document's compact text, numbers spelled as they are.
pub fn compact_length(text: &str) -> Result<usize, Rejection> {
    let value = parse_with(text, Surrogates::AllowUnpairedAtEnds)?;
    Ok(value.to_json().len())
}

/// The text of one JSON string.
pub fn split_text_of(text: &str) -> Result<SplitText, Rejection> {
    let mut tape = Tape::default();
    let raw = tape.read(text)?;
    let kind = raw.kind().as_str();
    raw.decoded().ok_or_else(|| wrong_kind("string", kind))
}

/// Gives the elements of the array that a text is, as text.
pub fn each_item<'a>(text: &'a str, mut give: impl FnMut(&'a str)) -> Result<(), Rejection> {
    let mut tape = Tape::default();
    let raw = tape.read(text)?;
    expect_kind(raw, Kind::Array)?;
    for element in raw.elements() {
        give(&text[element.range()]);
    }
    Ok(())
}

/// Gives the members of the object that a text is: decoded names, and values as text.
pub fn each_member<'a>(
    text: &'a str,
    mut take: impl FnMut(Cow<'a, str>, &'a str),
) -> Result<(), Rejection> {
    for (name, raw) in members_of(text)? {
        take(name, raw);
    }
    Ok(())
}

/// The members of the object that a text is: decoded names, and values as text.
pub fn members_of(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, Rejection> {
    let mut tokenizer = Tokenizer::of(text);
    let mut members = Vec::with_capacity(8);
    let read = tokenizer.members(|tokenizer, name| {
        members.push((name, tokenizer.raw()?));
        Some(())
    });
    match read.and_then(|()| tokenizer.end()) {
        Some(()) => Ok(members),
        None => Err(super::check(text).err().unwrap_or_else(|| {
            let kind = Kind::of_text(text.trim_start()).as_str();
            wrong_kind("object", kind)
        })),
    }
}
