//! Value trees against the schema, by its tables.
//!
//! The rejections are those of the generated readers, in their order: an object's constants, its
//! members that may hold the object's kind again, its other members in the order of the schema,
//! then the members that the schema does not name, and at last what is asked beyond shapes.

use crate::definition::{Constraint, Definition, Member, Shape};
use chatstate_json::Rejection;
use chatstate_json::{
    Constant, Kind, Number, Object, Value, constraint, missing, unpaired, wrong_kind,
};

/// Whether a value is one of a definition.
pub(super) fn check(definition: &'static Definition, value: &Value) -> Result<(), Rejection> {
    whole(&definition.shape, value)
}

/// The shape, and then all that is asked beyond it.
pub(super) fn whole(shape: &Shape, value: &Value) -> Result<(), Rejection> {
    fits(shape, value)?;
    holds(shape, value)
}

fn fits(shape: &Shape, value: &Value) -> Result<(), Rejection> {
    match shape {
        Shape::Reference(definition) => whole(&definition.shape, value),
        Shape::Object(members) => members_fit(members, object(value)?),
        Shape::Union { tag, arms, unknown } => arm_fits(tag, arms, *unknown, value),
        Shape::Kinds(shapes) => kind_fits(shapes, value),
        Shape::List(item) => each_item(value, |value| fits(item, value)),
        Shape::Map(item) => each_member(value, |value| fits(item, value)),
        Shape::Nullable(shape) if *value != Value::Null => fits(shape, value),
        Shape::Nullable(_) => Ok(()),
        Shape::Text | Shape::Enumeration { open: true, .. } => text(value).map(drop),
        Shape::SplitText => split_text(value),
        Shape::Constant(expected) => constant(expected, value),
        Shape::Enumeration { values, .. } => one_of(values, value),
        Shape::Boolean => boolean(value),
        Shape::Integer | Shape::Number => number(value).map(drop),
        Shape::Any => well_formed(value),
        Shape::Constrained { shape, by } => match by {
            [Constraint::Range(..), ..] => constraint::int64(number(value)?).map(drop),
            _ => fits(shape, value),
        },
    }
}

/// What is asked beyond the shape of a value that fits it. A value of a definition with a name of
/// its own has been asked already.
fn holds(shape: &Shape, value: &Value) -> Result<(), Rejection> {
    if !shape.asks() {
        return Ok(());
    }
    match shape {
        Shape::Integer => number(value).and_then(constraint::integer),
        Shape::List(item) => each_item(value, |value| holds(item, value)),
        Shape::Map(item) => each_member(value, |value| holds(item, value)),
        Shape::Nullable(shape) if *value != Value::Null => holds(shape, value),
        Shape::Constrained { shape, by } => match by {
            // The length comes before the items, and a range is asked of an integer.
            [Constraint::MinItems(_)] => {
                by.iter()
                    .try_for_each(|constraint| constraint.check(value))?;
                holds(shape, value)
            }
            [Constraint::Range(..)] => by.iter().try_for_each(|asked| asked.check(value)),
            _ => {
                holds(shape, value)?;
                by.iter().try_for_each(|asked| asked.check(value))
            }
        },
        _ => Ok(()),
    }
}

impl Shape {
    /// Whether more is asked of a value than to fit the shape.
    fn asks(&self) -> bool {
        match self {
            Self::Integer | Self::Constrained { .. } => true,
            Self::List(shape) | Self::Map(shape) | Self::Nullable(shape) => shape.asks(),
            _ => false,
        }
    }

    /// The JSON kind of its values, where they all have one.
    fn kind(&self) -> Option<Kind> {
        match self {
            Self::Object(_) | Self::Union { .. } | Self::Map(_) => Some(Kind::Object),
            Self::List(_) => Some(Kind::Array),
            Self::Text | Self::SplitText | Self::Constant(_) | Self::Enumeration { .. } => {
                Some(Kind::String)
            }
            Self::Boolean => Some(Kind::Boolean),
            Self::Integer | Self::Number => Some(Kind::Number),
            Self::Reference(definition) => definition.shape.kind(),
            Self::Constrained { shape, .. } => shape.kind(),
            Self::Kinds(_) | Self::Any | Self::Nullable(_) => None,
        }
    }
}

