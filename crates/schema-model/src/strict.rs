//! The strict profile: what chatstate's own schema may not do although the model can represent it.

use std::collections::HashSet;

use crate::documents::CURRENT;
use crate::name::PlaceNames;
use crate::node::{Node, listed};
use crate::references::{Way, references};
use crate::{DefinitionKind, Ir, IrError, Others};

/// The keywords at the top of a schema file.
const HEAD: &[&str] = &[
    "$schema",
    "$id",
    "title",
    "description",
    "x-roots",
    "x-items",
    "$defs",
];

/// The keywords below.
const KEYWORDS: &[&str] = &[
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "deprecated",
    "description",
    "enum",
    "format",
    "items",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "not",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "type",
];

/// What a definition may say beside them.
const EVENT: &str = "x-event";

/// Checks the top of a file.
pub(crate) fn check_head(root: &Node<'_>) -> Result<(), IrError> {
    only(root, HEAD)?;
    let dialect = root.require("$schema")?;
    if dialect.text()? != CURRENT {
        return Err(dialect.fail("unknown dialect", format!("write `{CURRENT}`")));
    }
    for name in ["$id", "title", "x-roots"] {
        root.require(name)?;
    }
    check_description(root)?;
    root.require("$defs")?.members().map(|_| ())
}

/// A name is given once, over all files.
pub(crate) fn check_unique(name: &str, node: &Node<'_>, names: &PlaceNames) -> Result<(), IrError> {
    let own = format!("{}#{}", node.file, node.pointer);
    let Some(owner) = names.owner(name).filter(|owner| *owner != own) else {
        return Ok(());
    };
    let file = owner.split('#').next().unwrap_or(owner);
    let message = format!("definition `{name}` is also in `{file}`");
    Err(node.fail(message, "give one of the two another name"))
}

/// Checks the definitions of a file, as they are written and as they were read.
pub(crate) fn check(root: &Node<'_>, ir: &Ir) -> Result<(), IrError> {
    for (name, node) in root.require("$defs")?.members()? {
        check_name(name, &node)?;
        check_description(&node)?;
        check_null(&node)?;
        only(&node, &[KEYWORDS, &[EVENT]].concat())?;
        check_event(root, &node)?;
        check_parts(&node)?;
        for (_, member) in node
            .get("properties")
            .map(|all| all.members())
            .transpose()?
            .unwrap_or_default()
        {
            check_description(&member)?;
        }
    }
    check_kinds(root, ir)?;
    check_reach(root, ir)
}

/// Checks a schema and those in it: known keywords only.
fn check_schema(node: &Node<'_>) -> Result<(), IrError> {
    only(node, KEYWORDS)?;
    check_parts(node)
}

/// A role of an event is read only where the file says what events are about.
fn check_event(root: &Node<'_>, node: &Node<'_>) -> Result<(), IrError> {
    match node.get(EVENT) {
        Some(role) if !root.has("x-items") => {
            let help = "list what events are about under `x-items` at the top of the file";
            Err(role.fail("a role without items", help))
        }
        _ => Ok(()),
    }
}

/// Checks the schemas in a schema, and what an object does not say.
fn check_parts(node: &Node<'_>) -> Result<(), IrError> {
    let names = ["properties", "required"].map(|name| node.get(name));
    if let [Some(properties), Some(required)] = &names {
        check_required(properties, required)?;
    }
    for (_, member) in names[0]
        .as_ref()
        .map(Node::members)
        .transpose()?
        .unwrap_or_default()
    {
        check_schema(&member)?;
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = node.get(keyword).filter(|inner| inner.value.is_object()) {
            check_schema(&inner)?;
        }
    }
    for keyword in ["oneOf", "anyOf"] {
        for arm in node
            .get(keyword)
            .map(|arms| arms.items())
            .transpose()?
            .unwrap_or_default()
        {
            check_schema(&arm)?;
        }
    }
    Ok(())
}

fn check_required(properties: &Node<'_>, required: &Node<'_>) -> Result<(), IrError> {
    for (item, name) in required.items()?.iter().zip(required.texts()?) {
        let Some(member) = properties.get(name) else {
            let message = format!("required member `{name}` is not described");
            return Err(item.fail(message, "describe it under `properties`"));
        };
        if let Some(default) = member.get("default") {
            let help = "remove the default, or the name from `required`";
            return Err(default.fail("a required member has no default", help));
        }
    }
    Ok(())
}

