//! Every point of the schema, from its tables.

use std::collections::BTreeSet;

use chatstate_types::definition::{Constraint, Member, Shape};
use chatstate_types::generated::definitions::DEFINITIONS;

/// Adds every point that can be touched, and every point that can be violated.
pub(super) fn collect(to_touch: &mut BTreeSet<String>, to_violate: &mut BTreeSet<String>) {
    let mut points = Points {
        to_touch,
        to_violate,
    };
    for definition in DEFINITIONS {
        points.shape(&definition.shape, definition.name);
    }
    // A variant with another tag, or with none, is no such variant: that is a point of its union.
    for point in DEFINITIONS.iter().flat_map(|it| tags_of_arms(&it.shape)) {
        for ending in ["", " const", " required"] {
            points.to_violate.remove(&format!("{point}{ending}"));
        }
    }
}

/// The members of the variants of a union that hold its tag.
fn tags_of_arms(shape: &Shape) -> Vec<String> {
    let Shape::Union { tag, arms, unknown } = shape else {
        return Vec::new();
    };
    let arms = arms.iter().map(|(_, arm)| arm.name);
    let arms = arms.chain(unknown.iter().map(|arm| arm.name));
    arms.map(|name| format!("{name}/{tag}")).collect()
}

struct Points<'a> {
    to_touch: &'a mut BTreeSet<String>,
    to_violate: &'a mut BTreeSet<String>,
}

impl Points<'_> {
    fn touch(&mut self, point: String) {
        self.to_touch.insert(point);
    }

    fn violate(&mut self, point: String) {
        self.to_violate.insert(point);
    }

    fn shape(&mut self, shape: &Shape, name: &str) {
        match shape {
            Shape::Object(members) => {
                for member in *members {
                    self.member(member, &format!("{name}/{}", member.name));
                }
            }
            Shape::Union { tag, arms, unknown } => {
                self.violate(format!("{name} without {tag}"));
                for (value, _) in *arms {
                    self.touch(format!("{name}:{value}"));
                }
                if unknown.is_some() {
                    self.touch(format!("{name}:*"));
                }
            }
            Shape::Kinds(shapes) => shapes.iter().for_each(|shape| self.kind(shape, name)),
            Shape::Enumeration { values, open } => self.words(values, *open, name),
            Shape::List(item) | Shape::Map(item) => self.items(item, &format!("{name}[]")),
            Shape::Nullable(shape) => {
                self.touch(format!("{name} null"));
                self.shape(shape, name);
            }
            Shape::Constrained { shape, by } => {
                self.shape(shape, name);
                for constraint in *by {
                    self.constraint(constraint, name);
                }
            }
            Shape::Constant(_) => self.violate(format!("{name} const")),
            // A definition of its own is looked at once, and plain values have no parts.
            _ => {}
        }
    }

    /// One of several shapes that are distinguished by kind.
    fn kind(&mut self, shape: &Shape, name: &str) {
        if let Some(kind) = kind(shape) {
            self.touch(format!("{name}|{kind}"));
        }
        self.shape(shape, name);
    }

    fn words(&mut self, values: &[&str], open: bool, name: &str) {
        for value in values {
            self.touch(format!("{name}={value}"));
        }
        if open {
            self.touch(format!("{name}=*"));
        } else {
            self.violate(format!("{name} enum"));
        }
    }

    fn items(&mut self, item: &Shape, name: &str) {
        self.touch(name.to_owned());
        if !takes_anything(item) {
            self.violate(name.to_owned());
        }
        self.shape(item, name);
    }

    fn member(&mut self, member: &Member, name: &str) {
        self.touch(name.to_owned());
        if member.required {
            self.violate(format!("{name} required"));
        }
        if !takes_anything(&member.shape) {
            self.violate(name.to_owned());
            if member.nullable {
                self.touch(format!("{name} null"));
            }
        }
        self.shape(&member.shape, name);
    }

    fn constraint(&mut self, constraint: &Constraint, name: &str) {
        for (rule, has_edge) in rules(constraint) {
            self.violate(format!("{name} {rule}"));
            if *has_edge {
                self.touch(format!("{name} {rule}"));
            }
        }
    }
}

/// The rules of a constraint, and whether a value can be right at its edge.
fn rules(constraint: &Constraint) -> &'static [(&'static str, bool)] {
    match constraint {
        Constraint::Range(..) => &[("minimum", true), ("maximum", true)],
        Constraint::Minimum(_) => &[("minimum", true)],
        Constraint::Maximum(_) => &[("maximum", true)],
        Constraint::MinItems(_) => &[("minItems", true)],
        Constraint::MinLength(_) => &[("minLength", true)],
        Constraint::Pattern(_) => &[("pattern", false)],
        // An unknown variant with a known tag is the known variant; null is a fault of the member.
        Constraint::NoneOf(_) | Constraint::NotNull => &[],
    }
}

/// Whether no value can be wrong here.
fn takes_anything(shape: &Shape) -> bool {
    matches!(shape, Shape::Any)
}

/// The JSON kind of the values of a shape, where they have one.
pub(super) fn kind(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Object(_) | Shape::Union { .. } | Shape::Map(_) => Some("object"),
        Shape::List(_) => Some("array"),
        Shape::Text | Shape::SplitText | Shape::Constant(_) | Shape::Enumeration { .. } => {
            Some("string")
        }
        Shape::Boolean => Some("boolean"),
        Shape::Integer | Shape::Number => Some("number"),
        Shape::Reference(definition) => kind(&definition.shape),
        Shape::Constrained { shape, .. } | Shape::Nullable(shape) => kind(shape),
        Shape::Kinds(_) | Shape::Any => None,
    }
}
