//! Steps over text that is known to be JSON, since it was read before. Nothing is checked again, so
//! only quotes and brackets are looked at.

use std::borrow::Cow;

use super::block::Block;
use super::check;
use super::scan::{Spelling, decoded_name, end_of_plain};
use crate::rejection::{Class, Rejection};

/// Where the value that begins here ends; none if the text is no JSON after all.
fn end_of_value(bytes: &[u8], start: usize) -> Option<usize> {
    match *bytes.get(start)? {
        b'"' => end_of_string(bytes, start + 1),
        b'{' | b'[' => end_of_container(bytes, start),
        _ => {
            let rest = bytes.get(start..)?;
            let ends =
                |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
            Some(start + rest.iter().position(ends).unwrap_or(rest.len()))
        }
    }
}

/// The place after the closing quote of a string whose opening quote is passed.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at = end_of_plain(bytes, at);
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            // An escape by code unit is longer, and what is left of it stands for itself.
            _ => at += 2,
        }
    }
}

fn end_of_container(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth, mut strings) = (start, 0_usize, Strings::default());
    loop {
        let block = Block::at(bytes, at)?;
        // This bit is all in which square brackets differ from curly ones.
        let curly = block.with(0x20);
        let (opening, closing) = (curly.are(b'{').bits(), curly.are(b'}').bits());
        let within = strings.next(block);
        let mut brackets = (opening | closing) & !within;
        while brackets != 0 {
            let place = brackets.trailing_zeros();
            brackets &= brackets - 1;
            if (opening >> place) & 1 == 1 {
                depth += 1;
            } else if depth > 1 {
                depth -= 1;
            } else {
                return Some(at + place as usize + 1);
            }
        }
        at += Block::LENGTH;
    }
}

/// Where strings are, block by block.
#[derive(Default)]
struct Strings {
    /// Whether the block before ended within a string.
    is_within: bool,
    /// Whether it ended with a backslash that escapes what is next.
    is_escaping: bool,
}

impl Strings {
    /// Which bytes of the next block are of strings, the closing quotes aside.
    #[inline]
    fn next(&mut self, block: Block) -> u32 {
        let mut quotes = block.are(b'"').bits();
        let backslashes = block.are(b'\\').bits();
        if backslashes != 0 || self.is_escaping {
            quotes &= !self.escaped(backslashes);
        }
        // Each bit becomes the parity of the quotes up to it.
        let mut within = quotes ^ (quotes << 1);
        within ^= within << 2;
        within ^= within << 4;
        within ^= within << 8;
        if self.is_within {
            within = !within;
        }
        self.is_within = (within >> (Block::LENGTH - 1)) & 1 == 1;
        within
    }

    /// Which bytes are escaped.
    fn escaped(&mut self, backslashes: u32) -> u32 {
        let mut escaped = u32::from(self.is_escaping);
        let mut rest = backslashes & !escaped;
        while rest != 0 {
            let next = 2 << rest.trailing_zeros();
            escaped |= next;
            rest &= !next & (rest - 1);
        }
        self.is_escaping = (escaped >> Block::LENGTH) & 1 == 1;
        escaped
    }
}

/// The place of the next byte that is no blank.
fn blank(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// Hands on the items of the array that a text is, as raw text.
pub fn each_item<'a>(text: &'a str, mut take: impl FnMut(&'a str)) -> Result<(), Rejection> {
    let taken = each(text.as_bytes(), b'[', b']', |start| {
        let end = end_of_value(text.as_bytes(), start)?;
        take(text.get(start..end)?);
        Some(end)
    });
    taken.ok_or_else(|| not_json(text))
}

/// Hands on the members of the object that a text is: decoded names and raw values, in order. Names
/// that stand twice are not noticed here.
pub fn each_member<'a>(
    text: &'a str,
    mut take: impl FnMut(Cow<'a, str>, &'a str),
) -> Result<(), Rejection> {
    let bytes = text.as_bytes();
    let taken = each(bytes, b'{', b'}', |start| {
        let end_of_name = end_of_value(bytes, start)?;
        let colon = blank(bytes, end_of_name);
        let value = blank(bytes, colon + 1);
        let end = end_of_value(bytes, value)?;
        take(name(text.get(start..end_of_name)?)?, text.get(value..end)?);
        Some(end)
    });
    taken.ok_or_else(|| not_json(text))
}

