//! The types: interfaces, unions and aliases.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    DefinitionKind, Enumeration, Literal, MemberDefinition, NamedDefinition, ObjectDefinition,
    Others, Slot, Type, UnionDefinition,
};

use crate::docs::{deprecated, doc, harmless};
use crate::names::{literal, property, type_name};

/// An interface as its template prints it.
#[derive(Template)]
#[template(path = "interface.j2", escape = "none")]
struct InterfaceView {
    doc: Vec<String>,
    name: String,
    members: Vec<PropertyView>,
    /// What members have that the schema does not name, if the type says so.
    others: Option<String>,
}

struct PropertyView {
    doc: Vec<String>,
    name: String,
    /// `?` where the member may be absent.
    mark: &'static str,
    ty: String,
}

/// A union of one line for each part.
#[derive(Template)]
#[template(path = "sum.j2", escape = "none")]
struct SumView {
    doc: Vec<String>,
    name: String,
    parts: Vec<PartView>,
}

struct PartView {
    doc: Vec<String>,
    ty: String,
    /// What ends the declaration, after its last part.
    end: &'static str,
}

#[derive(Template)]
#[template(path = "alias.j2", escape = "none")]
struct AliasView {
    doc: Vec<String>,
    name: String,
    ty: String,
}

/// The declaration of a definition.
pub(crate) fn declaration(definition: &NamedDefinition) -> Result<String, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Object(object) => printed(&interface(definition, object))?,
        DefinitionKind::Union(kind) => printed(&sum(definition, arms(kind)))?,
        DefinitionKind::Enumeration(kind) => printed(&sum(definition, values(kind)))?,
        DefinitionKind::Alternatives(of) => {
            let parts = of.iter().map(|name| part(type_name(name))).collect();
            printed(&sum(definition, parts))?
        }
        DefinitionKind::Kinds(arms) => {
            let parts = arms.iter().map(|arm| part(type_text(&arm.ty))).collect();
            printed(&sum(definition, parts))?
        }
        DefinitionKind::Alias(ty) => printed(&alias(definition, ty))?,
    })
}

fn definition_doc(definition: &NamedDefinition, mut tags: Vec<String>) -> Vec<String> {
    tags.extend(deprecated(definition.deprecated));
    doc(&definition.doc, &tags)
}

fn interface(definition: &NamedDefinition, object: &ObjectDefinition) -> InterfaceView {
    let is_unknown = |member: &MemberDefinition| matches!(member.ty, Type::UnknownTag(_));
    let members: Vec<PropertyView> = object.members.iter().map(property_view).collect();
    // Without a member, an interface would be the type of every value.
    let others = match &object.others {
        Others::Typed(slot) => Some(index_type(object, slot)),
        Others::Kept if members.is_empty() || object.members.iter().any(is_unknown) => {
            Some("unknown".to_owned())
        }
        Others::Rejected if members.is_empty() => Some("never".to_owned()),
        Others::Kept | Others::Rejected => None,
    };
    InterfaceView {
        doc: definition_doc(definition, Vec::new()),
        name: type_name(&definition.name),
        members,
        others,
    }
}

/// An index signature holds for the named members as well.
fn index_type(object: &ObjectDefinition, slot: &Slot) -> String {
    let mut types = slot_types(&slot.ty, slot.nullable);
    for member in &object.members {
        types.extend(slot_types(&member.ty, member.nullable));
        if !member.required {
            types.push("undefined".to_owned());
        }
    }
    let mut seen = Vec::new();
    for ty in types {
        if !seen.contains(&ty) {
            seen.push(ty);
        }
    }
    seen.join(" | ")
}

fn property_view(member: &MemberDefinition) -> PropertyView {
    let mut tags = Vec::new();
    if let Some(default) = &member.default {
        tags.push(format!(
            "@defaultValue `{}`",
            harmless(&default.to_string())
        ));
    }
    tags.extend(deprecated(member.deprecated));
    PropertyView {
        doc: doc(&member_doc(member), &tags),
        name: property(&member.name),
        mark: if member.required { "" } else { "?" },
        ty: member_type(member),
    }
}

