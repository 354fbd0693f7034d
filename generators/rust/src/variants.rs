//! Enumerations whose variants hold one value each: what unions, variants by JSON kind and alternatives
//! have in common.

use chatstate_schema_model::NamedDefinition;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::above;
use crate::implementations::writer_of_variants;
use crate::names::Names;

/// One variant: its documentation, its name, and the type of its value.
pub(crate) struct HoldingVariant {
    pub above: TokenStream,
    pub name: Ident,
    pub ty: TokenStream,
}

/// The enumeration of some variants with its `methods`, its `reader`, and a writer.
pub(crate) fn of_variants<'v>(
    definition: &NamedDefinition,
    names: &Names,
    variants: impl Iterator<Item = &'v HoldingVariant> + Clone,
    methods: &TokenStream,
    reader: &TokenStream,
) -> TokenStream {
    let name = names.definition(&definition.name);
    let writer = writer_of_variants(&name, variants.clone().map(|variant| &variant.name));
    let declared = declaration_of_variants(definition, names, variants);
    quote! {
        #declared
        impl #name {
            #methods
        }
        #reader
        #writer
    }
}

/// The declaration of the enumeration of some variants.
pub(crate) fn declaration_of_variants<'v>(
    definition: &NamedDefinition,
    names: &Names,
    variants: impl Iterator<Item = &'v HoldingVariant>,
) -> TokenStream {
    let name = names.definition(&definition.name);
    let above = above(&definition.doc, definition.deprecated);
    let declared = variants.map(|HoldingVariant { above, name, ty }| quote!(#above #name(#ty)));
    quote! {
        #above
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#declared,)*
        }
    }
}
