//! Values that a schema spells out: constants and enumerations.

use serde_json::Value;

use crate::form::{Choice, Form, FormSubject, Formed};
use crate::node::Node;
use crate::{Enumeration, EnumerationValue, IrError, JsonKind, Literal};

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

/// The values of `enum`: `null` among them is legal beside them, one alone is a constant, and values
/// of several kinds are a choice between these.
pub(crate) fn listed_values<'a>(node: &Node<'a>) -> Result<Formed<'a>, IrError> {
    let (values, nullable) = legal_values(node)?;
    let mut kinds: Vec<JsonKind> = Vec::new();
    for (_, value) in &values {
        if !kinds.contains(&value.kind()) {
            kinds.push(value.kind());
        }
    }
    Ok(match kinds.as_slice() {
        [] if nullable => Formed::new(Form::Null, true),
        [] => {
            let list = node.require("enum")?;
            return Err(list.fail("an enumeration without values", "list the known values"));
        }
        [_] => Formed::new(of_listed(node, &values)?, nullable),
        _ => {
            let arms = kinds.iter();
            let choice = Choice {
                at: node.require("enum")?,
                arms: arms
                    .map(|kind| FormSubject::Listed(node.clone(), *kind))
                    .collect(),
                discriminator: None,
                limits: None,
            };
            Formed::new(Form::Choice(Box::new(choice)), nullable)
        }
    })
}

/// The listed values of one kind.
pub(crate) fn values_of_kind<'a>(
    node: &Node<'a>,
    kind: JsonKind,
) -> Result<Vec<(Node<'a>, Literal)>, IrError> {
    let (mut values, _) = legal_values(node)?;
    values.retain(|(_, value)| value.kind() == kind);
    Ok(values)
}

/// The listed values that `type` beside them lets through, and whether `null` is one.
fn legal_values<'a>(node: &Node<'a>) -> Result<(Vec<(Node<'a>, Literal)>, bool), IrError> {
    let kinds: Option<Vec<&str>> = match node.get("type") {
        None => None,
        Some(kinds) => Some(match kinds.value.as_str() {
            Some(kind) => vec![kind],
            None => kinds.texts()?,
        }),
    };
    let is_legal = |names: &[&str]| {
        let kinds = kinds.as_ref();
        kinds.is_none_or(|kinds| names.iter().any(|name| kinds.contains(name)))
    };
    let (mut values, mut nullable) = (Vec::new(), false);
    for item in node.require("enum")?.items()? {
        if item.value.is_null() {
            nullable |= is_legal(&["null"]);
            continue;
        }
        let value = constant(&item)?;
        let names: &[&str] = match value {
            Literal::Boolean(_) => &["boolean"],
            Literal::Integer(_) => &["integer", "number"],
            Literal::Text(_) => &["string"],
        };
        if is_legal(names) {
            values.push((item, value));
        }
    }
    Ok((values, nullable))
}

/// Values of one kind: both truth values, one value, or an enumeration.
pub(crate) fn of_listed<'a>(
    node: &Node<'a>,
    values: &[(Node<'a>, Literal)],
) -> Result<Form<'a>, IrError> {
    match values {
        [(_, only)] => return Ok(Form::Constant(only.clone())),
        [(_, Literal::Boolean(first)), (_, Literal::Boolean(second))] if first != second => {
            return Ok(Form::Typed(node.clone(), "boolean"));
        }
        _ => {}
    }
    let known = values.iter().map(|(place, value)| {
        let value = EnumerationValue {
            value: value.clone(),
            code_name: None,
            doc: String::new(),
            deprecated: false,
        };
        (place.clone(), value)
    });
    closed(known.collect()).map(Form::Enumeration)
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
