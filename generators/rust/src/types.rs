//! The Rust type of a model type.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Bounds, Slot, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::names::Names;

/// The Rust type of `ty`, `null` aside. `constant` is the name of the type of a constant, where
/// there is one.
pub(crate) fn rust_type(
    ty: &Type,
    names: &Names,
    constant: Option<&Ident>,
) -> Result<TokenStream, CodegenError> {
    Ok(match ty {
        Type::Reference { to, cyclic } => {
            let name = names.definition(to);
            if *cyclic {
                quote!(Box<#name>)
            } else {
                quote!(#name)
            }
        }
        Type::List { items, .. } => {
            let items = slot_type(items, names, constant)?;
            quote!(Vec<#items>)
        }
        Type::Map(values) => {
            let values = slot_type(values, names, constant)?;
            quote!(IndexMap<String, #values>)
        }
        Type::Constant(_) => constant.map(|name| quote!(#name)).ok_or_else(nameless)?,
        Type::UnknownTag(_) | Type::Text { .. } => quote!(String),
        Type::SplitText => quote!(json::SplitText),
        Type::Boolean => quote!(bool),
        Type::Integer(bounds) if range(bounds).is_some() => quote!(i64),
        Type::Integer(_) | Type::Number(_) => quote!(json::Number),
        Type::Tuple(_) => return Err(inexpressible("an array of exactly these items")),
        Type::OpenObject => quote!(json::Object),
        Type::Any { .. } => quote!(json::Value),
    })
}

/// The Rust type of what a list or map holds. A JSON value includes null; nothing else does.
fn slot_type(
    slot: &Slot,
    names: &Names,
    constant: Option<&Ident>,
) -> Result<TokenStream, CodegenError> {
    let ty = rust_type(&slot.ty, names, constant)?;
    Ok(if slot.nullable && !holds_null(&slot.ty, names) {
        quote!(Option<#ty>)
    } else {
        ty
    })
}

/// Whether the Rust type has a value for null of its own.
pub(crate) fn holds_null(ty: &Type, names: &Names) -> bool {
    match ty {
        Type::Any { nullable } => *nullable,
        Type::Reference { to, .. } => names.takes_null(to),
        _ => false,
    }
}

/// The constant that a type holds at any depth.
pub(crate) fn constant_in(ty: &Type) -> Option<&str> {
    match ty {
        Type::Constant(value) => value.text(),
        Type::List { items: slot, .. } | Type::Map(slot) => constant_in(&slot.ty),
        _ => None,
    }
}

fn nameless() -> CodegenError {
    CodegenError::Inexpressible {
        message: "the constant needs a name".to_owned(),
        place: "a definition without members".to_owned(),
        help: "make it an enumeration of one value".to_owned(),
    }
}

/// The least and the greatest value of an integer that has both, and nothing else.
pub(crate) fn range(bounds: &Bounds) -> Option<(i64, i64)> {
    Some((
        bounds.minimum.as_ref()?.as_i64()?,
        bounds.maximum.as_ref()?.as_i64()?,
    ))
}

/// What the generator has no Rust for.
pub(crate) fn inexpressible(what: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: format!("there is no Rust for {what}"),
        place: "the schema".to_owned(),
        help: "write it with objects, lists and unions that a tag tells apart".to_owned(),
    }
}
