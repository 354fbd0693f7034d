//! Typed reading and writing: what generated types are made of.
//!
//! A reader takes the raw text of one value. Objects are split once into names and borrowed raw
//! values, so that a look at the discriminator decides which type reads the rest, and a value
//! nobody asks for is never decoded. All text here has passed [`check`](super::check()).

use std::borrow::Cow;
use std::cell::Cell;

use indexmap::IndexMap;

use super::tape::MembersInOrder;
use super::{Number, Object, Raw, Tape, Value, constraint, write_string};
use crate::rejection::Rejection;

/// A type that can be read from the raw text of one JSON value.
pub trait ReadJson: Sized {
    /// Reads the value; the text is grammatical JSON.
    fn read(raw: Raw<'_>) -> Result<Self, Rejection>;
}

/// A type that can be written as JSON.
pub trait WriteJson {
    /// Appends the value as compact JSON text.
    fn write(&self, out: &mut String);
}

thread_local! {
    /// The tape of the last document that this thread has read. Most documents are small, and to
    /// make room for a tape would take longer than to fill it.
    static TAPE: Cell<Tape> = Cell::default();
}

/// Reads a whole document: the pass over all of its text, then the typed reader.
pub fn from_text<T: ReadJson>(text: &str) -> Result<T, Rejection> {
    // A reader that itself reads a document finds a new tape, and so does a thread that ends.
    let mut tape = TAPE.try_with(Cell::take).unwrap_or_default();
    let result = tape.read(text).and_then(T::read);
    if tape.is_small() {
        let _ = TAPE.try_with(|kept| kept.set(tape));
    }
    result
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

/// The kinds of JSON values, as the first byte of a value's text tells them.
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

    /// The kind of the value that a text is.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self::of_byte(text.as_bytes().first().copied())
    }

    /// The kind of the value that begins with a byte.
    pub(super) fn of_byte(first: Option<u8>) -> Self {
        match first {
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

    /// The value in the words of a refusal.
    fn words(&self) -> String;
}

impl Constant for str {
    fn is(&self, raw: Raw<'_>) -> bool {
        raw.kind() == Kind::String && tag_text(raw).is_ok_and(|text| text == self)
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
    /// The members behind the one that was taken out last. Most members are in the order in which
    /// they are asked for.
    ahead: MembersInOrder<'a>,
    /// How many members were not taken out. Most objects lack most of what they may have, and need
    /// not be looked through for it once nothing is left.
    left: usize,
    /// The places of the members that were taken out, among the first ones. What remains is what
    /// nobody asked for.
    taken: u64,
    /// The other places of members that were taken out.
    taken_later: Vec<usize>,
}

impl<'a> Members<'a> {
    /// Splits an object; another kind of value is refused.
    pub fn read(raw: Raw<'a>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Object)?;
        Ok(Self {
            object: raw,
            ahead: MembersInOrder::of(raw),
            left: raw.members_length(),
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

    /// Takes out and reads a member that may be absent. Null is absent for nobody: it is read by
    /// `T`, which refuses it unless null is one of its values.
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

    /// All members that were not taken out, verbatim and in order.
    pub fn rest(self) -> Result<Object, Rejection> {
        let mut rest = Object::new();
        if self.left == 0 {
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

    /// Refuses the first member that was not taken out.
    pub fn nothing_else(&self) -> Result<(), Rejection> {
        if self.left == 0 {
            return Ok(());
        }
        let mut members = self.object.members().enumerate();
        let left = members.find(|(place, _)| !self.is_taken(*place));
        left.map_or(Ok(()), |(_, (name, _))| {
            Err(constraint::no_such_member(&name))
        })
    }

    fn take(&mut self, name: &str) -> Option<Raw<'a>> {
        if self.left == 0 {
            return None;
        }
        let (place, raw) = match self.ahead.take_next(name) {
            Some(next) => next,
            None => self.search(name)?,
        };
        if self.is_taken(place) {
            return None;
        }
        self.left -= 1;
        match 1_u64.checked_shl(u32::try_from(place).unwrap_or(u32::MAX)) {
            Some(bit) => self.taken |= bit,
            None => self.taken_later.push(place),
        }
        Some(raw)
    }

    fn search(&mut self, name: &str) -> Option<(usize, Raw<'a>)> {
        let mut members = MembersInOrder::of(self.object);
        let found = members.find(name)?;
        self.ahead = members;
        Some(found)
    }

    fn is_taken(&self, place: usize) -> bool {
        match 1_u64.checked_shl(u32::try_from(place).unwrap_or(u32::MAX)) {
            Some(bit) => self.taken & bit != 0,
            None => self.taken_later.contains(&place),
        }
    }
}

/// Writes one object member by member.
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> ObjectWriter<'a> {
    /// Begins an object.
    pub fn new(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Writes a member. Here and below, a name stands for itself: where it has to be escaped, it is
    /// spelled so.
    pub fn member(&mut self, name: &str, value: &impl WriteJson) -> &mut Self {
        self.name(name);
        value.write(self.out);
        self
    }

    /// Writes a member whose value is the given text, such as a discriminator.
    pub fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.name(name);
        write_string(self.out, text);
        self
    }

    /// Writes a member if there is one.
    pub fn optional(&mut self, name: &str, value: &Option<impl WriteJson>) -> &mut Self {
        if let Some(value) = value {
            self.member(name, value);
        }
        self
    }

    /// Writes a member that may be absent or null.
    pub fn presence(&mut self, name: &str, value: &Presence<impl WriteJson>) -> &mut Self {
        match value {
            Presence::Absent => self,
            Presence::Null => self.member(name, &Value::Null),
            Presence::Value(value) => self.member(name, value),
        }
    }

    /// Writes the members that the schema does not name.
    pub fn rest(&mut self, rest: &Object) -> &mut Self {
        for (name, value) in rest.iter() {
            self.any(name, value);
        }
        self
    }

    /// Writes members of any names and one type.
    pub fn each<T: WriteJson>(&mut self, members: &IndexMap<String, T>) -> &mut Self {
        for (name, value) in members {
            self.any(name, value);
        }
        self
    }

    /// Ends the object.
    pub fn end(&mut self) {
        self.out.push('}');
    }

    fn name(&mut self, name: &str) {
        self.separate();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    /// Writes a member of any name.
    fn any(&mut self, name: &str, value: &impl WriteJson) {
        self.separate();
        write_string(self.out, name);
        self.out.push(':');
        value.write(self.out);
    }

    fn separate(&mut self) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(',');
        }
    }
}

/// Refuses a value of another kind than `expected`.
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
    match raw.plain() {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => String::read(raw).map(Cow::Owned),
    }
}
