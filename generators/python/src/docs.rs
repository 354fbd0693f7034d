//! Descriptions as docstrings.

use std::borrow::Cow;

use chatstate_codegen::{is_plain, wrapped};

use crate::literal::push_escaped;
use crate::view::DocView;

/// The longest line of a docstring, without its indentation.
const WIDTH: usize = 92;

/// The sentence for something deprecated.
const DEPRECATED: &str = "Deprecated.";

/// A docstring of paragraphs; empty if there are no words.
pub(crate) fn docstring(paragraphs: &[&str]) -> DocView {
    let mut lines: Vec<String> = paragraphs
        .iter()
        .filter(|paragraph| !paragraph.trim().is_empty())
        .enumerate()
        .flat_map(|(index, paragraph)| {
            let gap = (index > 0).then(String::new);
            gap.into_iter().chain(wrapped_lines(paragraph))
        })
        .collect();
    let line = if lines.len() == 1 { lines.pop() } else { None };
    DocView { line, lines }
}

/// The paragraph for something deprecated; empty for anything else.
pub(crate) fn deprecation(deprecated: bool) -> &'static str {
    if deprecated { DEPRECATED } else { "" }
}

/// The lines of a description, escaped and wrapped; no line can end the docstring.
fn wrapped_lines(text: &str) -> Vec<String> {
    let text = text.trim();
    text.lines()
        .flat_map(|line| wrapped(&escaped(line), WIDTH))
        .collect()
}

fn escaped(line: &str) -> Cow<'_, str> {
    if is_plain(line) {
        return line.into();
    }
    let mut out = String::with_capacity(line.len());
    for character in line.chars() {
        match character {
            '\t' => out.push(' '),
            // One quote in three would do, but a quote at the end must be escaped as well.
            '"' => out.push_str("\\\""),
            _ => push_escaped(&mut out, character),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::docstring;

    #[test]
    fn descriptions_cannot_end_their_docstring() {
        let check = |given: &str, line: Option<&str>, lines: &[&str]| {
            let doc = docstring(&[given]);
            assert_eq!(doc.line.as_deref(), line, "{given}");
            assert_eq!(doc.lines, lines, "{given}");
        };
        check("", None, &[]);
        check("  ", None, &[]);
        check("Plain.", Some("Plain."), &[]);
        check("Says \"\"\"", Some("Says \\\"\\\"\\\""), &[]);
        check("Ends with \\", Some("Ends with \\\\"), &[]);
        check("One.\n\nTwo.", None, &["One.", "", "Two."]);
    }
}
