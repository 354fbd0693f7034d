//! Unions that nothing tells apart: the first definition that accepts a value has it.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::Scope;
use chatstate_ir::{Definition, Ir};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::{deprecated, doc};
use crate::module::document_methods;
use crate::names::{Names, ident};
use crate::size::is_large;

/// One alternative as it is printed.
struct Variant {
    name: Ident,
    ty: TokenStream,
    docs: TokenStream,
}

/// All items of a definition with alternatives.
pub(crate) fn alternatives(
    ir: &Ir,
    definition: &Definition,
    arms: &[String],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let docs = doc(&definition.doc);
    let deprecated = deprecated(definition.deprecated);
    let variants = lower(ir, definition, arms, names)?;
    let methods = document_methods();
    let text = &definition.name;
    let known = variants
        .iter()
        .map(|Variant { name, ty, docs }| quote!(#docs #name(#ty),));
    let types: Vec<_> = variants.iter().map(|variant| &variant.ty).collect();
    let variants: Vec<_> = variants.iter().map(|variant| &variant.name).collect();
    Ok(quote! {
        #docs
        #deprecated
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#known)*
        }
        impl #name {
            #methods
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                let alternatives: &[json::Alternative<Self>] = &[
                    #(|raw| <#types>::read(raw).map(Self::#variants),)*
                ];
                json::first_of(raw, #text, alternatives)
                    .ok_or_else(|| constraint::no_alternative(&[#(#arms),*]))
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                match self {
                    #(Self::#variants(value) => value.write(out),)*
                }
            }
        }
    })
}

fn lower(
    ir: &Ir,
    definition: &Definition,
    arms: &[String],
    names: &Names,
) -> Result<Vec<Variant>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = arms.iter().map(|arm| {
        let ty = names.definition(arm);
        let name = if ty == "Self" {
            "SelfValue".to_owned()
        } else {
            ty.to_string()
        };
        let text = ir.definitions.get(arm).map_or("", |arm| arm.doc.as_str());
        Ok(Variant {
            name: ident(&scope.take(name, arm)?),
            docs: doc(text),
            ty: if is_large(ir, arm) {
                quote!(Box<#ty>)
            } else {
                quote!(#ty)
            },
        })
    });
    variants.collect()
}
