//! The JSON Schemas of the types, for schemas that hold them.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition};
use proc_macro2::TokenStream;
use quote::quote;

use crate::alias::is_own_type;
use crate::names::Names;

/// An implementation for each definition that has a type of its own, and a way from names to them.
pub(crate) fn schemas(ir: &Ir, names: &Names) -> Result<TokenStream, CodegenError> {
    let mut definitions = Vec::new();
    for definition in ir.definitions.values() {
        if has_own_type(definition, names)? {
            definitions.push(definition.name.as_str());
        }
    }
    let types: Vec<_> = definitions
        .iter()
        .map(|name| names.definition(name))
        .collect();
    Ok(quote! {
        #![allow(clippy::too_many_lines, reason = "one of them has a line for each type")]
        use std::borrow::Cow;
        use schemars::{JsonSchema, Schema, SchemaGenerator};
        use super::definition;
        /// The schema of a definition as a part of another one, if it has a type of its own.
        pub(crate) fn subschema(name: &str, generator: &mut SchemaGenerator) -> Option<Schema> {
            Some(match name {
                #(#definitions => generator.subschema_for::<crate::generated::#types>(),)*
                _ => return None,
            })
        }
        #(
            impl JsonSchema for crate::generated::#types {
                fn schema_name() -> Cow<'static, str> {
                    Cow::Borrowed(#definitions)
                }
                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    definition(#definitions, generator)
                }
            }
        )*
    })
}

fn has_own_type(definition: &NamedDefinition, names: &Names) -> Result<bool, CodegenError> {
    match &definition.kind {
        DefinitionKind::Alias(ty) => is_own_type(definition, ty, names),
        _ => Ok(true),
    }
}
