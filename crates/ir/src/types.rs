//! Types that stand in place: references, scalars, lists, maps, and what may be `null`.

use crate::definition::{Scope, needs_name};
use crate::node::{Node, listed};
use crate::union::is_tagged;
use crate::{Bounds, IrError, JsonKind, Literal, Slot, Type};

/// The kinds of JSON value that `type` lists where any value but `null` is legal.
const NOT_NULL: &[&str] = &["object", "array", "string", "number", "boolean"];

/// What may stand at an item of a list or a value of a map beside the keywords with a meaning.
const ITEM_ANNOTATIONS: &[&str] = &["description"];

/// Reads a type in place; `annotations` are the keywords that say nothing about values.
pub(crate) fn read_slot(
    node: &Node<'_>,
    annotations: &[&str],
    scope: &Scope<'_>,
) -> Result<Slot, IrError> {
    let has = |keyword| node.get(keyword);
    if let Some(reference) = has("$ref") {
        node.allow(annotations, &["$ref"])?;
        return read_reference(&reference, scope);
    }
    if let Some(value) = has("const") {
        node.allow(annotations, &["const", "type"])?;
        return Ok(plain(Type::Constant(Literal::Text(
            value.text()?.to_owned(),
        ))));
    }
    if let Some(arms) = has("oneOf") {
        node.allow(annotations, &["oneOf"])?;
        return read_nullable(&arms, scope);
    }
    match has("type") {
        Some(kind) => read_typed(node, &kind, annotations, scope),
        None if has("enum").or(has("anyOf")).is_some() => {
            Err(needs_name(node, "an enumeration", &["enum"]))
        }
        None => {
            node.allow(annotations, &[])?;
            Ok(Slot {
                ty: Type::Any { nullable: true },
                nullable: true,
            })
        }
    }
}

/// The JSON kind that all values of a type have, if there is only one.
pub(crate) fn json_kind(ty: &Type, scope: &Scope<'_>) -> Option<JsonKind> {
    Some(match ty {
        Type::Reference { to, .. } => {
            return kind_of_definition(scope.definitions.get(to.as_str())?, scope);
        }
        Type::Any { .. } => return None,
        Type::List { .. } | Type::Tuple(_) => JsonKind::Array,
        Type::Map(_) | Type::OpenObject => JsonKind::Object,
        Type::Constant(value) => value.kind(),
        Type::UnknownTag(_) | Type::Text { .. } | Type::SplitText => JsonKind::String,
        Type::Boolean => JsonKind::Boolean,
        Type::Integer(_) | Type::Number(_) => JsonKind::Number,
    })
}

fn kind_of_definition(node: &Node<'_>, scope: &Scope<'_>) -> Option<JsonKind> {
    if let Some(arms) = node.get("oneOf") {
        return is_tagged(&arms, scope).ok()?.then_some(JsonKind::Object);
    }
    if node.get("enum").or(node.get("anyOf")).is_some() {
        return Some(JsonKind::String);
    }
    Some(match node.get("type")?.value.as_str()? {
        "string" => JsonKind::String,
        "integer" | "number" => JsonKind::Number,
        "boolean" => JsonKind::Boolean,
        "array" => JsonKind::Array,
        "object" => JsonKind::Object,
        _ => return None,
    })
}

fn plain(ty: Type) -> Slot {
    Slot {
        ty,
        nullable: false,
    }
}

fn read_reference(reference: &Node<'_>, scope: &Scope<'_>) -> Result<Slot, IrError> {
    let (name, target) = scope.target(reference)?;
    let ty = Type::Reference {
        to: name.to_owned(),
        cyclic: false,
    };
    Ok(Slot {
        ty,
        nullable: takes_null(target),
    })
}

/// Whether a definition is any value, `null` included; other definitions are never `null`.
fn takes_null(definition: &Node<'_>) -> bool {
    match definition.get("type") {
        Some(kind) => kind
            .value
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind == "null")),
        None => ["oneOf", "anyOf", "enum", "const", "$ref"]
            .iter()
            .all(|keyword| definition.get(keyword).is_none()),
    }
}

/// `oneOf` in place says that the value may be `null`, and nothing else.
fn read_nullable(arms: &Node<'_>, scope: &Scope<'_>) -> Result<Slot, IrError> {
    let items = arms.items()?;
    let (nulls, others): (Vec<_>, Vec<_>) = items.iter().partition(|arm| is_null(arm));
    match (nulls.as_slice(), others.as_slice()) {
        ([null], [other]) => {
            null.allow(&[], &["type"])?;
            let slot = read_slot(other, &[], scope)?;
            if slot.nullable {
                return Err(arms.fail("`null` is legal twice", "remove the `null` arm"));
            }
            Ok(Slot {
                nullable: true,
                ..slot
            })
        }
        _ => Err(needs_name(arms, "a union", &["oneOf"])),
    }
}

