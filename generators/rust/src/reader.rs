//! The reader of an object: members in, struct out.

use chatstate_ir::{Definition, Literal, Object, Type};
use proc_macro2::TokenStream;
use quote::quote;

use crate::names::Names;
use crate::object::{Access, Extra, Field, fixed, suffixed};

/// The functions that make the struct from the members of its object.
///
/// A recursive object reads the members that may hold another of its kind first, in a function of
/// its own: the temporaries of the other members are then not on the stack while the reader goes
/// deeper.
pub(crate) fn reader(
    definition: &Definition,
    object: &Object,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    names: &Names,
) -> TokenStream {
    let constants = object.members.iter().filter_map(fixed);
    let constants: TokenStream = constants
        .map(|(name, value)| {
            let value = match value {
                Literal::Text(text) => quote!(#text),
                Literal::Boolean(value) => quote!(&#value),
                Literal::Integer(value) => {
                    let value = suffixed(*value);
                    quote!(&#value)
                }
            };
            quote!(members.constant(#name, #value)?;)
        })
        .collect();
    let deep: Vec<bool> = fields
        .iter()
        .map(|field| definition.recursive && goes_deeper(&field.member.ty, names))
        .collect();
    let values = fields
        .iter()
        .zip(&deep)
        .map(|(field, deep)| value(field, *deep));
    let result = result(fields, &values.collect(), others);
    let reads_others = deep.iter().any(|deep| !deep);
    if deep.contains(&true) {
        let deep: Vec<&Field<'_>> = fields
            .iter()
            .zip(deep)
            .filter_map(|(field, deep)| deep.then_some(field))
            .collect();
        return in_two_steps(&constants, &deep, reads_others, &result);
    }
    let mutable = (reads_others || !constants.is_empty()).then(|| quote!(mut));
    quote! {
        fn from_members(#mutable members: Members<'_>) -> Result<Self, Rejection> {
            #constants
            #result
        }
    }
}

fn in_two_steps(
    constants: &TokenStream,
    deep: &[&Field<'_>],
    reads_others: bool,
    result: &TokenStream,
) -> TokenStream {
    let mutable = reads_others.then(|| quote!(mut));
    let names: Vec<_> = deep.iter().map(|field| &field.name).collect();
    let types = deep.iter().map(|field| field.full_type());
    let reads = deep.iter().map(|field| read(field));
    quote! {
        fn from_members(mut members: Members<'_>) -> Result<Self, Rejection> {
            #constants
            #(let #names = #reads;)*
            Self::from_others(members #(, #names)*)
        }
        fn from_others(
            #mutable members: Members<'_>
            #(, #names: #types)*
        ) -> Result<Self, Rejection> {
            #result
        }
    }
}

/// The field in the literal of the struct; a deep one has been read before.
fn value(field: &Field<'_>, deep: bool) -> TokenStream {
    let (name, read) = (&field.name, read(field));
    if deep {
        quote!(#name,)
    } else {
        quote!(#name: #read,)
    }
}

fn read(field: &Field<'_>) -> TokenStream {
    let wire = &field.member.name;
    match field.access {
        Access::Required | Access::RequiredOrNull => quote!(members.required(#wire)?),
        Access::Optional => quote!(members.optional(#wire)?),
        Access::Presence => quote!(members.presence(#wire)?),
    }
}

/// The struct, after the checks that go beyond the types of its fields.
fn result(fields: &[Field<'_>], values: &TokenStream, others: Option<&Extra>) -> TokenStream {
    let mut checks: TokenStream = fields.iter().filter_map(check).collect();
    let Some(Extra { read, check, .. }) = others else {
        let structure = quote!(Self { #values });
        return quote!(let read = #structure; members.nothing_else()?; #checks Ok(read));
    };
    let structure = quote!(Self { #values extra: #read });
    let of_others = check.as_ref();
    checks.extend(of_others.map(|check| quote!({ let value = &read.extra; #check?; })));
    if checks.is_empty() {
        return quote!(Ok(#structure));
    }
    quote!(let read = #structure; #checks Ok(read))
}

fn check(field: &Field<'_>) -> Option<TokenStream> {
    let (check, name, wire) = (field.check.as_ref()?, &field.name, &field.member.name);
    let check = quote!(#check.map_err(|rejection| rejection.within(#wire))?;);
    Some(match field.access {
        Access::Required => quote!({ let value = &read.#name; #check }),
        Access::RequiredOrNull | Access::Optional => {
            quote!(if let Some(value) = &read.#name { #check })
        }
        Access::Presence => quote!(if let Presence::Value(value) = &read.#name { #check }),
    })
}

/// Whether a value of the type may hold one of a recursive definition.
pub(crate) fn goes_deeper(ty: &Type, names: &Names) -> bool {
    match ty {
        Type::Reference { to, .. } => names.is_recursive(to),
        Type::List { items: slot, .. } | Type::Map(slot) => goes_deeper(&slot.ty, names),
        Type::Tuple(slots) => slots.iter().any(|slot| goes_deeper(&slot.ty, names)),
        _ => false,
    }
}