/// The members of the object that a text is, as [`each_member`] hands them on.
pub fn members_of(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, Rejection> {
    let mut members = Vec::with_capacity(8);
    each_member(text, |name, raw| members.push((name, raw)))?;
    Ok(members)
}

fn name(quoted: &str) -> Option<Cow<'_, str>> {
    let spelling = match memchr::memchr(b'\\', quoted.as_bytes()) {
        None => Spelling::Plain,
        Some(_) => Spelling::CodeUnits,
    };
    decoded_name(quoted, spelling)
}

#[cold]
fn not_json(text: &str) -> Rejection {
    match check(text) {
        Err(rejection) => rejection,
        Ok(()) => Rejection::new(Class::Syntax, "json", "the value cannot be read"),
    }
}

/// Steps over a container. Whoever is called steps over an item or a member.
fn each(
    bytes: &[u8],
    opening: u8,
    closing: u8,
    mut step: impl FnMut(usize) -> Option<usize>,
) -> Option<()> {
    if *bytes.first()? != opening {
        return None;
    }
    let mut at = blank(bytes, 1);
    if *bytes.get(at)? == closing {
        return Some(());
    }
    loop {
        at = blank(bytes, step(at)?);
        match *bytes.get(at)? {
            b',' => at = blank(bytes, at + 1),
            byte => return (byte == closing).then_some(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Value, parse};

    /// Steps into a container as the reader does, and refuses each beginning of it.
    fn check(text: &str) {
        let read = |raw: &str| parse(raw).expect("the value can be read");
        match read(text) {
            Value::Array(expected) => {
                let mut items = Vec::new();
                each_item(text, |raw| items.push(read(raw))).expect("it is an array");
                assert_eq!(items, expected, "{text}");
            }
            value => {
                let members = members_of(text).expect("it is an object").into_iter();
                let members = members.map(|(name, raw)| (name.into_owned(), read(raw)));
                assert_eq!(Value::Object(members.collect()), value, "{text}");
            }
        }
        let beginnings = (0..text.trim_end().len()).filter_map(|end| text.get(..end));
        for beginning in beginnings {
            assert!(each_item(beginning, drop).is_err(), "{beginning}");
            assert!(members_of(beginning).is_err(), "{beginning}");
        }
    }

    #[test]
    fn containers_are_split_as_the_reader_splits_them() {
        for text in [
            "[]",
            "[ ] ",
            "{}",
            r#"[1,-2.5e+3,true,null,"a"]"#,
            "[ 1 ,\t[ 2 , {\"a\" : [ ] } ]\r\n, { } ]",
            r#"["]","[","}{","\"]","\\","\\\"]","\u005d\ud83d\ude00","ä🚀"]"#,
            r#"{"a":{"b":[1,{"c":"}"}]},"d":"\\","e\"":[[]],"\u0066":"\u0022","":0}"#,
            "{ \"a\" : 1 , \"b\" : { \"c\" : \"\\\"\" } }",
        ] {
            check(text);
        }
    }

    #[test]
    fn escapes_are_told_from_quotes_wherever_they_stand() {
        for before in 0..2 * Block::LENGTH {
            for backslashes in 0..6 {
                let before = "x".repeat(before);
                let escapes = r"\\".repeat(backslashes);
                let text =
                    format!(r#"[["{before}{escapes}\"]}}{{[","{escapes}"],["{escapes}[",{{}}]]"#);
                check(&text);
                check(&format!(r#"{{"a":{text},"{before}":[{text}]}}"#));
            }
        }
    }
}
