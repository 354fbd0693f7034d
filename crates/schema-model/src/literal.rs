//! Values that a schema spells out: constants and enumerations.

use serde_json::Value;

use crate::form::{Form, Formed};
use crate::node::Node;
use crate::{Enumeration, EnumerationValue, IrError, Literal};

/// The value of `const`.
pub(crate) fn constant(node: &Node<'_>) -> Result<Literal, IrError> {
    let literal = match node.value {
        Value::Bool(value) => Some(Literal::Boolean(*value)),
        Value::Number(value) => value.as_i64().map(Literal::Integer),
        Value::String(value) => Some(Literal::Text(value.clone())),
        _ => None,
    };
    literal.ok_or_else(|| {
        let help = "use a text, an integer of at most 64 bits, `true` or `false`";
        node.fail("this constant cannot be represented", help)
    })
}

/// The values of `enum`: `null` among them is legal beside them, and one alone is a constant.
pub(crate) fn enumeration<'a>(values: &Node<'a>) -> Result<Formed<'a>, IrError> {
    let items = values.items()?;
    let (nulls, others): (Vec<_>, Vec<_>) = items.iter().partition(|item| item.value.is_null());
    let nullable = !nulls.is_empty();
    let mut known = Vec::new();
    for item in others {
        known.push((
            item.clone(),
            EnumerationValue {
                value: constant(item)?,
                doc: String::new(),
                deprecated: false,
            },
        ));
    }
    match known.as_slice() {
        [] if nullable => Ok(Formed::new(Form::Null, true)),
        [] => Err(values.fail("an enumeration without values", "list the known values")),
        [(_, only)] => Ok(Formed::new(Form::Constant(only.value.clone()), nullable)),
        _ => Ok(Formed::new(Form::Enumeration(closed(known)?), nullable)),
    }
}

/// A closed enumeration of values and their places: all texts or all integers, each once.
pub(crate) fn closed(known: Vec<(Node<'_>, EnumerationValue)>) -> Result<Enumeration, IrError> {
    let mut seen = std::collections::HashSet::new();
    let kind = known.first().map(|(_, first)| first.value.kind());
    for (place, each) in &known {
        let text = match &each.value {
            Literal::Text(text) => text.clone(),
            Literal::Integer(value) => value.to_string(),
            Literal::Boolean(_) => {
                let help =
                    "write `\"type\": \"boolean\"` for both truth values, or `const` for one";
                return Err(place.fail("a truth value in an enumeration", help));
            }
        };
        if Some(each.value.kind()) != kind {
            return Err(place.fail(
                "the values are not of one type",
                "list texts only, or integers only",
            ));
        }
        if !seen.insert(text.clone()) {
            return Err(place.fail(format!("`{text}` is listed twice"), "remove one of the two"));
        }
    }
    Ok(Enumeration {
        values: known.into_iter().map(|(_, each)| each).collect(),
        open: false,
    })
}
