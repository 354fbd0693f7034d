//! What a type changed, carried over to a value of which it may know only a part.

use chatstate_json::{Object, Value};

/// The value `origin`, changed as a type has changed what it knows of it from `before` to `after`.
///
/// What did not change stays as it is in `origin`, spelling included, and so do members that
/// the type does not know. The items of a list are matched by their places if there are as many
/// as before; of a list of another length, those at both ends that did not change are.
pub(super) fn merged(origin: &Value, before: &Value, after: &Value) -> Value {
    if before == after {
        return origin.clone();
    }
    match (origin, before, after) {
        (Value::Object(origin), Value::Object(before), Value::Object(after)) => {
            Value::Object(members(origin, before, after))
        }
        (Value::Array(origin), Value::Array(before), Value::Array(after))
            if origin.len() == before.len() =>
        {
            Value::Array(items(origin, before, after))
        }
        _ => after.clone(),
    }
}

fn members(origin: &Object, before: &Object, after: &Object) -> Object {
    let mut merged_members = Object::new();
    for (name, value) in origin.iter() {
        match (before.get(name), after.get(name)) {
            (Some(before), Some(after)) => {
                merged_members.insert(name.clone(), merged(value, before, after));
            }
            (None, Some(after)) => drop(merged_members.insert(name.clone(), after.clone())),
            (None, None) => drop(merged_members.insert(name.clone(), value.clone())),
            // The type knew the member and took it away.
            (Some(_), None) => {}
        }
    }
    for (name, value) in after.iter() {
        if !origin.contains_key(name) && before.get(name) != Some(value) {
            merged_members.insert(name.clone(), value.clone());
        }
    }
    merged_members
}

fn items(origin: &[Value], before: &[Value], after: &[Value]) -> Vec<Value> {
    if before.len() == after.len() {
        let changes = before.iter().zip(after);
        let pairs = origin.iter().zip(changes);
        return pairs
            .map(|(origin, (before, after))| merged(origin, before, after))
            .collect();
    }
    let same = |(before, after): &(&Value, &Value)| before == after;
    let first = before.iter().zip(after).take_while(same).count();
    let (rest_before, rest_after) = (&before[first..], &after[first..]);
    let ends = rest_before.iter().rev().zip(rest_after.iter().rev());
    let last = ends.take_while(same).count();
    let mut merged_items = origin[..first].to_vec();
    merged_items.extend_from_slice(&after[first..after.len() - last]);
    merged_items.extend_from_slice(&origin[origin.len() - last..]);
    merged_items
}
