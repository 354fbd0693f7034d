//! Long annotations over several lines, as formatters of Python lay them out.

/// The longest line.
const WIDTH: usize = 100;

/// A statement on a line of its own, with its indentation. If it is too long, what is in its first
/// brackets gets lines of its own.
pub(crate) fn laid_out(line: &str) -> String {
    let statement = line.trim_start_matches(' ');
    let indentation = line.len() - statement.len();
    let statement = broken(statement.trim_end(), indentation, 0);
    format!("{}{statement}\n", " ".repeat(indentation))
}

/// What is in a class, without a blank line at its begin.
pub(crate) fn body(text: &str) -> String {
    text.strip_prefix('\n').unwrap_or(text).to_owned()
}

/// An expression in front of `after` characters of its line, which is indented so far.
fn broken(expression: &str, indentation: usize, after: usize) -> String {
    let length = indentation + expression.chars().count() + after;
    match brackets(expression) {
        Some((open, close)) if length > WIDTH => {
            let inner = indentation + 4;
            let items = items(&expression[open + 1..close]);
            // In square brackets, a comma after a single item would make a tuple of it.
            let comma = if items.len() > 1 { "," } else { "" };
            let lines = items.iter().map(|item| {
                let item = item_of(item, inner, comma.len());
                format!("{}{item}{comma}\n", " ".repeat(inner))
            });
            format!(
                "{}\n{}{}{}",
                &expression[..=open],
                lines.collect::<String>(),
                " ".repeat(indentation),
                &expression[close..]
            )
        }
        _ => expression.to_owned(),
    }
}

/// An item between brackets. If it is too long and one of several, each of them has a line.
fn item_of(item: &str, indentation: usize, after: usize) -> String {
    let operands = separated(item, '|');
    let length = indentation + item.chars().count() + after;
    if operands.len() == 1 || length <= WIDTH {
        return broken(item, indentation, after);
    }
    let last = operands.len() - 1;
    let lines = operands.iter().enumerate().map(|(place, operand)| {
        let after = if place == last { after } else { 0 };
        broken(operand, indentation, after)
    });
    let lines: Vec<String> = lines.collect();
    lines.join(&format!("\n{}| ", " ".repeat(indentation)))
}

/// Where the first brackets begin that hold something, and where they end.
fn brackets(expression: &str) -> Option<(usize, usize)> {
    let mut open = None;
    for (place, character, depth) in code(expression) {
        match character {
            '[' | '(' if depth == 0 => open = Some(place),
            ']' | ')' if depth == 1 => match open {
                Some(open) if place > open + 1 => return Some((open, place)),
                _ => open = None,
            },
            _ => {}
        }
    }
    None
}

/// What is between commas, outside of brackets and texts.
fn items(list: &str) -> Vec<&str> {
    separated(list, ',')
}

/// What is between separators, outside of brackets and texts.
fn separated(list: &str, separator: char) -> Vec<&str> {
    let mut items = Vec::new();
    let mut start = 0;
    for (place, character, depth) in code(list) {
        if character == separator && depth == 0 {
            items.push(list[start..place].trim());
            start = place + 1;
        }
    }
    items.push(list[start..].trim());
    items
}

/// The characters outside of texts, with their places and how many brackets are open before them.
fn code(expression: &str) -> impl Iterator<Item = (usize, char, usize)> {
    let (mut text, mut escaped, mut depth) = (None, false, 0_usize);
    expression
        .char_indices()
        .filter_map(move |(place, character)| {
            let before = depth;
            let outside = text.is_none();
            match character {
                quote @ ('"' | '\'') if outside => text = Some(quote),
                quote if text == Some(quote) && !escaped => text = None,
                '[' | '(' if outside => depth += 1,
                ']' | ')' if outside => depth = depth.saturating_sub(1),
                _ => {}
            }
            escaped = text.is_some() && character == '\\' && !escaped;
            outside.then_some((place, character, before))
        })
}

#[cfg(test)]
mod tests {
    use super::{broken, laid_out};

    #[test]
    fn long_annotations_get_lines_of_their_own() {
        let check = |expression: &str, after: usize, expected: &str| {
            assert_eq!(broken(expression, 0, after), expected);
        };
        check("list[str]", 0, "list[str]");
        check("str", 100, "str");
        check("A[b, c]", 100, "A[\n    b,\n    c,\n]");
        check("A[b]", 100, "A[\n    b\n]");
        check(
            "A[\"x, ]\\\"\", B(c, d)]",
            100,
            "A[\n    \"x, ]\\\"\",\n    B(c, d),\n]",
        );
        check("A['x, ]\\'', b]", 100, "A[\n    'x, ]\\'',\n    b,\n]");
        check("f() | A[b, c] | d", 100, "f() | A[\n    b,\n    c,\n] | d");
    }

    #[test]
    fn one_of_several_has_a_line_of_its_own() {
        let long = "b".repeat(100);
        assert_eq!(
            broken(&format!("A[B[{long}, c] | str, d]"), 0, 0),
            format!("A[\n    B[\n        {long},\n        c,\n    ]\n    | str,\n    d,\n]")
        );
    }

    #[test]
    fn a_statement_keeps_its_indentation() {
        let long = "b".repeat(100);
        let check = |line: &str, expected: &str| assert_eq!(laid_out(line), expected);
        check("    a: str = None\n", "    a: str = None\n");
        check(
            &format!("    a: A[{long}, c] = None\n"),
            &format!("    a: A[\n        {long},\n        c,\n    ] = None\n"),
        );
    }
}
