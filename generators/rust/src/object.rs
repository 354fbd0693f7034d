//! Objects: a struct, its constructor, its reader and its writer.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::Scope;
use chatstate_ir::{Definition, Literal, Member, Object, Others, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::check::check;
use crate::docs::{deprecated, doc, doc_with};
use crate::enumeration::constant_type;
use crate::module::document_methods;
use crate::names::{Names, field_name, ident};
use crate::reader::reader;
use crate::types::{constant_in, holds_null, rust_type};

/// The most arguments a function has before clippy asks for fewer.
const MOST_ARGUMENTS: usize = 7;

/// How a member is kept in its struct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Always there.
    Required,
    /// Always there, and possibly null.
    RequiredOrNull,
    /// There or not.
    Optional,
    /// Absent, null, or a value.
    Presence,
}

/// A member with everything that is printed of it.
pub(crate) struct Field<'a> {
    pub member: &'a Member,
    pub name: Ident,
    pub ty: TokenStream,
    pub access: Access,
    pub check: Option<TokenStream>,
}

/// The field of the members that the schema does not name.
pub(crate) struct Extra {
    ty: TokenStream,
    empty: TokenStream,
    pub read: TokenStream,
    /// The method of the writer of objects that takes it.
    write: TokenStream,
    pub check: Option<TokenStream>,
}

impl Field<'_> {
    /// The type of the field itself, which also says whether the member is absent or null.
    pub fn full_type(&self) -> TokenStream {
        let ty = &self.ty;
        match self.access {
            Access::Required => quote!(#ty),
            Access::RequiredOrNull | Access::Optional => quote!(Option<#ty>),
            Access::Presence => quote!(Presence<#ty>),
        }
    }
}

/// All items of an object definition.
pub(crate) fn object(
    definition: &Definition,
    object: &Object,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let fields = lower(definition, object, names)?;
    let constant_types = constant_types(definition, object, names)?;
    let name = names.definition(&definition.name);
    let others = others(object, names)?;
    let constructor = constructor(&fields, others.as_ref());
    let methods = document_methods();
    let structure = structure(definition, &name, &fields, others.as_ref());
    let reader = reader(definition, object, &fields, others.as_ref(), names);
    let writer = writer(&name, object, &fields, others.as_ref());
    Ok(quote! {
        #structure
        impl #name {
            #constructor
            #methods
            #reader
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                Self::from_members(Members::read(raw)?)
            }
        }
        #writer
        #(#constant_types)*
    })
}

/// The name and the value of a member that needs no field: it is always there and always the same.
pub(crate) fn fixed(member: &Member) -> Option<(&str, &Literal)> {
    match member {
        Member {
            name,
            required: true,
            nullable: false,
            ty: Type::Constant(value),
            ..
        } => Some((name, value)),
        _ => None,
    }
}

fn lower<'a>(
    definition: &Definition,
    object: &'a Object,
    names: &Names,
) -> Result<Vec<Field<'a>>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    scope.take(
        "extra".to_owned(),
        "the members that the schema does not name",
    )?;
    let members = object
        .members
        .iter()
        .filter(|member| fixed(member).is_none());
    let fields = members.map(|member| {
        let constant = constant_in(&member.ty)
            .map(|_| names.constant(definition, &member.name))
            .transpose()?;
        Ok(Field {
            member,
            name: ident(&scope.take(field_name(&member.name), &member.name)?),
            ty: rust_type(&member.ty, names, constant.as_ref())?,
            access: access(member, names),
            check: check(&member.ty, names, constant.is_some())?,
        })
    });
    fields.collect()
}

/// The field of the members that the schema does not name, unless it refuses them.
fn others(object: &Object, names: &Names) -> Result<Option<Extra>, CodegenError> {
    Ok(match &object.others {
        Others::Kept => Some(Extra {
            ty: quote!(json::Object),
            empty: quote!(json::Object::new()),
            read: quote!(members.rest()?),
            write: quote!(rest),
            check: None,
        }),
        Others::Refused => None,
        Others::Typed(slot) => {
            let map = Type::Map(slot.clone());
            Some(Extra {
                ty: rust_type(&map, names, None)?,
                empty: quote!(IndexMap::new()),
                read: quote!(members.rest_of()?),
                write: quote!(each),
                check: check(&map, names, false)?,
            })
        }
    })
}

fn access(member: &Member, names: &Names) -> Access {
    let null = member.nullable && !holds_null(&member.ty, names);
    match (member.required, null) {
        (true, false) => Access::Required,
        (true, true) => Access::RequiredOrNull,
        (false, false) => Access::Optional,
        (false, true) => Access::Presence,
    }
}

/// The types of the constants that are not fixed.
fn constant_types(
    definition: &Definition,
    object: &Object,
    names: &Names,
) -> Result<Vec<TokenStream>, CodegenError> {
    let members = object
        .members
        .iter()
        .filter(|member| fixed(member).is_none());
    let constants = members.filter_map(|member| Some((member, constant_in(&member.ty)?)));
    constants
        .map(|(member, value)| {
            Ok(constant_type(
                &names.constant(definition, &member.name)?,
                value,
                &member.doc,
            ))
        })
        .collect()
}

