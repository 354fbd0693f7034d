//! Descriptions as documentation comments.

use std::borrow::Cow;

use chatstate_codegen::{direction_marks_named, is_plain};

use crate::names::is_hidden;

/// The longest line of a comment.
const WIDTH: usize = 110;

/// The lines of a comment over a declaration; none where there is nothing to say.
pub(crate) fn doc(text: &str, tags: &[String]) -> Vec<String> {
    let mut lines = wrapped(text);
    if !lines.is_empty() && !tags.is_empty() {
        lines.push(String::new());
    }
    lines.extend(tags.iter().cloned());
    match lines.as_slice() {
        [] => lines,
        [line] => vec![format!("/** {line} */")],
        _ => framed(&lines),
    }
}

/// The tag of what is deprecated.
pub(crate) fn deprecated(deprecated: bool) -> Option<String> {
    deprecated.then(|| "@deprecated".to_owned())
}

fn framed(lines: &[String]) -> Vec<String> {
    let body = lines
        .iter()
        .map(|line| format!(" * {line}").trim_end().to_owned());
    let mut framed = vec!["/**".to_owned()];
    framed.extend(body);
    framed.push(" */".to_owned());
    framed
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
