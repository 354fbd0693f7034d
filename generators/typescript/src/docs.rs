//! Descriptions as documentation comments.

use std::borrow::Cow;

use chatstate_codegen::{direction_marks_named, is_plain};

use crate::names::is_hidden;
use crate::view::DocView;

/// The longest line of a comment.
const WIDTH: usize = 110;

/// The comment over a declaration; empty where there is nothing to say.
pub(crate) fn doc(text: &str, tags: &[String]) -> DocView {
    let mut lines = wrapped(text);
    if !lines.is_empty() && !tags.is_empty() {
        lines.push(String::new());
    }
    lines.extend(tags.iter().cloned());
    let line = if lines.len() == 1 { lines.pop() } else { None };
    DocView { line, lines }
}

/// The tag of what is deprecated.
pub(crate) fn deprecated(deprecated: bool) -> Option<String> {
    deprecated.then(|| "@deprecated".to_owned())
}

/// The lines of a description, harmless inside of a comment.
fn wrapped(text: &str) -> Vec<String> {
    let text = direction_marks_named(text);
    let text = text.replace(['\u{2028}', '\u{2029}', '\r', '\u{b}', '\u{c}'], "\n");
    let lines = text.trim().lines().map(|line| harmless(line.trim()));
    lines
        .flat_map(|line| chatstate_codegen::wrapped(&line, WIDTH))
        .collect()
}

/// A line that cannot end the comment it is in, nor begin a tag of its own.
pub(crate) fn harmless(line: &str) -> Cow<'_, str> {
    if is_plain(line) && !line.starts_with('@') && !line.contains("*/") {
        return line.into();
    }
    let shown: String = line
        .chars()
        .map(|character| if is_hidden(character) { ' ' } else { character })
        .collect();
    let shown = shown.replace("*/", "*\\/");
    match shown.strip_prefix('@') {
        Some(rest) => format!("\\@{rest}").into(),
        None => shown.into(),
    }
}
