//! Which members of events the schema knows, at every depth, as one text for each definition: for
//! warnings of what is unknown, which generated types keep without a word.
//!
//! The text of an object has its members, and behind a `>` the definition of their values where these
//! are objects that have members of their own, or lists of such. The text of a union begins with its
//! tag and a colon; then come the values of the tag with the definitions of the variants.

use std::collections::BTreeMap;

use chatstate_schema_model::{DefinitionKind, Ir, ObjectDefinition, Type};

/// The definition of operations of patches, of which RFC 6902 says that further members mean nothing.
const OPERATION: &str = "PatchOperation";

/// The texts of the definitions that events are made of, the event first.
#[must_use]
pub fn known_members(ir: &Ir, event: &str) -> Vec<(String, String)> {
    let mut known = KnownMembers {
        ir,
        texts: BTreeMap::new(),
    };
    known.add(event);
    let first = known
        .texts
        .remove(event)
        .map(|text| (event.to_owned(), text));
    first.into_iter().chain(known.texts).collect()
}

struct KnownMembers<'i> {
    ir: &'i Ir,
    texts: BTreeMap<String, String>,
}

impl KnownMembers<'_> {
    /// Adds the text of a definition, and of those in it; tells whether it has one.
    fn add(&mut self, name: &str) -> bool {
        if self.texts.contains_key(name) {
            return true;
        }
        let ir = self.ir;
        let Some(definition) = ir.definitions.get(name).filter(|_| name != OPERATION) else {
            return false;
        };
        match &definition.kind {
            DefinitionKind::Object(object) if !object.members.is_empty() => {
                // A definition may be inside of itself.
                self.texts.insert(name.to_owned(), String::new());
                let text = self.object(object);
                self.texts.insert(name.to_owned(), text);
                true
            }
            DefinitionKind::Union(union) => {
                self.texts.insert(name.to_owned(), String::new());
                let arms = union.arms.iter().map(|arm| {
                    self.add(&arm.definition);
                    format!(" {}>{}", arm.tag, arm.definition)
                });
                let arms: String = arms.collect();
                self.texts
                    .insert(name.to_owned(), format!("{}:{arms}", union.tag));
                true
            }
            _ => false,
        }
    }

    fn object(&mut self, object: &ObjectDefinition) -> String {
        let members = object
            .members
            .iter()
            .map(|member| match self.inside(&member.ty) {
                Some(definition) => format!("{}>{definition}", member.name),
                None => member.name.clone(),
            });
        members.collect::<Vec<_>>().join(" ")
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
