//! Unions that nothing distinguishes: the first definition that accepts a value has it.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::Scope;
use chatstate_schema_model::{Ir, NamedDefinition};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::above;
use crate::implementations::{document_methods, reader, writer_of_variants};
use crate::names::{Names, ident};
use crate::size::boxed;

/// One alternative.
struct UntaggedVariant {
    above: TokenStream,
    name: Ident,
    ty: TokenStream,
}

/// All items of a definition with alternatives.
pub(crate) fn alternatives(
    ir: &Ir,
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = lower(ir, definition, arms, names)?;
    let name = names.definition(&definition.name);
    let above = above(&definition.doc, definition.deprecated);
    let variants = lowered
        .iter()
        .map(|UntaggedVariant { above, name, ty }| quote!(#above #name(#ty)));
    let methods = document_methods();
    let reader = reader(&name, &reading(definition, arms, &lowered));
    let writer = writer_of_variants(&name, lowered.iter().map(|variant| &variant.name));
    Ok(quote! {
        #above
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#variants,)*
        }
        impl #name {
            #methods
        }
        #reader
        #writer
    })
}

fn reading(
    definition: &NamedDefinition,
    arms: &[String],
    lowered: &[UntaggedVariant],
) -> TokenStream {
    let original = &definition.name;
    let reads = lowered.iter().map(|UntaggedVariant { name, ty, .. }| {
        quote!(|raw| <#ty as json::ReadJson>::read(raw).map(Self::#name))
    });
    quote! {
        let alternatives: &[json::ReadAlternative<Self>] = &[#(#reads,)*];
        json::first_of(raw, #original, alternatives)
            .ok_or_else(|| json::constraint::no_alternative(&[#(#arms),*]))
    }
}

fn lower(
    ir: &Ir,
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names,
) -> Result<Vec<UntaggedVariant>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = arms.iter().map(|arm| {
        let ty = names.definition(arm);
        let name = if ty == "Self" {
            "SelfValue".to_owned()
        } else {
            ty.to_string()
        };
        let text = ir.definitions.get(arm).map_or("", |arm| arm.doc.as_str());
        Ok(UntaggedVariant {
            above: above(text, false),
            name: ident(&scope.take(name, arm)?),
            ty: boxed(ir, arm, &ty),
        })
    });
    variants.collect()
}
