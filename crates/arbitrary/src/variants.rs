//! Other spellings of one document, and changes that leave its meaning as it was.

use std::fmt::Write;

use chatstate_json::{Object, SplitText, Value, write_string};

/// How a document is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// The members of every object in the opposite order.
    Reversed,
    /// Whitespace of all four kinds wherever it is allowed.
    Spaced,
    /// Every character of every text and name as an escape.
    Escaped,
}

impl Spelling {
    /// All spellings.
    pub const ALL: [Self; 3] = [Self::Reversed, Self::Spaced, Self::Escaped];

    /// What is done to a document, as the end of a sentence about it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Reversed => "with the members of every object in the opposite order",
            Self::Spaced => "with whitespace between all tokens",
            Self::Escaped => "with every character as an escape",
        }
    }
}

/// The document in this spelling. It has the same value.
#[must_use]
pub fn spelled(document: &Value, spelling: Spelling) -> String {
    let mut out = String::new();
    write_value(document, spelling, &mut out);
    out
}

fn write_value(value: &Value, spelling: Spelling, out: &mut String) {
    space(spelling, out);
    match value {
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place == 0 { "" } else { "," });
                write_value(item, spelling, out);
            }
            space(spelling, out);
            out.push(']');
        }
        Value::Object(members) => write_members(members, spelling, out),
        Value::String(text) => write_text(text, spelling, out),
        Value::Split(text) if spelling == Spelling::Escaped => escape_split(text, out),
        other => out.push_str(&other.to_json()),
    }
    space(spelling, out);
}

fn write_members(members: &Object, spelling: Spelling, out: &mut String) {
    let mut members: Vec<_> = members.iter().collect();
    if spelling == Spelling::Reversed {
        members.reverse();
    }
    out.push('{');
    for (place, (name, value)) in members.into_iter().enumerate() {
        out.push_str(if place == 0 { "" } else { "," });
        space(spelling, out);
        write_text(name, spelling, out);
        space(spelling, out);
        out.push(':');
        write_value(value, spelling, out);
    }
    space(spelling, out);
    out.push('}');
}

fn space(spelling: Spelling, out: &mut String) {
    if spelling == Spelling::Spaced {
        out.push_str(" \t\r\n");
    }
}

fn write_text(text: &str, spelling: Spelling, out: &mut String) {
    if spelling == Spelling::Escaped {
        out.push('"');
        escape(text.encode_utf16(), out);
        out.push('"');
    } else {
        write_string(out, text);
    }
}

fn escape_split(text: &SplitText, out: &mut String) {
    out.push('"');
    let units = text.leading().into_iter().chain(text.body().encode_utf16());
    escape(units.chain(text.trailing()), out);
    out.push('"');
}

fn escape(units: impl Iterator<Item = u16>, out: &mut String) {
    for unit in units {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// The name of the member that [`with_unknown_members`] adds.
pub const UNKNOWN_MEMBER: &str = "chatstateUnknown";

/// The document with a member that no schema names in every object of it.
#[must_use]
pub fn with_unknown_members(document: &Value) -> Value {
    match document {
        Value::Array(items) => items
            .iter()
            .map(with_unknown_members)
            .collect::<Vec<_>>()
            .into(),
        Value::Object(members) => {
            let mut more: Object = members
                .iter()
                .map(|(name, value)| (name.clone(), with_unknown_members(value)))
                .collect();
            let inside: Object = [("kept", Value::Null)].into_iter().collect();
            more.insert(UNKNOWN_MEMBER, vec![inside.into(), Value::from(1_i64)]);
            more.into()
        }
        other => other.clone(),
    }
}

/// The events whose text may be cut anywhere.
const DELTAS: [&str; 6] = [
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_CHUNK",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_CHUNK",
];

/// The most pieces that a text is cut into.
const MOST_PIECES: usize = 64;

/// The event stream with each of its text deltas cut after every character, or nothing where there is
/// no delta to cut.
#[must_use]
pub fn with_cut_deltas(events: &Value) -> Option<Value> {
    let events = events.as_array()?;
    let cut: Vec<Value> = events.iter().flat_map(pieces).collect();
    (cut.len() > events.len()).then(|| cut.into())
}

fn pieces(event: &Value) -> Vec<Value> {
    let is_delta = |tag: &str| DELTAS.contains(&tag);
    let (Value::Object(members), Some(text)) = (event, event.get("delta").and_then(Value::as_str))
    else {
        return vec![event.clone()];
    };
    let cut = event
        .get("type")
        .and_then(Value::as_str)
        .is_some_and(is_delta);
    if !cut || !(2..=MOST_PIECES).contains(&text.chars().count()) {
        return vec![event.clone()];
    }
    let piece = |character: char| {
        let mut members = members.clone();
        members.insert("delta", character.to_string());
        Value::Object(members)
    };
    text.chars().map(piece).collect()
}
