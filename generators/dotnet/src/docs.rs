//! Descriptions as XML documentation.

use chatstate_codegen::direction_marks_named;

/// The longest line of a description, so that it stays readable in the generated file.
const WIDTH: usize = 100;

/// The lines of a `<summary>` with what the schema says; without a description, `otherwise`.
pub(crate) fn summary(text: &str, otherwise: &str) -> Vec<String> {
    element(
        "summary",
        if text.trim().is_empty() {
            otherwise
        } else {
            text
        },
    )
}

/// The lines of a `<remarks>`.
pub(crate) fn remarks(text: &str) -> Vec<String> {
    element("remarks", text)
}

fn element(name: &str, text: &str) -> Vec<String> {
    let mut lines = lines(text);
    match lines.as_mut_slice() {
        [line] if line.chars().count() + 2 * name.len() < WIDTH => {
            *line = format!("<{name}>{line}</{name}>");
        }
        _ => {
            lines.insert(0, format!("<{name}>"));
            lines.push(format!("</{name}>"));
        }
    }
    let comments = lines.iter().map(|line| format!("/// {line}"));
    comments.map(|line| line.trim_end().to_owned()).collect()
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
        let lines = summary(text, "Nothing.");
        let lines: Vec<_> = lines.iter().map(|line| &line[3..]).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn descriptions() {
        check("", &[" <summary>Nothing.</summary>"]);
        check(
            "a `b<c>` & d",
            &[" <summary>a <c>b&lt;c&gt;</c> &amp; d</summary>"],
        );
        check("one ` alone", &[" <summary>one ` alone</summary>"]);
        check(
            "</summary> */",
            &[" <summary>&lt;/summary&gt; */</summary>"],
        );
        check(
            "a\u{2028}b\u{85}c",
            &[" <summary>", " a", " b", " c", " </summary>"],
        );
        check("a\u{0}b\u{1b}", &[" <summary>ab</summary>"]);
        check("a\n\n\nb", &[" <summary>", " a", "", " b", " </summary>"]);
    }
}
