//! The canonical form: RFC 8785 with exact numbers (requirements `canonical.*`).

use std::cmp::Ordering;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::writer::{write_array, write_split_text};
use super::{ObjectWriter, Value, write_string};

/// The canonical text of a value: no whitespace, members sorted by UTF-16 code units, one spelling
/// for each number and each string.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
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
            write_members(out, object.iter().collect());
        }
    }
}

fn write_members(out: &mut String, mut members: Vec<(&String, &Value)>) {
    members.sort_by(|(left, _), (right, _)| in_order(left, right));
    let mut object = ObjectWriter::new(out);
    for (name, value) in members {
        object.any_with(name, |out| write_value(out, value));
    }
    object.end();
}
