//! Lists over several lines.

/// The longest list that is in one line.
const LONGEST_LINE: usize = 90;

/// Expressions with commas between them as a list; a long one has a line for each, so that a new one
/// changes no other line.
pub(crate) fn listed(expressions: &str) -> String {
    if expressions.chars().count() <= LONGEST_LINE {
        return format!("[{expressions}]");
    }
    let items = items(expressions);
    format!("[\n    {},\n  ]", items.join(",\n    "))
}

/// What is between commas, outside of brackets and texts.
fn items(list: &str) -> Vec<&str> {
    let (mut in_text, mut escaped, mut depth) = (false, false, 0_usize);
    let mut items = Vec::new();
    let mut start = 0;
    for (place, character) in list.char_indices() {
        match character {
            '"' if !escaped => in_text = !in_text,
            '[' | '(' | '{' if !in_text => depth += 1,
            ']' | ')' | '}' if !in_text => depth = depth.saturating_sub(1),
            ',' if !in_text && depth == 0 => {
                items.push(list[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
        escaped = in_text && character == '\\' && !escaped;
    }
    items.push(list[start..].trim());
    items
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_long_list_has_a_line_for_each() {
        let long = "a".repeat(90);
        let check = |list: &str, expected: &str| assert_eq!(listed(list), expected);
        check("", "[]");
        check("a, b", "[a, b]");
        check(
            &format!("{long}, \"x, \\\"]\", f(c, [d, e])"),
            &format!("[\n    {long},\n    \"x, \\\"]\",\n    f(c, [d, e]),\n  ]"),
        );
    }
}
