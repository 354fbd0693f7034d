//! Descriptions cut into lines.

/// A line cut at blanks into lines of at most `width` characters; a longer word stays whole. An empty
/// line is one empty line.
#[must_use]
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    if is_simple(line) {
        return cut(line, width);
    }
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

/// Whether a line holds nothing but visible characters of ASCII, with single blanks between.
fn is_simple(line: &str) -> bool {
    let around = line.starts_with(' ') || line.ends_with(' ');
    !around && line.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !line.contains("  ")
}

/// A simple line cut, which most are.
fn cut(mut line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::with_capacity(line.len() / width.max(1) + 1);
    while line.len() > width {
        let within = line[..=width].rfind(' ');
        let Some(blank) = within.or_else(|| line.find(' ')) else {
            break;
        };
        lines.push(line[..blank].to_owned());
        line = &line[blank + 1..];
    }
    lines.push(line.to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_cut_at_blanks() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(wrapped(line, 5), expected, "{line}");
            // Whatever is not simple is cut in another way.
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
