//! Descriptions cut into lines.

/// A line cut at blanks into lines of at most `width` characters; a longer word stays whole. An empty
/// line is one empty line.
#[must_use]
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_whitespace() {
        let Some(last) = lines.last_mut() else {
            continue;
        };
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
