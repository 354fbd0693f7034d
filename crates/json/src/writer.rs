//! JSON text: the one place that decides escapes, commas and brackets.

use std::fmt::Write;

use indexmap::IndexMap;

use super::string::end_of_plain;
use super::{Object, Presence, SplitText, Value, WriteJson};

/// Writes a JSON string with the escapes of RFC 8785: the short forms, `\u00xx` for other control
/// characters, everything else as it is.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    write_body(out, text);
    out.push('"');
}

/// Writes text whose ends may be unpaired surrogates, which stay lower-case escapes.
pub(super) fn write_split_text(out: &mut String, text: &SplitText) {
    out.push('"');
    write_surrogate(out, text.leading());
    write_body(out, text.body());
    write_surrogate(out, text.trailing());
    out.push('"');
}

/// Writes an array, of whose elements `write` appends each.
pub(super) fn write_array<T>(
    out: &mut String,
    elements: impl IntoIterator<Item = T>,
    write: fn(&mut String, T),
) {
    out.push('[');
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, element);
    }
    out.push(']');
}

/// Writes one object member by member.
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> ObjectWriter<'a> {
    /// Begins an object.
    pub fn new(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Writes a member. Here and below, `name` must already be JSON-escaped.
    pub fn member(&mut self, name: &str, value: &impl WriteJson) -> &mut Self {
        self.name(name);
        value.write(self.out);
        self
    }

    /// Writes a member whose value is the given text, such as a discriminator.
    pub fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.name(name);
        write_string(self.out, text);
        self
    }

    /// Writes a member whose value is JSON text already.
    pub fn raw(&mut self, name: &str, json: &str) -> &mut Self {
        self.with(name, |out| out.push_str(json))
    }

    /// Writes a member whose value `write` appends.
    pub fn with(&mut self, name: &str, write: impl FnOnce(&mut String)) -> &mut Self {
        self.name(name);
        write(self.out);
        self
    }

    /// Writes a member of any name, which is escaped here, whose value `write` appends.
    pub fn any_with(&mut self, name: &str, write: impl FnOnce(&mut String)) -> &mut Self {
        self.separate();
        write_string(self.out, name);
        self.out.push(':');
        write(self.out);
        self
    }

    /// Writes a member if there is one.
    pub fn optional(&mut self, name: &str, value: &Option<impl WriteJson>) -> &mut Self {
        if let Some(value) = value {
            self.member(name, value);
        }
        self
    }

    /// Writes a member that may be absent or null.
    pub fn presence(&mut self, name: &str, value: &Presence<impl WriteJson>) -> &mut Self {
        match value {
            Presence::Absent => self,
            Presence::Null => self.member(name, &Value::Null),
            Presence::Value(value) => self.member(name, value),
        }
    }

    /// Writes the members that the schema does not name.
    pub fn rest(&mut self, rest: &Object) -> &mut Self {
        for (name, value) in rest.iter() {
            self.any_with(name, |out| value.write(out));
        }
        self
    }

    /// Writes members of any names and one type.
    pub fn each<T: WriteJson>(&mut self, members: &IndexMap<String, T>) -> &mut Self {
        for (name, value) in members {
            self.any_with(name, |out| value.write(out));
        }
        self
    }

    /// Ends the object.
    pub fn end(&mut self) {
        self.out.push('}');
    }

    fn name(&mut self, name: &str) {
        self.separate();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    fn separate(&mut self) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(',');
        }
    }
}

fn write_surrogate(out: &mut String, surrogate: Option<u16>) {
    if let Some(unit) = surrogate {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

fn write_body(out: &mut String, text: &str) {
    let mut start = 0;
    loop {
        let end = end_of_plain(text.as_bytes(), start);
        out.push_str(&text[start..end]);
        let Some(byte) = text.as_bytes().get(end) else {
            return;
        };
        write_escape(out, *byte);
        start = end + 1;
    }
}

fn write_escape(out: &mut String, byte: u8) {
    let short = match byte {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        0x08 => "\\b",
        b'\t' => "\\t",
        b'\n' => "\\n",
        0x0c => "\\f",
        b'\r' => "\\r",
        other => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{other:04x}");
            return;
        }
    };
    out.push_str(short);
}
