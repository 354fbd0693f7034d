//! Which values that a program made a reader might reject: `is_in_doubt` of the generated types.

use chatstate_schema_model::{MemberDefinition, ObjectDefinition, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::object::{Access, Extra, Field};
use crate::variants::HoldingVariant;

/// Whether a value of the type is in doubt, by what is inside of it: an expression over `value`, a
/// reference to it, or nothing where only its own check says more than the Rust type.
pub(crate) fn doubt_inside(ty: &Type) -> Option<TokenStream> {
    holds_others(ty).then(|| quote!(json::ReadJson::is_in_doubt(value)))
}

/// Whether a value is in doubt whose own check fails, where it has one, or of which any of `doubts`
/// is true.
pub(crate) fn any_doubt(
    has_check: bool,
    doubts: impl IntoIterator<Item = TokenStream>,
) -> TokenStream {
    let check = has_check.then(|| quote!(self.check().is_err()));
    let all = check.into_iter().chain(doubts);
    let any = all.reduce(|first, second| quote!(#first || #second));
    any.unwrap_or_else(|| quote!(false))
}

/// Whether a value of an object definition is in doubt. One whose members together are asked
/// something always is.
pub(crate) fn doubt_of_object(
    object: &ObjectDefinition,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    has_check: bool,
) -> TokenStream {
    if object.present.is_some() || object.names.is_some() || !object.conditions.is_empty() {
        return quote!(true);
    }
    let of_others = others.map(|_| doubt_of_others(&object.members));
    any_doubt(
        has_check,
        fields.iter().filter_map(doubt_of_field).chain(of_others),
    )
}

fn doubt_of_field(field: &Field<'_>) -> Option<TokenStream> {
    let name = &field.name;
    holds_others(&field.member.ty).then(|| match field.access {
        Access::Presence => quote!(self.#name.value().is_some_and(json::ReadJson::is_in_doubt)),
        _ => quote!(json::ReadJson::is_in_doubt(&self.#name)),
    })
}

/// Whether the members that the schema does not name are in doubt.
fn doubt_of_others(members: &[MemberDefinition]) -> TokenStream {
    let names = members.iter().map(|member| &member.name);
    quote!(json::rest_is_in_doubt(self.extra.iter(), &[#(#names),*]))
}

/// Whether a value of an enumeration is in doubt, by what is said of the value of each variant.
pub(crate) fn doubt_of_variants<'v>(
    variants: impl Iterator<Item = (&'v Ident, Option<TokenStream>)>,
) -> TokenStream {
    let arms = variants.map(|(name, doubt)| match doubt {
        Some(doubt) => quote!(Self::#name(value) => #doubt),
        None => quote!(Self::#name(_) => false),
    });
    quote!(match self { #(#arms,)* })
}

/// The same where each variant holds a value of a definition.
pub(crate) fn doubt_of_holding<'v>(
    variants: impl Iterator<Item = &'v HoldingVariant>,
) -> TokenStream {
    let doubt = quote!(json::ReadJson::is_in_doubt(value));
    doubt_of_variants(variants.map(|variant| (&variant.name, Some(doubt.clone()))))
}

/// Whether a value of the type holds one of another type, which may be in doubt.
fn holds_others(ty: &Type) -> bool {
    match ty {
        Type::Reference { .. } | Type::OpenObject | Type::Any { .. } => true,
        Type::List { items: slot, .. } | Type::Map(slot) => holds_others(&slot.ty),
        Type::Tuple(slots) => slots.iter().any(|slot| holds_others(&slot.ty)),
        _ => false,
    }
}
