//! One JSON array, element by element.

use serde_json::value::RawValue;

use super::{Each, Framing, TornTail};
use chatstate_json::{Class, Rejection};

/// Splits an array into its elements.
pub(super) struct Array {
    /// What is not split yet.
    begun: String,
    /// Where that begins.
    offset: u64,
    expected: Expected,
    /// Do not look again before there is as much: an element over many blocks is looked at a few
    /// times only.
    wanted: usize,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Opening,
    ElementOrClosing,
    Element,
    CommaOrClosing,
    Nothing,
}

impl Array {
    pub fn at(offset: u64) -> Self {
        Self {
            begun: String::new(),
            offset,
            expected: Expected::Opening,
            wanted: 0,
        }
    }

    pub fn push(&mut self, text: &str, each: &mut Each<'_>) -> Result<(), Rejection> {
        self.begun.push_str(text);
        if self.begun.len() < self.wanted {
            return Ok(());
        }
        self.take_steps(each)?;
        self.wanted = 2 * self.begun.len();
        Ok(())
    }

    /// The array ends before its closing bracket if something is still expected.
    pub fn finish(mut self, each: &mut Each<'_>) -> Result<Option<TornTail>, Rejection> {
        self.take_steps(each)?;
        let blank = self.begun.len() - trimmed(&self.begun).len();
        let offset = self.offset + blank as u64;
        Ok((self.expected != Expected::Nothing).then_some(TornTail { offset }))
    }

    fn take_steps(&mut self, each: &mut Each<'_>) -> Result<(), Rejection> {
        let mut begun = std::mem::take(&mut self.begun);
        let (mut at, mut elements) = (0, Vec::new());
        let end = loop {
            match self.step(&begun[at..], at, &mut elements) {
                Ok(Some(length)) => at += length,
                Ok(None) => break Ok(()),
                Err(rejection) => break Err(rejection),
            }
        };
        each(&elements, Framing::Array)?;
        self.offset += at as u64;
        begun.drain(..at);
        self.begun = begun;
        end
    }

    /// Takes the next token, and gives its length with the blanks before it; nothing if it is not
    /// there yet.
    fn step<'t>(
        &mut self,
        text: &'t str,
        at: usize,
        elements: &mut Vec<&'t str>,
    ) -> Result<Option<usize>, Rejection> {
        let rest = trimmed(text);
        let blank = text.len() - rest.len();
        let Some(first) = rest.as_bytes().first() else {
            return Ok(None);
        };
        self.expected = match (self.expected, first) {
            (Expected::Opening, b'[') => Expected::ElementOrClosing,
            (Expected::ElementOrClosing | Expected::CommaOrClosing, b']') => Expected::Nothing,
            (Expected::CommaOrClosing, b',') => Expected::Element,
            (Expected::ElementOrClosing | Expected::Element, _) => {
                let element = element(rest).map_err(|error| self.not_json(at + blank, &error))?;
                let Some(element) = element else {
                    return Ok(None);
                };
                elements.push(element);
                self.expected = Expected::CommaOrClosing;
                return Ok(Some(blank + element.len()));
            }
            _ => return Err(self.unexpected(at + blank, rest)),
        };
        Ok(Some(blank + 1))
    }

    fn not_json(&self, at: usize, error: &serde_json::Error) -> Rejection {
        let byte = self.offset + at as u64;
        let message = format!("not JSON, in the element that begins at byte {byte}: {error}");
        Rejection::new(Class::Syntax, "json", message)
    }

    fn unexpected(&self, at: usize, rest: &str) -> Rejection {
        let expected = match self.expected {
            Expected::Nothing => "the end of the document",
            _ => "`,` or `]`",
        };
        let found = rest.chars().next().unwrap_or_default().escape_debug();
        let byte = self.offset + at as u64;
        let message =
            format!("not JSON: expected {expected}, but there is `{found}` (byte {byte})");
        Rejection::new(Class::Syntax, "json", message)
    }
}

/// The element that a text begins with, if it ends there.
fn element(text: &str) -> Result<Option<&str>, serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    match values.next() {
        Some(Ok(value)) => Ok(Some(value.get())),
        Some(Err(error)) if !error.is_eof() && !is_within_number(text, &error) => Err(error),
        _ => Ok(None),
    }
}

/// Whether the text breaks off where a number must go on. The parser calls such a number invalid,
/// and does not say that the text ends.
fn is_within_number(text: &str, error: &serde_json::Error) -> bool {
    if !text.ends_with(['-', '+', '.', 'e', 'E']) {
        return false;
    }
    let (lines, last) = text
        .split('\n')
        .fold((0, ""), |(count, _), line| (count + 1, line));
    (error.line(), error.column()) == (lines, last.len())
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}