fn is_null(node: &Node<'_>) -> bool {
    node.get("type").is_some_and(|kind| kind.value == "null")
}

/// A type by its keyword `type`: one name, a name and `null`, or all names.
fn read_typed(
    node: &Node<'_>,
    kind: &Node<'_>,
    annotations: &[&str],
    scope: &Scope<'_>,
) -> Result<Slot, IrError> {
    if kind.value.is_string() {
        return read_scalar(node, kind.text()?, annotations, scope).map(plain);
    }
    let mut kinds = kind.texts()?;
    let given = kinds.len();
    kinds.retain(|name| name != "null");
    let nullable = kinds.len() < given;
    if let [single] = kinds.as_slice() {
        let ty = read_scalar(node, single, annotations, scope)?;
        return Ok(Slot { ty, nullable });
    }
    if kinds.len() == NOT_NULL.len() && kinds.iter().all(|name| NOT_NULL.contains(&name.as_str())) {
        node.allow(annotations, &["type"])?;
        return Ok(Slot {
            ty: Type::Any { nullable },
            nullable,
        });
    }
    Err(kind.fail(
        "a choice of types cannot be represented in place",
        format!(
            "write one type, one type and `null`, or any value but `null` as {}",
            listed(NOT_NULL)
        ),
    ))
}

fn read_scalar(
    node: &Node<'_>,
    kind: &str,
    annotations: &[&str],
    scope: &Scope<'_>,
) -> Result<Type, IrError> {
    match kind {
        "string" => read_text(node, annotations),
        "boolean" => node.allow(annotations, &["type"]).map(|()| Type::Boolean),
        "integer" => read_bounds(node, annotations).map(Type::Integer),
        "number" => read_bounds(node, annotations).map(Type::Number),
        "array" => read_list(node, annotations, scope),
        "object" => read_map(node, annotations, scope),
        _ => Err(node.fail(
            format!("type `{kind}` cannot be represented here"),
            "use `string`, `boolean`, `integer`, `number`, `array` or `object`",
        )),
    }
}

fn read_bounds(node: &Node<'_>, annotations: &[&str]) -> Result<Bounds, IrError> {
    node.allow(annotations, &["type", "minimum", "maximum"])?;
    let minimum = node.optional_integer("minimum")?;
    let maximum = node.optional_integer("maximum")?;
    match (minimum, maximum) {
        (Some(minimum), Some(maximum)) if minimum > maximum => Err(node.fail(
            "`minimum` is greater than `maximum`",
            "correct one of the two",
        )),
        _ => Ok(Bounds {
            minimum: minimum.map(Into::into),
            maximum: maximum.map(Into::into),
            ..Bounds::default()
        }),
    }
}

fn read_text(node: &Node<'_>, annotations: &[&str]) -> Result<Type, IrError> {
    if let Some(not) = node.get("not") {
        node.allow(annotations, &["type", "not"])?;
        not.allow(&[], &["enum"])?;
        return Ok(Type::UnknownTag(not.require("enum")?.texts()?));
    }
    if node.get("enum").is_some() {
        return Err(needs_name(node, "an enumeration", &["enum"]));
    }
    let format = node.optional_text("format")?;
    if format.as_deref() == Some("split-text") {
        node.allow(annotations, &["type", "format"])?;
        return Ok(Type::SplitText);
    }
    node.allow(annotations, &["type", "pattern", "minLength", "format"])?;
    Ok(Type::Text {
        pattern: node.optional_text("pattern")?,
        minimum_length: node.optional_count("minLength")?,
        maximum_length: None,
        format,
    })
}

fn read_list(node: &Node<'_>, annotations: &[&str], scope: &Scope<'_>) -> Result<Type, IrError> {
    node.allow(annotations, &["type", "items", "minItems"])?;
    let items = read_slot(&node.require("items")?, ITEM_ANNOTATIONS, scope)?;
    Ok(Type::List {
        items: Box::new(items),
        minimum_items: node.optional_count("minItems")?,
        maximum_items: None,
        unique: false,
    })
}

fn read_map(node: &Node<'_>, annotations: &[&str], scope: &Scope<'_>) -> Result<Type, IrError> {
    if node.get("properties").is_some() {
        return Err(needs_name(node, "an object", &["properties"]));
    }
    match node.get("additionalProperties") {
        Some(values) if values.value.is_object() => {
            node.allow(annotations, &["type", "additionalProperties"])?;
            Ok(Type::Map(Box::new(read_slot(
                &values,
                ITEM_ANNOTATIONS,
                scope,
            )?)))
        }
        _ => {
            node.allow(annotations, &["type"])?;
            Ok(Type::OpenObject)
        }
    }
}
