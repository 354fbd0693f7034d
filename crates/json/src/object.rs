//! Objects in the order of their text.

use ecow::EcoString;
use indexmap::IndexMap;

use super::Value;

/// The name of a member. A short one takes no memory of its own: with `String`, an array of small
/// objects takes 1.4 times as much.
pub type MemberName = EcoString;

/// An object: members in the order they were read or inserted.
#[derive(Debug, Clone)]
pub struct Object(Storage);

/// Most objects are small, and looking through a few names is cheaper than hashing one.
#[derive(Debug, Clone)]
enum Storage {
    Few(Vec<(MemberName, Value)>),
    Many(Box<IndexMap<MemberName, Value>>),
}

/// How many members are looked through.
const FEW: usize = 12;

impl Default for Object {
    fn default() -> Self {
        Self::new()
    }
}

impl Storage {
    fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        match self {
            Self::Few(members) => {
                let mut members = members.iter_mut();
                let (_, value) = members.find(|(known, _)| known == name)?;
                Some(value)
            }
            Self::Many(members) => members.get_mut(name),
        }
    }

    /// Sets a new member at a position that there is.
    fn insert_new(&mut self, index: usize, name: MemberName, value: Value) {
        match self {
            Self::Few(members) if members.len() < FEW => members.insert(index, (name, value)),
            Self::Few(members) => {
                let mut many: IndexMap<_, _> = std::mem::take(members).into_iter().collect();
                many.shift_insert(index, name, value);
                *self = Self::Many(Box::new(many));
            }
            Self::Many(members) => {
                members.shift_insert(index, name, value);
            }
        }
    }
}

impl Object {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self(Storage::Few(Vec::new()))
    }

    /// The object of members whose names are known to be different.
    pub(super) fn of_different(members: Vec<(MemberName, Value)>) -> Self {
        Self(match members.len() {
            0..=FEW => Storage::Few(members),
            _ => Storage::Many(Box::new(members.into_iter().collect())),
        })
    }

    /// The value of member `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        match &self.0 {
            Storage::Few(members) => {
                let (_, value) = members.iter().find(|(known, _)| known == name)?;
                Some(value)
            }
            Storage::Many(members) => members.get(name),
        }
    }

    /// The value of member `name`, to change in place.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.get_mut(name)
    }

    /// Whether there is a member `name`.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets member `name`, at the end if it is new, and gives the value it had before.
    pub fn insert(
        &mut self,
        name: impl Into<MemberName>,
        value: impl Into<Value>,
    ) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        if let Some(place) = self.get_mut(&name) {
            return Some(std::mem::replace(place, value));
        }
        self.insert_at(usize::MAX, name, value);
        None
    }

    /// Sets a new member `name` at position `index` (at the end if that is past it).
    pub fn insert_at(&mut self, index: usize, name: impl Into<MemberName>, value: Value) {
        let index = index.min(self.len());
        self.0.insert_new(index, name.into(), value);
    }

    /// Removes member `name`, keeps the order of the others, and gives its position and value.
    pub fn remove(&mut self, name: &str) -> Option<(usize, Value)> {
        match &mut self.0 {
            Storage::Few(members) => {
                let index = members.iter().position(|(known, _)| known == name)?;
                Some((index, members.remove(index).1))
            }
            Storage::Many(members) => {
                let (index, _, value) = members.shift_remove_full(name)?;
                Some((index, value))
            }
        }
    }

    /// Removes member `name` in the same time however many there are, and gives its position and
    /// value. Of more members than a few the last takes its place.
    pub fn swap_remove(&mut self, name: &str) -> Option<(usize, Value)> {
        match &mut self.0 {
            Storage::Few(_) => self.remove(name),
            Storage::Many(members) => {
                let (index, _, value) = members.swap_remove_full(name)?;
                Some((index, value))
            }
        }
    }

    /// Takes a [`swap_remove`](Self::swap_remove) back: what took the place goes to the end again.
    pub fn swap_insert(&mut self, index: usize, name: impl Into<MemberName>, value: Value) {
        match &mut self.0 {
            Storage::Few(_) => self.insert_at(index, name, value),
            Storage::Many(members) => {
                let (last, _) = members.insert_full(name.into(), value);
                members.swap_indices(index.min(last), last);
            }
        }
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Storage::Few(members) => members.len(),
            Storage::Many(members) => members.len(),
        }
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&MemberName, &Value)> {
        let (few, many) = match &self.0 {
            Storage::Few(members) => (Some(members), None),
            Storage::Many(members) => (None, Some(members)),
        };
        let few = few.into_iter().flatten().map(|(name, value)| (name, value));
        few.chain(many.into_iter().flat_map(|members| members.iter()))
    }

    /// The members in order, values to change in place.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&MemberName, &mut Value)> {
        let (few, many) = match &mut self.0 {
            Storage::Few(members) => (Some(members), None),
            Storage::Many(members) => (None, Some(members)),
        };
        let few = few
            .into_iter()
            .flatten()
            .map(|(name, value)| (&*name, value));
        few.chain(many.into_iter().flat_map(|members| members.iter_mut()))
    }

    /// The names in order.
    pub fn keys(&self) -> impl Iterator<Item = &MemberName> {
        self.iter().map(|(name, _)| name)
    }

    /// The values in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }

    /// Keeps the members for which `keep` holds, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Value) -> bool) {
        match &mut self.0 {
            Storage::Few(members) => members.retain_mut(|(name, value)| keep(name, value)),
            Storage::Many(members) => members.retain(|name, value| keep(name, value)),
        }
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(name, value)| other.get(name) == Some(value))
    }
}

impl<N: Into<MemberName>, V: Into<Value>> FromIterator<(N, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let members = members.into_iter();
        let mut object = Self(Storage::Few(Vec::with_capacity(members.size_hint().0)));
        object.extend(members);
        object
    }
}

impl<N: Into<MemberName>, V: Into<Value>> Extend<(N, V)> for Object {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl IntoIterator for Object {
    type Item = (MemberName, Value);
    type IntoIter = std::vec::IntoIter<(MemberName, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        match self.0 {
            Storage::Few(members) => members.into_iter(),
            Storage::Many(members) => {
                let members: Vec<_> = members.into_iter().collect();
                members.into_iter()
            }
        }
    }
}
