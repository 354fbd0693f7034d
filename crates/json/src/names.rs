//! The names of open objects, among which no object may have one twice.

use std::borrow::Cow;
use std::collections::HashSet;

use super::string::{self, StringSpelling};

/// How many names of one object are compared one by one. Most objects are small, and a short scan
/// is cheaper than hashing.
const FEW: usize = 12;

/// The names of all open objects, the innermost last, as they stand in the text with their quotes.
#[derive(Debug)]
pub(super) struct ObjectNames<'a> {
    /// At most [`FEW`] names of each object. Of an object that has more, the last of them is the
    /// name that was added last.
    names: Vec<&'a str>,
    /// Whether a name had escapes. Only then may two spellings be one name.
    has_escapes: bool,
    /// All names of the objects that have more, with the places where these objects' names begin.
    many: Vec<(usize, HashSet<Cow<'a, str>>)>,
}

impl<'a> ObjectNames<'a> {
    /// No names, with room for those of a small object.
    pub fn new() -> Self {
        Self {
            names: Vec::with_capacity(FEW),
            has_escapes: false,
            many: Vec::new(),
        }
    }

    /// Discards all names.
    #[inline]
    pub fn clear(&mut self) {
        self.names.clear();
        self.has_escapes = false;
        self.many.clear();
    }

    /// The place of the next name.
    #[inline]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The last name before a place, without escapes.
    pub fn before(&self, end: usize) -> Option<Cow<'a, str>> {
        self.names.get(end.checked_sub(1)?).copied().map(unescaped)
    }

    /// Adds a name to the innermost object, whose names begin at a place; `false` if it has that
    /// name already.
    #[inline]
    pub fn add(&mut self, first: usize, name: &'a str, spelling: StringSpelling) -> bool {
        self.has_escapes |= spelling != StringSpelling::Plain;
        let known = &self.names[first..];
        if known.len() == FEW {
            return self.add_to_many(first, name);
        }
        let is_new = !known.iter().any(|known| self.is_same(known, name));
        self.names.push(name);
        is_new
    }

    #[inline]
    fn is_same(&self, known: &str, name: &str) -> bool {
        known == name || (self.has_escapes && unescaped(known) == unescaped(name))
    }

    fn add_to_many(&mut self, first: usize, name: &'a str) -> bool {
        if self.many.last().is_none_or(|(known, _)| *known != first) {
            let names = self.names[first..].iter().copied().map(unescaped);
            self.many.push((first, names.collect()));
        }
        self.names.pop();
        self.names.push(name);
        let innermost = self.many.last_mut();
        innermost.is_some_and(|(_, names)| names.insert(unescaped(name)))
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

/// A name without quotes and escapes.
fn unescaped(name: &str) -> Cow<'_, str> {
    if name.contains('\\') {
        return Cow::Owned(string::well_formed(name));
    }
    Cow::Borrowed(&name[1..name.len() - 1])
}
