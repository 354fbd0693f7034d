//! The canonical form: RFC 8785 with exact numbers (requirements `canonical.*`).

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::writer::write_split_text;
use super::{Object, Value, write_string};

/// The canonical text of a value: no white space, members sorted by UTF-16 code units, one spelling
/// for each number and each string.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    append(&mut out, value);
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

fn append(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.canonical()),
        Value::String(text) => write_string(out, text),
        Value::Split(text) => write_split_text(out, text),
        Value::Array(items) => write_items(out, items),
        Value::Object(object) => write_members(out, object),
    }
}

fn write_items(out: &mut String, items: &[Value]) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        append(out, item);
    }
    out.push(']');
}

fn write_members(out: &mut String, object: &Object) {
    let mut members: Vec<_> = object.iter().collect();
    members.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(out, name);
        out.push(':');
        append(out, value);
    }
    out.push('}');
}