impl Constraint {
    fn check(&self, value: &Value) -> Result<(), Rejection> {
        match self {
            Self::Range(minimum, maximum) => {
                constraint::range(constraint::int64(number(value)?)?, *minimum, *maximum)
            }
            Self::Minimum(bound) => constraint::minimum(number(value)?, *bound),
            Self::Maximum(bound) => constraint::maximum(number(value)?, *bound),
            Self::MinItems(least) => constraint::min_items(items(value)?.len(), *least),
            Self::MinLength(least) => constraint::min_length(text(value)?, *least),
            Self::Pattern(pattern) => constraint::pattern(text(value)?, pattern),
            Self::NoneOf(known) => constraint::unknown_tag(text(value)?, known),
            Self::NotNull => constraint::not_null(value),
        }
    }
}

impl Member {
    /// Whether the member is always there and always the same text. Such a member is read first.
    fn is_fixed(&self) -> bool {
        self.required && !self.nullable && matches!(self.shape, Shape::Constant(_))
    }

    fn fits(&self, value: Option<&Value>) -> Result<(), Rejection> {
        match value {
            None if self.required => Err(missing(self.name)),
            None => Ok(()),
            Some(Value::Null) if self.nullable => Ok(()),
            Some(value) => {
                fits(&self.shape, value).map_err(|rejection| rejection.within(self.name))
            }
        }
    }

    /// A constant that must be there is one rule, whatever is in its place.
    fn is_constant(&self, value: Option<&Value>) -> Result<(), Rejection> {
        match (self.shape, value) {
            (_, None) => Err(missing(self.name)),
            (Shape::Constant(expected), Some(found)) if found.as_str() != Some(expected) => {
                Err(constraint::no_constant(&expected.words()).within(self.name))
            }
            _ => Ok(()),
        }
    }

    fn holds(&self, value: Option<&Value>) -> Result<(), Rejection> {
        match value {
            None => Ok(()),
            Some(Value::Null) if self.nullable => Ok(()),
            Some(value) => {
                holds(&self.shape, value).map_err(|rejection| rejection.within(self.name))
            }
        }
    }
}

/// How many members of a definition are found in one pass over the object.
const FEW: usize = 24;

/// The members that a definition names, in its order, found in one pass over an object: objects
/// are mostly written in the order of the schema, and then each name is compared once.
struct NamedMembers<'v> {
    object: &'v Object,
    few: [Option<&'v Value>; FEW],
    /// Whether the object has members that the definition does not name.
    others: bool,
}

impl<'v> NamedMembers<'v> {
    fn of(members: &[Member], object: &'v Object) -> Self {
        let mut named = Self {
            object,
            few: [None; FEW],
            others: false,
        };
        let mut next = 0;
        for (name, value) in object.iter() {
            let (before, after) = members.split_at(next);
            let is_named = |member: &Member| member.name == name;
            let place = after.iter().position(is_named).map(|place| next + place);
            match place.or_else(|| before.iter().position(is_named)) {
                Some(place) => {
                    if let Some(slot) = named.few.get_mut(place) {
                        *slot = Some(value);
                    }
                    next = place + 1;
                }
                None => named.others = true,
            }
        }
        named
    }

    fn get(&self, place: usize, member: &Member) -> Option<&'v Value> {
        match self.few.get(place) {
            Some(value) => *value,
            None => self.object.get(member.name),
        }
    }
}

fn members_fit(members: &[Member], object: &Object) -> Result<(), Rejection> {
    let named = NamedMembers::of(members, object);
    let each = || members.iter().enumerate();
    for (place, member) in each().filter(|(_, member)| member.is_fixed()) {
        member.is_constant(named.get(place, member))?;
    }
    for recursive in [true, false] {
        for (place, member) in each() {
            if member.recursive == recursive && !member.is_fixed() {
                member.fits(named.get(place, member))?;
            }
        }
    }
    if named.others {
        others_are_well_formed(members, object)?;
    }
    for (place, member) in each().filter(|(_, member)| member.shape.asks()) {
        member.holds(named.get(place, member))?;
    }
    Ok(())
}

fn others_are_well_formed(members: &[Member], object: &Object) -> Result<(), Rejection> {
    for (name, value) in object.iter() {
        if !members.iter().any(|member| member.name == name) {
            well_formed(value).map_err(|rejection| rejection.within(name))?;
        }
    }
    Ok(())
}

