//! Plain declarations: the types of all schema files in one file, without readers and writers.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition};
use proc_macro2::TokenStream;
use quote::quote;

use crate::alias::alias_declaration;
use crate::alternatives::alternatives_declaration;
use crate::enumeration::enumeration_declaration;
use crate::kinds::kinds_declaration;
use crate::module::{file, has_deprecated};
use crate::names::Names;
use crate::object::object_declaration;
use crate::types::Values;
use crate::union::union_declaration;

/// What the file says of itself.
const DOCS: &str = "The types of the schema, as declarations alone: they read, write and check nothing, \
    and numbers are those of Rust. A package, which `chatstate generate` makes without `--only types`, \
    reads and writes documents, with every number as it is. Any JSON value is one of the crate \
    `serde_json`.";

/// The text of the file.
pub(crate) fn declarations(ir: &Ir) -> Result<String, CodegenError> {
    let names = Names::with_values(ir, Values::Plain)?;
    let definitions = ir.definitions.values();
    let items = definitions.map(|definition| declaration(ir, definition, &names));
    let items: TokenStream = items.collect::<Result<_, _>>()?;
    let deprecated = has_deprecated(ir)
        .then(|| quote!(#![allow(deprecated, reason = "what is derived uses deprecated members")]));
    file("types.rs", ir, DOCS, quote!(#deprecated #items))
}

/// The declaration of a definition.
fn declaration(
    ir: &Ir,
    definition: &NamedDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    match &definition.kind {
        DefinitionKind::Object(kind) => object_declaration(definition, kind, names),
        DefinitionKind::Union(kind) => union_declaration(ir, definition, kind, names),
        DefinitionKind::Kinds(arms) => kinds_declaration(definition, arms, names),
        DefinitionKind::Enumeration(kind) => enumeration_declaration(definition, kind, names),
        DefinitionKind::Alternatives(arms) => alternatives_declaration(ir, definition, arms, names),
        DefinitionKind::Alias(ty) => alias_declaration(definition, ty, names),
    }
}
