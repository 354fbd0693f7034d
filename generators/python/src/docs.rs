//! Descriptions as docstrings.

use std::borrow::Cow;

use chatstate_codegen::{is_plain, wrapped};

use crate::literal::push_escaped;

/// The longest line of a docstring, without its indentation.
const WIDTH: usize = 92;

/// The sentence for something deprecated.
const DEPRECATED: &str = "Deprecated.";

/// A docstring of paragraphs, with its line feed; nothing if there are no words.
pub(crate) fn docstring(paragraphs: &[&str], indentation: &str) -> String {
    let lines: Vec<String> = paragraphs
        .iter()
        .filter(|paragraph| !paragraph.trim().is_empty())
        .enumerate()
        .flat_map(|(index, paragraph)| {
            let gap = (index > 0).then(String::new);
            gap.into_iter().chain(lines(paragraph))
        })
        .collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] if line.len() + 6 <= WIDTH => format!("{indentation}\"\"\"{line}\"\"\"\n"),
        [first, rest @ ..] => {
            let mut out = format!("{indentation}\"\"\"{first}\n");
            for line in rest {
                if !line.is_empty() {
                    out.push_str(indentation);
                    out.push_str(line);
                }
                out.push('\n');
            }
            out.push_str(indentation);
            out.push_str("\"\"\"\n");
            out
        }
    }
}

/// The paragraph for something deprecated; empty for anything else.
pub(crate) fn deprecation(deprecated: bool) -> &'static str {
    if deprecated { DEPRECATED } else { "" }
}

/// The lines of a description, escaped and wrapped; no line can end the docstring.
fn lines(text: &str) -> Vec<String> {
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
        let check = |given: &str, printed: &str| assert_eq!(docstring(&[given], ""), printed);
        check("", "");
        check("  ", "");
        check("Plain.", "\"\"\"Plain.\"\"\"\n");
        check("Says \"\"\"", "\"\"\"Says \\\"\\\"\\\"\"\"\"\n");
        check("Ends with \\", "\"\"\"Ends with \\\\\"\"\"\n");
        check("One.\n\nTwo.", "\"\"\"One.\n\nTwo.\n\"\"\"\n");
    }
}
