//! Steps over JSON text, level by level, and builds nothing.
//!
//! A scanner only knows what is right: where a text is no JSON it gives nothing, and whoever has to
//! tell why asks the reader. It checks the grammar and how deep values nest; names that stand twice
//! and halves of surrogate pairs are for those who look at them.

use std::borrow::Cow;
use std::ops::Range;

use super::block;
use super::reader::{self, MAX_DEPTH};

/// How a string is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// It stands for itself.
    Plain,
    /// It has escapes, but none by code unit, so that no half of a surrogate pair is in it.
    Escaped,
    /// It has escapes by code unit.
    CodeUnits,
}

/// A place in a text, and how many containers around it are open.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// What stands here.
#[derive(Debug, Clone, Copy)]
pub(super) enum Token {
    /// A container with something in it; its first item or name comes next.
    Opened,
    /// A container with nothing in it, or anything else.
    Whole(Spelling),
}

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of a text.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
        }
    }

    /// Where the scanner is.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text from a place up to here.
    pub(super) fn since(&self, start: usize) -> Option<&'a str> {
        self.text.get(start..self.at)
    }

    /// The next byte, blanks aside.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.at = blank(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied()
    }

    /// Nothing but blanks may follow.
    pub fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }

    /// The text of the next value, which is stepped over.
    pub fn raw(&mut self) -> Option<&'a str> {
        self.spanned(Self::value)
    }

    /// The next string with its quotes, blanks aside.
    #[inline]
    pub fn text(&mut self) -> Option<(&'a str, Spelling)> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at;
        let spelling = self.string()?;
        Some((self.since(start)?, spelling))
    }

    /// Steps over a value that is known to be as long.
    pub fn pass(&mut self, length: usize) -> Option<&'a str> {
        let start = self.at;
        self.at += length;
        self.since(start)
    }

    /// What stands behind what was stepped over.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text of the next value, which somebody else steps over.
    pub fn spanned(&mut self, step: impl FnOnce(&mut Self) -> Option<()>) -> Option<&'a str> {
        self.peek()?;
        let start = self.at;
        step(self)?;
        self.since(start)
    }

    /// Steps over the next value.
    pub fn value(&mut self) -> Option<()> {
        let deepest = MAX_DEPTH - self.depth;
        self.at = end_of_value(self.text.as_bytes(), self.at, deepest)?;
        Some(())
    }

    /// Hands on the names of an object. Whoever takes one steps over its value.
    pub fn members(
        &mut self,
        mut take: impl FnMut(&mut Self, Cow<'a, str>) -> Option<()>,
    ) -> Option<()> {
        if self.peek()? != b'{' {
            return None;
        }
        if let Token::Whole(_) = self.token(b'{')? {
            return Some(());
        }
        loop {
            let (place, spelling) = self.name_place()?;
            let name = decoded_name(self.text.get(place)?, spelling)?;
            take(self, name)?;
            if !self.goes_on(true)? {
                return Some(());
            }
        }
    }

    /// Hands on the items of an array. Whoever is called steps over one item.
    pub fn items(&mut self, mut take: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.peek()? != b'[' {
            return None;
        }
        if let Token::Whole(_) = self.token(b'[')? {
            return Some(());
        }
        loop {
            take(self)?;
            if !self.goes_on(false)? {
                return Some(());
            }
        }
    }

    /// Steps over a value that is not nested, or into a container that begins with this byte.
    #[inline]
    pub(super) fn token(&mut self, byte: u8) -> Option<Token> {
        match byte {
            b'"' => self.string().map(Token::Whole),
            b'{' => self.open(b'}'),
            b'[' => self.open(b']'),
            _ => {
                self.at = end_of_scalar(self.text.as_bytes(), self.at)?;
                Some(Token::Whole(Spelling::Escaped))
            }
        }
    }

    fn open(&mut self, closing: u8) -> Option<Token> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.at += 1;
        if self.peek()? == closing {
            self.at += 1;
            return Some(Token::Whole(Spelling::Escaped));
        }
        self.depth += 1;
        Some(Token::Opened)
    }

    /// Steps over the comma before the next item or name; `false` if the container ends.
    #[inline]
    pub(super) fn goes_on(&mut self, is_object: bool) -> Option<bool> {
        let byte = self.peek()?;
        self.at += 1;
        if byte == b',' {
            return Some(true);
        }
        self.depth -= 1;
        (byte == if is_object { b'}' } else { b']' }).then_some(false)
    }

    /// Steps over a name and its colon. Gives the place of the name with its quotes.
    #[inline]
    pub(super) fn name_place(&mut self) -> Option<(Range<usize>, Spelling)> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at;
        let spelling = self.string()?;
        let place = start..self.at;
        if self.peek()? != b':' {
            return None;
        }
        self.at += 1;
        Some((place, spelling))
    }

    /// Steps over the string whose opening quote is here.
    #[inline]
    fn string(&mut self) -> Option<Spelling> {
        let (end, spelling) = end_of_string(self.text.as_bytes(), self.at + 1)?;
        self.at = end;
        Some(spelling)
    }
}

/// Where the containers that are open are objects, by depth.
#[derive(Default)]
struct Kinds([u64; MAX_DEPTH / 64 + 1]);

impl Kinds {
    #[inline]
    fn set(&mut self, depth: usize, is_object: bool) {
        if let Some(word) = self.0.get_mut(depth / 64) {
            let bit = 1 << (depth % 64);
            *word = if is_object { *word | bit } else { *word & !bit };
        }
    }

