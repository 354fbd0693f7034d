//! The grammar of JSON text (RFC 8259), and the only code that knows it.
//!
//! A tokenizer passes on one token after the other and says where each one is. It checks everything
//! that a document has to be: the grammar, the depth, numbers, unpaired surrogates and duplicate
//! names. It keeps the containers that are open, so that a rejection names its place without a
//! second pass, and it recurses nowhere.

mod rejecting;

use super::Surrogates;
use super::names::ObjectNames;
use super::string::{self, StringSpelling};
use crate::rejection::Rejection;

/// The deepest nesting of arrays and objects that is read (requirement `limit.depth`).
pub const MAX_DEPTH: usize = 512;

/// The longest exponent, in digits, so that a number's magnitude fits its arithmetic.
const MAX_EXPONENT_DIGITS: usize = 18;

/// How many containers are open at once in most documents.
const USUAL_DEPTH: usize = 8;

/// One token. A name includes the quotes; commas and colons are no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// `{`
    StartObject,
    /// `}`
    EndObject,
    /// `[`
    StartArray,
    /// `]`
    EndArray,
    /// A member's name, which its object does not have yet.
    Name(StringSpelling),
    String(StringSpelling),
    Number,
    Boolean,
    Null,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
struct Frame {
    is_object: bool,
    /// The number of values that are complete.
    length: usize,
    /// Where its names begin among those of all open objects.
    first_name: usize,
}

/// Reads the tokens of a text, or of one text after the other in the same memory.
///
/// Outside of this crate it is made for [`Tape::add`](super::Tape::add).
#[derive(Debug)]
pub struct Tokenizer<'a> {
    pub(super) text: &'a str,
    /// Where the last token begins.
    start: usize,
    /// Where the last token ends, or where the text is not JSON.
    pub(super) at: usize,
    /// Whether the last name has no value yet.
    is_named: bool,
    surrogates: Surrogates,
    open: Vec<Frame>,
    names: ObjectNames<'a>,
}

impl Default for Tokenizer<'_> {
    /// A tokenizer of no text yet.
    fn default() -> Self {
        Self::new("", Surrogates::AllowUnpairedAtEnds)
    }
}

/// A rejection is boxed, so that a token fits into registers.
type Read<T> = Result<T, Box<Rejection>>;

impl<'a> Tokenizer<'a> {
    /// A tokenizer at the beginning of a text.
    pub(crate) fn new(text: &'a str, surrogates: Surrogates) -> Self {
        Self {
            text,
            start: 0,
            at: 0,
            is_named: false,
            surrogates,
            open: Vec::with_capacity(USUAL_DEPTH),
            names: ObjectNames::new(),
        }
    }

    /// Begins another text, in the memory of those before.
    #[inline]
    pub(super) fn restart(&mut self, text: &'a str) {
        (self.text, self.start, self.at) = (text, 0, 0);
        self.is_named = false;
        self.open.clear();
        self.names.clear();
    }

