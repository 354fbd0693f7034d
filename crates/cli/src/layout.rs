//! JSON text in lines, for people.

/// Gives JSON text on one line a line for each member and item. Nothing but white space is added:
/// numbers and escapes keep their spelling.
pub fn lay_out(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut in_text, mut escaped) = (0, false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if in_text {
            out.push(letter);
            in_text = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            continue;
        }
        match letter {
            '"' => {
                in_text = true;
                out.push(letter);
            }
            '{' | '[' => {
                out.push(letter);
                if let Some(end) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = usize::saturating_sub(depth, 1);
                new_line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            other if other.is_ascii_whitespace() => {}
            other => out.push(other),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
}

#[cfg(test)]
mod tests {
    use super::lay_out;

    #[test]
    fn values_keep_their_spelling() {
        let text = r#"{"a":[1.0,{}],"b":{"c":"x\\\",{:"},"d":[],"e":-1e400}"#;
        let expected = "{\n  \"a\": [\n    1.0,\n    {}\n  ],\n  \"b\": {\n    \"c\": \"x\\\\\\\",{:\"\n  },\n  \"d\": [],\n  \"e\": -1e400\n}";
        assert_eq!(lay_out(text), expected);
    }
}
