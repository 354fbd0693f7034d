//! Objects: a class with a property for each member.

use std::collections::HashSet;

use askama::Template;
use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    DefinitionKind, Literal, MemberDefinition, NamedDefinition, ObjectDefinition, Others, Type,
};

use crate::docs::{remarks, summary};
use crate::literal::string;
use crate::names::Names;
use crate::pattern::pattern;
use crate::types::{CSharpTypes, CsType, is_inline};
use crate::union::tag_property;

/// What the template prints of an object.
#[derive(Template)]
#[template(path = "object.j2", escape = "none")]
struct ObjectView {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    /// The class that it derives from, with a comma, or nothing.
    base: String,
    /// `new ` where the base class has members of the same names, or nothing.
    hides: &'static str,
    /// `override ` where the base class has such a member, or nothing.
    overrides: &'static str,
    /// Whether it derives from nothing and has to say itself how it is written.
    stands_alone: bool,
    root: bool,
    properties: Vec<Property>,
    accessors: Vec<Accessor>,
    constants: Vec<String>,
    reads: Vec<String>,
    writes: Vec<String>,
    /// The statement that rejects all other members, where none may be.
    rejection: Option<&'static str>,
    others: Option<OthersView>,
}

/// One property as it is declared.
pub(crate) struct Property {
    pub docs: Vec<String>,
    pub obsolete: bool,
    /// The name in JSON, as a literal.
    pub wire: String,
    /// The words before the type, each with a blank after it.
    pub modifiers: String,
    pub ty: String,
    pub name: String,
    /// What is after the name.
    pub body: String,
}

/// A method that gives a text as what its format says it is.
struct Accessor {
    docs: Vec<String>,
    obsolete: bool,
    ty: &'static str,
    name: String,
    value: String,
}

/// The property of the members that the schema does not name.
struct OthersView {
    name: &'static str,
    ty: String,
    read: String,
    write: String,
    /// Whether it holds JSON values, so that the serializer's attribute is right.
    is_extension: bool,
}

/// A member with its names and its type.
pub(crate) struct Field<'a> {
    pub member: &'a MemberDefinition,
    pub name: String,
    pub ty: CsType,
    /// Whether null is legal and the C# type has no value of its own for it.
    pub null: bool,
}

/// The fields of an object, and the names that they take. `tag` is the name of the property that
/// its base class has for a member.
pub(crate) fn fields<'a>(
    definition: &NamedDefinition,
    members: impl Iterator<Item = &'a MemberDefinition>,
    tag: Option<(&str, &str)>,
    names: &Names<'_>,
) -> Result<(Vec<Field<'a>>, Scope), CodegenError> {
    let type_name = names.definition(&definition.name);
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let mut with_names = Vec::new();
    for member in members {
        let name = match tag {
            Some((wire, name)) if wire == member.name => name.to_owned(),
            _ => names.property(definition, member, &type_name),
        };
        with_names.push((member, scope.take(name, &member.name)?));
    }
    let types = CSharpTypes {
        names,
        hidden: hidden(&with_names, names),
    };
    let fields = with_names.into_iter().map(|(member, name)| Field {
        member,
        name,
        ty: types.of(&member.ty),
        null: member.nullable && !types.holds_null(&member.ty),
    });
    Ok((fields.collect(), scope))
}

/// The properties that hide a type of their name. One that has the type itself does not, as C# has a
/// rule for that.
fn hidden(with_names: &[(&MemberDefinition, String)], names: &Names<'_>) -> HashSet<String> {
    let has_its_type = |member: &MemberDefinition, name: &str| match &member.ty {
        Type::Reference { to, .. } => {
            let is_class = match names.kind(to) {
                Some(DefinitionKind::Alias(ty)) => !is_inline(ty),
                kind => !matches!(kind, Some(DefinitionKind::Enumeration(_))),
            };
            is_class && names.definition(to) == name && (member.required || !member.nullable)
        }
        _ => false,
    };
    let hiding = with_names
        .iter()
        .filter(|(member, name)| !has_its_type(member, name));
    hiding.map(|(_, name)| name.clone()).collect()
}

