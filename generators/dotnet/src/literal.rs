//! Texts as C# writes them.

use std::fmt::Write;

use chatstate_codegen::is_plain;

/// A string literal, with its quotes. What C# takes for a line end, and what people cannot see, is
/// escaped.
pub(crate) fn string(text: &str) -> String {
    if is_plain(text) {
        return format!("\"{text}\"");
    }
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if stands(character) => out.push(character),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(out, "\\U{:08X}", u32::from(character));
            }
        }
    }
    out.push('"');
    out
}

/// Whether a character may stand for itself in a literal.
fn stands(character: char) -> bool {
    matches!(character, ' '..='~') || character.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn no_text_ends_its_literal() {
        assert_eq!(string("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(
            string("\u{2028}\u{85}\u{0}"),
            r#""\U00002028\U00000085\U00000000""#
        );
        assert_eq!(string("na\u{ef}ve"), "\"na\u{ef}ve\"");
        assert_eq!(string("\r\n"), r#""\r\n""#);
    }
}
