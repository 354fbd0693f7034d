//! The iterative reader: text to value tree, or only checked.
//!
//! It recurses nowhere, so nesting cannot exhaust the stack; it keeps numbers as text, refuses
//! duplicate member names at every depth, and knows where half a surrogate pair may stand.

use std::borrow::Cow;
use std::collections::HashSet;

use super::scan::end_of_plain;
use super::split_text::{is_high, is_low, joined};
use super::writer::write_split_text;
use super::{Number, Object, SplitText, Value, pointer, write_string};
use crate::rejection::{Class, Rejection};

/// The deepest nesting of arrays and objects that is read (requirement `limit.depth`).
pub const MAX_DEPTH: usize = 512;

/// The longest exponent, in digits, so that a number's magnitude fits its arithmetic.
pub(super) const MAX_EXPONENT_DIGITS: usize = 18;

/// What to do with text that begins or ends with half a surrogate pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halves {
    /// Refuse it, as everywhere but in a `delta`.
    Refuse,
    /// Keep it as [`Value::Split`].
    Keep,
}

/// Bytes as the text of a document, or the reason why they are none.
pub fn text_of(bytes: &[u8]) -> Result<&str, Rejection> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(error.valid_up_to() as u64))?;
    if text.starts_with('\u{feff}') {
        return Err(byte_order_mark());
    }
    Ok(text)
}

/// The refusal of bytes that are no text.
#[must_use]
pub fn not_utf8(at: u64) -> Rejection {
    let message =
        format!("the document is not UTF-8: byte {at} begins no character; save it as UTF-8");
    Rejection::new(Class::Syntax, "utf-8", message)
}

/// The refusal of a mark that is no part of a document.
#[must_use]
pub fn byte_order_mark() -> Rejection {
    let message = "the document begins with a byte order mark; save it as UTF-8 without one";
    Rejection::new(Class::Syntax, "byte-order-mark", message)
}

/// Reads one document; text must be well-formed everywhere.
pub fn parse(text: &str) -> Result<Value, Rejection> {
    parse_with(text, Halves::Refuse)
}

/// Reads one document.
pub fn parse_with(text: &str, halves: Halves) -> Result<Value, Rejection> {
    Reader::new(text, halves, Tree).document()
}

/// Checks one document without building it: grammar, duplicates, depth, and no half of a surrogate
/// pair inside a text. Halves at the ends of texts pass, since only the schema knows where they may
/// stand.
pub fn check(text: &str) -> Result<(), Rejection> {
    Reader::new(text, Halves::Keep, Nothing).document()
}

/// The length of a document's compact text, numbers spelled as they are.
pub fn compact_length(text: &str) -> Result<usize, Rejection> {
    Reader::new(text, Halves::Keep, Length).document()
}

/// The text of one JSON string that [`check`] has passed.
pub fn string(raw: &str) -> Result<SplitText, Rejection> {
    let mut reader = Reader::new(raw, Halves::Keep, Nothing);
    reader.at = 1;
    match reader.string(Halves::Keep, raw.len())? {
        Text::Whole(text) => Ok(SplitText::from(text.into_owned())),
        Text::Split(text) => Ok(text),
    }
}

/// What is made of the values that are read.
pub(super) trait Sink {
    type Value;
    type Array: Default;
    type Object: Default;

