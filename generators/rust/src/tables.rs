//! The schema as tables of `chatstate::definition`.

use chatstate_ir::{Definition, Ir, Kind, Member, Type};
use proc_macro2::TokenStream;
use quote::quote;

use crate::docs::doc;
use crate::names::Names;

/// The static table of every definition, the list of all, and the list of the roots.
pub(crate) fn tables(ir: &Ir, names: &Names) -> TokenStream {
    let definitions = ir
        .definitions
        .values()
        .map(|definition| table(definition, names));
    let all = ir.definitions.keys().map(|name| names.table(name));
    let roots = ir.roots().map(|name| names.table(name));
    quote! {
        /// The definitions that documents are made of, in the order of the schema files.
        pub static ROOTS: &[&Definition] = &[#(&#roots),*];
        /// All definitions, in the order of the schema files.
        pub static DEFINITIONS: &[&Definition] = &[#(&#all),*];
        #(#definitions)*
    }
}

fn table(definition: &Definition, names: &Names) -> TokenStream {
    let name = &definition.name;
    let table = names.table(name);
    let docs = doc(&format!("`{name}`: {}", definition.doc));
    let shape = definition_shape(&definition.kind, names);
    quote!(#docs pub static #table: Definition = Definition { name: #name, shape: #shape };)
}

fn definition_shape(kind: &Kind, names: &Names) -> TokenStream {
    match kind {
        Kind::Object(object) => {
            let members = object
                .members
                .iter()
                .map(|member| member_table(member, names));
            quote!(Shape::Object(&[#(#members),*]))
        }
        Kind::Union(union) => {
            let (tag, open) = (&union.tag, union.unknown.is_some());
            let arms = union.arms.iter().map(|arm| {
                let (tag, table) = (&arm.tag, names.table(&arm.definition));
                quote!((#tag, &#table))
            });
            quote!(Shape::Union { tag: #tag, arms: &[#(#arms),*], open: #open })
        }
        Kind::Kinds(arms) => {
            let arms = arms.iter().map(|arm| shape(&arm.ty, names));
            quote!(Shape::Kinds(&[#(#arms),*]))
        }
        Kind::Enumeration(enumeration) => {
            let (values, open) = (&enumeration.values, enumeration.open);
            quote!(Shape::Enumeration { values: &[#(#values),*], open: #open })
        }
        Kind::Alias(ty) => shape(ty, names),
    }
}

fn member_table(member: &Member, names: &Names) -> TokenStream {
    let Member {
        name,
        required,
        nullable,
        ..
    } = member;
    let shape = shape(&member.ty, names);
    let default = member.default.as_ref().map(ToString::to_string);
    let default = default.map_or_else(|| quote!(None), |text| quote!(Some(#text)));
    quote! {
        Member { name: #name, shape: #shape, required: #required, nullable: #nullable, default: #default }
    }
}

fn shape(ty: &Type, names: &Names) -> TokenStream {
    match ty {
        Type::Reference { to, .. } => {
            let table = names.table(to);
            quote!(Shape::Reference(&#table))
        }
        Type::List { items, .. } => {
            let items = shape(&items.ty, names);
            quote!(Shape::List(&#items))
        }
        Type::Map(values) => {
            let values = shape(&values.ty, names);
            quote!(Shape::Map(&#values))
        }
        Type::Constant(value) => quote!(Shape::Constant(#value)),
        Type::UnknownTag(_) | Type::Text { .. } => quote!(Shape::Text),
        Type::SplitText => quote!(Shape::SplitText),
        Type::Boolean => quote!(Shape::Boolean),
        Type::Integer { .. } => quote!(Shape::Integer),
        Type::Number { .. } => quote!(Shape::Number),
        Type::OpenObject => quote!(Shape::Object(&[])),
        Type::Any { .. } => quote!(Shape::Any),
    }
}
