//! Descriptions as XML documentation.

use chatstate_codegen::direction_marks_named;
use chatstate_schema_model::NamedDefinition;

use crate::view::DocElement;

/// The longest line of a description, so that it stays readable in the generated file.
const WIDTH: usize = 100;

/// What the schema says; without a description, `otherwise`.
pub(crate) fn summary(text: &str, otherwise: &str) -> DocElement {
    let is_described = !text.trim().is_empty();
    element("summary", if is_described { text } else { otherwise })
}

/// What there is to say beside.
pub(crate) fn remarks(text: &str) -> DocElement {
    element("remarks", text)
}

/// What is said of a definition.
pub(crate) fn of_definition(definition: &NamedDefinition, name: &str) -> Vec<DocElement> {
    let otherwise = format!("`{name}`, which the schema does not describe.");
    vec![summary(&definition.doc, &otherwise)]
}

fn element(element: &'static str, text: &str) -> DocElement {
    let mut lines = lines(text);
    let is_short = |line: &String| line.chars().count() + 2 * element.len() < WIDTH;
    let line = match lines.as_slice() {
        [line] if is_short(line) => lines.pop(),
        _ => None,
    };
    DocElement {
        element,
        line,
        lines,
    }
}

/// The lines of a description as XML text, paragraphs apart. C# ends a comment at five characters,
/// and XML has no control characters.
fn lines(text: &str) -> Vec<String> {
    let text = direction_marks_named(text);
    let breaks = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
    let lines = text.trim().split(breaks).flat_map(wrapped);
    let mut paragraphs: Vec<String> = Vec::new();
    for line in lines {
        // An empty line parts two paragraphs, and two empty lines do no more than one.
        if !(line.is_empty() && paragraphs.last().is_some_and(String::is_empty)) {
            paragraphs.push(escaped(&line));
        }
    }
    paragraphs
}

/// Markup becomes text, and text between back quotes becomes code.
fn escaped(line: &str) -> String {
    let paired = line.matches('`').count().is_multiple_of(2);
    let mut code = false;
    let mut out = String::with_capacity(line.len());
    for character in line.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '`' if paired => {
                code = !code;
                out.push_str(if code { "<c>" } else { "</c>" });
            }
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_control() => {}
            _ => out.push(character),
        }
    }
    out
}

/// A text as XML.
pub(crate) fn xml(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// A line cut at blanks, with code between back quotes kept whole; one that holds no blank stays
/// long.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut last, mut length) = (String::with_capacity(line.len().min(WIDTH)), 0);
    let mut open = false;
    for word in line.split_whitespace() {
        let within = open;
        if !word.matches('`').count().is_multiple_of(2) {
            open = !open;
        }
        let added = word.chars().count();
        if length > 0 && !within && length + 1 + added > WIDTH {
            lines.push(std::mem::take(&mut last));
            length = 0;
        }
        if length > 0 {
            last.push(' ');
            length += 1;
        }
        last.push_str(word);
        length += added;
    }
    lines.push(last);
    lines
}

#[cfg(test)]
mod tests {
    use super::summary;

    fn check(text: &str, expected: &[&str]) {
        let summary = summary(text, "Nothing.");
        let lines: Vec<String> = summary.line.into_iter().chain(summary.lines).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn descriptions() {
        check("", &["Nothing."]);
        check("a `b<c>` & d", &["a <c>b&lt;c&gt;</c> &amp; d"]);
        check("one ` alone", &["one ` alone"]);
        check("</summary> */", &["&lt;/summary&gt; */"]);
        check("a\u{2028}b\u{85}c", &["a", "b", "c"]);
        check("a\u{0}b\u{1b}", &["ab"]);
        check("a\n\n\nb", &["a", "", "b"]);
    }
}