    fn scalar(&self, scalar: Scalar<'_>) -> Self::Value;
    fn push(array: &mut Self::Array, value: Self::Value);
    fn insert(object: &mut Self::Object, name: Cow<'_, str>, value: Self::Value);
    fn close_array(array: Self::Array) -> Self::Value;
    fn close_object(object: Self::Object) -> Self::Value;
}

pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    Text(Text<'a>),
}

pub(super) enum Text<'a> {
    Whole(Cow<'a, str>),
    Split(SplitText),
}

/// Builds the value tree.
struct Tree;

impl Sink for Tree {
    type Value = Value;
    type Array = Vec<Value>;
    type Object = Object;

    fn scalar(&self, scalar: Scalar<'_>) -> Value {
        match scalar {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Number(text) => Value::Number(Number::from_grammatical(text)),
            Scalar::Text(Text::Whole(text)) => Value::String(text.into_owned()),
            Scalar::Text(Text::Split(text)) => Value::from(text),
        }
    }

    fn push(array: &mut Vec<Value>, value: Value) {
        array.push(value);
    }

    fn insert(object: &mut Object, name: Cow<'_, str>, value: Value) {
        object.insert(name, value);
    }

    fn close_array(array: Vec<Value>) -> Value {
        Value::Array(array)
    }

    fn close_object(object: Object) -> Value {
        Value::Object(object)
    }
}

/// Builds nothing.
struct Nothing;

impl Sink for Nothing {
    type Value = ();
    type Array = ();
    type Object = ();

    fn scalar(&self, _: Scalar<'_>) {}
    fn push((): &mut (), (): ()) {}
    fn insert((): &mut (), _: Cow<'_, str>, (): ()) {}
    fn close_array((): ()) {}
    fn close_object((): ()) {}
}

/// Adds up the length of the compact text.
struct Length;

/// The length of a container's values with what stands around each of them.
#[derive(Default)]
struct Lengths(usize);

impl Lengths {
    /// The length with both brackets, where the first value has no comma.
    fn closed(self) -> usize {
        2 + self.0.saturating_sub(1)
    }
}

impl Sink for Length {
    type Value = usize;
    type Array = Lengths;
    type Object = Lengths;

    fn scalar(&self, scalar: Scalar<'_>) -> usize {
        let mut text = String::new();
        match scalar {
            Scalar::Null | Scalar::Bool(true) => 4,
            Scalar::Bool(false) => 5,
            Scalar::Number(text) => text.len(),
            Scalar::Text(Text::Whole(whole)) => {
                write_string(&mut text, &whole);
                text.len()
            }
            Scalar::Text(Text::Split(split)) => {
                write_split_text(&mut text, &split);
                text.len()
            }
        }
    }

    fn push(array: &mut Lengths, value: usize) {
        array.0 += value + 1;
    }

    fn insert(object: &mut Lengths, name: Cow<'_, str>, value: usize) {
        let mut text = String::new();
        write_string(&mut text, &name);
        object.0 += text.len() + 1 + value + 1;
    }

    fn close_array(array: Lengths) -> usize {
        array.closed()
    }

    fn close_object(object: Lengths) -> usize {
        object.closed()
    }
}

/// An open container.
enum Frame<'a, S: Sink> {
    Array(S::Array, usize),
    Object {
        object: S::Object,
        /// Where its names begin among the names of all open objects.
        first: usize,
        /// Its names, once they are many.
        many: Option<HashSet<Cow<'a, str>>>,
        /// The member whose value is being read; none between two members.
        name: Option<Cow<'a, str>>,
    },
}

/// How many names of one object are looked through. Most objects are small, and a short scan is
/// cheaper than hashing.
const FEW_NAMES: usize = 12;

/// Adds a name of the innermost object; `false` if it was there.
fn add_name<'a>(
    names: &mut Vec<Cow<'a, str>>,
    first: usize,
    many: &mut Option<HashSet<Cow<'a, str>>>,
    name: Cow<'a, str>,
) -> bool {
    if let Some(many) = many {
        return many.insert(name);
    }
    if names[first..].contains(&name) {
        return false;
    }
    names.push(name);
    if names.len() - first > FEW_NAMES {
        *many = Some(names.drain(first..).collect());
    }
    true
}

struct Reader<'a, S: Sink> {
    text: &'a str,
    at: usize,
    halves: Halves,
    frames: Vec<Frame<'a, S>>,
    /// The names of all open objects that have few, the innermost last.
    names: Vec<Cow<'a, str>>,
    sink: S,
}

impl<'a, S: Sink> Reader<'a, S> {
    fn new(text: &'a str, halves: Halves, sink: S) -> Self {
        Self {
            text,
            at: 0,
            halves,
            frames: Vec::new(),
            names: Vec::new(),
            sink,
        }
    }

    fn document(mut self) -> Result<S::Value, Rejection> {
        let document = self.value()?;
        self.end()?;
        Ok(document)
    }

    /// Reads one value, whatever stands after it.
    fn value(&mut self) -> Result<S::Value, Rejection> {
        loop {
            // Without a value, a container was opened and its first value comes next.
            if let Some(value) = self.start_value()?
                && let Some(whole) = self.finish(value)?
            {
                return Ok(whole);
            }
        }
    }

    /// Reads a scalar or an empty container, or opens a container.
    fn start_value(&mut self) -> Result<Option<S::Value>, Rejection> {
        self.skip_white_space();
        match self.peek() {
            Some(b'{') => self.open_object(),
            Some(b'[') => self.open_array(),
            Some(b'"') => {
                self.at += 1;
                let text = self.string(self.halves, 0)?;
                Ok(Some(self.sink.scalar(Scalar::Text(text))))
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = self.number()?;
                Ok(Some(self.sink.scalar(Scalar::Number(number))))
            }
            _ => self.keyword().map(Some),
        }
    }

    /// Hands a finished value to its container, and closes every container that ends with it.
    /// Gives the whole value when nothing is open any more.
    fn finish(&mut self, mut value: S::Value) -> Result<Option<S::Value>, Rejection> {
        loop {
            match self.frames.last_mut() {
                None => return Ok(Some(value)),
                Some(Frame::Array(array, length)) => {
                    S::push(array, value);
                    *length += 1;
                }
                Some(Frame::Object { object, name, .. }) => {
                    S::insert(object, name.take().unwrap_or_default(), value);
                }
            }
            match self.after_value()? {
                None => return Ok(None),
                Some(container) => value = container,
            }
        }
    }

