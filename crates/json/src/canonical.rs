//! The canonical form: RFC 8785 with exact numbers (requirements `canonical.*`).

use std::cmp::Ordering;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::writer::{write_array, write_split_text};
use super::{Kind, ObjectWriter, Raw, Rejection, Surrogates, Tape, Value, WriteJson, write_string};

/// The canonical text of a value: no whitespace, members sorted by UTF-16 code units, one spelling
/// for each number and each string.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// The canonical text of a document. It makes no value of it, which would take much more memory.
pub fn canonical_text(text: &str, surrogates: Surrogates) -> Result<String, Rejection> {
    let mut tape = Tape::default();
    let document = tape.read_with(text, surrogates)?;
    let mut out = String::with_capacity(text.len());
    write_raw(&mut out, document);
    Ok(out)
}

/// The digest of a value: lower-case hexadecimal SHA-256 of its canonical bytes. A value is one of
/// JSON, or a document of a generated type.
#[must_use]
pub fn digest(value: &impl WriteJson) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(canonical(&Value::of(value))) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Whether two values are equal: the order of members and the spelling of numbers and texts make no
/// difference. A value is one of JSON, or a document of a generated type.
#[must_use]
pub fn equals(left: &impl WriteJson, right: &impl WriteJson) -> bool {
    canonical(&Value::of(left)) == canonical(&Value::of(right))
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
        Value::Object(object) => write_members(out, object.iter().collect(), write_value),
    }
}

fn write_raw(out: &mut String, raw: Raw<'_>) {
    match raw.kind() {
        Kind::Array => write_array(out, raw.elements(), write_raw),
        Kind::Object => write_members(out, raw.members().collect(), write_raw),
        _ => write_value(out, &raw.tree()),
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