    /// Where the last token begins.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Where the last token ends.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.at
    }

    /// Reads a whole document, and gives all of its tokens.
    #[inline]
    pub(super) fn document(&mut self, mut take: impl FnMut(Token, &Self)) -> Read<()> {
        self.skip_whitespace();
        let mut next = Some(self.value()?);
        while let Some(token) = next {
            take(token, self);
            self.skip_whitespace();
            next = self.after(token)?;
        }
        Ok(())
    }

    /// The token that follows another; none at the end of the document.
    #[inline]
    fn after(&mut self, token: Token) -> Read<Option<Token>> {
        let next = match token {
            Token::StartObject if self.byte() == Some(b'}') => self.close(),
            Token::StartObject => self.name()?,
            Token::StartArray if self.byte() == Some(b']') => self.close(),
            Token::StartArray => self.value()?,
            Token::Name(_) => self.member_value()?,
            Token::EndObject
            | Token::EndArray
            | Token::String(_)
            | Token::Number
            | Token::Boolean
            | Token::Null => return self.after_value(),
        };
        Ok(Some(next))
    }

    /// What follows a name: a colon and the value.
    #[inline]
    fn member_value(&mut self) -> Read<Token> {
        if !self.step_over(b':') {
            return Err(self.unexpected("`:` after the member name").into());
        }
        self.skip_whitespace();
        self.value()
    }

    /// What follows a value.
    #[inline]
    fn after_value(&mut self) -> Read<Option<Token>> {
        let Some(Frame { is_object, .. }) = self.open.last().copied() else {
            return match self.byte() {
                None => Ok(None),
                Some(_) => Err(self.unexpected("the end of the document").into()),
            };
        };
        let next = match (self.byte(), is_object) {
            (Some(b','), _) => {
                self.at += 1;
                self.skip_whitespace();
                if is_object {
                    self.name()?
                } else {
                    self.value()?
                }
            }
            (Some(b'}'), true) | (Some(b']'), false) => self.close(),
            (_, true) => return Err(self.unexpected("`,` or `}`").into()),
            (_, false) => return Err(self.unexpected("`,` or `]`").into()),
        };
        Ok(Some(next))
    }

    /// A scalar, or the beginning of a container.
    #[inline]
    fn value(&mut self) -> Read<Token> {
        self.start = self.at;
        let token = match self.byte() {
            Some(b'{') => return self.open(Token::StartObject),
            Some(b'[') => return self.open(Token::StartArray),
            Some(b'"') => Token::String(self.string(self.surrogates)?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.literal()?,
        };
        self.complete();
        Ok(token)
    }

    /// Notes that a value is complete.
    #[inline]
    fn complete(&mut self) {
        self.is_named = false;
        if let Some(frame) = self.open.last_mut() {
            frame.length += 1;
        }
    }

    #[inline]
    fn open(&mut self, token: Token) -> Read<Token> {
        if self.open.len() == MAX_DEPTH {
            return Err(Self::too_deep().into());
        }
        self.at += 1;
        self.is_named = false;
        self.open.push(Frame {
            is_object: token == Token::StartObject,
            length: 0,
            first_name: self.names.len(),
        });
        Ok(token)
    }

    /// Closes the innermost container, whose bracket is here.
    #[inline]
    fn close(&mut self) -> Token {
        self.start = self.at;
        self.at += 1;
        let frame = self.open.pop();
        self.complete();
        match frame {
            Some(frame) if frame.is_object => {
                self.names.leave(frame.first_name);
                Token::EndObject
            }
            _ => Token::EndArray,
        }
    }

    /// The name of a member, which its object does not have yet.
    #[inline]
    fn name(&mut self) -> Read<Token> {
        self.start = self.at;
        if self.byte() != Some(b'"') {
            return Err(self.unexpected("a member name in double quotes").into());
        }
        let spelling = self.string(Surrogates::Reject)?;
        let first = self.open.last().map_or(0, |frame| frame.first_name);
        let name = &self.text[self.start..self.at];
        let is_new = self.names.add(first, name, spelling);
        self.is_named = true;
        if is_new {
            return Ok(Token::Name(spelling));
        }
        Err(self.duplicate_name().into())
    }

    fn literal(&mut self) -> Read<Token> {
        let literals = [
            ("null", Token::Null),
            ("true", Token::Boolean),
            ("false", Token::Boolean),
        ];
        let rest = &self.text.as_bytes()[self.at..];
        let literal = literals
            .iter()
            .find(|(literal, _)| rest.starts_with(literal.as_bytes()));
        let Some((literal, token)) = literal else {
            return Err(self.unexpected("a value").into());
        };
        self.at += literal.len();
        Ok(*token)
    }

    fn number(&mut self) -> Read<Token> {
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
                return Err(self.long_exponent().into());
            }
        }
        Ok(Token::Number)
    }

    fn digits(&mut self) -> Read<&'a str> {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return Err(self.unexpected("a digit").into());
        }
        let start = self.at;
        self.at += length;
        Ok(&self.text[start..self.at])
    }

    /// Steps over a string.
    #[inline]
    fn string(&mut self, surrogates: Surrogates) -> Read<StringSpelling> {
        let end = string::end_of_plain(self.text.as_bytes(), self.at + 1);
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(StringSpelling::Plain);
        }
        self.escaped_string(surrogates)
    }

    fn escaped_string(&mut self, surrogates: Surrogates) -> Read<StringSpelling> {
        match string::read(self.text, self.at, &mut ()) {
            Ok(read) => {
                self.at = read.end;
                let spelling = read.spelling();
                if spelling == StringSpelling::Unpaired && surrogates == Surrogates::Reject {
                    return Err(self.unpaired_surrogate().into());
                }
                Ok(spelling)
            }
            Err((at, fault)) => Err(self.bad_string(at, fault).into()),
        }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn step_over(&mut self, byte: u8) -> bool {
        let is_there = self.byte() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    #[inline]
    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
    }
}
