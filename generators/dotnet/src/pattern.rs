//! Regular expressions of JSON Schema as .NET spells them.

/// The pattern in the words of .NET. There, `$` also stands before a line feed at the end, `\d` is a
/// digit of any script, and `\w` a letter of any; in JSON Schema they are not.
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
    use super::pattern;

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
}
