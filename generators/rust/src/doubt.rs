//! Which values that a program made a reader might reject: `is_in_doubt` of the generated types.

use chatstate_schema_model::{MemberDefinition, ObjectDefinition, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::object::{Access, Extra, Field};
use crate::variants::HoldingVariant;

/// Whether a value is in doubt.
pub(crate) struct Doubt {
    /// The expression.
    is_in_doubt: TokenStream,
    /// Whether it asks the `level` of the value.
    asks_level: bool,
}

impl Doubt {
    /// The Rust type says it all.
    pub fn never() -> Self {
        Self::by(quote!(false))
    }

    /// An expression says it that does not ask the level.
    pub fn by(is_in_doubt: TokenStream) -> Self {
        Self {
            is_in_doubt,
            asks_level: false,
        }
    }

    /// Any of some expressions says it, which ask the level, or the own check of the value, if it has
    /// one.
    fn of(inside: impl IntoIterator<Item = TokenStream>, has_check: bool) -> Self {
        let inside: Vec<TokenStream> = inside.into_iter().collect();
        let asks_level = !inside.is_empty();
        let check = has_check.then(|| quote!(self.check().is_err()));
        let mut any: Vec<TokenStream> = check.into_iter().chain(inside).collect();
        if any.is_empty() {
            any.push(quote!(false));
        }
        Self {
            is_in_doubt: quote!(#(#any)||*),
            asks_level,
        }
    }

    /// The method of the reader.
    pub fn method(&self) -> TokenStream {
        let Self {
            is_in_doubt,
            asks_level,
        } = self;
        let level = if *asks_level {
            quote!(level)
        } else {
            quote!(_level)
        };
        quote! {
            fn is_in_doubt(&self, #level: usize) -> bool {
                #is_in_doubt
            }
        }
    }
}

/// Of a type that holds a value of another one.
pub(crate) fn doubt_of_own_type(ty: &Type, has_check: bool) -> Doubt {
    let inside = is_asked(ty).then(|| quote!(json::ReadJson::is_in_doubt(&self.0, level)));
    Doubt::of(inside, has_check)
}

/// Of an object definition. A value whose members together are asked something always is in doubt.
pub(crate) fn doubt_of_object(
    object: &ObjectDefinition,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    has_check: bool,
) -> Doubt {
    if object.present.is_some() || object.names.is_some() || !object.conditions.is_empty() {
        return Doubt::by(quote!(true));
    }
    let depth = [quote!(level >= json::MAX_DEPTH)].into_iter();
    let of_others = others.map(|_| doubt_of_others(&object.members));
    let fields = fields.iter().filter_map(doubt_of_field);
    Doubt::of(depth.chain(fields).chain(of_others), has_check)
}

fn doubt_of_field(field: &Field<'_>) -> Option<TokenStream> {
    let name = &field.name;
    if !is_asked(&field.member.ty) {
        return None;
    }
    if field.access != Access::Presence {
        return Some(quote!(json::ReadJson::is_in_doubt(&self.#name, level + 1)));
    }
    let inside = quote!(json::ReadJson::is_in_doubt(value, level + 1));
    Some(quote!(self.#name.value().is_some_and(|value| #inside)))
}

/// Whether the members that the schema does not name are in doubt.
fn doubt_of_others(members: &[MemberDefinition]) -> TokenStream {
    let names = members.iter().map(|member| &member.name);
    quote!(json::rest_is_in_doubt(self.extra.iter(), &[#(#names),*], level + 1))
}

/// Of an enumeration, by the type of the value of each variant.
pub(crate) fn doubt_of_kinds<'v>(
    variants: impl Iterator<Item = (&'v Ident, &'v Type)>,
    has_check: bool,
) -> Doubt {
    let (asked, others): (Vec<_>, Vec<_>) = variants.partition(|(_, ty)| is_asked(ty));
    if asked.is_empty() {
        return Doubt::of(None, has_check);
    }
    let names = asked.iter().map(|(name, _)| name);
    let inside = quote!(json::ReadJson::is_in_doubt(value, level));
    let others = others.iter().map(|(name, _)| quote!(Self::#name(_)));
    let others: Vec<TokenStream> = others.collect();
    let others = (!others.is_empty()).then(|| quote!(#(#others)|* => false));
    let of_variants = quote!(match self { #(Self::#names(value) => #inside,)* #others });
    Doubt::of([of_variants], has_check)
}

/// Of an enumeration where each variant holds a value of a definition.
pub(crate) fn doubt_of_variants<'v>(variants: impl Iterator<Item = &'v HoldingVariant>) -> Doubt {
    let names = variants.map(|variant| &variant.name);
    let inside = quote!(json::ReadJson::is_in_doubt(value, level));
    Doubt::of(
        [quote!(match self { #(Self::#names(value) => #inside,)* })],
        false,
    )
}

/// Whether a value of the type may be in doubt by more than a check of its own: it is nested, or of
/// another definition.
fn is_asked(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Reference { .. }
            | Type::OpenObject
            | Type::Any { .. }
            | Type::List { .. }
            | Type::Map(_)
            | Type::Tuple(_)
    )
}
