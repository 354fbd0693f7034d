//! Descriptions as documentation comments.

use std::borrow::Cow;

use chatstate_codegen::{direction_marks_named, wrapped};
use proc_macro2::TokenStream;
use quote::quote;

/// The longest line of a description, so that it stays readable in the generated file.
const WIDTH: usize = 92;

/// What is above something: its description, whose paragraphs stay apart, and whether it is
/// deprecated.
pub(crate) fn above(text: &str, deprecated: bool) -> TokenStream {
    let lines = doc_lines(text).into_iter();
    let lines = lines.map(|line| match line.trim_end_matches(' ') {
        "" => String::new(),
        line => format!(" {line}"),
    });
    let deprecated = deprecated.then(|| quote!(#[deprecated]));
    quote!(#(#[doc = #lines])* #deprecated)
}

/// A description with a sentence of the generator as a paragraph of its own.
pub(crate) fn with_sentence<'t>(text: &'t str, sentence: Option<&str>) -> Cow<'t, str> {
    match sentence {
        Some(sentence) => format!("{text}\n\n{sentence}").into(),
        None => text.into(),
    }
}

/// The lines of a description, escaped and wrapped. What is between fences is an example in
/// some other language: it stays as it is, and is marked so that no one runs it as a test in Rust.
pub(crate) fn doc_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut fenced = false;
    for line in direction_marks_named(text.trim()).lines() {
        if is_fence(line) {
            fenced = !fenced;
            lines.push(if fenced { "```text" } else { "```" }.to_owned());
        } else if fenced {
            lines.push(line.to_owned());
        } else {
            lines.extend(wrapped(&escaped(line), WIDTH));
        }
    }
    if fenced {
        lines.push("```".to_owned());
    }
    lines
}

/// Whether a line begins or ends an example.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.strip_prefix("```").or(line.strip_prefix("~~~"));
    rest.is_some_and(|rest| !rest.contains("```"))
}

/// Brackets and angles outside of code would be links and tags.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut code = false;
    for character in line.chars() {
        if character == '`' {
            code = !code;
        }
        if !code && matches!(character, '[' | ']' | '<' | '>') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::doc_lines;

    #[test]
    fn examples_are_no_tests() {
        for (text, expected) in [
            ("a\n```\nuse b;\n```", "a|```text|use b;|```"),
            ("~~~rust\nx<y>", "```text|x<y>|```"),
            ("```one``` word <t>", "```one``` word \\<t\\>"),
        ] {
            assert_eq!(doc_lines(text).join("|"), expected, "{text}");
        }
    }
}
