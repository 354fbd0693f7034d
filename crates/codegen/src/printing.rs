//! What is printed as it is, in every language.

use std::borrow::Cow;

/// Whether a text holds visible characters of ASCII and blanks only, and neither quotes (`"`) nor
/// backslashes: in every language it stands for itself in a literal. Most texts are like that.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    text.bytes().all(plain)
}

/// Whether a character changes the direction of the text around it, so that code with it reads
/// otherwise than it is.
#[must_use]
pub fn is_direction_mark(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// A text for a comment, in which direction marks are named, such as `U+202E`.
#[must_use]
pub fn direction_marks_named(text: &str) -> Cow<'_, str> {
    if !text.contains(is_direction_mark) {
        return text.into();
    }
    let named = text.chars().map(|character| {
        if is_direction_mark(character) {
            format!("U+{:04X}", u32::from(character))
        } else {
            character.to_string()
        }
    });
    named.collect::<String>().into()
}

/// A text in double quotes as JSON and TOML spell it. Control characters other than line feeds, tabs and
/// the like are written as `\\u` with four digits, which both know.
#[must_use]
pub fn double_quoted(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    // TOML wants this one escaped too.
    quoted.replace('\u{7f}', "\\u007f")
}

/// What is between the brackets of a type, without the blank line at its begin.
#[must_use]
pub fn body(text: &str) -> String {
    text.strip_prefix('\n').unwrap_or(text).to_owned()
}
