//! The state bag: plain data by key, read as types only on request.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;

use super::entry::Entry;
use super::state::State;
use chatstate_json::Rejection;
use chatstate_json::{Kind, Presence, Raw, Value, parse, write_string};
use chatstate_types::check_key;

/// The states of the providers of one session, by key, in the order of their document.
///
/// An entry that is not read is written back byte by byte. The first typed read reads the text,
/// and later ones give the same value; what is changed in that value is what is written, beside
/// all that the type does not know (requirements `session.*`).
///
/// Reading needs no exclusive access, so several threads may read one bag at a time.
#[derive(Default)]
pub struct StateBag {
    entries: IndexMap<String, Entry>,
}

impl StateBag {
    /// A bag without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A bag of a JSON object's text.
    pub fn from_json(text: &str) -> Result<Self, Rejection> {
        Self::read(chatstate_json::Tape::default().read(text)?)
    }

    /// A bag of the text of an object's members, which stay unread.
    pub(super) fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        if raw.kind() != Kind::Object {
            return Err(chatstate_json::wrong_kind("object", raw.kind().as_str()));
        }
        let mut bag = Self::new();
        for (key, value) in raw.members() {
            check_key(&key)?;
            let entry = Entry::of_text(value.get());
            bag.entries.insert(key.into_owned(), entry);
        }
        Ok(bag)
    }

    /// The bag as JSON text. The text of unread entries is as it was, with its whitespace.
    pub fn to_json(&self) -> Result<String, Rejection> {
        let mut out = String::from("{");
        for (index, (key, entry)) in self.entries.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_string(&mut out, key);
            out.push(':');
            out.push_str(&entry.text().map_err(|rejection| at(rejection, key))?);
        }
        out.push('}');
        Ok(out)
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Whether there is an entry of this key, be it `null`.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The entry as a type. The first call reads it, and later ones give the same value.
    ///
    /// A value that is none of the type is rejected with class `schema`, and a second type with
    /// class `semantic` (requirements `session.shape` and `session.other-type`); the entry stays
    /// what it is.
    pub fn get<T: State>(&self, key: &str) -> Result<Presence<&T>, Rejection> {
        match self.entries.get(key) {
            None => Ok(Presence::Absent),
            Some(entry) if entry.is_null() => Ok(Presence::Null),
            Some(entry) => entry
                .read()
                .map(Presence::Value)
                .map_err(|rejection| at(rejection, key)),
        }
    }

    /// The same, to change in place.
    pub fn get_mut<T: State>(&mut self, key: &str) -> Result<Presence<&mut T>, Rejection> {
        match self.entries.get_mut(key) {
            None => Ok(Presence::Absent),
            Some(entry) if entry.is_null() => Ok(Presence::Null),
            Some(entry) => entry
                .read_mut()
                .map(Presence::Value)
                .map_err(|rejection| at(rejection, key)),
        }
    }

    /// Sets an entry to a value of a type, which replaces all that was there, of whatever type. A
    /// blank key is rejected (requirement `session.blank-key`).
    pub fn set<T: State>(&mut self, key: &str, state: T) -> Result<(), Rejection> {
        check_key(key)?;
        let entry = Entry::of_state(state).map_err(|rejection| at(rejection, key))?;
        self.entries.insert(key.to_owned(), entry);
        Ok(())
    }

    /// Sets an entry to any value, null included. A blank key is rejected.
    pub fn set_value(&mut self, key: &str, value: &Value) -> Result<(), Rejection> {
        check_key(key)?;
        let entry = Entry::of_text(&value.to_json());
        self.entries.insert(key.to_owned(), entry);
        Ok(())
    }

    /// Sets an entry and gives the place where it is; the key is not blank.
    pub(super) fn set_entry(&mut self, key: &str, entry: Entry) -> &mut Entry {
        let place = self.entries.entry(key.to_owned());
        place.insert_entry(entry).into_mut()
    }

    /// The entry as a value, as it would be written now, without reading it as a type.
    pub fn value(&self, key: &str) -> Result<Option<Value>, Rejection> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        parse(&text)
            .map(Some)
            .map_err(|rejection| at(rejection, key))
    }

    /// The entry as JSON text, as it would be written now.
    pub fn text(&self, key: &str) -> Result<Option<Cow<'_, str>>, Rejection> {
        let Some(entry) = self.entries.get(key) else {
            return Ok(None);
        };
        entry
            .text()
            .map(Some)
            .map_err(|rejection| at(rejection, key))
    }

    /// Removes an entry, and says whether there was one.
    pub fn remove(&mut self, key: &str) -> bool {
        self.entries.shift_remove(key).is_some()
    }
}

/// The text that would be written now, or why there is none.
impl fmt::Debug for StateBag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self.to_json(), formatter)
    }
}

pub(super) fn show_text(
    text: Result<String, Rejection>,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match text {
        Ok(text) => formatter.write_str(&text),
        Err(rejection) => write!(formatter, "cannot be written: {rejection}"),
    }
}

/// A rejection of an entry, seen from the session.
fn at(rejection: Rejection, key: &str) -> Rejection {
    rejection.within(key).within("stateBag")
}
