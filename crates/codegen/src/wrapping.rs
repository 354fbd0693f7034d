//! Descriptions cut into lines.

/// A line cut at blanks into lines of at most `width` characters; a longer word stays whole. An empty
/// line is one empty line.
#[must_use]
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut last, mut length) = (String::with_capacity(line.len().min(width)), 0);
    for word in line.split_whitespace() {
        let added = word.chars().count();
        if length > 0 && length + 1 + added > width {
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
    use super::wrapped;

    #[test]
    fn lines_are_cut_at_blanks() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(wrapped(line, 5), expected, "{line}");
            // A character counts as one, however long it is.
            let wide = line.replace('a', "\u{e4}");
            let expected: Vec<_> = expected
                .iter()
                .map(|line| line.replace('a', "\u{e4}"))
                .collect();
            assert_eq!(wrapped(&wide, 5), expected, "{wide}");
        };
        check("", &[""]);
        check("a", &["a"]);
        check("aa aa", &["aa aa"]);
        check("aa aaa", &["aa", "aaa"]);
        check("aaaaaaa", &["aaaaaaa"]);
        check("aaaaaaa a a", &["aaaaaaa", "a a"]);
        check("a aaaaaaa", &["a", "aaaaaaa"]);
        check("aaaaa aaaaa a", &["aaaaa", "aaaaa", "a"]);
        check(" a  a ", &["a a"]);
    }
}
