//! Which members of events the schema knows, at every depth, as one table for each definition: for
//! warnings of what is unknown, which generated types keep without a word.

use std::collections::BTreeMap;

use chatstate_schema_model::{DefinitionKind, Ir, ObjectDefinition, Type};
use schemars::JsonSchema;
use serde::Serialize;

/// The definition of operations of patches, of which RFC 6902 says that further members mean nothing.
const OPERATION: &str = "PatchOperation";

/// What the schema knows of one definition.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct KnownDefinition {
    /// Its name.
    pub definition: String,
    /// The member that distinguishes the variants, if it is a union.
    pub tag: Option<String>,
    /// The members, or the values of the tag.
    pub names: Vec<KnownName>,
}

/// A member, or a value of the tag.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct KnownName {
    /// The name.
    pub name: String,
    /// The definition of the variant, or of the objects that are inside of the member, if these have
    /// members of their own.
    pub inside: Option<String>,
}

/// What the schema knows of the definitions that events are made of, the event first.
#[must_use]
pub fn known_members(ir: &Ir, event: &str) -> Vec<KnownDefinition> {
    let mut known = KnownMembers {
        ir,
        tables: BTreeMap::new(),
    };
    known.add(event);
    let first = known.tables.remove(event);
    first
        .into_iter()
        .chain(known.tables.into_values())
        .collect()
}

struct KnownMembers<'i> {
    ir: &'i Ir,
    tables: BTreeMap<String, KnownDefinition>,
}

impl KnownMembers<'_> {
    /// Adds the table of a definition, and of those in it; tells whether it has one.
    fn add(&mut self, name: &str) -> bool {
        if self.tables.contains_key(name) {
            return true;
        }
        let ir = self.ir;
        let Some(definition) = ir.definitions.get(name).filter(|_| name != OPERATION) else {
            return false;
        };
        let tag = match &definition.kind {
            DefinitionKind::Object(object) if !object.members.is_empty() => None,
            DefinitionKind::Union(union) => Some(union.tag.clone()),
            _ => return false,
        };
        let mut table = KnownDefinition {
            definition: name.to_owned(),
            tag,
            names: Vec::new(),
        };
        // A definition may be inside of itself.
        self.tables.insert(name.to_owned(), table.clone());
        table.names = self.names(&definition.kind);
        self.tables.insert(name.to_owned(), table);
        true
    }

    fn names(&mut self, kind: &DefinitionKind) -> Vec<KnownName> {
        match kind {
            DefinitionKind::Object(object) => self.members(object),
            DefinitionKind::Union(union) => {
                let arms = union.arms.iter().map(|arm| {
                    self.add(&arm.definition);
                    KnownName {
                        name: arm.tag.clone(),
                        inside: Some(arm.definition.clone()),
                    }
                });
                arms.collect()
            }
            _ => Vec::new(),
        }
    }

    fn members(&mut self, object: &ObjectDefinition) -> Vec<KnownName> {
        let members = object.members.iter().map(|member| KnownName {
            name: member.name.clone(),
            inside: self.inside(&member.ty),
        });
        members.collect()
    }

    /// The definition of the objects that a value of a type is or holds, if they have members.
    fn inside(&mut self, ty: &Type) -> Option<String> {
        let ir = self.ir;
        match ty {
            Type::Reference { to, .. } => match &ir.definitions.get(to)?.kind {
                DefinitionKind::Alias(ty) => self.inside(ty),
                DefinitionKind::Kinds(arms) => {
                    let lists = arms
                        .iter()
                        .filter(|arm| matches!(arm.ty, Type::List { .. }));
                    lists
                        .map(|arm| self.inside(&arm.ty))
                        .find_map(|found| found)
                }
                _ => self.add(to).then(|| to.clone()),
            },
            Type::List { items, .. } => self.inside(&items.ty),
            _ => None,
        }
    }
}
