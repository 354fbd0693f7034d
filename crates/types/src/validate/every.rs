//! Everything in a value that is wrong, each in the words of the rejection that the readers give for
//! it alone.

use super::tree;
use crate::definition::{Definition, Member, Shape};
use chatstate_json::{Rejection, Value, missing};

/// All rejections of a value as one of a definition, in the order of its members.
pub(super) fn check(definition: &'static Definition, value: &Value) -> Vec<Rejection> {
    let mut found = Vec::new();
    each(&definition.shape, value, &mut found);
    found
}

/// What is wrong inside of the value, or of the value itself if all that it holds is right.
fn each(shape: &'static Shape, value: &Value, found: &mut Vec<Rejection>) {
    let Err(rejection) = tree::whole(shape, value) else {
        return;
    };
    let before = found.len();
    inside(shape, value, found);
    if found.len() == before {
        found.push(rejection);
    }
}

fn inside(shape: &'static Shape, value: &Value, found: &mut Vec<Rejection>) {
    match (shape, value) {
        (Shape::Reference(definition), _) => each(&definition.shape, value, found),
        (Shape::Constrained { shape, .. }, _) => each(shape, value, found),
        (Shape::Nullable(shape), value) if *value != Value::Null => each(shape, value, found),
        (Shape::Kinds(shapes), _) => {
            if let Some(shape) = tree::of_kind(shapes, value) {
                each(shape, value, found);
            }
        }
        (Shape::Union { tag, arms, unknown }, Value::Object(object)) => {
            let text = object.get(tag).and_then(Value::as_str);
            let arm = arms.iter().find(|(known, _)| Some(*known) == text);
            if let Some(arm) = arm.map(|(_, arm)| *arm).or(text.and(*unknown)) {
                each(&arm.shape, value, found);
            }
        }
        (Shape::Object(members), Value::Object(_)) => {
            for member in *members {
                of_member(member, value.get(member.name), found);
            }
        }
        (Shape::List(item), Value::Array(items)) => {
            for (index, value) in items.iter().enumerate() {
                below(item, value, &index, found);
            }
        }
        (Shape::Map(item), Value::Object(object)) => {
            for (name, value) in object.iter() {
                below(item, value, &name, found);
            }
        }
        _ => {}
    }
}

fn of_member(member: &'static Member, value: Option<&Value>, found: &mut Vec<Rejection>) {
    match value {
        None if member.required => found.push(missing(member.name)),
        None => {}
        Some(Value::Null) if member.nullable => {}
        Some(value) => below(&member.shape, value, &member.name, found),
    }
}

fn below(
    shape: &'static Shape,
    value: &Value,
    segment: &dyn std::fmt::Display,
    found: &mut Vec<Rejection>,
) {
    let before = found.len();
    each(shape, value, found);
    let inner = found.split_off(before);
    found.extend(inner.into_iter().map(|rejection| rejection.within(segment)));
}
