//! Strings: where they end, how they are spelled, and what they are without their escapes.

use super::SplitText;
use super::split_text::{is_high, is_low, joined};

/// How a string is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StringSpelling {
    /// Without escapes.
    Plain,
    /// With escapes.
    Escaped,
    /// With an unpaired surrogate at an end, or one at each.
    Unpaired,
}

/// Why a text is no string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StringFault {
    Expected(&'static str),
    UnpairedSurrogate,
}

/// What the characters of a string are given to.
pub(super) trait Characters {
    fn push_str(&mut self, text: &str);
    fn push(&mut self, character: char);
}

/// Characters that are not wanted: the string is only checked.
impl Characters for () {
    #[inline]
    fn push_str(&mut self, _: &str) {}
    #[inline]
    fn push(&mut self, _: char) {}
}

impl Characters for String {
    fn push_str(&mut self, text: &str) {
        Self::push_str(self, text);
    }

    fn push(&mut self, character: char) {
        Self::push(self, character);
    }
}

/// The rest of a text that a string is compared with; none after the first difference.
impl Characters for Option<&str> {
    fn push_str(&mut self, text: &str) {
        *self = self.and_then(|rest| rest.strip_prefix(text));
    }

    fn push(&mut self, character: char) {
        *self = self.and_then(|rest| rest.strip_prefix(character));
    }
}

/// A string that was read.
pub(super) struct StringToken {
    /// The place after the closing quote.
    pub end: usize,
    has_escapes: bool,
    /// The low surrogate that the string begins with.
    leading: Option<u16>,
    /// The high surrogate that the string ends with.
    trailing: Option<u16>,
}

impl StringToken {
    #[inline]
    pub fn spelling(&self) -> StringSpelling {
        if !self.has_escapes {
            return StringSpelling::Plain;
        }
        match (self.leading, self.trailing) {
            (None, None) => StringSpelling::Escaped,
            _ => StringSpelling::Unpaired,
        }
    }
}

/// Reads the string whose opening quote is at `start`. Unpaired surrogates may be at its ends.
#[inline]
pub(super) fn read(
    text: &str,
    start: usize,
    characters: &mut impl Characters,
) -> Result<StringToken, (usize, StringFault)> {
    let at = end_of_plain(text.as_bytes(), start + 1);
    characters.push_str(&text[start + 1..at]);
    if text.as_bytes().get(at) == Some(&b'"') {
        return Ok(StringToken {
            end: at + 1,
            has_escapes: false,
            leading: None,
            trailing: None,
        });
    }
    read_escaped(text, start + 1, at, characters)
}

/// Reads on where a string has its first escape, or where it is no string.
fn read_escaped(
    text: &str,
    start: usize,
    first: usize,
    characters: &mut impl Characters,
) -> Result<StringToken, (usize, StringFault)> {
    let (bytes, mut at) = (text.as_bytes(), first);
    let (mut leading, mut trailing) = (None, None);
    loop {
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => {
                let (end, escape) = read_escape(bytes, at)?;
                match escape {
                    Escape::Character(character) => characters.push(character),
                    Escape::Surrogate(unit) if is_low(unit) && at == start => leading = Some(unit),
                    Escape::Surrogate(unit) if is_high(unit) && bytes.get(end) == Some(&b'"') => {
                        trailing = Some(unit);
                    }
                    Escape::Surrogate(_) => return Err((end, StringFault::UnpairedSurrogate)),
                }
                at = end;
            }
            Some(_) => {
                let expected = "an escape such as `\\n` for a control character";
                return Err((at, StringFault::Expected(expected)));
            }
            None => return Err((at, StringFault::Expected("the closing quote of a string"))),
        }
        let plain = at;
        at = end_of_plain(bytes, at);
        characters.push_str(&text[plain..at]);
    }
    Ok(StringToken {
        end: at + 1,
        has_escapes: true,
        leading,
        trailing,
    })
}

/// What an escape means.
enum Escape {
    Character(char),
    /// A surrogate that the next escape does not complete.
    Surrogate(u16),
}

/// Reads the escape whose backslash is here, and gives the place after it.
fn read_escape(bytes: &[u8], at: usize) -> Result<(usize, Escape), (usize, StringFault)> {
    let character = match bytes.get(at + 1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return read_code_units(bytes, at),
        _ => {
            let expected = "one of `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after a backslash";
            return Err((at + 1, StringFault::Expected(expected)));
        }
    };
    Ok((at + 2, Escape::Character(character)))
}

/// Reads `\uXXXX`, and the low surrogate that follows a high one.
fn read_code_units(bytes: &[u8], at: usize) -> Result<(usize, Escape), (usize, StringFault)> {
    let unit = code_unit(bytes, at)?;
    let end = at + ESCAPE_LENGTH;
    if let Some(character) = char::from_u32(u32::from(unit)) {
        return Ok((end, Escape::Character(character)));
    }
    if is_high(unit) && bytes[end..].starts_with(b"\\u") {
        let next = code_unit(bytes, end)?;
        if is_low(next) {
            let character = joined(unit, next);
            return Ok((end + ESCAPE_LENGTH, Escape::Character(character)));
        }
    }
    Ok((end, Escape::Surrogate(unit)))
}

/// The length of `\uXXXX`.
const ESCAPE_LENGTH: usize = 6;

fn code_unit(bytes: &[u8], at: usize) -> Result<u16, (usize, StringFault)> {
    let digits = bytes.get(at + 2..at + ESCAPE_LENGTH);
    let unit = digits.and_then(|digits| {
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    });
    let expected = StringFault::Expected("four hexadecimal digits after `\\u`");
    unit.ok_or((at + 2, expected))
}

/// The text of a string with its quotes, of which a tokenizer has said that it is one.
pub(super) fn unquoted(quoted: &str) -> SplitText {
    let mut text = SplitText::EMPTY;
    unquote_into(quoted, &mut text);
    text
}

/// Puts the text of such a string in place of another.
pub(super) fn unquote_into(quoted: &str, text: &mut SplitText) {
    let mut body = std::mem::take(text).into_memory();
    body.reserve(quoted.len());
    match read(quoted, 0, &mut body) {
        Ok(StringToken {
            leading, trailing, ..
        }) => *text = SplitText::of_surrogates(leading, body, trailing),
        Err(_) => unreachable!("a tokenizer has read this string"),
    }
}

/// The text of a string with its quotes, of which a tokenizer has said that all surrogates in it
/// are paired.
pub(super) fn well_formed(quoted: &str) -> String {
    let mut text = String::with_capacity(quoted.len());
    match read(quoted, 0, &mut text) {
        Ok(_) => {
            // Escapes are longer than what they mean.
            text.shrink_to_fit();
            text
        }
        Err(_) => unreachable!("a tokenizer has read this string"),
    }
}

/// Whether a string with its quotes, of which a tokenizer has said that all surrogates in it are
/// paired, is this text.
pub(super) fn is_text(quoted: &str, text: &str) -> bool {
    let mut rest = Some(text);
    read(quoted, 0, &mut rest).is_ok() && rest == Some("")
}

/// The place of the first byte from here on that is a quote, a backslash or a control character, or
/// the end.
#[inline]
pub(super) fn end_of_plain(bytes: &[u8], start: usize) -> usize {
    super::block::find(bytes, start, |block| {
        let control = block.are_at_most(0x1f);
        block.are(b'"') | block.are(b'\\') | control
    })
}
