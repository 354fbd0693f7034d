//! Objects in the order of their text.

use indexmap::IndexMap;
use indexmap::map;

use super::Value;

/// An object: members in the order they were read or inserted.
///
/// The map is boxed, and absent while empty, because every generated type carries one for the
/// members its schema does not name and nearly all of those stay empty.
#[derive(Debug, Clone, Default)]
pub struct Object(Option<Box<IndexMap<String, Value>>>);

impl Object {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self(None)
    }

    /// The value of member `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    /// The value of member `name`, to change in place.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.as_mut()?.get_mut(name)
    }

    /// Whether there is a member `name`.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets member `name`, at the end if it is new, and gives the value it had before.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        self.0
            .get_or_insert_default()
            .insert(name.into(), value.into())
    }

    /// Sets a new member `name` at position `index` (at the end if that is past it).
    pub fn insert_at(&mut self, index: usize, name: impl Into<String>, value: Value) {
        let members = self.0.get_or_insert_default();
        let index = index.min(members.len());
        members.shift_insert(index, name.into(), value);
    }

    /// Removes member `name`, keeps the order of the others, and gives its position and value.
    pub fn remove(&mut self, name: &str) -> Option<(usize, Value)> {
        let members = self.0.as_mut()?;
        let (index, _, value) = members.shift_remove_full(name)?;
        Some((index, value))
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |members| members.len())
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().flat_map(|members| members.iter())
    }

    /// The members in order, values to change in place.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut Value)> {
        self.0.iter_mut().flat_map(|members| members.iter_mut())
    }

    /// The names in order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(name, _)| name)
    }

    /// The values in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }

    /// Keeps the members for which `keep` holds, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Value) -> bool) {
        if let Some(members) = &mut self.0 {
            members.retain(|name, value| keep(name, value));
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

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let mut object = Self::new();
        object.extend(members);
        object
    }
}

impl<N: Into<String>, V: Into<Value>> Extend<(N, V)> for Object {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = map::IntoIter<String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0
            .map_or_else(IndexMap::new, |members| *members)
            .into_iter()
    }
}
