//! One JSON array, element by element.

use std::ops::Range;

use super::{Each, FramedEvents, Framing, Position, TornTail};
use chatstate_json::{Class, Rejection, check, is_cut_off};

/// Splits an array into its elements.
pub(super) struct Array {
    /// What is not split yet.
    begun: String,
    /// Where that begins.
    start: Position,
    expected: ExpectedInArray,
    element: Element,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpectedInArray {
    Opening,
    ElementOrClosing,
    Element,
    CommaOrClosing,
    Nothing,
}

impl Array {
    pub fn at(start: Position) -> Self {
        Self {
            begun: String::new(),
            start,
            expected: ExpectedInArray::Opening,
            element: Element::default(),
        }
    }

    /// Where what is not split yet begins.
    pub fn rest(&self) -> Position {
        self.start
    }

    pub fn push(&mut self, text: &str, each: &mut Each<'_>) -> Result<(), Rejection> {
        self.begun.push_str(text);
        self.take_steps(each)
    }

    /// The array ends before its closing bracket if something is still expected.
    pub fn finish(mut self, each: &mut Each<'_>) -> Result<Option<TornTail>, Rejection> {
        self.take_steps(each)?;
        let rest = trimmed(&self.begun);
        let blank = self.begun.len() - rest.len();
        let written = rest.trim_end_matches('\0');
        // Brackets may be closed by the wrong ones, and then nothing is broken off.
        if !written.is_empty() && !is_cut_off(written) {
            self.check(written, blank)?;
            check(written)?;
        }
        let end = self.start.after(&self.begun[..blank]);
        Ok((self.expected != ExpectedInArray::Nothing).then(|| end.into()))
    }

    fn take_steps(&mut self, each: &mut Each<'_>) -> Result<(), Rejection> {
        let mut begun = std::mem::take(&mut self.begun);
        let (mut at, mut places) = (0, Vec::new());
        let end = loop {
            match self.step(&begun[at..], at, &mut places) {
                Ok(Some(length)) => at += length,
                Ok(None) => break Ok(()),
                Err(rejection) => break Err(rejection),
            }
        };
        let start = self.start;
        self.start = start.after(&begun[..at]);
        each(&FramedEvents {
            text: &begun,
            places: &places,
            framing: Framing::Array,
            start,
        })?;
        begun.drain(..at);
        self.begun = begun;
        end
    }

    /// Takes the next token, and gives its length with the blanks before it; nothing if it is not
    /// there yet.
    fn step(
        &mut self,
        text: &str,
        at: usize,
        places: &mut Vec<Range<usize>>,
    ) -> Result<Option<usize>, Rejection> {
        let rest = trimmed(text);
        let blank = text.len() - rest.len();
        let Some(first) = rest.as_bytes().first() else {
            return Ok(None);
        };
        if rest.bytes().all(|byte| byte == 0) {
            // What a power failure leaves, if nothing follows.
            return Ok(None);
        }
        self.expected = match (self.expected, first) {
            (ExpectedInArray::Opening, b'[') => ExpectedInArray::ElementOrClosing,
            (ExpectedInArray::ElementOrClosing | ExpectedInArray::CommaOrClosing, b']') => {
                ExpectedInArray::Nothing
            }
            (ExpectedInArray::CommaOrClosing, b',') => ExpectedInArray::Element,
            (ExpectedInArray::ElementOrClosing | ExpectedInArray::Element, _) => {
                let Some(length) = self.element.end(rest.as_bytes()) else {
                    return Ok(None);
                };
                self.element = Element::default();
                let start = at + blank;
                self.check(&rest[..length], start)?;
                places.push(start..start + length);
                self.expected = ExpectedInArray::CommaOrClosing;
                return Ok(Some(blank + length));
            }
            _ => return Err(self.unexpected(at + blank, rest)),
        };
        Ok(Some(blank + 1))
    }

    /// An element has to be JSON before it is passed on. What else is wrong with an event is
    /// reported by the code that takes it.
    fn check(&self, element: &str, at: usize) -> Result<(), Rejection> {
        let Err(rejection) = check(element) else {
            return Ok(());
        };
        if rejection.rule != "json" {
            return Ok(());
        }
        let byte = self.start.byte + at as u64;
        let message = format!(
            "not JSON, in the element that begins at byte {byte}: {}",
            rejection.message
        );
        Err(Rejection::new(Class::Syntax, "json", message))
    }

    fn unexpected(&self, at: usize, rest: &str) -> Rejection {
        let expected = match self.expected {
            ExpectedInArray::Nothing => "the end of the document",
            _ => "`,` or `]`",
        };
        let found: String = rest.chars().take(1).flat_map(char::escape_debug).collect();
        let byte = self.start.byte + at as u64;
        let message =
            format!("not JSON: expected {expected}, but there is `{found}` (byte {byte})");
        Rejection::new(Class::Syntax, "json", message)
    }
}

/// How far an element is known. Only brackets and strings are looked at.
#[derive(Default)]
struct Element {
    length: usize,
    /// How many containers are open.
    depth: usize,
    is_in_string: bool,
}

impl Element {
    /// The length of the element that a text begins with, if it ends there.
    fn end(&mut self, text: &[u8]) -> Option<usize> {
        while let Some(byte) = text.get(self.length) {
            if self.is_in_string {
                self.string(text)?;
            } else if self.depth == 0 && self.length > 0 {
                // What ends a number or a literal is not part of it.
                if matches!(byte, b',' | b'[' | b']' | b'{' | b'}' | b'"') || is_blank(*byte) {
                    return Some(self.length);
                }
                self.length += 1;
                continue;
            } else {
                self.step(*byte);
            }
            let is_closed = matches!(text.get(self.length - 1), Some(b'"' | b']' | b'}'));
            if is_closed && self.depth == 0 && !self.is_in_string {
                return Some(self.length);
            }
        }
        None
    }

    /// Steps over a byte outside of strings.
    fn step(&mut self, byte: u8) {
        match byte {
            b'"' => self.is_in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.length += 1;
    }

    /// Steps over the rest of a string, or to an escape that is cut off.
    fn string(&mut self, text: &[u8]) -> Option<()> {
        loop {
            let rest = text.get(self.length..)?;
            let is_end = |byte: &u8| matches!(byte, b'"' | b'\\');
            let Some(length) = rest.iter().position(is_end) else {
                self.length = text.len();
                return None;
            };
            self.length += length;
            if rest[length] == b'"' {
                self.length += 1;
                self.is_in_string = false;
                return Some(());
            }
            // The escaped byte has to be there.
            rest.get(length + 1)?;
            self.length += 2;
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}
