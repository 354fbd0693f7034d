//! Unions distinguished by JSON kind: an enumeration with one variant for each kind.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{JsonKind, KindArm, NamedDefinition};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::check::check;
use crate::docs::above;
use crate::doubt::doubt_of_kinds;
use crate::implementations::{check_method, document_methods, reader};
use crate::names::{Names, ident};
use crate::types::rust_type;
use crate::variants::{HoldingVariant, declaration_of_variants, of_variants};

/// The variant of one kind, and how it is read.
struct KindVariant {
    variant: HoldingVariant,
    /// The kind in the runtime.
    kind: Ident,
    read: TokenStream,
    check: Option<TokenStream>,
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
    let check = checking(&lowered);
    let types = lowered.iter().zip(arms);
    let types = types.map(|(kind, arm)| (&kind.variant.name, &arm.ty));
    let doubt = doubt_of_kinds(types, check.is_some());
    let reader = reader(&name, &reading(&lowered, check.is_some()), &doubt);
    let methods = document_methods();
    let check = check.map(|check| check_method(&check));
    Ok(of_variants(
        definition,
        names,
        lowered.iter().map(|kind| &kind.variant),
        &quote!(#methods #check),
        &reader,
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

/// What checks the value of each variant of which more is asked than its type holds.
fn checking(variants: &[KindVariant]) -> Option<TokenStream> {
    let (mut checked, mut others) = (Vec::new(), Vec::new());
    for KindVariant { variant, check, .. } in variants {
        let name = &variant.name;
        match check {
            Some(check) => checked.push(quote!(Self::#name(value) => #check)),
            None => others.push(quote!(Self::#name(_))),
        }
    }
    let others = (!others.is_empty()).then(|| quote!(#(#others)|* => Ok(()),));
    (!checked.is_empty()).then(|| quote!(match self { #(#checked,)* #others }))
}

fn reading(variants: &[KindVariant], is_checked: bool) -> TokenStream {
    let kinds = variants.iter().map(|variant| &variant.kind);
    let reads = variants.iter().map(
        |KindVariant {
             variant,
             kind,
             read,
             ..
         }| {
            let name = &variant.name;
            quote!(json::Kind::#kind => #read.map(Self::#name))
        },
    );
    let read = quote! {
        match json::Kind::of(raw) {
            #(#reads,)*
            found => Err(json::constraint::no_such_kind(found, &[#(json::Kind::#kinds),*])),
        }
    };
    if is_checked {
        quote!(let read = #read?; read.check()?; Ok(read))
    } else {
        read
    }
}

fn lower(arm: &KindArm, names: &Names) -> Result<KindVariant, CodegenError> {
    let (name, kind, sentence) = variant(arm.kind);
    let ty = rust_type(&arm.ty, names, None)?;
    Ok(KindVariant {
        kind: ident(kind),
        check: check(&arm.ty, names, false)?,
        read: quote!(<#ty as json::ReadJson>::read(raw)),
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