fn arm_fits(
    tag: &'static str,
    arms: &[(&'static str, &'static Definition)],
    unknown: Option<&'static Definition>,
    value: &Value,
) -> Result<(), Rejection> {
    let found = object(value)?.get(tag).ok_or_else(|| missing(tag))?;
    let found = text(found).map_err(|rejection| rejection.within(tag))?;
    let arm = arms.iter().find(|(known, _)| *known == found);
    if let Some(arm) = arm.map(|(_, arm)| *arm).or(unknown) {
        return whole(&arm.shape, value);
    }
    let known: Vec<&str> = arms.iter().map(|(known, _)| *known).collect();
    Err(constraint::no_such_tag(found, &known).within(tag))
}

/// The shape that a value of its kind has to fit.
pub(super) fn of_kind<'shape>(shapes: &'shape [Shape], value: &Value) -> Option<&'shape Shape> {
    let found = Kind::of_value(value);
    shapes.iter().find(|shape| shape.kind() == Some(found))
}

fn kind_fits(shapes: &[Shape], value: &Value) -> Result<(), Rejection> {
    if let Some(shape) = of_kind(shapes, value) {
        return whole(shape, value);
    }
    let found = Kind::of_value(value);
    let known: Vec<Kind> = shapes.iter().filter_map(Shape::kind).collect();
    Err(constraint::no_such_kind(found, &known))
}

fn each_item(
    value: &Value,
    check: impl Fn(&Value) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    for (index, item) in items(value)?.iter().enumerate() {
        check(item).map_err(|rejection| rejection.within(index))?;
    }
    Ok(())
}

fn each_member(
    value: &Value,
    check: impl Fn(&Value) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    for (name, value) in object(value)?.iter() {
        check(value).map_err(|rejection| rejection.within(name))?;
    }
    Ok(())
}

/// No text in the value is an unpaired surrogate at an end.
fn well_formed(value: &Value) -> Result<(), Rejection> {
    if has_half(value) {
        return no_half(value);
    }
    Ok(())
}

/// Whether there is an unpaired surrogate somewhere. Nearly always there is none, and a plain
/// answer is much cheaper than a place that is not needed.
fn has_half(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_half),
        Value::Object(object) => object.values().any(has_half),
        Value::Split(_) => true,
        _ => false,
    }
}

/// The place of the first unpaired surrogate.
fn no_half(value: &Value) -> Result<(), Rejection> {
    match value {
        Value::Array(_) => each_item(value, no_half),
        Value::Object(_) => each_member(value, no_half),
        Value::Split(_) => Err(unpaired()),
        _ => Ok(()),
    }
}

fn object(value: &Value) -> Result<&Object, Rejection> {
    value.as_object().ok_or_else(|| not_a(Kind::Object, value))
}

fn items(value: &Value) -> Result<&[Value], Rejection> {
    value.as_array().ok_or_else(|| not_a(Kind::Array, value))
}

fn text(value: &Value) -> Result<&str, Rejection> {
    match value {
        Value::String(text) => Ok(text),
        Value::Split(_) => Err(unpaired()),
        other => Err(not_a(Kind::String, other)),
    }
}

fn split_text(value: &Value) -> Result<(), Rejection> {
    match value {
        Value::String(_) | Value::Split(_) => Ok(()),
        other => Err(not_a(Kind::String, other)),
    }
}

fn constant(expected: &str, value: &Value) -> Result<(), Rejection> {
    if text(value)? == expected {
        return Ok(());
    }
    Err(constraint::no_constant(&expected.words()))
}

fn one_of(values: &[&str], value: &Value) -> Result<(), Rejection> {
    let found = text(value)?;
    if values.contains(&found) {
        return Ok(());
    }
    Err(constraint::no_such_value(found, values))
}

fn boolean(value: &Value) -> Result<(), Rejection> {
    match value {
        Value::Bool(_) => Ok(()),
        other => Err(not_a(Kind::Boolean, other)),
    }
}

fn number(value: &Value) -> Result<&Number, Rejection> {
    match value {
        Value::Number(number) => Ok(number),
        other => Err(not_a(Kind::Number, other)),
    }
}

fn not_a(expected: Kind, found: &Value) -> Rejection {
    wrong_kind(expected.as_str(), found.kind())
}
