//! States of one of several kinds, which say by `$type` which one they are.

use indexmap::IndexMap;

use super::entry::Entry;
use super::state::State;
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value, missing, parse, wrong_kind};

/// The member that names the kind of a state.
const TAG: &str = "$type";

/// The kinds of states that a program knows, by their `$type`.
#[derive(Debug, Default)]
pub struct StoreRegistry {
    readers: IndexMap<&'static str, EntryReader>,
}

/// Reads an entry as one type.
type EntryReader = fn(&Entry) -> Result<(), Rejection>;

impl StoreRegistry {
    /// A registry that knows no kind.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a type under its name. A second type of one name is rejected, with class `semantic` and
    /// rule `session.store-twice`.
    pub fn register<T: State>(&mut self) -> Result<(), Rejection> {
        if self.readers.contains_key(T::NAME) {
            let message = format!("a kind of state is registered as `{}` already", T::NAME);
            return Err(Rejection::new(
                Class::Semantic,
                "session.store-twice",
                message,
            ));
        }
        self.readers
            .insert(T::NAME, |entry| entry.read::<T>().map(drop));
        Ok(())
    }

    /// Reads a state. The place of `$type` among the members does not matter. A state of a known
    /// kind is read now; one of an unknown kind is kept as it is (requirements
    /// `session.store-tag` and `session.store-unknown`).
    pub fn read(&self, value: &Value) -> Result<StoreState, Rejection> {
        let Value::Object(members) = value else {
            return Err(wrong_kind("object", value.kind()));
        };
        let tag = members.get(TAG).ok_or_else(|| missing(TAG))?;
        let kind = tag
            .as_str()
            .ok_or_else(|| wrong_kind("string", tag.kind()).within(TAG))?;
        let entry = Entry::of_text(&value.to_json());
        let reader = self.readers.get(kind);
        if let Some(read) = reader {
            read(&entry)?;
        }
        Ok(StoreState {
            kind: kind.to_owned(),
            is_known: reader.is_some(),
            entry,
        })
    }
}

/// A state of one of several kinds.
#[derive(Debug)]
pub struct StoreState {
    kind: String,
    is_known: bool,
    entry: Entry,
}

impl StoreState {
    /// A state of a type; it gets the type's name as its `$type`.
    pub fn new<T: State>(state: &T) -> Result<Self, Rejection> {
        let mut members = Object::new();
        members.insert(TAG, T::NAME);
        if let Value::Object(known) = state.to_value()? {
            members.extend(known);
        }
        let entry = Entry::of_text(&Value::Object(members).to_json());
        entry.read::<T>()?;
        Ok(Self {
            kind: T::NAME.to_owned(),
            is_known: true,
            entry,
        })
    }

    /// Its `$type`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Whether the registry that read it knows its kind.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The state as its type; another type than that of its kind is rejected.
    pub fn get<T: State>(&self) -> Result<&T, Rejection> {
        self.expect(T::NAME)?;
        self.entry.read()
    }

    /// The same, to change in place.
    pub fn get_mut<T: State>(&mut self) -> Result<&mut T, Rejection> {
        self.expect(T::NAME)?;
        self.entry.read_mut()
    }

    /// The state as a value: what was read, with the changes made to its type.
    pub fn to_value(&self) -> Result<Value, Rejection> {
        parse(&self.entry.text()?)
    }

    fn expect(&self, name: &str) -> Result<(), Rejection> {
        if self.kind == name {
            return Ok(());
        }
        let message = format!(
            "the state is a `{}` and cannot be read as `{name}`",
            self.kind
        );
        let rejection = Rejection::new(Class::Semantic, "session.other-type", message);
        Err(rejection.within(TAG))
    }
}
