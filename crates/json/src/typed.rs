//! Typed reading: what the readers of generated types are made of.
//!
//! A reader takes one value of a document that a [`Tape`] holds. The variant is chosen by the
//! discriminator, which may be the last member, before the other members are read. So a malformed
//! value of a known variant is an error at its place, and never falls through to the unknown
//! variant. A value that is not asked for is never decoded, and a JSON Pointer is only put together
//! for an error. Typed reading uses the stack, one level per level of the document; programs that
//! read deep documents need a thread with a large stack, as the command line has.

use std::borrow::Cow;

use indexmap::IndexMap;
use regex::Regex;

use super::tape::{MAX_LENGTH, Named};
use super::{AskedCondition, Number, Object, Raw, Tape, Value, constraint};
use crate::rejection::Rejection;

/// A type that can be read from the raw text of one JSON value.
pub trait ReadJson: Sized {
    /// Reads the value; the text is grammatical JSON.
    fn read(raw: Raw<'_>) -> Result<Self, Rejection>;

    /// Whether [`read`](Self::read) might reject what this value is written as, since a program made it
    /// and the schema asks for more than the type holds. A writer that validates reads such a text
    /// again, and no other, so `true` is always right, and slow. `level` is the number of arrays and
    /// objects around the value.
    fn is_in_doubt(&self, level: usize) -> bool {
        let _ = level;
        true
    }
}

/// A type that can be written as JSON.
pub trait WriteJson {
    /// Appends the value as compact JSON text.
    fn write(&self, out: &mut String);
}

/// Reads a whole document: the pass over all of its text, then the typed reader.
pub fn from_text<T: ReadJson>(text: &str) -> Result<T, Rejection> {
    Tape::default().read(text).and_then(T::read)
}

/// Writes a whole document as compact JSON text.
#[must_use]
pub fn to_text(value: &impl WriteJson) -> String {
    let mut out = String::with_capacity(256);
    value.write(&mut out);
    out
}

/// Reads JSON text as a type, and writes what was read as compact JSON text.
///
/// # Errors
///
/// The rejection of [`from_text`].
pub fn read_and_write<T: ReadJson + WriteJson>(text: &str) -> Result<String, Rejection> {
    from_text::<T>(text).map(|value| to_text(&value))
}

/// Writes a value as compact JSON text that its reader takes.
///
/// # Errors
///
/// The rejection of [`from_text`], of a value that a program made or changed.
pub fn to_valid_text<T: ReadJson + WriteJson>(value: &T) -> Result<String, Rejection> {
    let text = to_text(value);
    if text.len() > MAX_LENGTH || value.is_in_doubt(0) {
        from_text::<T>(&text)?;
    }
    Ok(text)
}

/// Checks a value that a program made or changed: what a reader would reject of its text.
pub fn validate<T: ReadJson + WriteJson>(value: &T) -> Result<(), Rejection> {
    to_valid_text(value).map(drop)
}

/// Whether any of the members that a schema does not name is in doubt, or has one of the `names`
/// that it does, so that the object would have two of that name.
pub fn rest_is_in_doubt<'a, N, T>(
    rest: impl IntoIterator<Item = (&'a N, &'a T)>,
    names: &[&str],
    level: usize,
) -> bool
where
    N: AsRef<str> + 'a,
    T: ReadJson + 'a,
{
    let mut rest = rest.into_iter();
    rest.any(|(name, value)| names.contains(&name.as_ref()) || value.is_in_doubt(level))
}

/// A member that may be absent, null, or a value: three different things.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Presence<T> {
    /// The member is not there.
    #[default]
    Absent,
    /// The member is `null`.
    Null,
    /// The member has a value.
    Value(T),
}

impl<T> Presence<T> {
    /// Whether the member is not there.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

/// The kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The kind of a raw value.
    #[must_use]
    pub fn of(raw: Raw<'_>) -> Self {
        raw.kind()
    }

    /// The kind of the value that a text is, by its first byte.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        match text.as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }

