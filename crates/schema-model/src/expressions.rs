//! The regular expressions of a model.

use crate::{Condition, DefinitionKind, Ir, ObjectDefinition, Others, Type};

impl Ir {
    /// The patterns of texts, each with the name of its definition.
    pub fn patterns(&self) -> impl Iterator<Item = (&str, &str)> {
        self.definitions.iter().flat_map(|(name, definition)| {
            let types = definition.kind.types().into_iter();
            let object = match &definition.kind {
                DefinitionKind::Object(object) => Some(object),
                _ => None,
            };
            let of_object = object.into_iter().flat_map(ObjectDefinition::patterns);
            let patterns = types.flat_map(Type::patterns).chain(of_object);
            patterns.map(move |pattern| (name.as_str(), pattern))
        })
    }
}

impl ObjectDefinition {
    /// The patterns of names of members, and those of conditions.
    fn patterns(&self) -> impl Iterator<Item = &str> {
        let names = self.by_name().map(|members| members.pattern.as_str());
        names.chain(asked(&self.conditions))
    }
}

impl DefinitionKind {
    /// The types that a definition is made of.
    fn types(&self) -> Vec<&Type> {
        match self {
            Self::Object(object) => {
                let others = match &object.others {
                    Others::Typed(slot) => Some(&slot.ty),
                    Others::Kept | Others::Rejected => None,
                };
                let members = object.members.iter().map(|member| &member.ty);
                let by_name = object.by_name().map(|members| &members.slot.ty);
                members.chain(others).chain(by_name).collect()
            }
            Self::Kinds(arms) => arms.iter().map(|arm| &arm.ty).collect(),
            Self::Alias(ty) => vec![ty],
            Self::Union(_) | Self::Alternatives(_) | Self::Enumeration(_) => Vec::new(),
        }
    }
}

impl Type {
    /// The patterns of a type, at every depth.
    fn patterns(&self) -> Vec<&str> {
        match self {
            Self::Text {
                pattern,
                conditions,
                ..
            } => {
                let own = pattern.iter().map(String::as_str);
                own.chain(asked(conditions)).collect()
            }
            Self::List {
                items, conditions, ..
            } => {
                let own = items.ty.patterns().into_iter();
                own.chain(asked(conditions)).collect()
            }
            Self::Map(slot) => slot.ty.patterns(),
            Self::Tuple(items) => items.iter().flat_map(|slot| slot.ty.patterns()).collect(),
            _ => Vec::new(),
        }
    }
}

/// The patterns of conditions.
fn asked(conditions: &[Condition]) -> impl Iterator<Item = &str> {
    let conditions = conditions.iter();
    conditions.flat_map(|condition| condition.holds.patterns())
}
