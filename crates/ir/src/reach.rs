//! Every definition is there for a document: it can be reached from a root.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::node::Node;
use crate::{Definition, IrError, Kind, Others, Schema, Type};

/// Refuses definitions that no root needs, which would otherwise become types nobody can read.
pub(crate) fn check_reach(
    root: &Node<'_>,
    schema: &Schema,
    definitions: &IndexMap<String, Definition>,
) -> Result<(), IrError> {
    let mut reached = HashSet::new();
    let mut open: Vec<&str> = schema.roots.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        if let (true, Some(definition)) = (reached.insert(name), definitions.get(name)) {
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

/// Which references count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// All.
    Any,
    /// Those without a list or a map between: the value stands inside the other.
    Direct,
}

/// The names of the definitions that a definition refers to.
pub(crate) fn references(kind: &Kind, way: Way) -> Vec<&str> {
    let mut names = Vec::new();
    match kind {
        Kind::Object(object) => {
            object
                .members
                .iter()
                .for_each(|member| collect(&member.ty, way, &mut names));
            if let (Others::Typed(slot), Way::Any) = (&object.others, way) {
                collect(&slot.ty, way, &mut names);
            }
        }
        Kind::Union(union) => {
            names.extend(union.arms.iter().map(|arm| arm.definition.as_str()));
            names.extend(union.unknown.as_deref());
        }
        Kind::Kinds(arms) => arms
            .iter()
            .for_each(|arm| collect(&arm.ty, way, &mut names)),
        Kind::Alternatives(arms) => names.extend(arms.iter().map(String::as_str)),
        Kind::Enumeration(_) => {}
        Kind::Alias(ty) => collect(ty, way, &mut names),
    }
    names
}

fn collect<'a>(ty: &'a Type, way: Way, names: &mut Vec<&'a str>) {
    match ty {
        Type::Reference { to, .. } => names.push(to),
        Type::List { items: slot, .. } | Type::Map(slot) if way == Way::Any => {
            collect(&slot.ty, way, names);
        }
        Type::Tuple(items) => items.iter().for_each(|slot| collect(&slot.ty, way, names)),
        _ => {}
    }
}