    #[inline]
    fn is_object(&self, depth: usize) -> bool {
        let word = self.0.get(depth / 64);
        word.is_some_and(|word| word >> (depth % 64) & 1 == 1)
    }
}

/// Where the next value ends, in which at most so many containers may be open.
#[inline]
fn end_of_value(bytes: &[u8], start: usize, deepest: usize) -> Option<usize> {
    let start = blank(bytes, start);
    match *bytes.get(start)? {
        b'{' | b'[' => end_of_container(bytes, start, deepest),
        _ => end_of_scalar(bytes, start),
    }
}

/// Where a value ends that is no container.
#[inline]
fn end_of_scalar(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' => end_of_string(bytes, at + 1).map(|(end, _)| end),
        b'-' | b'0'..=b'9' => end_of_number(bytes, at),
        _ => end_of_keyword(bytes, at),
    }
}

fn end_of_container(bytes: &[u8], start: usize, deepest: usize) -> Option<usize> {
    let (mut at, mut depth, mut kinds) = (start, 0, Kinds::default());
    loop {
        match *bytes.get(at)? {
            open @ (b'{' | b'[') => {
                let is_object = open == b'{';
                if depth == deepest {
                    return None;
                }
                at = blank(bytes, at + 1);
                if *bytes.get(at)? == if is_object { b'}' } else { b']' } {
                    at += 1;
                } else {
                    depth += 1;
                    kinds.set(depth, is_object);
                    if is_object {
                        at = end_of_name(bytes, at)?;
                    }
                    continue;
                }
            }
            _ => at = end_of_scalar(bytes, at)?,
        }
        // What stands behind a value, up to the next one.
        loop {
            if depth == 0 {
                return Some(at);
            }
            at = blank(bytes, at);
            let is_object = kinds.is_object(depth);
            match (*bytes.get(at)?, is_object) {
                (b',', true) => {
                    at = end_of_name(bytes, blank(bytes, at + 1))?;
                    break;
                }
                (b',', false) => {
                    at = blank(bytes, at + 1);
                    break;
                }
                (b'}', true) | (b']', false) => {
                    at += 1;
                    depth -= 1;
                }
                _ => return None,
            }
        }
    }
}

/// The place after a name, its colon and blanks.
#[inline]
fn end_of_name(bytes: &[u8], at: usize) -> Option<usize> {
    if *bytes.get(at)? != b'"' {
        return None;
    }
    let (end, _) = end_of_string(bytes, at + 1)?;
    let colon = blank(bytes, end);
    (*bytes.get(colon)? == b':').then(|| blank(bytes, colon + 1))
}

/// The place after blanks, of which there are hardly any.
#[inline]
fn blank(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b' ' | b'\t' | b'\n' | b'\r') => after_blanks(bytes, at),
        _ => at,
    }
}

#[cold]
fn after_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter();
    at + rest
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
        .count()
}

/// The place after the closing quote of a string whose opening quote is passed.
#[inline]
fn end_of_string(bytes: &[u8], start: usize) -> Option<(usize, Spelling)> {
    let (mut at, mut spelling) = (start, Spelling::Plain);
    loop {
        at = end_of_plain(bytes, at);
        match *bytes.get(at)? {
            b'"' => return Some((at + 1, spelling)),
            b'\\' => (at, spelling) = after_escape(bytes, at, spelling)?,
            _ => return None,
        }
    }
}

fn after_escape(bytes: &[u8], at: usize, spelling: Spelling) -> Option<(usize, Spelling)> {
    match *bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
            let spelling = match spelling {
                Spelling::Plain => Spelling::Escaped,
                other => other,
            };
            Some((at + 2, spelling))
        }
        b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => {
            Some((at + 6, Spelling::CodeUnits))
        }
        _ => None,
    }
}

fn end_of_number(bytes: &[u8], start: usize) -> Option<usize> {
    let is_one_of = |at: usize, wanted: &[u8]| {
        let byte = bytes.get(at);
        byte.is_some_and(|byte| wanted.contains(byte))
    };
    let digits = |at: usize| {
        let rest = bytes.get(at..)?;
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (length > 0).then_some(at + length)
    };
    let mut at = start + usize::from(is_one_of(start, b"-"));
    at = if is_one_of(at, b"0") {
        at + 1
    } else {
        digits(at)?
    };
    if is_one_of(at, b".") {
        at = digits(at + 1)?;
    }
    if is_one_of(at, b"eE") {
        at = digits(at + 1 + usize::from(is_one_of(at + 1, b"+-")))?;
    }
    Some(at)
}

fn end_of_keyword(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let is_here = |keyword: &&&str| rest.starts_with(keyword.as_bytes());
    let keyword = ["null", "true", "false"].iter().find(is_here)?;
    Some(at + keyword.len())
}

/// A name without its quotes, decoded; none if half a surrogate pair is in it.
pub(super) fn decoded_name(name: &str, spelling: Spelling) -> Option<Cow<'_, str>> {
    match spelling {
        Spelling::Plain => name.get(1..name.len() - 1).map(Cow::Borrowed),
        _ => reader::string(name)
            .ok()?
            .into_string()
            .ok()
            .map(Cow::Owned),
    }
}

/// The place of the first byte that does not stand for itself in a string, or the end.
#[inline]
pub(super) fn end_of_plain(bytes: &[u8], start: usize) -> usize {
    block::find(bytes, start, |block| {
        let control = block.are_at_most(0x1f);
        block.are(b'"') | block.are(b'\\') | control
    })
}
