//! What users call: readers, writers and validators for each type.

use chatstate_schema_model::{DefinitionKind, NamedDefinition, UnionDefinition};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::type_name;
use crate::view::AccessView;
use crate::written::rule;

/// The functions of one definition.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct DocumentView {
    name: String,
    ty: String,
    /// The article that the name is read with.
    article: &'static str,
    /// The function that adds rules to the check.
    rule: Option<String>,
    /// Whether variants are known, for a union that keeps unknown ones.
    known: Option<KnownView>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct KnownView {
    name: String,
    ty: String,
    unknown: String,
    tag: AccessView,
    tags: Vec<String>,
}

/// The functions of one definition.
pub(crate) fn document(definition: &NamedDefinition, behaviour: bool) -> DocumentView {
    let name = &definition.name;
    let known = match &definition.kind {
        DefinitionKind::Union(union) => known(name, union),
        _ => None,
    };
    DocumentView {
        name: name.clone(),
        ty: type_name(name),
        article: article(name),
        rule: rule(name).filter(|_| behaviour),
        known,
    }
}

fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O', 'U']) {
        "an"
    } else {
        "a"
    }
}

fn known(name: &str, union: &UnionDefinition) -> Option<KnownView> {
    let unknown = union.unknown.as_ref()?;
    Some(KnownView {
        name: name.to_owned(),
        ty: type_name(name),
        unknown: type_name(unknown),
        tag: AccessView::new(&union.tag),
        tags: union.arms.iter().map(|arm| arm.tag.clone()).collect(),
    })
}
