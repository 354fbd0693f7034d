//! Data in sentences for people: what would command a terminal or a log is written out.

use std::borrow::Cow;

/// A text on one line in which everything can be seen: control characters, line ends and what turns
/// the direction of text are written as `\u{...}`. Nor does it hold `##[`, which is a command in the
/// logs of some services.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) && !text.contains("##[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            out.extend(character.escape_unicode());
        } else if character == '[' && out.ends_with("##") {
            out.push_str("\\[");
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// The same for text of several lines, none of which begins with `::`: that is a command as well.
#[must_use]
pub fn visible_lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let begins = line.trim_start().starts_with("::");
        [if begins { "\\" } else { "" }, &visible(line)].concat()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a character is a control character (C0, DEL, C1), ends a line, or turns the direction of
/// text (the explicit marks of the Unicode Bidirectional Algorithm).
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_lines};

    #[test]
    fn what_commands_a_terminal_or_a_log_is_written_out() {
        for (text, shown) in [
            ("Grüße, 東京 👋", "Grüße, 東京 👋"),
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
            ("a\n##[error]b\r", "a\\u{a}##\\[error]b\\u{d}"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("\u{202e}cba\u{2069}", "\\u{202e}cba\\u{2069}"),
            ("###[x] ::set", "###\\[x] ::set"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(
            visible_lines("a\n  ::set-output x\n\u{1b}"),
            "a\n\\  ::set-output x\n\\u{1b}"
        );
    }
}
