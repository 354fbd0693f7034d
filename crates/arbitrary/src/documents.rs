//! Documents that are made from the tables of the schema: small ones with every foreign value in
//! every place, and large ones at random.

use chatstate_types::definition::{Constraint, Definition, Member, Shape};
use serde_json::{Map, Value, json};

use crate::Choose;

/// Decisions, one byte each; when they run out, the smallest choice is taken.
#[derive(Debug)]
pub struct Choices<'a>(std::slice::Iter<'a, u8>);

impl<'a> Choices<'a> {
    /// The decisions that these bytes are.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.iter())
    }
}

impl Choose for Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % count.max(1)
    }
}

/// How many levels are filled before optional members are left out and lists stay empty.
const DEPTH: usize = 5;

fn is_pattern(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Pattern(_))
}

/// A value of a shape that the schema accepts. Every text is a JSON pointer too, and what has to
/// match a pattern is a JSON pointer and Base64 alike.
fn grown(shape: &Shape, choices: &mut impl Choose, depth: usize) -> Value {
    match shape {
        Shape::Object(members) => grown_object(members, choices, depth),
        Shape::Union { arms, .. } => match choices.of(arms) {
            Some((_, arm)) => grown(&arm.shape, choices, depth),
            None => Value::Null,
        },
        Shape::Kinds(shapes) => match choices.of(shapes) {
            Some(shape) => grown(shape, choices, depth),
            None => Value::Null,
        },
        Shape::Enumeration { values, .. } => json!(choices.of(values)),
        Shape::List(item) => {
            let count = if depth > DEPTH {
                0
            } else {
                1 + choices.below(2)
            };
            (0..count)
                .map(|_| grown(item, choices, depth + 1))
                .collect()
        }
        Shape::Map(value) => json!({"name": grown(value, choices, depth + 1)}),
        Shape::Reference(definition) => grown(&definition.shape, choices, depth + 1),
        Shape::Constant(text) => json!(text),
        Shape::Text | Shape::SplitText => json!(choices.of(&["", "/a", "/a/~0b", "/é😀"])),
        Shape::Boolean => json!(choices.below(2) == 0),
        Shape::Integer => json!(choices.of(&[0, 1, 7])),
        Shape::Number => json!(choices.of(&[0.5, 1.0])),
        Shape::Any => json!({"any": [null, 1, "x"]}),
        Shape::Constrained { by, .. } if by.iter().any(is_pattern) => {
            json!(choices.of(&["", "/abc"]))
        }
        Shape::Nullable(_) if choices.below(4) == 3 => Value::Null,
        Shape::Nullable(shape) | Shape::Constrained { shape, .. } => grown(shape, choices, depth),
    }
}

/// Some of the members, all that are required, and at times one that the schema does not know.
fn grown_object(members: &[Member], choices: &mut impl Choose, depth: usize) -> Value {
    let mut object = Map::new();
    for member in members {
        if member.required || (depth <= DEPTH && choices.below(3) > 0) {
            object.insert(
                member.name.to_owned(),
                grown(&member.shape, choices, depth + 1),
            );
        }
    }
    if choices.below(6) == 5 {
        object.insert("unheardOf".to_owned(), json!({"a": null}));
    }
    Value::Object(object)
}

/// Values that are right in some places and wrong in most.
#[must_use]
pub fn foreign() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!(9_007_199_254_740_992_i64),
        json!(-9_007_199_254_740_992_i64),
        json!(""),
        json!("tool"),
        json!("user"),
        json!("RAW"),
        json!("FUTURE"),
        json!([]),
        json!(["x"]),
        json!({}),
        json!({"type": "future"}),
        json!({"type": "text", "role": "user", "op": "add"}),
    ]
}

/// The smallest value of a shape.
fn smallest(shape: &Shape) -> Value {
    grown(shape, &mut Choices::new(&[]), DEPTH + 1)
}

/// Small values of a shape in which every part of the shape once has every other value that it may
/// have, and every foreign value. `above` are the definitions around it, so that a recursive one
/// ends.
fn variations(shape: &Shape, above: &[&str]) -> Vec<Value> {
    match shape {
        Shape::Object(members) => object_variations(members, above),
        Shape::Union { arms, .. } => arms
            .iter()
            .flat_map(|(_, arm)| variations_of(arm, above))
            .collect(),
        Shape::Kinds(shapes) => shapes
            .iter()
            .flat_map(|shape| variations(shape, above))
            .collect(),
        Shape::List(item) => {
            let items = variations(item, above).into_iter().chain(foreign());
            let lists = items.map(|other| json!([smallest(item), other]));
            lists.chain([json!([])]).collect()
        }
        Shape::Map(value) => {
            let values = variations(value, above).into_iter().chain(foreign());
            values.map(|value| json!({"name": value})).collect()
        }
        Shape::Reference(definition) => variations_of(definition, above),
        Shape::Enumeration { values, .. } => values.iter().map(|value| json!(value)).collect(),
        Shape::Nullable(shape) | Shape::Constrained { shape, .. } => variations(shape, above),
        _ => vec![smallest(shape)],
    }
}

/// Small values of a definition in which every part of it once has every other value that it may
/// have, and every foreign value. `above` are the definitions around it, which are not varied again.
#[must_use]
pub fn variations_of(definition: &Definition, above: &[&str]) -> Vec<Value> {
    if above.contains(&definition.name) {
        return vec![smallest(&definition.shape)];
    }
    let above = [above, &[definition.name]].concat();
    variations(&definition.shape, &above)
}

/// The required members alone, with one of all members varied, missing or added at a time.
fn object_variations(members: &[Member], above: &[&str]) -> Vec<Value> {
    let mut base = Map::new();
    for member in members.iter().filter(|member| member.required) {
        base.insert(member.name.to_owned(), smallest(&member.shape));
    }
    let with = |name: &str, value: Value| {
        let mut object = base.clone();
        object.insert(name.to_owned(), value);
        Value::Object(object)
    };
    let mut all = vec![
        Value::Object(base.clone()),
        with("unheardOf", json!({"a": null})),
    ];
    for member in members {
        let values = variations(&member.shape, above)
            .into_iter()
            .chain(foreign());
        all.extend(values.map(|value| with(member.name, value)));
        let mut without = base.clone();
        without.shift_remove(member.name);
        all.push(Value::Object(without));
    }
    all
}

/// A document of a definition that its schema accepts.
pub fn grow(definition: &Definition, choices: &mut impl Choose) -> Value {
    grown(&definition.shape, choices, 0)
}