fn structure(
    definition: &Definition,
    name: &Ident,
    fields: &[Field<'_>],
    others: Option<&Extra>,
) -> TokenStream {
    let docs = doc(&definition.doc);
    let deprecated = deprecated(definition.deprecated);
    let default = fields
        .iter()
        .all(|field| matches!(field.access, Access::Optional | Access::Presence))
        .then(|| quote!(, Default));
    let fields = fields.iter().map(field);
    let extra = others.map(|Extra { ty, .. }| {
        quote! {
            /// The members that the schema does not name, in the order they were read.
            pub extra: #ty,
        }
    });
    quote! {
        #docs
        #deprecated
        #[derive(Debug, Clone, PartialEq #default)]
        pub struct #name {
            #(#fields)*
            #extra
        }
    }
}

fn field(field: &Field<'_>) -> TokenStream {
    let default = field.member.default.as_ref();
    let sentence = default.map(|value| {
        format!("A reader takes an absent member as `{value}`; it is never written in its place.")
    });
    let docs = doc_with(&field.member.doc, sentence.as_deref());
    let deprecated = deprecated(field.member.deprecated);
    let (name, ty) = (&field.name, field.full_type());
    quote!(#docs #deprecated pub #name: #ty,)
}

/// A constructor from what must be there. Where nothing must, `Default` does the same.
fn constructor(fields: &[Field<'_>], others: Option<&Extra>) -> Option<TokenStream> {
    let required: Vec<&Field<'_>> = fields
        .iter()
        .filter(|field| matches!(field.access, Access::Required | Access::RequiredOrNull))
        .collect();
    if required.is_empty() {
        return None;
    }
    let many = (required.len() > MOST_ARGUMENTS).then(
        || quote!(#[allow(clippy::too_many_arguments, reason = "the schema requires them all")]),
    );
    let parameters = required.iter().map(|field| parameter(field));
    let values = fields.iter().map(initial);
    let extra = others.map(|Extra { empty, .. }| quote!(extra: #empty));
    Some(quote! {
        /// The required members alone; all others are absent.
        #many
        #[must_use]
        pub fn new(#(#parameters),*) -> Self {
            Self { #(#values,)* #extra }
        }
    })
}

fn is_text(field: &Field<'_>) -> bool {
    matches!(field.member.ty, Type::Text { .. } | Type::UnknownTag(_))
}

fn parameter(field: &Field<'_>) -> TokenStream {
    let (name, ty) = (&field.name, &field.ty);
    match field.access {
        Access::RequiredOrNull => quote!(#name: Option<#ty>),
        _ if is_text(field) => quote!(#name: impl Into<String>),
        _ => quote!(#name: #ty),
    }
}

fn initial(field: &Field<'_>) -> TokenStream {
    let name = &field.name;
    match field.access {
        Access::Required if is_text(field) => quote!(#name: #name.into()),
        Access::Required | Access::RequiredOrNull => quote!(#name),
        Access::Optional => quote!(#name: None),
        Access::Presence => quote!(#name: Presence::Absent),
    }
}

/// Members in the order of the schema, then those it does not name.
fn writer(
    name: &Ident,
    object: &Object,
    fields: &[Field<'_>],
    others: Option<&Extra>,
) -> TokenStream {
    let writes = object.members.iter().map(|member| {
        let wire = &member.name;
        if let Some((_, value)) = fixed(member) {
            return write_fixed(wire, value);
        }
        let field = fields.iter().find(|field| field.member.name == *wire);
        field.map(write).unwrap_or_default()
    });
    let rest = others.map(|Extra { write, .. }| quote!(.#write(&self.extra)));
    quote! {
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                let mut object = ObjectWriter::new(out);
                #(#writes)*
                object #rest.end();
            }
        }
    }
}

fn write_fixed(wire: &str, value: &Literal) -> TokenStream {
    let wire = spelled(wire);
    match value {
        Literal::Text(text) => quote!(object.text(#wire, #text);),
        Literal::Boolean(value) => quote!(object.member(#wire, &#value);),
        Literal::Integer(value) => {
            let value = suffixed(*value);
            quote!(object.member(#wire, &#value);)
        }
    }
}

/// An integer that says its type.
pub(crate) fn suffixed(value: i64) -> proc_macro2::Literal {
    proc_macro2::Literal::i64_suffixed(value)
}

/// A name as JSON spells it between quotes, so that it need not be looked through when it is written.
fn spelled(wire: &str) -> String {
    let quoted = serde_json::Value::from(wire).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn write(field: &Field<'_>) -> TokenStream {
    let (name, wire) = (&field.name, spelled(&field.member.name));
    match field.access {
        Access::Required | Access::RequiredOrNull => quote!(object.member(#wire, &self.#name);),
        Access::Optional => quote!(object.optional(#wire, &self.#name);),
        Access::Presence => quote!(object.presence(#wire, &self.#name);),
    }
}
