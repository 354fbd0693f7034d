//! One definition of a schema file: which kind it is, and its parts.

use std::collections::HashMap;

use crate::node::{Node, listed};
use crate::types::{json_kind, read_slot};
use crate::union::{is_tagged, read_union};
use crate::{
    Definition, Enumeration, EnumerationValue, IrError, JsonKind, Kind, KindArm, Literal, Member,
    Object, Others, Slot, Type,
};

/// What may stand at any definition beside the keywords that give it its meaning.
pub(crate) const ANNOTATIONS: &[&str] = &["description", "deprecated"];

/// What may stand at any member beside the keywords that give it its meaning.
const MEMBER_ANNOTATIONS: &[&str] = &["description", "deprecated", "default"];

/// The definitions of the file at hand, for references.
pub(crate) struct Scope<'a> {
    pub definitions: HashMap<&'a str, Node<'a>>,
}

impl<'a> Scope<'a> {
    /// The name and the place that a `$ref` points to.
    pub fn target(&self, reference: &Node<'a>) -> Result<(&'a str, &Node<'a>), IrError> {
        let text = reference.text()?;
        let help = "refer to a definition of the same file, as `#/$defs/Name`";
        let name = text.strip_prefix("#/$defs/").ok_or_else(|| {
            reference.fail(format!("reference `{text}` cannot be followed"), help)
        })?;
        let node = self
            .definitions
            .get(name)
            .ok_or_else(|| reference.fail(format!("there is no definition `{name}`"), help))?;
        Ok((name, node))
    }
}

/// Reads one definition.
pub(crate) fn read_definition(
    name: &str,
    node: &Node<'_>,
    scope: &Scope<'_>,
) -> Result<Definition, IrError> {
    check_name(name, node)?;
    Ok(Definition {
        name: name.to_owned(),
        schema: node.file.to_owned(),
        pointer: node.pointer.clone(),
        doc: node.description()?,
        deprecated: node.flag("deprecated")?,
        recursive: false,
        kind: read_kind(node, scope)?,
    })
}

/// Every language can make a type name of ASCII letters and digits.
fn check_name(name: &str, node: &Node<'_>) -> Result<(), IrError> {
    let good = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric());
    if good {
        return Ok(());
    }
    let message = format!("`{name}` is not a type name");
    Err(node.fail(
        message,
        "begin with a capital letter and use ASCII letters and digits only",
    ))
}

fn read_kind(node: &Node<'_>, scope: &Scope<'_>) -> Result<Kind, IrError> {
    if let Some(arms) = node.get("oneOf") {
        node.allow(ANNOTATIONS, &["oneOf"])?;
        return if is_tagged(&arms, scope)? {
            read_union(&arms, scope).map(Kind::Union)
        } else {
            read_kinds(&arms, scope).map(Kind::Kinds)
        };
    }
    if let Some(values) = node.get("enum") {
        node.allow(ANNOTATIONS, &["type", "enum"])?;
        return read_values(&values, false);
    }
    if let Some(arms) = node.get("anyOf") {
        node.allow(ANNOTATIONS, &["type", "anyOf"])?;
        return read_open_enumeration(&arms);
    }
    if node.get("properties").is_some() {
        return read_object(node, scope).map(Kind::Object);
    }
    read_alias(node, scope).map(Kind::Alias)
}

/// A name for a type that is written without one.
fn read_alias(node: &Node<'_>, scope: &Scope<'_>) -> Result<Type, IrError> {
    let Slot { ty, nullable } = read_slot(node, ANNOTATIONS, scope)?;
    match ty {
        Type::Reference { to, .. } => Err(node.fail(
            format!("the definition only renames `{to}`"),
            format!("refer to `{to}` where this one is used, and remove it"),
        )),
        Type::Any { .. } => Ok(ty),
        _ if nullable => Err(node.fail(
            "a definition may not be `null` itself",
            "say `null` where the definition is used: a `oneOf` of the reference and `null`",
        )),
        _ => Ok(ty),
    }
}