fn member_doc(member: &MemberDefinition) -> String {
    match &member.ty {
        Type::Text {
            format: Some(format),
            ..
        } => format!("{}\n\nThe format is `{format}`.", member.doc),
        _ => member.doc.clone(),
    }
}

/// The type of a member where it is there.
fn member_type(member: &MemberDefinition) -> String {
    slot_types(&member.ty, member.nullable).join(" | ")
}

fn slot_text(slot: &Slot) -> String {
    slot_types(&slot.ty, slot.nullable).join(" | ")
}

/// A type, and `null` where that is legal in its place and not said by the type.
fn slot_types(ty: &Type, nullable: bool) -> Vec<String> {
    match ty {
        Type::Any { nullable: within } if nullable || *within => vec!["unknown".to_owned()],
        ty if nullable => vec![type_text(ty), "null".to_owned()],
        ty => vec![type_text(ty)],
    }
}

/// The TypeScript of a type, `null` aside.
pub(crate) fn type_text(ty: &Type) -> String {
    match ty {
        Type::Reference { to, .. } => type_name(to),
        Type::List { items, .. } => match slot_text(items) {
            items if items.contains(' ') => format!("({items})[]"),
            items => format!("{items}[]"),
        },
        Type::Tuple(slots) => {
            let items: Vec<String> = slots.iter().map(slot_text).collect();
            format!("[{}]", items.join(", "))
        }
        Type::Map(slot) => format!("{{ [name: string]: {} }}", slot_text(slot)),
        Type::Constant(value) => literal(value),
        Type::UnknownTag(_) => "UnknownTag".to_owned(),
        Type::Text { .. } | Type::SplitText => "string".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer(_) | Type::Number(_) => "number".to_owned(),
        Type::OpenObject => "{ [name: string]: unknown }".to_owned(),
        Type::Any { nullable: true } => "unknown".to_owned(),
        Type::Any { nullable: false } => "NonNullable<unknown>".to_owned(),
    }
}

fn sum(definition: &NamedDefinition, mut parts: Vec<PartView>) -> SumView {
    if let Some(last) = parts.last_mut() {
        last.end = ";";
    }
    SumView {
        doc: definition_doc(definition, Vec::new()),
        name: type_name(&definition.name),
        parts,
    }
}

fn part(ty: String) -> PartView {
    PartView {
        doc: Vec::new(),
        ty,
        end: "",
    }
}

fn arms(union: &UnionDefinition) -> Vec<PartView> {
    let names = union.arms.iter().map(|arm| &arm.definition);
    let all = names.chain(&union.unknown);
    all.map(|name| part(type_name(name))).collect()
}

fn values(enumeration: &Enumeration) -> Vec<PartView> {
    let mut parts: Vec<PartView> = enumeration.values.iter().map(value).collect();
    if enumeration.open {
        // A plain `string` would swallow the words beside it, and editors could offer none.
        let integers = matches!(
            enumeration.values.first().map(|known| &known.value),
            Some(Literal::Integer(_))
        );
        parts.push(part(
            if integers {
                "(number & {})"
            } else {
                "(string & {})"
            }
            .to_owned(),
        ));
    }
    parts
}

fn value(known: &chatstate_schema_model::EnumerationValue) -> PartView {
    let tags: Vec<String> = deprecated(known.deprecated).into_iter().collect();
    PartView {
        doc: doc(&known.doc, &tags),
        ..part(literal(&known.value))
    }
}

fn alias(definition: &NamedDefinition, ty: &Type) -> AliasView {
    AliasView {
        doc: definition_doc(definition, Vec::new()),
        name: type_name(&definition.name),
        ty: type_text(ty),
    }
}
