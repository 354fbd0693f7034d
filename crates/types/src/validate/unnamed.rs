//! What a document holds that the schema does not name. It is valid, since a newer program may have
//! written it, and often it is a typing error.

use std::fmt::Display;

use crate::definition::{Definition, ObjectShape, Shape};
use chatstate_json::{Value, pointer};

/// Something that the schema does not name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unnamed {
    /// JSON pointer to the member, or to the discriminator of the variant.
    pub at: String,
    /// The name of the member or of the variant.
    pub name: String,
    /// What the schema names in its place.
    pub known: Vec<&'static str>,
    /// Whether it is a variant.
    pub is_variant: bool,
}

/// All members and variants of a value that its definition does not name, in the order of the value.
/// Below a variant that is not named, nothing is known.
#[must_use]
pub fn unnamed(definition: &'static Definition, value: &Value) -> Vec<Unnamed> {
    let mut found = Vec::new();
    inside(Some(&definition.shape), value, &mut found);
    found
}

fn inside(shape: Option<&'static Shape>, value: &Value, found: &mut Vec<Unnamed>) {
    match value {
        Value::Object(object) => {
            let described = ObjectShape::of(shape, object);
            if described.unknown_variant {
                found.extend(variant(shape, &described, value));
                return;
            }
            for (name, value) in object.iter() {
                if described.is_unknown(name) {
                    found.push(member(name, &described));
                } else {
                    let named = described.member(name).map(|member| &member.shape);
                    below(
                        named.or_else(|| shape_of_values(shape)),
                        value,
                        &name,
                        found,
                    );
                }
            }
        }
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
            for (index, value) in items.iter().enumerate() {
                below(item, value, &index, found);
            }
        }
        _ => {}
    }
}

fn below(
    shape: Option<&'static Shape>,
    value: &Value,
    segment: &dyn Display,
    found: &mut Vec<Unnamed>,
) {
    let before = found.len();
    inside(shape, value, found);
    let segment = pointer::escape(&segment.to_string());
    for unnamed in &mut found[before..] {
        unnamed.at = format!("/{segment}{}", unnamed.at);
    }
}

fn member(name: &str, described: &ObjectShape) -> Unnamed {
    let known = described.members.unwrap_or_default();
    Unnamed {
        at: format!("/{}", pointer::escape(name)),
        name: name.to_owned(),
        known: known.iter().map(|member| member.name).collect(),
        is_variant: false,
    }
}

fn variant(
    shape: Option<&'static Shape>,
    described: &ObjectShape,
    value: &Value,
) -> Option<Unnamed> {
    let tag = described.tag?;
    Some(Unnamed {
        at: format!("/{}", pointer::escape(tag)),
        name: value.get(tag)?.as_str()?.to_owned(),
        known: shape.map(arms_of).unwrap_or_default(),
        is_variant: true,
    })
}

fn arms_of(shape: &'static Shape) -> Vec<&'static str> {
    match shape {
        Shape::Reference(definition) => arms_of(&definition.shape),
        Shape::Constrained { shape, .. } | Shape::Nullable(shape) => arms_of(shape),
        Shape::Kinds(shapes) => shapes.iter().flat_map(arms_of).collect(),
        Shape::Union { arms, .. } => arms.iter().map(|(name, _)| *name).collect(),
        _ => Vec::new(),
    }
}

/// The shape of all values of an object of any names.
fn shape_of_values(shape: Option<&'static Shape>) -> Option<&'static Shape> {
    match shape? {
        Shape::Map(item) => Some(item),
        Shape::Reference(definition) => shape_of_values(Some(&definition.shape)),
        Shape::Constrained { shape, .. } | Shape::Nullable(shape) => shape_of_values(Some(shape)),
        _ => None,
    }
}