/// The last arm of an open enumeration is any text.
fn read_open_enumeration(arms: &Node<'_>) -> Result<Kind, IrError> {
    if let [known, any] = arms.items()?.as_slice() {
        let any_text = any.get("type").is_some_and(|node| node.value == "string");
        if let (Some(values), true) = (known.get("enum"), any_text) {
            known.allow(&[], &["type", "enum"])?;
            any.allow(&[], &["type"])?;
            return read_values(&values, true);
        }
    }
    Err(arms.fail(
        "`anyOf` is only known as an open enumeration",
        "write two arms, `{\"enum\": [...]}` and `{\"type\": \"string\"}`, or use `oneOf`",
    ))
}

fn read_values(values: &Node<'_>, open: bool) -> Result<Kind, IrError> {
    let values_read = values.texts()?;
    if values_read.is_empty() {
        return Err(values.fail("an enumeration without values", "list the known values"));
    }
    let values = values_read.into_iter().map(|text| EnumerationValue {
        value: Literal::Text(text),
        doc: String::new(),
        deprecated: false,
    });
    Ok(Kind::Enumeration(Enumeration {
        values: values.collect(),
        open,
    }))
}

fn read_kinds(arms: &Node<'_>, scope: &Scope<'_>) -> Result<Vec<KindArm>, IrError> {
    let mut read: Vec<KindArm> = Vec::new();
    for arm in arms.items()? {
        let Slot { ty, nullable } = read_slot(&arm, &[], scope)?;
        if nullable {
            let help =
                "say `null` where the definition is used, and name arms of one JSON kind each";
            return Err(arm.fail("an arm may not be `null`", help));
        }
        let kind = json_kind(&ty, scope).ok_or_else(|| {
            let help =
                "the arms are told apart by JSON kind: string, number, boolean, array, object";
            arm.fail("the arm has no single JSON kind", help)
        })?;
        if read.iter().any(|earlier| earlier.kind == kind) {
            return Err(second_arm(&arm, kind));
        }
        read.push(KindArm { kind, ty });
    }
    Ok(read)
}

fn second_arm(arm: &Node<'_>, kind: JsonKind) -> IrError {
    let message = format!("a second arm of JSON kind `{}`", kind.as_str());
    let help = match kind {
        JsonKind::Object => {
            "to tell objects apart, make every arm a `$ref` to an object with a required constant"
        }
        _ => "keep one arm of each JSON kind",
    };
    arm.fail(message, help)
}

fn read_object(node: &Node<'_>, scope: &Scope<'_>) -> Result<Object, IrError> {
    node.allow(ANNOTATIONS, &["type", "properties", "required"])?;
    let kind = node.require("type")?;
    if kind.value != "object" {
        return Err(kind.fail(
            "`properties` beside another type",
            "write `\"type\": \"object\"`",
        ));
    }
    let properties = node.require("properties")?;
    let required = match node.get("required") {
        Some(required) => required_names(&required, &properties)?,
        None => Vec::new(),
    };
    let members = properties.members()?.into_iter().map(|(name, member)| {
        let required = required.iter().any(|other| other == name);
        read_member(name, &member, required, scope)
    });
    Ok(Object {
        members: members.collect::<Result<_, _>>()?,
        others: Others::Kept,
    })
}

fn required_names(required: &Node<'_>, properties: &Node<'_>) -> Result<Vec<String>, IrError> {
    let names = required.texts()?;
    for (item, name) in required.items()?.iter().zip(&names) {
        if properties.get(name).is_none() {
            let message = format!("required member `{name}` is not described");
            return Err(item.fail(message, "describe it under `properties`"));
        }
    }
    Ok(names)
}

fn read_member(
    name: &str,
    node: &Node<'_>,
    required: bool,
    scope: &Scope<'_>,
) -> Result<Member, IrError> {
    let doc = node.description()?;
    let Slot { ty, nullable } = read_slot(node, MEMBER_ANNOTATIONS, scope)?;
    let default = node.get("default");
    if let (Some(default), true) = (&default, required) {
        let help = "remove the default, or the name from `required`";
        return Err(default.fail("a required member has no default", help));
    }
    Ok(Member {
        name: name.to_owned(),
        ty,
        required,
        nullable,
        default: default.map(|node| node.value.clone()),
        doc,
        deprecated: node.flag("deprecated")?,
    })
}

/// The complaint about a part that needs a definition of its own.
pub(crate) fn needs_name(node: &Node<'_>, what: &str, keywords: &[&str]) -> IrError {
    node.fail(
        format!("{what} needs a name ({} in place)", listed(keywords)),
        "move it to `$defs` and refer to it with `$ref`",
    )
}
