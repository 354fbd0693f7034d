//! The reader of an object: members in, struct out.

use chatstate_codegen::ConditionView;
use chatstate_schema_model::{
    DependentMembers, Literal, NamedDefinition, ObjectDefinition, PresentMembers, Type,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::check::count;
use crate::names::Names;
use crate::object::{Access, Extra, Field, fixed};

/// The functions that make the struct from the members of its object.
///
/// A recursive object reads the members that may hold another of its kind first, in a function of
/// its own: the temporaries of the other members are then not on the stack while the reader goes
/// deeper.
pub(crate) fn reading(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    conditions: &[ConditionView],
    names: &Names,
) -> TokenStream {
    let is_deep = |field: &&Field<'_>| definition.recursive && goes_deeper(&field.member.ty, names);
    let deep: Vec<&Field<'_>> = fields.iter().filter(is_deep).collect();
    let reads_others = deep.len() < fields.len();
    let constants: Vec<_> = object
        .members
        .iter()
        .filter_map(fixed)
        .map(constant)
        .collect();
    let conditions = conditions.iter().map(condition);
    let present = object.present.iter().flat_map(present);
    let present: Vec<_> = present.chain(conditions).collect();
    let mutable = |is_mutable: bool| is_mutable.then(|| quote!(mut));
    let first = mutable(reads_others || !deep.is_empty() || !constants.is_empty());
    let made = made(fields, is_deep, others);
    if deep.is_empty() {
        return quote! {
            pub(super) fn from_members(#first members: json::Members<'_>) -> Result<Self, json::Rejection> {
                #(#present)*
                #(#constants)*
                #made
            }
        };
    }
    let (second, deep_names) = (mutable(reads_others), deep.iter().map(|field| &field.name));
    let deep_names: Vec<&Ident> = deep_names.collect();
    let types = deep.iter().map(|field| field.full_type(names.values));
    let reads = deep.iter().map(|field| read(field));
    quote! {
        pub(super) fn from_members(#first members: json::Members<'_>) -> Result<Self, json::Rejection> {
            #(#present)*
            #(#constants)*
            #(let #deep_names = #reads;)*
            Self::from_others(members #(, #deep_names)*)
        }
        fn from_others(
            #second members: json::Members<'_>
            #(, #deep_names: #types)*
        ) -> Result<Self, json::Rejection> {
            #made
        }
    }
}

/// The struct, after the checks that go beyond the types of its fields; deep fields have been read
/// before.
fn made(
    fields: &[Field<'_>],
    is_deep: impl Fn(&&Field<'_>) -> bool,
    others: Option<&Extra>,
) -> TokenStream {
    let values = fields.iter().map(|field| {
        let (name, read) = (&field.name, read(field));
        if is_deep(&field) {
            quote!(#name)
        } else {
            quote!(#name: #read)
        }
    });
    let extra = others.map(|Extra { read, .. }| quote!(extra: #read));
    let structure = quote!(Self { #(#values,)* #extra });
    let nothing_else = others.is_none().then(|| quote!(members.nothing_else()?;));
    let check = has_check(fields, others).then(|| quote!(read.check()?;));
    if nothing_else.is_none() && check.is_none() {
        return quote!(Ok(#structure));
    }
    quote!(let read = #structure; #nothing_else #check Ok(read))
}

/// Whether more is asked of the members than their types hold.
pub(crate) fn has_check(fields: &[Field<'_>], others: Option<&Extra>) -> bool {
    fields.iter().any(|field| field.check.is_some())
        || others.is_some_and(|extra| extra.check.is_some())
}

/// What checks it.
pub(crate) fn checking(fields: &[Field<'_>], others: Option<&Extra>) -> TokenStream {
    let of_others = others.and_then(|extra| extra.check.as_ref());
    let of_others = of_others.map(|check| quote!({ let value = &self.extra; #check?; }));
    let checks = fields.iter().filter_map(check).chain(of_others);
    quote!(#(#checks)* Ok(()))
}

/// The calls that ask which members are there.
fn present(present: &PresentMembers) -> Vec<TokenStream> {
    let PresentMembers {
        minimum,
        maximum,
        dependent,
    } = present;
    let limits = (minimum.is_some() || maximum.is_some()).then(|| {
        let least = count(minimum.unwrap_or(0));
        let most = maximum
            .map(count)
            .map_or_else(|| quote!(usize::MAX), |most| quote!(#most));
        quote!(members.present(#least, #most)?;)
    });
    let dependent = dependent.iter().map(|DependentMembers { member, required }| {
        quote!(members.dependent(#member, &[#(#required),*])?;)
    });
    limits.into_iter().chain(dependent).collect()
}

/// The call that asks an object a condition.
fn condition(condition: &ConditionView) -> TokenStream {
    let asked = asked_condition(condition);
    quote!(members.condition(#asked)?;)
}

/// A reference to what a condition asks.
pub(crate) fn asked_condition(condition: &ConditionView) -> TokenStream {
    let ConditionView {
        keyword,
        pointer,
        predicate,
    } = condition;
    quote!({
        static CONDITION: json::LazyCondition =
            json::LazyCondition::new(|| json::AskedCondition::new(#keyword, #pointer, #predicate));
        &CONDITION
    })
}

fn constant((name, value): (&str, &Literal)) -> TokenStream {
    match value {
        Literal::Text(text) => quote!(members.constant(#name, #text)?;),
        Literal::Boolean(value) => quote!(members.constant(#name, &#value)?;),
        Literal::Integer(value) => quote!(members.constant(#name, &#value)?;),
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

/// The check of a field beyond its type.
fn check(field: &Field<'_>) -> Option<TokenStream> {
    let (check, name, wire) = (field.check.as_ref()?, &field.name, &field.member.name);
    let check = quote!(#check.map_err(|rejection| rejection.within(#wire))?;);
    Some(match field.access {
        Access::Required => quote!({ let value = &self.#name; #check }),
        Access::RequiredOrNull | Access::Optional => {
            quote!(if let Some(value) = &self.#name { #check })
        }
        Access::Presence => quote!(if let json::Presence::Value(value) = &self.#name { #check }),
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
