//! Limits that stand beside a choice: each is about the variants of one kind.

use crate::keywords::{ARRAY, NUMBER, TEXT};
use crate::node::Node;
use crate::types::{bounds, counts, lengths};
use crate::{Bounds, IrError, JsonKind, Type};

/// The limits that may stand beside a choice.
pub(crate) fn limits() -> Vec<&'static str> {
    [JsonKind::Number, JsonKind::String, JsonKind::Array]
        .map(of_kind)
        .concat()
}

/// The limits of values of one kind.
fn of_kind(kind: JsonKind) -> Vec<&'static str> {
    let (all, but): (&[&str], &[&str]) = match kind {
        JsonKind::Number => (NUMBER, &[]),
        JsonKind::String => (TEXT, &["not"]),
        JsonKind::Array => (
            ARRAY,
            &[
                "items",
                "prefixItems",
                "additionalItems",
                "unevaluatedItems",
                "contains",
                "minContains",
                "maxContains",
            ],
        ),
        JsonKind::Boolean | JsonKind::Object => (&[], &[]),
    };
    let limits = all.iter().filter(|name| !but.contains(name));
    limits.copied().collect()
}

/// The type of a variant within the limits beside the choice.
pub(crate) fn limited(ty: Type, kind: JsonKind, beside: &Node<'_>) -> Result<Type, IrError> {
    if !beside.has_any(&of_kind(kind)) {
        return Ok(ty);
    }
    match ty {
        Type::Number(own) => Ok(Type::Number(both_bounds(own, beside)?)),
        Type::Integer(own) => Ok(Type::Integer(both_bounds(own, beside)?)),
        Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            format,
            conditions,
        } => {
            let (least, most) = lengths(beside)?;
            Ok(Type::Text {
                pattern: one(pattern, beside.optional_text("pattern")?, beside)?,
                minimum_length: one(minimum_length, least, beside)?,
                maximum_length: one(maximum_length, most, beside)?,
                format,
                conditions,
            })
        }
        Type::List {
            items,
            minimum_items,
            maximum_items,
            unique,
            conditions,
        } => {
            let (least, most) = counts(beside)?;
            Ok(Type::List {
                items,
                minimum_items: one(minimum_items, least, beside)?,
                maximum_items: one(maximum_items, most, beside)?,
                unique: unique || beside.flag("uniqueItems")?,
                conditions,
            })
        }
        _ => Err(two(beside)),
    }
}

fn both_bounds(own: Bounds, beside: &Node<'_>) -> Result<Bounds, IrError> {
    let more = bounds(beside)?;
    Ok(Bounds {
        minimum: one(own.minimum, more.minimum, beside)?,
        maximum: one(own.maximum, more.maximum, beside)?,
        exclusive_minimum: one(own.exclusive_minimum, more.exclusive_minimum, beside)?,
        exclusive_maximum: one(own.exclusive_maximum, more.exclusive_maximum, beside)?,
        multiple_of: one(own.multiple_of, more.multiple_of, beside)?,
    })
}

/// The one of two limits that is there.
fn one<T: PartialEq>(
    own: Option<T>,
    more: Option<T>,
    beside: &Node<'_>,
) -> Result<Option<T>, IrError> {
    match (own, more) {
        (Some(own), Some(more)) if own != more => Err(two(beside)),
        (own, more) => Ok(own.or(more)),
    }
}

fn two(beside: &Node<'_>) -> IrError {
    let help = "write the limits at the variant that they are about";
    beside.fail("limits beside a choice of what is limited elsewhere", help)
}
