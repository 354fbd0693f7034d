//! The names of open objects, among which no object may have one twice.

use std::borrow::Cow;
use std::collections::HashSet;

use super::string::{self, StringSpelling};

/// How many names of one object are compared one by one. Most objects are small, and a short scan
/// is cheaper than hashing.
const FEW: usize = 12;

/// Where a name is in a text, with its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub start: usize,
    pub end: usize,
    pub spelling: StringSpelling,
}

impl Name {
    /// The bytes between the quotes.
    #[inline]
    fn bytes(self, text: &str) -> &[u8] {
        &text.as_bytes()[self.start + 1..self.end - 1]
    }

    /// The name without escapes.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        match self.spelling {
            StringSpelling::Plain => Cow::Borrowed(&text[self.start + 1..self.end - 1]),
            _ => Cow::Owned(string::well_formed(&text[self.start..self.end])),
        }
    }

    #[inline]
    fn equals(self, other: Self, text: &str) -> bool {
        if self.spelling == StringSpelling::Plain && other.spelling == StringSpelling::Plain {
            return self.bytes(text) == other.bytes(text);
        }
        self.text(text) == other.text(text)
    }
}

/// The names of all open objects, the innermost last.
#[derive(Debug)]
pub(super) struct ObjectNames<'a> {
    /// At most [`FEW`] names of each object. Of an object that has more, the last of them is the
    /// name that was added last.
    names: Vec<Name>,
    /// All names of the objects that have more, with the places where these objects' names begin.
    many: Vec<(usize, HashSet<Cow<'a, str>>)>,
}

impl<'a> ObjectNames<'a> {
    /// No names, with room for those of a small object.
    pub fn new() -> Self {
        Self {
            names: Vec::with_capacity(FEW),
            many: Vec::new(),
        }
    }

    /// The place of the next name.
    #[inline]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The last name before a place.
    pub fn before(&self, end: usize) -> Option<Name> {
        self.names.get(end.checked_sub(1)?).copied()
    }

    /// Adds a name to the innermost object, whose names begin at a place; `false` if it has that
    /// name already.
    #[inline]
    pub fn add(&mut self, text: &'a str, first: usize, name: Name) -> bool {
        let known = &self.names[first..];
        if known.len() == FEW {
            return self.add_to_many(text, first, name);
        }
        let is_new = !known.iter().any(|known| known.equals(name, text));
        self.names.push(name);
        is_new
    }

    fn add_to_many(&mut self, text: &'a str, first: usize, name: Name) -> bool {
        if self.many.last().is_none_or(|(known, _)| *known != first) {
            let names = self.names[first..].iter().map(|name| name.text(text));
            self.many.push((first, names.collect()));
        }
        self.names.pop();
        self.names.push(name);
        let innermost = self.many.last_mut();
        innermost.is_some_and(|(_, names)| names.insert(name.text(text)))
    }

    /// Discards the names of the innermost object.
    #[inline]
    pub fn leave(&mut self, first: usize) {
        self.names.truncate(first);
        if self.many.last().is_some_and(|(known, _)| *known == first) {
            self.many.pop();
        }
    }
}
