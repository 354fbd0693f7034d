//! Templates that print and decide nothing.

use askama::Template;

use crate::CodegenError;

/// The text of a template, which ends with a line feed, unless it is empty.
pub fn printed(view: &impl Template) -> Result<String, CodegenError> {
    let mut text = view.render()?;
    // A template does not count the last line feed of its file.
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Whether a text holds visible characters of ASCII and blanks only, and neither quotes (`"`) nor
/// backslashes: in every language it stands for itself in a literal. Most texts are like that.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    text.bytes().all(plain)
}