    /// Steps over the comma to the next value (`None`), or closes the container.
    fn after_value(&mut self) -> Result<Option<S::Value>, Rejection> {
        self.skip_white_space();
        let in_array = matches!(self.frames.last(), Some(Frame::Array(..)));
        match (self.peek(), in_array) {
            (Some(b','), true) => {
                self.at += 1;
                Ok(None)
            }
            (Some(b','), false) => {
                self.at += 1;
                self.skip_white_space();
                self.member_name()?;
                Ok(None)
            }
            (Some(b']'), true) | (Some(b'}'), false) => self.close(),
            (_, true) => Err(self.expected("`,` or `]`")),
            (_, false) => Err(self.expected("`,` or `}`")),
        }
    }

    fn open_array(&mut self) -> Result<Option<S::Value>, Rejection> {
        self.open(Frame::Array(S::Array::default(), 0))?;
        if self.peek() == Some(b']') {
            return self.close();
        }
        Ok(None)
    }

    fn open_object(&mut self) -> Result<Option<S::Value>, Rejection> {
        let frame = Frame::Object {
            object: S::Object::default(),
            first: self.names.len(),
            many: None,
            name: None,
        };
        self.open(frame)?;
        if self.peek() == Some(b'}') {
            return self.close();
        }
        self.member_name()?;
        Ok(None)
    }

    fn open(&mut self, frame: Frame<'a, S>) -> Result<(), Rejection> {
        if self.frames.len() == MAX_DEPTH {
            let message = format!(
                "the document is nested deeper than {MAX_DEPTH} levels, which is as deep as this reader goes"
            );
            return Err(Rejection::new(Class::Limit, "depth", message));
        }
        self.at += 1;
        self.skip_white_space();
        self.frames.push(frame);
        Ok(())
    }

    fn close(&mut self) -> Result<Option<S::Value>, Rejection> {
        self.at += 1;
        match self.frames.pop() {
            Some(Frame::Array(array, _)) => Ok(Some(S::close_array(array))),
            Some(Frame::Object { object, first, .. }) => {
                self.names.truncate(first);
                Ok(Some(S::close_object(object)))
            }
            None => Err(self.expected("a value")),
        }
    }

