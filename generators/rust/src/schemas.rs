//! The JSON Schemas of the types, for schemas that hold them.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition};

use crate::alias::is_own_type;
use crate::code::quoted;
use crate::names::Names;

/// What the template of schemas prints.
#[derive(Template)]
#[template(path = "schemas.rs.j2", escape = "none")]
struct SchemasView {
    types: Vec<OwnType>,
}

/// A definition that has a type of its own.
struct OwnType {
    literal: String,
    name: String,
}

/// An implementation for each definition that has a type of its own, and a way from names to them.
pub(crate) fn schemas(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let mut types = Vec::new();
    for definition in ir.definitions.values() {
        if has_own_type(definition, names)? {
            types.push(OwnType {
                literal: quoted(&definition.name),
                name: names.definition(&definition.name),
            });
        }
    }
    printed(&SchemasView { types })
}

fn has_own_type(definition: &NamedDefinition, names: &Names) -> Result<bool, CodegenError> {
    match &definition.kind {
        DefinitionKind::Alias(ty) => is_own_type(definition, ty, names),
        _ => Ok(true),
    }
}
