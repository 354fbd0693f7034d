//! The points that one document touches, and those that its fault violates.

use chatstate_json::{Object, Value, pointer};
use chatstate_types::definition::{Constraint, Definition, Member, Shape};

use super::points::kind;

/// Names every point at which a document has a value.
pub(super) fn trace(
    shape: &'static Shape,
    name: &str,
    value: &Value,
    note: &mut dyn FnMut(String),
) {
    match (shape, value) {
        (Shape::Reference(definition), _) => {
            trace(&definition.shape, definition.name, value, note);
        }
        (Shape::Object(members), Value::Object(object)) => {
            trace_members(members, name, object, note);
        }
        (Shape::Union { tag, arms, unknown }, Value::Object(object)) => {
            let text = object.get(tag).and_then(Value::as_str).unwrap_or_default();
            let known = arms.iter().find(|(known, _)| *known == text);
            let arm = known.map(|(known, arm)| (*known, *arm));
            if let Some((known, arm)) = arm.or(unknown.map(|arm| ("*", arm))) {
                note(format!("{name}:{known}"));
                trace(&arm.shape, arm.name, value, note);
            }
        }
        (Shape::Kinds(shapes), _) => {
            if let Some(shape) = of_kind(shapes, value) {
                note(format!("{name}|{}", value_kind(value)));
                trace(shape, name, value, note);
            }
        }
        (Shape::Enumeration { values, .. }, Value::String(text)) => {
            let known = values.contains(&text.as_str());
            note(format!("{name}={}", if known { text } else { "*" }));
        }
        (Shape::List(item), Value::Array(items)) => trace_items(item, name, items, note),
        (Shape::Map(item), Value::Object(object)) => {
            trace_items(item, name, object.values(), note);
        }
        (Shape::Nullable(_), Value::Null) => note(format!("{name} null")),
        (Shape::Nullable(shape), _) => trace(shape, name, value, note),
        (Shape::Constrained { shape, by }, _) => {
            let rules = by
                .iter()
                .filter_map(|constraint| at_edge(constraint, value));
            rules.for_each(|rule| note(format!("{name} {rule}")));
            trace(shape, name, value, note);
        }
        _ => {}
    }
}

fn trace_items<'v>(
    item: &'static Shape,
    name: &str,
    items: impl IntoIterator<Item = &'v Value>,
    note: &mut dyn FnMut(String),
) {
    let name = format!("{name}[]");
    for value in items {
        note(name.clone());
        trace(item, &name, value, note);
    }
}

fn trace_members(
    members: &'static [Member],
    name: &str,
    object: &Object,
    note: &mut dyn FnMut(String),
) {
    for member in members {
        let Some(value) = object.get(member.name) else {
            continue;
        };
        let name = format!("{name}/{}", member.name);
        note(name.clone());
        if *value == Value::Null && member.nullable {
            note(format!("{name} null"));
        } else {
            trace(&member.shape, &name, value, note);
        }
    }
}

/// The rule that a value only just keeps.
fn at_edge(constraint: &Constraint, value: &Value) -> Option<&'static str> {
    let number = match value {
        Value::Number(number) => number.as_i64(),
        _ => None,
    };
    let length = value.as_str().map(|text| text.chars().count());
    match constraint {
        Constraint::Range(least, _) if number == Some(*least) => Some("minimum"),
        Constraint::Range(_, greatest) if number == Some(*greatest) => Some("maximum"),
        Constraint::Minimum(least) if number == Some(*least) => Some("minimum"),
        Constraint::Maximum(greatest) if number == Some(*greatest) => Some("maximum"),
        Constraint::MinItems(least) if value.as_array()?.len() == *least => Some("minItems"),
        Constraint::MinLength(least) if length == Some(*least) => Some("minLength"),
        _ => None,
    }
}

fn value_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) | Value::Split(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn of_kind(shapes: &'static [Shape], value: &Value) -> Option<&'static Shape> {
    let wanted = value_kind(value);
    shapes.iter().find(|shape| kind(shape) == Some(wanted))
}

/// The points that a fault violates: its member, and what of the member's shape the rule is about.
pub(super) fn violated(
    definition: &'static Definition,
    document: &Value,
    at: &str,
    rule: &str,
) -> Vec<String> {
    let segments = pointer::segments(at).unwrap_or_default();
    let start = PlaceStep {
        shape: &definition.shape,
        name: definition.name.to_owned(),
        value: Some(document),
        union: None,
    };
    let mut points = Vec::new();
    if let Some(last) = segments.iter().try_fold(start, |step, it| step.into(it)) {
        points.push(format!("{} {rule}", resolved(last.shape, &last.name)));
        points.push(format!("{} {rule}", last.name));
        // That a member is missing does not show that a value of another kind is rejected.
        if rule != "required" {
            points.push(last.name);
        }
        points.extend(last.union);
    }
    points
}

/// The name for the points of a shape itself.
fn resolved(shape: &'static Shape, name: &str) -> String {
    match shape {
        Shape::Reference(definition) => resolved(&definition.shape, definition.name),
        Shape::Nullable(shape) => resolved(shape, name),
        _ => name.to_owned(),
    }
}

/// A place in a document on the way to a fault.
struct PlaceStep<'v> {
    shape: &'static Shape,
    name: String,
    /// Absent where a missing member would be.
    value: Option<&'v Value>,
    /// The point of the union whose tag is here.
    union: Option<String>,
}

impl PlaceStep<'_> {
    /// The place after one segment of a pointer.
    fn into(self, segment: &str) -> Option<Self> {
        let value = self.value?;
        match self.shape {
            Shape::Reference(definition) => self
                .seen_as(&definition.shape, definition.name)
                .into(segment),
            Shape::Constrained { shape, .. } | Shape::Nullable(shape) => {
                let name = self.name.clone();
                self.seen_as(shape, &name).into(segment)
            }
            Shape::Kinds(shapes) => {
                let name = self.name.clone();
                self.seen_as(of_kind(shapes, value)?, &name).into(segment)
            }
            Shape::List(item) | Shape::Map(item) => {
                let name = format!("{}[]", self.name);
                Some(self.child(segment, item, name))
            }
            Shape::Object(members) => {
                let member = members.iter().find(|member| member.name == segment)?;
                let name = format!("{}/{segment}", self.name);
                Some(self.child(segment, &member.shape, name))
            }
            Shape::Union { tag, arms, unknown } => {
                let Some(text) = value.get(tag).and_then(Value::as_str) else {
                    let union = Some(format!("{} without {tag}", self.name));
                    let name = format!("{}/{tag}", self.name);
                    let child = self.child(segment, &Shape::Text, name);
                    return Some(Self { union, ..child });
                };
                let known = arms.iter().find(|(known, _)| *known == text);
                let arm = known.map(|(_, arm)| *arm).or(*unknown)?;
                self.seen_as(&arm.shape, arm.name).into(segment)
            }
            _ => None,
        }
    }

    /// The same place, described by another shape.
    fn seen_as(self, shape: &'static Shape, name: &str) -> Self {
        let name = name.to_owned();
        Self {
            shape,
            name,
            ..self
        }
    }

    fn child(self, segment: &str, shape: &'static Shape, name: String) -> Self {
        let value = match self.value {
            Some(Value::Array(items)) => pointer::index(segment).and_then(|index| items.get(index)),
            Some(other) => other.get(segment),
            None => None,
        };
        Self {
            shape,
            name,
            value,
            union: None,
        }
    }
}
