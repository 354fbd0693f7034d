//! The canonical form: RFC 8785 with exact numbers (requirements `canonical.*`).

use std::cmp::Ordering;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::writer::{write_array, write_split_text};
use super::{Kind, Number, ObjectWriter, Raw, Tape, Value, string, write_string};

/// The canonical text of a value: no whitespace, members sorted by UTF-16 code units, one spelling
/// for each number and each string.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// The canonical text of the value that a text is, which is not built for it; `None` if the text is
/// no JSON.
#[must_use]
pub fn canonical_of_text(text: &str) -> Option<String> {
    let mut tape = Tape::default();
    let raw = tape.read(text).ok()?;
    let mut out = String::with_capacity(text.len());
    write_raw(&mut out, raw);
    Some(out)
}

/// The digest of a value: lower-case hexadecimal SHA-256 of its canonical bytes.
#[must_use]
pub fn digest(value: &Value) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(canonical(value)) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The order of names by UTF-16 code units, which for ASCII is that of the bytes.
fn in_order(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.canonical()),
        Value::String(text) => write_string(out, text),
        Value::Split(text) => write_split_text(out, text),
        Value::Array(elements) => write_array(out, elements, write_value),
        Value::Object(object) => {
            let members = object.iter().map(|(name, value)| (name.as_str(), value));
            write_members(out, members.collect(), write_value);
        }
    }
}

/// The same of a value on a tape. This recurses as deep as the value is nested, which the tokenizer
/// has limited.
fn write_raw(out: &mut String, raw: Raw<'_>) {
    match raw.kind() {
        Kind::Null | Kind::Boolean => out.push_str(raw.get()),
        Kind::Number => out.push_str(&Number::from_grammatical(raw.get()).canonical()),
        // Text without escapes is spelled as in the canonical form.
        Kind::String if raw.plain().is_some() => out.push_str(raw.get()),
        Kind::String => write_split_text(out, &string::unquoted(raw.get())),
        Kind::Array => write_array(out, raw.elements(), write_raw),
        Kind::Object => write_members(out, raw.members().collect(), write_raw),
    }
}

fn write_members<N: AsRef<str>, V>(
    out: &mut String,
    mut members: Vec<(N, V)>,
    write: fn(&mut String, V),
) {
    members.sort_by(|(left, _), (right, _)| in_order(left.as_ref(), right.as_ref()));
    let mut object = ObjectWriter::new(out);
    for (name, value) in members {
        object.any_with(name.as_ref(), |out| write(out, value));
    }
    object.end();
}

/// Whether a string, with its quotes or without, has only escapes that the canonical form has, as
/// nearly all strings have.
#[must_use]
pub fn is_canonical_string(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(backslash) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += backslash + 2;
        let escaped = bytes.get(at - 1);
        if !matches!(
            escaped,
            Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't')
        ) {
            return false;
        }
    }
    true
}
