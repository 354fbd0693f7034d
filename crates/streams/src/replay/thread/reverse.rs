//! What makes an earlier message of a later one, which is kept in its place.
//!
//! A copy of the earlier one would take a square of memory where each run changes a little of one large
//! message, such as an activity.

use chatstate_json::{MemberName, Object, Value};

/// What makes the earlier of two values of the later one.
#[derive(Clone)]
enum ReverseDelta {
    /// The earlier value.
    Value(Value),
    /// The earlier text is this many bytes of the later one.
    Beginning(usize),
    Array(ReverseArray),
    Object(ReverseObject),
}

/// The same of two arrays.
#[derive(Clone)]
struct ReverseArray {
    /// The items that differ, each with its place.
    changed: Box<[(usize, ReverseDelta)]>,
    /// Where items of the later array go.
    place: usize,
    /// The earlier items that come there.
    items: Box<[Value]>,
    /// How many items of both follow those.
    after: usize,
}

/// The same of two objects.
#[derive(Clone)]
pub(crate) struct ReverseObject {
    /// Sorted.
    added: Box<[MemberName]>,
    changed: Box<[(MemberName, ReverseDelta)]>,
    /// In their order, each with its place among the earlier members.
    removed: Box<[(usize, MemberName, Value)]>,
}

impl ReverseDelta {
    /// Nothing if the values are written alike.
    fn between(later: &Value, earlier: &Value) -> Option<Self> {
        if are_written_alike(later, earlier) {
            return None;
        }
        let delta = match (later, earlier) {
            (Value::String(later), Value::String(earlier)) => later
                .starts_with(earlier)
                .then_some(Self::Beginning(earlier.len())),
            (Value::Array(later), Value::Array(earlier)) => {
                Some(Self::Array(ReverseArray::between(later, earlier)))
            }
            (Value::Object(later), Value::Object(earlier)) => {
                ReverseObject::between(later, earlier).map(Self::Object)
            }
            _ => None,
        };
        Some(delta.unwrap_or_else(|| Self::Value(earlier.clone())))
    }

    fn apply(&self, value: &mut Value) {
        match (self, value) {
            (Self::Beginning(length), Value::String(text)) => text.truncate(*length),
            (Self::Array(delta), Value::Array(items)) => delta.apply(items),
            (Self::Object(delta), Value::Object(object)) => delta.apply(object),
            (Self::Value(earlier), value) => *value = earlier.clone(),
            _ => {}
        }
    }
}

impl ReverseArray {
    fn between(later: &[Value], earlier: &[Value]) -> Self {
        let pairs = later.iter().rev().zip(earlier.iter().rev());
        let after = pairs
            .take_while(|(later, earlier)| are_written_alike(later, earlier))
            .count();
        let (later, earlier) = (
            &later[..later.len() - after],
            &earlier[..earlier.len() - after],
        );
        let pairs = later.iter().zip(earlier).enumerate();
        let changed = pairs.filter_map(|(place, (later, earlier))| {
            Some((place, ReverseDelta::between(later, earlier)?))
        });
        let place = later.len().min(earlier.len());
        Self {
            changed: changed.collect(),
            place,
            items: earlier[place..].into(),
            after,
        }
    }

    fn apply(&self, items: &mut Vec<Value>) {
        for (place, delta) in &self.changed {
            delta.apply(&mut items[*place]);
        }
        let end = items.len() - self.after;
        items.splice(self.place..end, self.items.iter().cloned());
    }
}

impl ReverseObject {
    /// Nothing if members of both have another order.
    pub fn between(later: &Object, earlier: &Object) -> Option<Self> {
        let stay = later.keys().filter(|name| earlier.contains_key(name));
        if !stay.eq(earlier.keys().filter(|name| later.contains_key(name))) {
            return None;
        }
        let added = later.keys().filter(|name| !earlier.contains_key(name));
        let mut added: Box<[_]> = added.cloned().collect();
        added.sort_unstable();
        let changed = earlier.iter().filter_map(|(name, value)| {
            let delta = ReverseDelta::between(later.get(name)?, value)?;
            Some((name.clone(), delta))
        });
        let members = earlier.iter().enumerate();
        let removed = members.filter(|(_, (name, _))| !later.contains_key(name));
        Some(Self {
            added,
            changed: changed.collect(),
            removed: removed
                .map(|(place, (name, value))| (place, name.clone(), value.clone()))
                .collect(),
        })
    }