/// Every language can make a type name of ASCII letters and digits.
fn check_name(name: &str, node: &Node<'_>) -> Result<(), IrError> {
    if crate::name::is_type_name(name) {
        return Ok(());
    }
    let help = "begin with a capital letter and use ASCII letters and digits only";
    Err(node.fail(format!("`{name}` is not a type name"), help))
}

/// A definition is never `null`, unless it is anything.
fn check_null(node: &Node<'_>) -> Result<(), IrError> {
    let listed = |keyword: &str| node.value.get(keyword).and_then(|list| list.as_array());
    let kinds = listed("type")
        .is_some_and(|kinds| kinds.len() < 3 && kinds.iter().any(|kind| kind == "null"));
    let arms = listed("oneOf").is_some_and(|arms| arms.iter().any(|arm| arm["type"] == "null"));
    if !kinds && !arms {
        return Ok(());
    }
    let help = "say `null` where the definition is used: a `oneOf` of the reference and `null`";
    Err(node.fail("a definition may not be `null` itself", help))
}

fn check_description(node: &Node<'_>) -> Result<(), IrError> {
    if !node.description()?.trim().is_empty() {
        return Ok(());
    }
    let help = "add a sentence that the generators print as documentation";
    Err(node.fail("`description` is missing", help))
}

/// Checks what the definitions of a file became.
fn check_kinds(root: &Node<'_>, ir: &Ir) -> Result<(), IrError> {
    let own = ir
        .definitions
        .values()
        .filter(|definition| definition.schema == root.file);
    for definition in own {
        let place = place(root, &definition.pointer);
        if definition.pointer != format!("/$defs/{}", definition.name) {
            let help = "move it to `$defs` and refer to it with `$ref`, under a name of its own";
            return Err(place.fail("a type without a name of its own", help));
        }
        match &definition.kind {
            DefinitionKind::Alternatives(_) => {
                let help = "make every arm a `$ref` to an object with a required constant, or of a JSON kind of its own";
                return Err(place.fail("nothing tells the arms apart", help));
            }
            DefinitionKind::Alias(crate::Type::Reference { to, .. }) => {
                let help = format!("refer to `{to}` where this one is used, and remove it");
                return Err(place.fail(format!("the definition only renames `{to}`"), help));
            }
            DefinitionKind::Object(object) if object.others != Others::Kept => {
                let help = "remove `additionalProperties`: objects are open, so that members of newer writers survive";
                return Err(place.fail("the object limits its other members", help));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Rejects definitions that no root needs, which would otherwise become types that cannot be read.
fn check_reach(root: &Node<'_>, ir: &Ir) -> Result<(), IrError> {
    let mut reached = HashSet::new();
    let mut open: Vec<&str> = ir.roots().collect();
    while let Some(name) = open.pop() {
        if let (true, Some(definition)) = (reached.insert(name), ir.definitions.get(name)) {
            open.extend(references(&definition.kind, Way::Any));
        }
    }
    for (name, node) in root.require("$defs")?.members()? {
        if !reached.contains(name) {
            let message = format!("no root needs definition `{name}`");
            return Err(node.fail(message, "list it in `x-roots`, refer to it, or remove it"));
        }
    }
    Ok(())
}

fn place<'a>(root: &Node<'a>, pointer: &str) -> Node<'a> {
    let steps = pointer.split('/').skip(1);
    steps.fold(root.clone(), |place, step| {
        let step = step.replace("~1", "/").replace("~0", "~");
        place.step(&step).unwrap_or(place)
    })
}

/// Rejects keywords that are not in the list, annotations included.
fn only(node: &Node<'_>, keywords: &[&str]) -> Result<(), IrError> {
    for (name, place) in node.members()? {
        if !keywords.contains(&name) {
            let help = match name {
                "additionalProperties" | "unevaluatedProperties" => {
                    "remove it: objects are open, so that members of newer writers survive"
                        .to_owned()
                }
                _ => format!("remove it; the strict profile knows {}", listed(keywords)),
            };
            return Err(place.fail(format!("keyword `{name}` is not used here"), help));
        }
    }
    Ok(())
}
