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
    pub fn read<'a>(&self, value: &Value) -> Result<StoreState<'a>, Rejection> {
        self.read_text(&value.to_json())
    }

    /// The same of JSON text, which is written as it was until the state is changed.
    pub(super) fn read_text<'a>(&self, text: &str) -> Result<StoreState<'a>, Rejection> {
        let value = parse(text)?;
        let Value::Object(members) = &value else {
            return Err(wrong_kind("object", value.kind()));
        };
        let tag = members.get(TAG).ok_or_else(|| missing(TAG))?;
        let kind = tag
            .as_str()
            .ok_or_else(|| wrong_kind("string", tag.kind()).within(TAG))?;
        let entry = Entry::of_text(text);
        let reader = self.readers.get(kind);
        if let Some(read) = reader {
            read(&entry)?;
        }
        Ok(StoreState {
            kind: kind.to_owned(),
            is_known: reader.is_some(),
            entry: EntryHolder::Own(entry),
        })
    }
}

/// A state of one of several kinds. That of an attached store is the entry of the session itself.
#[derive(Debug)]
pub struct StoreState<'a> {
    kind: String,
    is_known: bool,
    entry: EntryHolder<'a>,
}

/// Where a state is.
#[derive(Debug)]
enum EntryHolder<'a> {
    /// In no session yet.
    Own(Entry),
    /// In a session, which a store is attached to.
    Attached(&'a mut Entry),
}

impl EntryHolder<'_> {
    fn get(&self) -> &Entry {
        match self {
            Self::Own(entry) => entry,
            Self::Attached(entry) => entry,
        }
    }

    fn get_mut(&mut self) -> &mut Entry {
        match self {
            Self::Own(entry) => entry,
            Self::Attached(entry) => entry,
        }
    }
}

impl<'a> StoreState<'a> {
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
            entry: EntryHolder::Own(entry),
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
        self.entry.get().read()
    }

    /// The same, to change in place.
    pub fn get_mut<T: State>(&mut self) -> Result<&mut T, Rejection> {
        self.expect(T::NAME)?;
        self.entry.get_mut().read_mut()
    }

    /// The state as a value: what was read, with the changes made to its type.
    pub fn to_value(&self) -> Result<Value, Rejection> {
        parse(&self.entry.get().text()?)
    }

    /// Takes out what a session is to hold. What cannot be written is rejected now and not when the
    /// session is saved.
    pub(super) fn take_entry(&mut self) -> Result<Entry, Rejection> {
        let text = self.entry.get().text()?.into_owned();
        Ok(match &mut self.entry {
            EntryHolder::Own(entry) => std::mem::replace(entry, Entry::of_text(&text)),
            EntryHolder::Attached(_) => Entry::of_text(&text),
        })
    }

    /// Says where the state is from now on.
    pub(super) fn put_entry(&mut self, entry: &'a mut Entry) {
        self.entry = EntryHolder::Attached(entry);
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
