//! Unions distinguished by JSON kind: an enumeration with one variant for each kind.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{JsonKind, KindArm, NamedDefinition};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::check::check;
use crate::docs::above;
use crate::implementations::{document_methods, reader};
use crate::names::{Names, ident};
use crate::types::rust_type;
use crate::variants::{HoldingVariant, declaration_of_variants, of_variants};

/// The variant of one kind, and how it is read.
struct KindVariant {
    variant: HoldingVariant,
    /// The kind in the runtime.
    kind: Ident,
    read: TokenStream,
}

/// All items of a definition with variants by JSON kind.
pub(crate) fn kinds(
    definition: &NamedDefinition,
    arms: &[KindArm],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = arms.iter().map(|arm| lower(arm, names));
    let lowered = lowered.collect::<Result<Vec<_>, _>>()?;
    let name = names.definition(&definition.name);
    Ok(of_variants(
        definition,
        names,
        lowered.iter().map(|kind| &kind.variant),
        &document_methods(),
        &reader(&name, &reading(&lowered)),
    ))
}

/// The declaration of a definition with variants by JSON kind.
pub(crate) fn kinds_declaration(
    definition: &NamedDefinition,
    arms: &[KindArm],
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = arms.iter().map(|arm| lower(arm, names));
    let lowered = lowered.collect::<Result<Vec<_>, _>>()?;
    let variants = lowered.iter().map(|kind| &kind.variant);
    Ok(declaration_of_variants(definition, names, variants))
}

fn reading(variants: &[KindVariant]) -> TokenStream {
    let kinds = variants.iter().map(|variant| &variant.kind);
    let reads = variants.iter().map(
        |KindVariant {
             variant,
             kind,
             read,
         }| {
            let name = &variant.name;
            quote!(json::Kind::#kind => #read.map(Self::#name))
        },
    );
    quote! {
        match json::Kind::of(raw) {
            #(#reads,)*
            found => Err(json::constraint::no_such_kind(found, &[#(json::Kind::#kinds),*])),
        }
    }
}

fn lower(arm: &KindArm, names: &Names) -> Result<KindVariant, CodegenError> {
    let (name, kind, sentence) = variant(arm.kind);
    let ty = rust_type(&arm.ty, names, None)?;
    let checked = check(&arm.ty, names, false)?
        .map(|check| quote!(.and_then(|read| { let value = &read; #check.map(|()| read) })));
    Ok(KindVariant {
        kind: ident(kind),
        read: quote!(<#ty as json::ReadJson>::read(raw)#checked),
        variant: HoldingVariant {
            above: above(sentence, false),
            name: ident(name),
            ty,
        },
    })
}

/// The variant for a kind, the kind in the runtime, and a description.
fn variant(kind: JsonKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        JsonKind::Boolean => ("Boolean", "Boolean", "`true` or `false`."),
        JsonKind::Number => ("Number", "Number", "A number."),
        JsonKind::String => ("Text", "String", "A string."),
        JsonKind::Array => ("List", "Array", "An array."),
        JsonKind::Object => ("Object", "Object", "An object."),
    }
}