    /// The kind of a value tree.
    #[must_use]
    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) | Value::Split(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// The kind in the words of JSON Schema.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// A value that the schema spells out: a text, an integer or a boolean.
pub trait Constant {
    /// Whether a raw value is this one.
    fn is(&self, raw: Raw<'_>) -> bool;

    /// The value in the words of a rejection.
    fn words(&self) -> String;
}

impl Constant for str {
    fn is(&self, raw: Raw<'_>) -> bool {
        raw.text().is_some_and(|text| text == self)
    }

    fn words(&self) -> String {
        format!("the text `{self}`")
    }
}

impl Constant for i64 {
    fn is(&self, raw: Raw<'_>) -> bool {
        Number::read(raw).is_ok_and(|number| number.as_i64() == Some(*self))
    }

    fn words(&self) -> String {
        format!("`{self}`")
    }
}

impl Constant for bool {
    fn is(&self, raw: Raw<'_>) -> bool {
        bool::read(raw).is_ok_and(|value| value == *self)
    }

    fn words(&self) -> String {
        format!("`{self}`")
    }
}

/// The members of one object: names in order, values as raw text.
pub struct Members<'a> {
    object: Raw<'a>,
    /// The members from the first one on that was not taken out. Most are asked for in the order in which
    /// they come, and most objects lack most of what they may have.
    rest: Named<'a>,
    /// The place of that member.
    first: usize,
    /// The places of the members after it that were taken out, among the first ones. What remains is what
    /// nobody asked for.
    taken: u64,
    /// The other places of members that were taken out.
    taken_later: Vec<usize>,
}

impl<'a> Members<'a> {
    /// Splits an object; another kind of value is rejected.
    pub fn read(raw: Raw<'a>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Object)?;
        Ok(Self {
            object: raw,
            rest: raw.named(),
            first: 0,
            taken: 0,
            taken_later: Vec::new(),
        })
    }

    /// The discriminator `name`, which must be there and be a string. It is not taken out.
    pub fn tag(&self, name: &str) -> Result<Cow<'a, str>, Rejection> {
        let (_, raw) = self.object.member(name).ok_or_else(|| missing(name))?;
        tag_text(raw).map_err(|rejection| rejection.within(name))
    }

    /// Takes out the member `name`, which must be there and be exactly `expected`.
    pub fn constant(
        &mut self,
        name: &str,
        expected: &(impl Constant + ?Sized),
    ) -> Result<(), Rejection> {
        let raw = self.take(name).ok_or_else(|| missing(name))?;
        if expected.is(raw) {
            return Ok(());
        }
        Err(constraint::no_constant(&expected.words()).within(name))
    }

    /// Takes out and reads a member that must be there.
    pub fn required<T: ReadJson>(&mut self, name: &str) -> Result<T, Rejection> {
        let raw = self.take(name).ok_or_else(|| missing(name))?;
        T::read(raw).map_err(|rejection| rejection.within(name))
    }

    /// Takes out and reads a member that may be absent. Null does not mean absent: it is read by
    /// `T`, which rejects it unless null is one of its values.
    pub fn optional<T: ReadJson>(&mut self, name: &str) -> Result<Option<T>, Rejection> {
        let Some(raw) = self.take(name) else {
            return Ok(None);
        };
        T::read(raw)
            .map(Some)
            .map_err(|rejection| rejection.within(name))
    }

    /// Takes out and reads a member that may be absent or null.
    pub fn presence<T: ReadJson>(&mut self, name: &str) -> Result<Presence<T>, Rejection> {
        match self.optional::<Option<T>>(name)? {
            None => Ok(Presence::Absent),
            Some(None) => Ok(Presence::Null),
            Some(Some(value)) => Ok(Presence::Value(value)),
        }
    }

    /// Rejects an object with too few or too many members.
    pub fn present(&self, minimum: usize, maximum: usize) -> Result<(), Rejection> {
        constraint::member_count(self.object.members().count(), minimum, maximum)
    }

    /// Rejects an object that has the member `name` and lacks one that this one needs.
    pub fn dependent(&self, name: &str, required: &[&str]) -> Result<(), Rejection> {
        let has = |wanted: &str| self.object.members().any(|(name, _)| name == wanted);
        let lacking = required.iter().find(|needed| !has(needed));
        match lacking.filter(|_| has(name)) {
            Some(lacking) => Err(constraint::lacks_dependent(name, lacking)),
            None => Ok(()),
        }
    }

    /// Rejects an object that is not as a condition asks.
    pub fn condition(&self, asked: &AskedCondition) -> Result<(), Rejection> {
        asked.check(self.object)
    }

    /// Judges the members that were not taken out and whose names match a pattern: each is a `T`,
    /// and `check` says what is asked of them beyond that.
    pub fn matching<T: ReadJson>(
        self,
        pattern: &Regex,
        check: impl Fn(&IndexMap<String, T>) -> Result<(), Rejection>,
    ) -> Result<Self, Rejection> {
        let members = self.object.members().enumerate();
        let matching =
            members.filter(|(place, (name, _))| !self.is_taken(*place) && pattern.is_match(name));
        let matching = matching.map(|(_, (name, raw))| {
            let value = T::read(raw).map_err(|rejection| rejection.within(&name))?;
            Ok((name.into_owned(), value))
        });
        check(&matching.collect::<Result<_, Rejection>>()?)?;
        Ok(self)
    }

    /// Rejects the first member that was not taken out and whose name matches none of the patterns.
    pub fn only_matching(self, patterns: &[&Regex]) -> Result<Self, Rejection> {
        let mut members = self.object.members().enumerate();
        let stranger = members.find(|(place, (name, _))| {
            !self.is_taken(*place) && !patterns.iter().any(|pattern| pattern.is_match(name))
        });
        match stranger {
            Some((_, (name, _))) => Err(constraint::no_such_member(&name)),
            None => Ok(self),
        }
    }

    /// All members that were not taken out, verbatim and in order.
    pub fn rest(self) -> Result<Object, Rejection> {
        let mut rest = Object::new();
        let mut left = self.rest.clone();
        if left.next().is_none() {
            return Ok(rest);
        }
        for (place, (name, raw)) in self.object.members().enumerate() {
            if !self.is_taken(place) {
                let value = Value::read(raw).map_err(|rejection| rejection.within(&name))?;
                rest.insert(name, value);
            }
        }
        Ok(rest)
    }

    /// All members that were not taken out, which have one type and any name, in order.
    pub fn rest_of<T: ReadJson>(self) -> Result<IndexMap<String, T>, Rejection> {
        let members = self.object.members().enumerate();
        let left = members.filter(|(place, _)| !self.is_taken(*place));
        left.map(|(_, (name, raw))| {
            let value = T::read(raw).map_err(|rejection| rejection.within(&name))?;
            Ok((name.into_owned(), value))
        })
        .collect()
    }

    /// Rejects the first member that was not taken out.
    pub fn nothing_else(&self) -> Result<(), Rejection> {
        let mut members = self.object.members().enumerate();
        let left = members.find(|(place, _)| !self.is_taken(*place));
        left.map_or(Ok(()), |(_, (name, _))| {
            Err(constraint::no_such_member(&name))
        })
    }

    fn take(&mut self, name: &str) -> Option<Raw<'a>> {
        let (mut rest, mut place) = (self.rest.clone(), self.first);
        let raw = loop {
            let (known, raw) = rest.next()?;
            if known.is_text(name) {
                break raw;
            }
            place += 1;
        };
        if self.is_taken(place) {
            return None;
        }
        if place > self.first {
            self.note_taken(place);
            return Some(raw);
        }
        (self.rest, self.first) = (rest, place + 1);
        while self.is_taken(self.first) {
            self.rest.next();
            self.first += 1;
        }
        Some(raw)
    }

    fn note_taken(&mut self, place: usize) {
        match bit(place) {
            Some(bit) => self.taken |= bit,
            None => self.taken_later.push(place),
        }
    }

    fn is_taken(&self, place: usize) -> bool {
        let is_noted = match bit(place) {
            Some(bit) => self.taken & bit != 0,
            None => self.taken_later.contains(&place),
        };
        place < self.first || is_noted
    }
}

/// The bit of one of the first places.
fn bit(place: usize) -> Option<u64> {
    1_u64.checked_shl(u32::try_from(place).ok()?)
}

/// Rejects a value of another kind than `expected`.
pub(super) fn expect_kind(raw: Raw<'_>, expected: Kind) -> Result<(), Rejection> {
    let found = raw.kind();
    if found == expected {
        Ok(())
    } else {
        Err(wrong_kind(expected.as_str(), found.as_str()))
    }
}

/// The rejection of a value of another kind than the one expected.
#[must_use]
pub fn wrong_kind(expected: &str, found: &str) -> Rejection {
    Rejection::schema(
        "type",
        format!("must be of type {expected}, but is {found}"),
    )
}

/// The rejection of an object without a required member.
#[must_use]
pub fn missing(name: &str) -> Rejection {
    Rejection::schema("required", format!("the member `{name}` is missing")).within(name)
}

/// A discriminator's text, borrowed unless it holds escapes.
fn tag_text(raw: Raw<'_>) -> Result<Cow<'_, str>, Rejection> {
    match raw.text() {
        Some(text) => Ok(text),
        None => String::read(raw).map(Cow::Owned),
    }
}
