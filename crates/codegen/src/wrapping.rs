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
