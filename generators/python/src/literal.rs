//! Values as literals of Python.

use std::fmt::Write;

use chatstate_codegen::{is_direction_mark, is_plain};

/// A text in quotes: double ones, unless single ones take fewer backslashes.
pub(crate) fn text(text: &str) -> String {
    if is_plain(text) {
        return format!("\"{text}\"");
    }
    let count = |quote| text.chars().filter(|next| *next == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        if character == quote {
            out.push('\\');
            out.push(quote);
        } else {
            push_escaped(&mut out, character);
        }
    }
    out.push(quote);
    out
}

/// A character as it is in a literal of either kind of quotes.
pub(crate) fn push_escaped(out: &mut String, character: char) {
    match character {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        // Controls and the separators of lines, which editors show as nothing or break a line at.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
            push_number(out, character);
        }
        // What turns the text around it.
        mark if is_direction_mark(mark) => push_number(out, mark),
        other => out.push(other),
    }
}

/// A character by its number.
fn push_number(out: &mut String, character: char) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{:04x}", u32::from(character));
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn texts_cannot_leave_their_quotes() {
        let check = |given: &str, printed: &str| assert_eq!(text(given), printed);
        check("plain", "\"plain\"");
        check("a\"b\\", r#"'a"b\\'"#);
        check("a\"b'", r#""a\"b'""#);
        check("a\r\n\u{7}\u{2028}", r#""a\r\n\u0007\u2028""#);
        check("größe", "\"größe\"");
        check("\u{202e}", r#""\u202e""#);
    }
}
