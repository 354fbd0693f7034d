//! The JSON Schemas of the types, for schemas that hold them.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Definition, Ir, Kind};
use proc_macro2::TokenStream;
use quote::quote;

use crate::alias::is_own_type;
use crate::names::Names;

/// An implementation for each definition that has a type of its own, and a way from names to them.
pub(crate) fn schemas(ir: &Ir, names: &Names) -> Result<TokenStream, CodegenError> {
    let (mut own, mut types) = (Vec::new(), Vec::new());
    for definition in ir.definitions.values() {
        if has_own_type(definition, names)? {
            own.push(&definition.name);
            types.push(names.definition(&definition.name));
        }
    }
    Ok(quote! {
        /// The schema of a definition as a part of another one, if it has a type of its own.
        pub(crate) fn subschema(name: &str, generator: &mut SchemaGenerator) -> Option<Schema> {
            Some(match name {
                #(#own => generator.subschema_for::<crate::generated::#types>(),)*
                _ => return None,
            })
        }
        #(
            impl JsonSchema for crate::generated::#types {
                fn schema_name() -> Cow<'static, str> {
                    Cow::Borrowed(#own)
                }
                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    definition(#own, generator)
                }
            }
        )*
    })
}

fn has_own_type(definition: &Definition, names: &Names) -> Result<bool, CodegenError> {
    match &definition.kind {
        Kind::Alias(ty) => is_own_type(definition, ty, names),
        _ => Ok(true),
    }
}
