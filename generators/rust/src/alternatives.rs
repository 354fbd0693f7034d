//! Unions that nothing distinguishes: the first definition that accepts a value has it.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::Scope;
use chatstate_schema_model::{Ir, NamedDefinition};
use proc_macro2::TokenStream;
use quote::quote;

use crate::docs::above;
use crate::doubt::doubt_of_variants;
use crate::implementations::{document_methods, reader};
use crate::names::{Names, ident};
use crate::size::boxed;
use crate::variants::{HoldingVariant, declaration_of_variants, of_variants};

/// All items of a definition with alternatives.
pub(crate) fn alternatives(
    ir: &Ir,
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = lower(ir, definition, arms, names)?;
    let name = names.definition(&definition.name);
    let doubt = doubt_of_variants(lowered.iter());
    Ok(of_variants(
        definition,
        names,
        lowered.iter(),
        &document_methods(),
        &reader(&name, &reading(definition, arms, &lowered), &doubt),
    ))
}

/// The declaration of a definition with alternatives.
pub(crate) fn alternatives_declaration(
    ir: &Ir,
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = lower(ir, definition, arms, names)?;
    Ok(declaration_of_variants(definition, names, lowered.iter()))
}

fn reading(
    definition: &NamedDefinition,
    arms: &[String],
    lowered: &[HoldingVariant],
) -> TokenStream {
    let original = &definition.name;
    let reads = lowered.iter().map(|HoldingVariant { name, ty, .. }| {
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
) -> Result<Vec<HoldingVariant>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = arms.iter().map(|arm| {
        let ty = names.definition(arm);
        let name = if ty == "Self" {
            "SelfValue".to_owned()
        } else {
            ty.to_string()
        };
        let text = ir.definitions.get(arm).map_or("", |arm| arm.doc.as_str());
        Ok(HoldingVariant {
            above: above(text, false),
            name: ident(&scope.take(name, arm)?),
            ty: boxed(ir, arm, &ty),
        })
    });
    variants.collect()
}
