//! Which definitions a definition refers to.

use crate::{DefinitionKind, Others, Type};

/// Which references count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// All.
    Any,
    /// Those without a list or a map between: the value is inside the other.
    Direct,
}

impl DefinitionKind {
    /// The names of the definitions that it refers to, at any depth.
    #[must_use]
    pub fn references(&self) -> Vec<&str> {
        references(self, Way::Any)
    }
}

/// The names of the definitions that a definition refers to.
pub(crate) fn references(kind: &DefinitionKind, way: Way) -> Vec<&str> {
    let mut names = Vec::new();
    match kind {
        DefinitionKind::Object(object) => {
            object
                .members
                .iter()
                .for_each(|member| collect(&member.ty, way, &mut names));
            if way == Way::Any {
                let by_name = object.by_name();
                by_name.for_each(|members| collect(&members.slot.ty, way, &mut names));
            }
            if let (Others::Typed(slot), Way::Any) = (&object.others, way) {
                collect(&slot.ty, way, &mut names);
            }
        }
        DefinitionKind::Union(union) => {
            names.extend(union.arms.iter().map(|arm| arm.definition.as_str()));
            names.extend(union.unknown.as_deref());
        }
        DefinitionKind::Kinds(arms) => arms
            .iter()
            .for_each(|arm| collect(&arm.ty, way, &mut names)),
        DefinitionKind::Alternatives(arms) => names.extend(arms.iter().map(String::as_str)),
        DefinitionKind::Enumeration(_) => {}
        DefinitionKind::Alias(ty) => collect(ty, way, &mut names),
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
