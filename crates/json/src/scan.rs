//! Reading on without a tape: members, elements and values as text, in the order of the document.
//!
//! Nothing here says what is wrong with a text; who has to tell asks [`check`](super::check()).

use std::borrow::Cow;

use super::Surrogates;
use super::string::StringSpelling;
use super::tokenizer::{Token, TokenStep, Tokenizer};

impl<'a> Tokenizer<'a> {
    /// A tokenizer at the beginning of a text.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self::new(text, Surrogates::AllowUnpairedAtEnds)
    }

    /// The first byte of the next value.
    pub fn peek(&mut self) -> Option<u8> {
        match self.step().ok()? {
            TokenStep::Value => self.rest().bytes().next(),
            _ => None,
        }
    }

    /// Nothing but whitespace may follow.
    pub fn end(&mut self) -> Option<()> {
        (self.step().ok()? == TokenStep::End).then_some(())
    }

    /// The text of the next value, which is stepped over.
    pub fn raw(&mut self) -> Option<&'a str> {
        self.spanned(Self::value)
    }

    /// The next string with its quotes.
    pub fn text(&mut self) -> Option<(&'a str, StringSpelling)> {
        let rest = self.peek().map(|_| self.rest())?;
        match self.begin_value().ok()? {
            Token::String(spelling) => Some((rest.get(..self.range().len())?, spelling)),
            _ => None,
        }
    }

    /// The text of the next value, which `step` steps over.
    pub fn spanned(&mut self, step: impl FnOnce(&mut Self) -> Option<()>) -> Option<&'a str> {
        self.peek()?;
        let rest = self.rest();
        step(self)?;
        rest.get(..rest.len() - self.rest().len())
    }

    /// Steps over the next value.
    pub fn value(&mut self) -> Option<()> {
        self.peek()?;
        self.tokens(|_, _| ()).ok()
    }

    /// What follows what was stepped over.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Steps over a value whose text is known.
    pub fn pass(&mut self, length: usize) -> Option<&'a str> {
        self.peek()?;
        let value = self.rest().get(..length)?;
        self.at += length;
        self.complete();
        Some(value)
    }

    /// Gives the names of the object that is next. Who takes one steps over its value.
    pub fn members(
        &mut self,
        mut take: impl FnMut(&mut Self, Cow<'a, str>) -> Option<()>,
    ) -> Option<()> {
        self.peek()?;
        if self.begin_value().ok()? != Token::StartObject {
            return None;
        }
        while let TokenStep::Token(Token::Name(_)) = self.step().ok()? {
            let name = self.name()?;
            take(self, name)?;
        }
        Some(())
    }

    /// Calls `take` for each element of the array that is next, which it steps over.
    pub fn items(&mut self, mut take: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.peek()?;
        if self.begin_value().ok()? != Token::StartArray {
            return None;
        }
        while self.step().ok()? == TokenStep::Value {
            take(self)?;
        }
        Some(())
    }
}