    /// Makes the earlier object of the later one.
    pub fn apply(&self, object: &mut Object) {
        if !self.added.is_empty() {
            object.retain(|name, _| {
                self.added
                    .binary_search_by(|added| (**added).cmp(name))
                    .is_err()
            });
        }
        for (name, delta) in &self.changed {
            if let Some(value) = object.get_mut(name) {
                delta.apply(value);
            }
        }
        if self.removed.is_empty() {
            return;
        }
        let mut stay = std::mem::take(object).into_iter();
        for (place, name, value) in &self.removed {
            let before = place.saturating_sub(object.len());
            object.extend(stay.by_ref().take(before));
            object.insert(name.clone(), value.clone());
        }
        object.extend(stay);
    }
}

/// Whether two values are equal, have their members in one order, and their numbers in one spelling.
fn are_written_alike(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Number(one), Value::Number(two)) => one.as_str() == two.as_str(),
        (Value::Array(one), Value::Array(two)) => {
            let mut pairs = one.iter().zip(two);
            one.len() == two.len() && pairs.all(|(one, two)| are_written_alike(one, two))
        }
        (Value::Object(one), Value::Object(two)) => {
            let mut pairs = one.iter().zip(two.iter());
            one.len() == two.len()
                && pairs
                    .all(|((name, one), (other, two))| name == other && are_written_alike(one, two))
        }
        _ => one == two,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatstate_json::parse;

    /// Of two objects, each is made of the other.
    fn check(one: &str, two: &str) {
        let object = |text: &str| {
            let value = parse(text).expect("it is JSON");
            value.as_object().expect("it is an object").clone()
        };
        for (later, earlier) in [(one, two), (two, one)] {
            let (mut later, earlier) = (object(later), object(earlier));
            let name = format!("{later:?} to {earlier:?}");
            match ReverseObject::between(&later, &earlier) {
                Some(delta) => delta.apply(&mut later),
                None => later = earlier.clone(),
            }
            let (later, earlier) = (Value::from(later), Value::from(earlier));
            assert_eq!(later.to_json(), earlier.to_json(), "{name}");
        }
    }

    #[test]
    fn an_earlier_object_is_made_of_a_later_one() {
        check("{}", "{}");
        check(r#"{"a":1}"#, r#"{"a":1.0}"#);
        check(r#"{"a":1,"b":2,"c":3}"#, r#"{"b":2}"#);
        check(
            r#"{"a":1,"b":2,"c":3}"#,
            r#"{"x":0,"b":2,"y":0,"c":1,"z":0}"#,
        );
        check(r#"{"c":1,"b":2,"a":3}"#, "{}");
        check(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#);
        check(r#"{"a":{"a":1,"b":2}}"#, r#"{"a":{"b":2,"a":1}}"#);
        check(r#"{"a":"ab"}"#, r#"{"a":"abc"}"#);
        check(r#"{"a":"ab"}"#, r#"{"a":["abc"]}"#);
        check(r#"{"a":[]}"#, r#"{"a":[1]}"#);
        check(r#"{"a":[1,2,3]}"#, r#"{"a":[0,1,2,3]}"#);
        check(r#"{"a":[1,2,3]}"#, r#"{"a":[1,3]}"#);
        check(r#"{"a":[{"b":1,"c":2},2]}"#, r#"{"a":[{"b":2,"c":2},2,3]}"#);
        check(r#"{"a":[1,1,1]}"#, r#"{"a":[1,1]}"#);
    }
}
