//! Unions told apart by JSON kind: an enumeration with one variant for each kind.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Definition, JsonKind, KindArm};
use proc_macro2::TokenStream;
use quote::quote;

use crate::check::check;
use crate::docs::{deprecated, doc};
use crate::module::document_methods;
use crate::names::{Names, ident};
use crate::types::rust_type;

/// The variant for a kind, and the kind in the runtime.
fn variant(kind: JsonKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        JsonKind::Boolean => ("Boolean", "Boolean", "`true` or `false`."),
        JsonKind::Number => ("Number", "Number", "A number."),
        JsonKind::String => ("Text", "String", "A string."),
        JsonKind::Array => ("List", "Array", "An array."),
        JsonKind::Object => ("Object", "Object", "An object."),
    }
}

/// All items of a definition with arms by JSON kind.
pub(crate) fn kinds(
    definition: &Definition,
    arms: &[KindArm],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let docs = doc(&definition.doc);
    let deprecated = deprecated(definition.deprecated);
    let mut variants = Vec::new();
    let mut reads = Vec::new();
    let mut writes = Vec::new();
    let mut known = Vec::new();
    for arm in arms {
        let (variant, kind, sentence) = variant(arm.kind);
        let (variant, kind, docs) = (ident(variant), ident(kind), doc(sentence));
        let ty = rust_type(&arm.ty, names, None)?;
        variants.push(quote!(#docs #variant(#ty),));
        let read = read_arm(arm, &ty, names)?;
        reads.push(quote!(Kind::#kind => #read.map(Self::#variant),));
        writes.push(quote!(Self::#variant(value) => value.write(out),));
        known.push(quote!(Kind::#kind));
    }
    let methods = document_methods();
    Ok(quote! {
        #docs
        #deprecated
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#variants)*
        }
        impl #name {
            #methods
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                match Kind::of(raw) {
                    #(#reads)*
                    found => Err(constraint::no_such_kind(found, &[#(#known),*])),
                }
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                match self {
                    #(#writes)*
                }
            }
        }
    })
}

fn read_arm(arm: &KindArm, ty: &TokenStream, names: &Names) -> Result<TokenStream, CodegenError> {
    let read = quote!(<#ty>::read(raw));
    Ok(match check(&arm.ty, names, false)? {
        Some(check) => quote!(#read.and_then(|read| { let value = &read; #check.map(|()| read) })),
        None => read,
    })
}
