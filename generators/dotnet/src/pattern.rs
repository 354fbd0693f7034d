//! Regular expressions of JSON Schema as .NET spells them.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::Ir;

/// The categories of characters that .NET has names for.
const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn",
    "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm",
    "So", "Z", "Zl", "Zp", "Zs",
];

/// Rejects a model with a pattern that .NET does not know, as it would only show when a text is
/// read.
pub(crate) fn check_patterns(ir: &Ir) -> Result<(), CodegenError> {
    for (name, text) in ir.patterns() {
        if let Some(part) = unknown_part(text) {
            return Err(CodegenError::Inexpressible {
                message: format!("the pattern `{text}` has `{part}`, which .NET does not know"),
                place: format!("definition `{name}`"),
                help: "write it with the characters themselves or with a general category, \
                       such as `\\p{L}`"
                    .to_owned(),
            });
        }
    }
    Ok(())
}

/// The first part of a pattern that .NET takes for something else, or not at all.
fn unknown_part(text: &str) -> Option<&str> {
    for (index, _) in text.match_indices('\\') {
        let rest = &text[index..];
        let is_escaped = text[..index]
            .chars()
            .rev()
            .take_while(|it| *it == '\\')
            .count()
            % 2
            == 1;
        let end = rest.find('}').map_or(rest.len(), |end| end + 1);
        let braced = ["\\u{", "\\p{", "\\P{"]
            .iter()
            .find(|start| rest.starts_with(**start));
        if let (Some(start), false) = (braced, is_escaped) {
            let name = rest[start.len()..end].trim_end_matches('}');
            if *start == "\\u{" || !CATEGORIES.contains(&name) {
                return Some(&rest[..end]);
            }
        }
    }
    text.find("(?P<").map(|index| &text[index..index + 4])
}

/// The pattern in the words of .NET. There, `$` also matches before a line feed at the end, `\d` is
/// a digit of any script, and `\w` a letter of any; in JSON Schema they are not.
pub(crate) fn pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_class = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.push_str(&escape(characters.next(), in_class)),
            '[' if in_class => out.push_str("\\["),
            '[' => {
                in_class = true;
                out.push('[');
            }
            ']' => {
                in_class = false;
                out.push(']');
            }
            '$' if !in_class => out.push_str("\\z"),
            other => out.push(other),
        }
    }
    out
}

fn escape(escaped: Option<char>, in_class: bool) -> String {
    let (open, close) = if in_class { ("", "") } else { ("[", "]") };
    match escaped {
        Some('d') => format!("{open}0-9{close}"),
        Some('w') => format!("{open}A-Za-z0-9_{close}"),
        Some('D') if !in_class => "[^0-9]".to_owned(),
        Some('W') if !in_class => "[^A-Za-z0-9_]".to_owned(),
        Some(other) => format!("\\{other}"),
        None => "\\\\".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{pattern, unknown_part};

    #[test]
    fn patterns() {
        let cases = [
            ("^a$", "^a\\z"),
            ("[$]\\$", "[$]\\$"),
            ("\\d+[\\d.]", "[0-9]+[0-9.]"),
            ("[a[b]\\w", "[a\\[b][A-Za-z0-9_]"),
            ("\\W\\D", "[^A-Za-z0-9_][^0-9]"),
        ];
        for (text, expected) in cases {
            assert_eq!(pattern(text), expected);
        }
    }
    #[test]
    fn unknown_parts() {
        let cases = [
            ("^\\p{L}+\\P{Lu}$", None),
            ("\\p{Script=Greek}", Some("\\p{Script=Greek}")),
            ("a\\u{1F600}", Some("\\u{1F600}")),
            ("a\\\\u{1}", None),
            ("(?P<name>a)", Some("(?P<")),
        ];
        for (text, expected) in cases {
            assert_eq!(unknown_part(text), expected, "{text}");
        }
    }
}
