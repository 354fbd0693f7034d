//! Names for other types: a type alias where the Rust type says it all, else a type of its own that
//! checks what it reads.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{Literal, NamedDefinition, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::check::check;
use crate::docs::above;
use crate::doubt::doubt_of_own_type;
use crate::enumeration::{constant_declaration, constant_type};
use crate::implementations::{
    check_method, check_method_by_value, document_methods, document_methods_by_value, reader,
    writer,
};
use crate::names::Names;
use crate::types::{range, rust_type};

/// All items of a definition that names another type.
pub(crate) fn alias(
    definition: &NamedDefinition,
    ty: &Type,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    if let Type::Constant(Literal::Text(value)) = ty {
        return Ok(constant_type(&name, value, &definition.doc));
    }
    let above = above(&definition.doc, definition.deprecated);
    let inner = rust_type(ty, names, None)?;
    let check = check(ty, names, false)?;
    if !has_own_type(definition, ty, check.is_some(), names) {
        return Ok(quote!(#above pub type #name = #inner;));
    }
    let items = own_type(&name, &inner, check.as_ref(), ty);
    Ok(quote!(#above #items))
}

/// The declaration of a definition that names another type. A list, a map or a tuple may hold what it
/// is the name of, which a type alias cannot.
pub(crate) fn alias_declaration(
    definition: &NamedDefinition,
    ty: &Type,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    if let Type::Constant(Literal::Text(value)) = ty {
        return Ok(constant_declaration(&name, value, &definition.doc));
    }
    let above = above(&definition.doc, definition.deprecated);
    let inner = rust_type(ty, names, None)?;
    Ok(match ty {
        Type::List { .. } | Type::Map(_) | Type::Tuple(_) => quote! {
            #above
            #[derive(Debug, Clone, PartialEq)]
            pub struct #name(pub #inner);
        },
        _ => quote!(#above pub type #name = #inner;),
    })
}

fn own_type(
    name: &Ident,
    inner: &TokenStream,
    check: Option<&TokenStream>,
    ty: &Type,
) -> TokenStream {
    let derives = derives(ty);
    let (methods, check_method): (_, fn(&TokenStream) -> TokenStream) = if is_copied(ty) {
        (document_methods_by_value(), check_method_by_value)
    } else {
        (document_methods(), check_method)
    };
    let doubt = doubt_of_own_type(ty, check.is_some());
    let checks = check.map(|_| quote!(read.check()?;));
    let check = check.map(|check| check_method(&quote!(let value = &self.0; #check)));
    let reader = reader(
        name,
        &quote! {
            let read = Self(<#inner as json::ReadJson>::read(raw)?);
            #checks
            Ok(read)
        },
        &doubt,
    );
    let writer = writer(name, &quote!(json::WriteJson::write(&self.0, out);));
    quote! {
        #[derive(#derives)]
        pub struct #name(pub #inner);
        impl #name {
            #methods
            #check
        }
        impl From<#inner> for #name {
            fn from(value: #inner) -> Self {
                Self(value)
            }
        }
        #reader
        #writer
    }
}

/// Whether a definition that names another type is a type of its own: what is checked is one, and
/// what has methods.
pub(crate) fn is_own_type(
    definition: &NamedDefinition,
    ty: &Type,
    names: &Names,
) -> Result<bool, CodegenError> {
    let is_checked = check(ty, names, false)?.is_some();
    Ok(has_own_type(definition, ty, is_checked, names))
}

fn has_own_type(definition: &NamedDefinition, ty: &Type, is_checked: bool, names: &Names) -> bool {
    let is_root = names.is_root(&definition.name) && !matches!(ty, Type::Reference { .. });
    is_checked || is_root || matches!(ty, Type::List { .. } | Type::Map(_))
}

/// What is derived for a type of its own.
fn derives(ty: &Type) -> TokenStream {
    match ty {
        Type::Text { .. } => quote!(Debug, Clone, PartialEq, Eq, Hash),
        _ if is_copied(ty) => quote!(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash),
        _ => quote!(Debug, Clone, PartialEq),
    }
}

/// Whether a type of its own is copied: a bounded integer is.
fn is_copied(ty: &Type) -> bool {
    matches!(ty, Type::Integer(bounds) if range(bounds).is_some())
}
