//! Names for other types: a type alias where the Rust type says it all, else a type of its own that
//! checks what it reads.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Definition, Literal, Type};
use proc_macro2::TokenStream;
use quote::quote;

use crate::check::check;
use crate::docs::{deprecated, doc};
use crate::enumeration::constant_type;
use crate::module::{document_methods, document_methods_by_value};
use crate::names::Names;
use crate::types::{range, rust_type};

/// All items of a definition that names another type.
pub(crate) fn alias(
    definition: &Definition,
    ty: &Type,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let docs = doc(&definition.doc);
    let deprecated = deprecated(definition.deprecated);
    if let Type::Constant(Literal::Text(value)) = ty {
        return Ok(constant_type(&name, value, &definition.doc));
    }
    let inner = rust_type(ty, names, None)?;
    let check = check(ty, names, false)?;
    if !has_own_type(definition, ty, check.as_ref(), names) {
        return Ok(quote!(#docs #deprecated pub type #name = #inner;));
    }
    let (derives, methods) = traits(ty);
    let check = check.map(|check| quote!(let value = &read; #check?;));
    Ok(quote! {
        #docs
        #deprecated
        #[derive(#derives)]
        pub struct #name(pub #inner);
        impl #name {
            #methods
        }
        impl From<#inner> for #name {
            fn from(value: #inner) -> Self {
                Self(value)
            }
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                let read = <#inner>::read(raw)?;
                #check
                Ok(Self(read))
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                self.0.write(out);
            }
        }
    })
}

/// Whether a definition that names another type is a type of its own: what is checked is one, and
/// what has methods.
pub(crate) fn is_own_type(
    definition: &Definition,
    ty: &Type,
    names: &Names,
) -> Result<bool, CodegenError> {
    let check = check(ty, names, false)?;
    Ok(has_own_type(definition, ty, check.as_ref(), names))
}

fn has_own_type(
    definition: &Definition,
    ty: &Type,
    check: Option<&TokenStream>,
    names: &Names,
) -> bool {
    let is_root = names.is_root(&definition.name) && !matches!(ty, Type::Reference { .. });
    check.is_some() || is_root || matches!(ty, Type::List { .. } | Type::Map(_))
}

/// What is derived for a type of its own, and its methods; a bounded integer is copied.
fn traits(ty: &Type) -> (TokenStream, TokenStream) {
    match ty {
        Type::Text { .. } => (
            quote!(Debug, Clone, PartialEq, Eq, Hash),
            document_methods(),
        ),
        Type::Integer(bounds) if range(bounds).is_some() => (
            quote!(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash),
            document_methods_by_value(),
        ),
        _ => (quote!(Debug, Clone, PartialEq), document_methods()),
    }
}