/// The text that a class is printed from.
pub(crate) fn object(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let name = names.definition(&definition.name);
    let base = names.base(&definition.name);
    let tag = base.map(|(base, union)| (union.tag.as_str(), tag_property(base, union, names)));
    let tag = tag.as_ref().map(|(wire, name)| (*wire, name.as_str()));
    let (fields, mut scope) = fields(definition, object.members.iter(), tag, names)?;
    let hidden = fields.iter().map(|field| field.name.clone()).collect();
    let types = CSharpTypes { names, hidden };
    let others = others(object, &fields, &types, &mut scope)?;
    let view = ObjectView {
        docs: summary(
            &definition.doc,
            &format!("`{name}`, which the schema does not describe."),
        ),
        obsolete: definition.deprecated,
        base: base
            .map(|(base, _)| format!("{}, ", names.definition(base)))
            .unwrap_or_default(),
        hides: if base.is_some() { "new " } else { "" },
        overrides: if base.is_some() { "override " } else { "" },
        stands_alone: base.is_none(),
        root: names.is_root(&definition.name),
        properties: fields.iter().map(|field| declared(field, tag)).collect(),
        accessors: accessors(&fields, &mut scope, names)?,
        constants: fields.iter().filter_map(constant).collect(),
        reads: fields
            .iter()
            .filter(|field| fixed(field).is_none())
            .map(read)
            .collect(),
        writes: fields.iter().map(write).collect(),
        rejection: (object.others == Others::Rejected).then_some("members.RejectOthers();"),
        others,
        name,
    };
    printed(&view)
}

/// The literal of a member that is always there and always the same.
pub(crate) fn fixed(field: &Field<'_>) -> Option<String> {
    match &field.member {
        MemberDefinition {
            required: true,
            nullable: false,
            ty: Type::Constant(value),
            ..
        } => Some(match value {
            Literal::Text(text) => string(text),
            Literal::Boolean(value) => value.to_string(),
            Literal::Integer(value) => format!("{value}L"),
        }),
        _ => None,
    }
}

fn declared(field: &Field<'_>, tag: Option<(&str, &str)>) -> Property {
    let member = field.member;
    let is_tag = tag.is_some_and(|(wire, _)| wire == member.name);
    let (ty, body, required) = match fixed(field) {
        Some(literal) => (field.ty.text.clone(), format!("=> {literal};"), false),
        None => (
            full_type(field),
            "{ get; set; }".to_owned(),
            member.required,
        ),
    };
    let modifiers = match (is_tag, required) {
        (true, _) => "override ",
        (false, true) => "required ",
        (false, false) => "",
    };
    Property {
        docs: docs(member),
        obsolete: member.deprecated,
        wire: string(&member.name),
        modifiers: modifiers.to_owned(),
        ty,
        name: field.name.clone(),
        body,
    }
}

/// What the schema says of a member.
pub(crate) fn docs(member: &MemberDefinition) -> Vec<String> {
    let mut docs = summary(&member.doc, &format!("The member `{}`.", member.name));
    if let Some(default) = &member.default {
        docs.extend(remarks(&format!(
            "A reader takes an absent member as `{default}`; it is never written in its place."
        )));
    }
    docs
}

/// The type of the property, which also says whether the member is absent or null.
pub(crate) fn full_type(field: &Field<'_>) -> String {
    let ty = &field.ty.text;
    match (field.member.required, field.null) {
        (true, false) => ty.clone(),
        (true, true) | (false, false) => format!("{ty}?"),
        (false, true) => format!("Optional<{ty}>"),
    }
}

fn constant(field: &Field<'_>) -> Option<String> {
    let literal = fixed(field)?;
    Some(format!(
        "members.Constant({}, {literal});",
        string(&field.member.name)
    ))
}

/// The part of the initializer that reads a member.
pub(crate) fn read(field: &Field<'_>) -> String {
    let value = if field.ty.is_value { "Value" } else { "" };
    let method = match (field.member.required, field.null) {
        (true, false) => "Required".to_owned(),
        (true, true) => format!("NullOr{value}"),
        (false, false) => format!("Optional{value}"),
        (false, true) => "Presence".to_owned(),
    };
    let (wire, read) = (string(&field.member.name), &field.ty.read);
    format!("{} = members.{method}({wire}, {read}),", field.name)
}

fn write(field: &Field<'_>) -> String {
    let method = match (field.member.required, field.null) {
        (true, false) => "Required",
        (true, true) => "NullOr",
        (false, false) => "Optional",
        (false, true) => "Presence",
    };
    let (wire, write) = (string(&field.member.name), &field.ty.write);
    format!(
        "JsonWrite.{method}(writer, {wire}u8, {}, {write});",
        field.name
    )
}

