//! Objects: a struct, its constructor, its reader and its writer.

use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, ConditionView};
use chatstate_schema_model::{
    Literal, MemberDefinition, NamedDefinition, ObjectDefinition, Others, PatternMembers, Type,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::check::{check, pattern};
use crate::docs::{above, with_sentence};
use crate::doubt::doubt_of_object;
use crate::enumeration::{constant_declaration, constant_type};
use crate::implementations::{check_method, document_methods, reader_of_members, writer};
use crate::names::{Names, field_name, ident};
use crate::reader::{checking, has_check, reading};
use crate::types::{Values, constant_in, holds_null, inexpressible, rust_type};

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
    pub member: &'a MemberDefinition,
    pub name: Ident,
    pub ty: TokenStream,
    pub access: Access,
    pub check: Option<TokenStream>,
}

impl Field<'_> {
    /// The type of the field itself, which also says whether the member is absent or null.
    pub fn full_type(&self, values: Values) -> TokenStream {
        let ty = &self.ty;
        match self.access {
            Access::Required => quote!(#ty),
            Access::RequiredOrNull | Access::Optional => quote!(Option<#ty>),
            Access::Presence => values.presence(ty),
        }
    }
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

/// All items of an object definition.
pub(crate) fn object(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let fields = lower(definition, object, names)?;
    let others = others(object, names)?;
    let doc = &definition.doc;
    let structure = structure(definition, doc, &fields, others.as_ref(), names);
    let constructor = constructor(&fields, others.as_ref());
    let methods = document_methods();
    let conditions = ConditionView::all(&object.conditions, str::to_owned);
    let others_read = others.as_ref();
    let reading = reading(definition, object, &fields, others_read, &conditions, names);
    let has_check = has_check(&fields, others_read);
    let check = has_check.then(|| check_method(&checking(&fields, others_read)));
    let doubt = doubt_of_object(object, &fields, others_read, has_check);
    let reader = reader_of_members(&name, &doubt);
    let writer = writer(&name, &writing(object, &fields, others.as_ref()));
    let constant_types = constants_of(definition, object, names, constant_type)?;
    Ok(quote! {
        #structure
        impl #name {
            #constructor
            #methods
            #check
            #reading
        }
        #reader
        #writer
        #(#constant_types)*
    })
}

/// The declaration of an object definition, and of the constants in it. The members without a field
/// are in its description.
pub(crate) fn object_declaration(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let fields = lower(definition, object, names)?;
    let others = others(object, names)?;
    let constants = object.members.iter().filter_map(fixed);
    let constants = constants.map(|(name, value)| {
        let value = serde_json::to_string(value).map_err(|error| inexpressible(&error.to_string()));
        Ok(format!("The member `{name}` is always `{}`.", value?))
    });
    let constants = constants.collect::<Result<Vec<_>, CodegenError>>()?;
    let constants = (!constants.is_empty()).then(|| constants.join("\n"));
    let doc = with_sentence(&definition.doc, constants.as_deref());
    let structure = structure(definition, &doc, &fields, others.as_ref(), names);
    let constant_types = constants_of(definition, object, names, constant_declaration)?;
    Ok(quote!(#structure #(#constant_types)*))
}

/// The name and the value of a member that needs no field: it is always there and always the same.
pub(crate) fn fixed(member: &MemberDefinition) -> Option<(&str, &Literal)> {
    match member {
        MemberDefinition {
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
    definition: &NamedDefinition,
    object: &'a ObjectDefinition,
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
            name: ident(&scope.take(field_name(member.code_name()), &member.name)?),
            ty: rust_type(&member.ty, names, constant.as_ref())?,
            access: access(member, names),
            check: check(&member.ty, names, constant.is_some())?,
        })
    });
    fields.collect()
}

/// The field of the members that the schema does not name, unless it rejects them.
fn others(object: &ObjectDefinition, names: &Names) -> Result<Option<Extra>, CodegenError> {
    Ok(match &object.others {
        Others::Kept => Some(Extra {
            ty: names.values.object(),
            empty: quote!(json::Object::new()),
            read: {
                let members = by_name(object, names)?;
                quote!(#members.rest()?)
            },
            write: quote!(rest),
            check: None,
        }),
        Others::Rejected => None,
        Others::Typed(slot) => {
            let map = Type::Map(slot.clone());
            Some(Extra {
                ty: rust_type(&map, names, None)?,
                empty: quote!(indexmap::IndexMap::new()),
                read: {
                    let members = by_name(object, names)?;
                    quote!(#members.rest_of()?)
                },
                write: quote!(each),
                check: check(&map, names, false)?,
            })
        }
    })
}

/// The members of an object, after calls that judge the other ones by their names.
fn by_name(object: &ObjectDefinition, names: &Names) -> Result<TokenStream, CodegenError> {
    let Some(by_name) = &object.names else {
        return Ok(quote!(members));
    };
    let mut calls = Vec::new();
    // Where all are of one type, they are read by it.
    if object.others == Others::Kept {
        let any = Type::Any { nullable: true };
        let asking = by_name.patterns.iter();
        for members in asking.filter(|members| members.slot.ty != any) {
            calls.push(matching(members, names)?);
        }
    }
    if by_name.closed {
        let patterns = by_name.patterns.iter();
        let patterns = patterns.map(|members| pattern(&members.pattern));
        let patterns = patterns.collect::<Result<Vec<_>, _>>()?;
        calls.push(quote!(.only_matching(&[#(#patterns),*])?));
    }
    Ok(quote!(members #(#calls)*))
}

/// The call that judges the members whose names match a pattern.
fn matching(members: &PatternMembers, names: &Names) -> Result<TokenStream, CodegenError> {
    let pattern = pattern(&members.pattern)?;
    let map = Type::Map(Box::new(members.slot.clone()));
    let ty = rust_type(&map, names, None)?;
    let judge = if let Some(check) = check(&map, names, false)? {
        quote!(|value: &#ty| #check)
    } else {
        quote!(|_: &#ty| Ok(()))
    };
    Ok(quote!(.matching(#pattern, #judge)?))
}

fn access(member: &MemberDefinition, names: &Names) -> Access {
    let null = member.nullable && !holds_null(&member.ty, names);
    match (member.required, null) {
        (true, false) => Access::Required,
        (true, true) => Access::RequiredOrNull,
        (false, false) => Access::Optional,
        (false, true) => Access::Presence,
    }
}

/// The types of the constants that are not fixed: what `items` gives for a name, a value and a
/// description.
fn constants_of(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names,
    items: fn(&Ident, &str, &str) -> TokenStream,
) -> Result<Vec<TokenStream>, CodegenError> {
    let members = object.members.iter();
    let constants = members
        .filter(|member| fixed(member).is_none())
        .filter_map(|member| Some((member, constant_in(&member.ty)?)));
    let types = constants.map(|(member, value)| {
        let name = names.constant(definition, &member.name)?;
        Ok(items(&name, value, &member.doc))
    });
    types.collect()
}

fn structure(
    definition: &NamedDefinition,
    doc: &str,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    names: &Names,
) -> TokenStream {
    let name = names.definition(&definition.name);
    let above = above(doc, definition.deprecated);
    let is_optional =
        |field: &Field<'_>| matches!(field.access, Access::Optional | Access::Presence);
    let default = fields.iter().all(is_optional).then(|| quote!(, Default));
    let fields = fields.iter().map(|field| declared(field, names.values));
    let extra = others.map(|Extra { ty, .. }| {
        let order = match names.values {
            Values::Exact => ", in the order they were read",
            Values::Plain => "",
        };
        let doc = format!(" The members that the schema does not name{order}.");
        quote!(#[doc = #doc] pub extra: #ty,)
    });
    quote! {
        #above
        #[derive(Debug, Clone, PartialEq #default)]
        pub struct #name {
            #(#fields,)*
            #extra
        }
    }
}

fn declared(field: &Field<'_>, values: Values) -> TokenStream {
    let member = field.member;
    let sentence = member.default.as_ref().map(|value| {
        format!("A reader takes an absent member as `{value}`; it is never written in its place.")
    });
    let description = with_sentence(&member.doc, sentence.as_deref());
    let wire = name_in_json(field, values);
    let description = with_sentence(&description, wire.as_deref());
    let above = above(&description, member.deprecated);
    let (name, ty) = (&field.name, field.full_type(values));
    quote!(#above pub #name: #ty)
}

/// What a member is called in JSON, where no reader and no writer says it.
fn name_in_json(field: &Field<'_>, values: Values) -> Option<String> {
    let name = field.name.to_string();
    let is_other = name.trim_start_matches("r#") != field.member.name;
    (is_other && values == Values::Plain).then(|| format!("In JSON it is `{}`.", field.member.name))
}

/// A constructor from what must be there. Where nothing must, `Default` does the same.
fn constructor(fields: &[Field<'_>], others: Option<&Extra>) -> Option<TokenStream> {
    let required = fields
        .iter()
        .filter(|field| matches!(field.access, Access::Required | Access::RequiredOrNull));
    let parameters: Vec<TokenStream> = required.map(parameter).collect();
    if parameters.is_empty() {
        return None;
    }
    let many = (parameters.len() > MOST_ARGUMENTS).then(
        || quote!(#[allow(clippy::too_many_arguments, reason = "the schema requires them all")]),
    );
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
        Access::Presence => quote!(#name: json::Presence::Absent),
    }
}

/// Members in the order of the schema, then those it does not name.
fn writing(object: &ObjectDefinition, fields: &[Field<'_>], others: Option<&Extra>) -> TokenStream {
    let mut fields = fields.iter();
    let writes = object.members.iter().filter_map(|member| {
        let wire = spelled(&member.name);
        match fixed(member) {
            Some((_, value)) => Some(write_fixed(&wire, value)),
            None => fields.next().map(|field| write(&wire, field)),
        }
    });
    let rest = others.map(|Extra { write, .. }| quote!(.#write(&self.extra)));
    quote! {
        let mut object = json::ObjectWriter::new(out);
        #(object.#writes;)*
        object #rest.end();
    }
}

/// A name as JSON spells it between quotes, so that it need not be looked through when it is written.
fn spelled(wire: &str) -> String {
    let quoted = serde_json::Value::from(wire).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Writes a member that has one value, as JSON spells it.
fn write_fixed(wire: &str, value: &Literal) -> TokenStream {
    let json = match value {
        Literal::Text(text) => serde_json::Value::from(text.as_str()),
        Literal::Boolean(value) => (*value).into(),
        Literal::Integer(value) => (*value).into(),
    };
    let json = json.to_string();
    quote!(raw(#wire, #json))
}

fn write(wire: &str, field: &Field<'_>) -> TokenStream {
    let name = &field.name;
    match field.access {
        Access::Required | Access::RequiredOrNull => quote!(member(#wire, &self.#name)),
        Access::Optional => quote!(optional(#wire, &self.#name)),
        Access::Presence => quote!(presence(#wire, &self.#name)),
    }
}
