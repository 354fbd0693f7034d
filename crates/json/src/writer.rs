//! JSON strings as text: the one place that decides escapes.

use std::fmt::Write;

use super::SplitText;
use super::scan::end_of_plain;

/// Writes a JSON string with the escapes of RFC 8785: the short forms, `\u00xx` for other control
/// characters, everything else as it is.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    write_body(out, text);
    out.push('"');
}

/// Writes text whose ends may be halves of a surrogate pair; a half stays as its lower-case escape.
pub(super) fn write_split_text(out: &mut String, text: &SplitText) {
    out.push('"');
    write_half(out, text.leading());
    write_body(out, text.body());
    write_half(out, text.trailing());
    out.push('"');
}

fn write_half(out: &mut String, half: Option<u16>) {
    if let Some(unit) = half {
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
