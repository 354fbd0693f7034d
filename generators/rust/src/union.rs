//! Tagged unions: an enumeration with one variant for each variant.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_schema_model::{
    DefinitionKind, Ir, NamedDefinition, ObjectDefinition, Type, UnionDefinition,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::above;
use crate::doubt::doubt_of_variants;
use crate::implementations::{document_methods, reader_of_members};
use crate::names::{Names, field_name, ident};
use crate::size::{boxed, is_large};
use crate::variants::{HoldingVariant, declaration_of_variants, of_variants};

/// One variant, and how it is read.
struct TaggedVariant {
    variant: HoldingVariant,
    /// The type that reads it, and whether the variant holds it in a box.
    read: Ident,
    boxed: bool,
    /// The value of the discriminator; none of the variant for unknown ones.
    tag: Option<String>,
}

/// All items of a union definition.
pub(crate) fn union(
    ir: &Ir,
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = lower(ir, definition, union, names)?;
    let tag = tag(ir, union, &lowered);
    let methods = document_methods();
    let reading = reading(union, &lowered);
    let doubt = doubt_of_variants(lowered.iter().map(|tagged| &tagged.variant));
    Ok(of_variants(
        definition,
        names,
        lowered.iter().map(|tagged| &tagged.variant),
        &quote!(#tag #methods #reading),
        &reader_of_members(&names.definition(&definition.name), &doubt),
    ))
}

/// The declaration of a union definition.
pub(crate) fn union_declaration(
    ir: &Ir,
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let lowered = lower(ir, definition, union, names)?;
    let variants = lowered.iter().map(|tagged| &tagged.variant);
    Ok(declaration_of_variants(definition, names, variants))
}

/// The known variants, and then that of unknown discriminators.
fn lower(
    ir: &Ir,
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names,
) -> Result<Vec<TaggedVariant>, CodegenError> {
    let variant = |name: Ident, definition: &str, ty: TokenStream| {
        let described = ir.definitions.get(definition);
        let above = above(described.map_or("", |it| it.doc.as_str()), false);
        HoldingVariant { above, name, ty }
    };
    let known = union.arms.iter().zip(variant_names(definition, union)?);
    let known = known.map(|(arm, name)| {
        let read = names.definition(&arm.definition);
        let ty = boxed(ir, &arm.definition, &read);
        TaggedVariant {
            variant: variant(name, &arm.definition, ty),
            boxed: is_large(ir, &arm.definition),
            tag: Some(arm.tag.clone()),
            read,
        }
    });
    let unknown = union.unknown.as_ref().map(|unknown| {
        let read = names.definition(unknown);
        TaggedVariant {
            variant: variant(ident("Unknown"), unknown, quote!(#read)),
            boxed: false,
            tag: None,
            read,
        }
    });
    Ok(known.chain(unknown).collect())
}

/// The names of the known variants.
pub(crate) fn variant_names(
    definition: &NamedDefinition,
    union: &UnionDefinition,
) -> Result<Vec<Ident>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    scope.take("Unknown".to_owned(), "the unknown arm")?;
    let names = union.arms.iter().map(|arm| {
        let short = pascal_case(&arm.tag);
        let name = if scope.has(&short) || short == "Self" {
            arm.definition.clone()
        } else {
            short
        };
        Ok(ident(&scope.take(name, &arm.tag)?))
    });
    names.collect()
}

/// The method that gives the discriminator.
fn tag(ir: &Ir, union: &UnionDefinition, variants: &[TaggedVariant]) -> TokenStream {
    let above = above(
        &format!("The discriminator, the member `{}`.", union.tag),
        false,
    );
    let field = unknown_field(ir, union);
    let tags = variants.iter().map(|TaggedVariant { variant, tag, .. }| {
        let name = &variant.name;
        let known = tag.as_ref().map(|tag| quote!(Self::#name(_) => #tag));
        known.unwrap_or_else(|| quote!(Self::#name(value) => &value.#field))
    });
    quote! {
        #above
        #[must_use]
        pub fn tag(&self) -> &str {
            match self {
                #(#tags,)*
            }
        }
    }
}

/// The field of the unknown variant that keeps the tag.
fn unknown_field(ir: &Ir, union: &UnionDefinition) -> Ident {
    let unknown = union.unknown.as_ref();
    let unknown = unknown.and_then(|unknown| ir.definitions.get(unknown));
    let member = match unknown.map(|definition| &definition.kind) {
        Some(DefinitionKind::Object(ObjectDefinition { members, .. })) => members
            .iter()
            .find(|member| matches!(member.ty, Type::UnknownTag(_))),
        _ => None,
    };
    ident(&field_name(
        member.map_or(&union.tag, |member| &member.name),
    ))
}

/// The reader looks at the tag and chooses the reader of the variant. Each variant has a function of
/// its own, so that the temporaries of all variants are not on the stack while one of them goes
/// deeper.
fn reading(union: &UnionDefinition, variants: &[TaggedVariant]) -> TokenStream {
    let tag = &union.tag;
    let reads = variants.iter().map(read);
    let otherwise = union.unknown.is_none().then(|| {
        let tags = union.arms.iter().map(|arm| &arm.tag);
        quote! {
            other => {
                return Err(json::constraint::no_such_tag(other, &[#(#tags),*]).within(#tag));
            }
        }
    });
    quote! {
        pub(super) fn from_members(members: json::Members<'_>) -> Result<Self, json::Rejection> {
            let read: fn(json::Members<'_>) -> Result<Self, json::Rejection> =
                match members.tag(#tag)?.as_ref() {
                    #(#reads,)*
                    #otherwise
                };
            read(members)
        }
    }
}

/// The arm of the reader for one variant.
fn read(tagged: &TaggedVariant) -> TokenStream {
    let TaggedVariant { read, tag, .. } = tagged;
    let name = &tagged.variant.name;
    let pattern = tag.as_ref().map_or(quote!(_), |tag| quote!(#tag));
    let boxed = tagged.boxed.then(|| quote!(.map(Box::new)));
    quote!(#pattern => |members| #read::from_members(members)#boxed.map(Self::#name))
}
