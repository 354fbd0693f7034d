//! Rust code as text: literals, lists and signatures, laid out as the printer would print them.

use chatstate_codegen::is_plain;
use proc_macro2::Literal;

/// The longest line that the printer leaves whole, in bytes.
const WIDTH: usize = 89;

/// The longest literal of a struct that the printer leaves on one line, without its last brace.
const LITERAL_WIDTH: usize = 34;

/// The code of some items.
#[derive(Debug)]
pub(crate) struct Code {
    pub text: String,
    /// Whether the text is laid out as the printer would print it, but for lines that are too long.
    pub laid_out: bool,
}

/// Whether a line is so short that the printer leaves it whole.
pub(crate) fn fits(line: &str) -> bool {
    line.len() <= WIDTH
}

/// Whether the printer would leave all lines whole. It never breaks those of descriptions.
pub(crate) fn all_fit(text: &str) -> bool {
    let mut lines = text.lines();
    lines.all(|line| fits(line) || line.trim_start().starts_with("///"))
}

/// A literal of a text.
pub(crate) fn quoted(text: &str) -> String {
    if is_plain(text) {
        format!("\"{text}\"")
    } else {
        Literal::string(text).to_string()
    }
}

/// An integer that says its type.
pub(crate) fn suffixed(value: i64) -> String {
    format!("{value}i64")
}

/// A reference to an array of texts.
pub(crate) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("&[{}]", texts.join(", "))
}

/// The parts around a list on one line, or with each of the list on a line of its own where that line
/// would be too long.
pub(crate) fn list(indent: &str, before: &str, items: &[String], after: &str) -> String {
    let line = format!("{indent}{before}{}{after}", items.join(", "));
    if fits(&line) {
        line
    } else {
        broken(indent, before, items, after)
    }
}

/// The literal of a struct in the same way, but only a short one is on one line.
pub(crate) fn literal(indent: &str, before: &str, fields: &[String], after: &str) -> String {
    let inner = format!("Self {{ {} ", fields.join(", "));
    if inner.len() <= LITERAL_WIDTH {
        return format!("{indent}{before}{inner}}}{after}");
    }
    let (before, after) = (format!("{before}Self {{"), format!("}}{after}"));
    broken(indent, &before, fields, &after)
}

/// Each of a list on a line of its own.
fn broken(indent: &str, before: &str, items: &[String], after: &str) -> String {
    let mut lines = format!("{indent}{before}\n");
    for item in items {
        lines += indent;
        lines += "    ";
        lines += item;
        lines += ",\n";
    }
    lines + indent + after
}

#[cfg(test)]
mod tests {
    use super::{list, quoted};

    #[test]
    fn texts_are_escaped() {
        for (text, literal) in [
            ("a b", "\"a b\""),
            ("a\"b\\", "\"a\\\"b\\\\\""),
            ("a\nb", "\"a\\nb\""),
            ("it's ä", "\"it's ä\""),
        ] {
            assert_eq!(quoted(text), literal);
        }
    }

    #[test]
    fn a_list_is_broken_where_it_does_not_fit() {
        let short = ["a".to_owned(), "b".to_owned()];
        assert_eq!(list("  ", "f(", &short, ") {"), "  f(a, b) {");
        let long = ["a".repeat(80), "b".to_owned()];
        let lines = format!("  f(\n      {},\n      b,\n  ) {{", long[0]);
        assert_eq!(list("  ", "f(", &long, ") {"), lines);
    }
}