fn others(
    object: &ObjectDefinition,
    fields: &[Field<'_>],
    types: &CSharpTypes<'_>,
    scope: &mut Scope,
) -> Result<Option<OthersView>, CodegenError> {
    let is_named = is_named(fields);
    let place = "the members that the schema does not name";
    Ok(match &object.others {
        Others::Rejected => None,
        Others::Kept => {
            scope.take("ExtensionData".to_owned(), place)?;
            Some(OthersView {
                name: "ExtensionData",
                ty: "IDictionary<string, JsonElement>".to_owned(),
                read: format!("members{}.Rest()", by_name(object, types)),
                write: format!("JsonWrite.Rest(writer, ExtensionData, JsonWrite.Any{is_named});"),
                is_extension: true,
            })
        }
        Others::Typed(slot) => {
            scope.take("AdditionalProperties".to_owned(), place)?;
            let ty = types.slot(slot);
            Some(OthersView {
                name: "AdditionalProperties",
                ty: format!("IDictionary<string, {}>", ty.text),
                read: format!("members{}.Rest({})", by_name(object, types), ty.read),
                write: format!(
                    "JsonWrite.Rest(writer, AdditionalProperties, {}{is_named});",
                    ty.write
                ),
                is_extension: false,
            })
        }
    })
}

/// The calls that judge other members by their names.
fn by_name(object: &ObjectDefinition, types: &CSharpTypes<'_>) -> String {
    let Some(names) = &object.names else {
        return String::new();
    };
    let spelled = |text: &str| string(&pattern(text));
    let patterns = names
        .patterns
        .iter()
        .map(|members| spelled(&members.pattern));
    let patterns: Vec<String> = patterns.collect();
    let mut calls = String::new();
    // Where all are of one type, they are read by it.
    if object.others == Others::Kept {
        let asking = names.patterns.iter().zip(&patterns);
        let any = Type::Any { nullable: true };
        for (members, pattern) in asking.filter(|(members, _)| members.slot.ty != any) {
            let read = types.slot(&members.slot).read;
            calls += &format!(".Matching({pattern}, {read})");
        }
    }
    if names.closed {
        calls += &format!(".OnlyMatching({})", patterns.join(", "));
    }
    calls
}

/// The argument that tells the members that have properties, or nothing where there are none.
fn is_named(fields: &[Field<'_>]) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let names = fields.iter().map(|field| string(&field.member.name));
    let names: Vec<String> = names.collect();
    format!(", static name => name is {}", names.join(" or "))
}

/// The formats that .NET has a type for: the type, and the method of the runtime that reads it.
const FORMATS: &[(&str, &str)] = &[
    ("date-time", "DateTimeOffset"),
    ("date", "DateOnly"),
    ("uuid", "Guid"),
    ("uri", "Uri"),
    ("uri-reference", "Uri"),
    ("iri", "Uri"),
];

fn accessors(
    fields: &[Field<'_>],
    scope: &mut Scope,
    names: &Names<'_>,
) -> Result<Vec<Accessor>, CodegenError> {
    let mut accessors = Vec::new();
    for field in fields {
        let Some(ty) = format(&field.member.ty, names) else {
            continue;
        };
        let name = scope.take(format!("{}As{ty}", field.name), &field.member.name)?;
        let presence = !field.member.required && field.null;
        let text = if presence {
            format!("{}.GetValueOrDefault()", field.name)
        } else {
            field.name.clone()
        };
        let sentence = format!(
            "The member `{}` as a `{ty}`, or null where it is absent or is none.",
            field.member.name
        );
        accessors.push(Accessor {
            docs: summary(&sentence, ""),
            obsolete: field.member.deprecated,
            ty,
            name,
            value: format!("JsonFormat.{ty}({text})"),
        });
    }
    Ok(accessors)
}

fn format(ty: &Type, names: &Names<'_>) -> Option<&'static str> {
    match ty {
        Type::Text {
            format: Some(format),
            ..
        } => {
            let known = FORMATS.iter().find(|(name, _)| name == format)?;
            Some(known.1)
        }
        Type::Reference { to, .. } => match names.kind(to)? {
            DefinitionKind::Alias(ty @ Type::Text { .. }) => self::format(ty, names),
            _ => None,
        },
        _ => None,
    }
}
