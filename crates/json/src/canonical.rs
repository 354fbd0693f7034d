//! The canonical form: RFC 8785 with exact numbers (requirements `canonical.*`).

use std::cmp::Ordering;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::block;
use super::known::{each_item, members_of};
use super::writer::write_split_text;
use super::{Object, Value, parse, write_string};

/// The canonical text of a value: no white space, members sorted by UTF-16 code units, one spelling
/// for each number and each string.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    append(&mut out, value);
    out
}

/// The canonical text of the value that a text is, which is not built for it; none of a text that
/// no reader takes.
#[must_use]
pub fn canonical_of_text(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    append_text(&mut out, text, 0)?;
    Some(out)
}

/// Whether a string, with its quotes or without, has only escapes that the canonical form has, as
/// nearly all strings have.
#[must_use]
pub fn is_canonical_string(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    loop {
        at = block::find(bytes, at, |block| block.are(b'\\'));
        match bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
            Some(_) => return false,
            // Text does not end with a backslash.
            None => return true,
        }
    }
}

/// How deep containers are taken apart level by level, each of which reads all text below it.
const FEW_LEVELS: usize = 8;

fn append_text(out: &mut String, text: &str, depth: usize) -> Option<()> {
    match text.as_bytes().first()? {
        b'{' if depth < FEW_LEVELS => return append_members(out, text, depth),
        b'[' if depth < FEW_LEVELS => {
            out.push('[');
            let (mut separator, mut appended) = ("", Some(()));
            let append = |item| {
                out.push_str(std::mem::replace(&mut separator, ","));
                appended = appended.and_then(|()| append_text(out, item, depth + 1));
            };
            each_item(text, append).ok()?;
            appended?;
            out.push(']');
        }
        b'"' if is_canonical_string(text) => out.push_str(text),
        b't' | b'f' | b'n' => out.push_str(text),
        _ => append(out, &parse(text).ok()?),
    }
    Some(())
}

fn append_members(out: &mut String, text: &str, depth: usize) -> Option<()> {
    let mut members = members_of(text).ok()?;
    members.sort_by(|(left, _), (right, _)| in_order(left, right));
    if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(out, &name);
        out.push(':');
        append_text(out, value, depth + 1)?;
    }
    out.push('}');
    Some(())
}

/// The order of names by UTF-16 code units, which for ASCII is that of the bytes.
fn in_order(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
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
    members.sort_by(|(left, _), (right, _)| in_order(left, right));
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