    /// Reads a name and its colon, and refuses a name that the object has already.
    fn member_name(&mut self) -> Result<(), Rejection> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a member name in double quotes"));
        }
        self.at += 1;
        let read = self.string(Halves::Refuse, 0)?;
        let Text::Whole(read) = read else {
            return Err(self.unpaired());
        };
        let mut known = false;
        if let Some(Frame::Object {
            first, many, name, ..
        }) = self.frames.last_mut()
        {
            *name = Some(read.clone());
            known = !add_name(&mut self.names, *first, many, read);
        }
        if known {
            let message = format!(
                "a member name stands twice in one object{}; readers disagree about which one counts, so remove one",
                self.place()
            );
            return Err(self.reject("duplicate-member", message));
        }
        self.skip_white_space();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:` after the member name"));
        }
        self.at += 1;
        Ok(())
    }

    fn keyword(&mut self) -> Result<S::Value, Rejection> {
        let rest = &self.text[self.at..];
        let (length, scalar) = if rest.starts_with("null") {
            (4, Scalar::Null)
        } else if rest.starts_with("true") {
            (4, Scalar::Bool(true))
        } else if rest.starts_with("false") {
            (5, Scalar::Bool(false))
        } else {
            return Err(self.expected("a value"));
        };
        self.at += length;
        Ok(self.sink.scalar(scalar))
    }

    fn number(&mut self) -> Result<&'a str, Rejection> {
        let start = self.at;
        self.step_over(b'-');
        if !self.step_over(b'0') {
            self.digits()?;
        }
        if self.step_over(b'.') {
            self.digits()?;
        }
        if self.step_over(b'e') || self.step_over(b'E') {
            let _ = self.step_over(b'+') || self.step_over(b'-');
            let exponent = self.digits()?;
            if exponent.trim_start_matches('0').len() > MAX_EXPONENT_DIGITS {
                let message =
                    format!("a number's exponent has more than {MAX_EXPONENT_DIGITS} digits");
                return Err(Rejection {
                    class: Class::Limit,
                    ..self.reject("number-exponent", message)
                });
            }
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<&'a str, Rejection> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return Err(self.expected("a digit"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// Reads a string after its opening quote. What is decoded gets room for so much at once, if
    /// anybody knows how much there is.
    fn string(&mut self, halves: Halves, room: usize) -> Result<Text<'a>, Rejection> {
        let start = self.at;
        self.plain_text();
        if self.step_over(b'"') {
            return Ok(Text::Whole(Cow::Borrowed(&self.text[start..self.at - 1])));
        }
        let mut body = String::with_capacity(room.max(self.at - start));
        body.push_str(&self.text[start..self.at]);
        let (mut leading, mut trailing) = (None, None);
        loop {
            match self.peek() {
                Some(b'"') => break self.at += 1,
                Some(b'\\') => match self.escape()? {
                    Escaped::Character(character) => body.push(character),
                    Escaped::Half(unit) if is_low(unit) && body.is_empty() && leading.is_none() => {
                        leading = Some(unit);
                    }
                    Escaped::Half(unit) if is_high(unit) && self.peek() == Some(b'"') => {
                        trailing = Some(unit);
                    }
                    Escaped::Half(_) => return Err(self.unpaired()),
                },
                Some(_) => {
                    return Err(self.expected("an escape such as `\\n` for a control character"));
                }
                None => return Err(self.expected("the closing quote of a string")),
            }
            let start = self.at;
            self.plain_text();
            body.push_str(&self.text[start..self.at]);
        }
        if leading.is_none() && trailing.is_none() {
            return Ok(Text::Whole(Cow::Owned(body)));
        }
        match SplitText::new(leading, body, trailing) {
            Ok(text) if halves == Halves::Keep => Ok(Text::Split(text)),
            _ => Err(self.unpaired()),
        }
    }

    /// Steps over everything that stands for itself in a string.
    fn plain_text(&mut self) {
        self.at = end_of_plain(self.text.as_bytes(), self.at);
    }

    fn escape(&mut self) -> Result<Escaped, Rejection> {
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => {
                return Err(self.expected(
                    "one of `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after a backslash",
                ));
            }
        };
        self.at += 1;
        Ok(Escaped::Character(character))
    }

    /// Reads `uXXXX`, and the low half that follows a high one.
    fn unicode_escape(&mut self) -> Result<Escaped, Rejection> {
        let unit = self.code_unit()?;
        if let Some(character) = char::from_u32(u32::from(unit)) {
            return Ok(Escaped::Character(character));
        }
        let rest = &self.text.as_bytes()[self.at..];
        if is_high(unit) && rest.starts_with(b"\\u") {
            let start = self.at;
            self.at += 1;
            let next = self.code_unit()?;
            if is_low(next) {
                return Ok(Escaped::Character(joined(unit, next)));
            }
            self.at = start;
        }
        Ok(Escaped::Half(unit))
    }

    fn code_unit(&mut self) -> Result<u16, Rejection> {
        self.at += 1;
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let hexadecimal = digits
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let Some(unit) = hexadecimal else {
            return Err(self.expected("four hexadecimal digits after `\\u`"));
        };
        self.at += 4;
        Ok(unit)
    }

    fn end(&mut self) -> Result<(), Rejection> {
        self.skip_white_space();
        if self.at == self.text.len() {
            return Ok(());
        }
        Err(self.expected("the end of the document"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step_over(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expected(&self, what: &str) -> Rejection {
        let found = match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None if self.text.trim().is_empty() => "the document is empty".to_owned(),
            None => "the document ends".to_owned(),
            Some(character @ ('"' | '\'')) => format!("there is `{character}`"),
            Some(character) => format!("there is `{}`", character.escape_debug()),
        };
        self.reject(
            "json",
            format!("not JSON: expected {what}, but {found}{}", self.place()),
        )
    }

    fn unpaired(&self) -> Rejection {
        let message = format!(
            "text holds half a surrogate pair{}; only a string `delta` may begin or end with one",
            self.place()
        );
        self.reject("unpaired-surrogate", message)
    }

    fn reject(&self, rule: &'static str, message: String) -> Rejection {
        let mut rejection = Rejection::new(Class::Syntax, rule, message);
        rejection.at = self.pointer();
        rejection
    }

    /// Where the reader stands, as a pointer through the open containers.
    fn pointer(&self) -> String {
        let segments = self.frames.iter().map(|frame| match frame {
            Frame::Array(_, length) => format!("/{length}"),
            Frame::Object { name, .. } => name
                .as_deref()
                .map_or_else(String::new, |name| format!("/{}", pointer::escape(name))),
        });
        segments.collect()
    }

    /// Where the reader stands, as line and column for people.
    fn place(&self) -> String {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = before.split(|byte| *byte == b'\n').count();
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let column = 1 + String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count();
        format!(" (line {line}, column {column})")
    }
}

/// What an escape stands for.
enum Escaped {
    Character(char),
    /// Half a surrogate pair that its neighbours do not complete.
    Half(u16),
}
