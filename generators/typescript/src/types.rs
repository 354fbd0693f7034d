//! The types: interfaces, unions and aliases.

use chatstate_schema_model::{
    DefinitionKind, Enumeration, EnumerationValue, Literal, MemberDefinition, NamedDefinition,
    ObjectDefinition, Others, Slot, Type, UnionDefinition,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::docs::{deprecated, doc, harmless};
use crate::names::{is_bare, type_name};
use crate::view::{DocView, LiteralView};

/// The declaration of a definition.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Declaration {
    Interface {
        doc: DocView,
        name: String,
        members: Vec<PropertyView>,
        /// What members have that the schema does not name, if the type says so.
        others: Option<Vec<TypeView>>,
    },
    Sum {
        doc: DocView,
        name: String,
        comments: PartComments,
        parts: Vec<PartView>,
    },
    Alias {
        doc: DocView,
        name: String,
        ty: TypeView,
    },
}

impl Declaration {
    /// The template that prints it.
    pub(crate) fn template(&self) -> &'static str {
        match self {
            Self::Interface { .. } => "interface.ts",
            Self::Sum { .. } => "sum.ts",
            Self::Alias { .. } => "alias.ts",
        }
    }
}

/// Which parts of a union have comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PartComments {
    None,
    /// The first alone.
    First,
    /// Any other, so that each part has a line.
    Several,
}

impl PartComments {
    fn of(parts: &[PartView]) -> Self {
        let last = parts
            .iter()
            .rposition(|part| part.doc != DocView::default());
        match last {
            None => Self::None,
            Some(0) => Self::First,
            Some(_) => Self::Several,
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct PropertyView {
    doc: DocView,
    name: String,
    /// Whether the name needs no quotes.
    bare: bool,
    /// Whether the member may be absent.
    optional: bool,
    /// The member has one of these.
    types: Vec<TypeView>,
}

#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct PartView {
    doc: DocView,
    ty: TypeView,
}

/// A type. Where there are several, it is one of them.
#[derive(Debug, PartialEq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum TypeView {
    /// A type by its name.
    Name {
        name: String,
    },
    List {
        of: Vec<TypeView>,
        /// Whether the items are one of several types.
        grouped: bool,
    },
    Tuple {
        of: Vec<Vec<TypeView>>,
    },
    /// An object whose members all have one type.
    Map {
        of: Vec<TypeView>,
    },
    Literal {
        value: LiteralView,
    },
    /// Any text, so that editors offer the words beside it: a plain `string` would swallow them.
    OpenText,
    /// Any integer, in the same way.
    OpenInteger,
}

fn named(name: impl Into<String>) -> TypeView {
    TypeView::Name { name: name.into() }
}

/// The declaration of a definition.
pub(crate) fn declaration(definition: &NamedDefinition) -> Declaration {
    let sum = |parts: Vec<PartView>| Declaration::Sum {
        doc: definition_doc(definition),
        name: type_name(&definition.name),
        comments: PartComments::of(&parts),
        parts,
    };
    match &definition.kind {
        DefinitionKind::Object(object) => interface(definition, object),
        DefinitionKind::Union(kind) => sum(arms(kind)),
        DefinitionKind::Enumeration(kind) => sum(values(kind)),
        DefinitionKind::Alternatives(of) => {
            sum(of.iter().map(|name| part(named(type_name(name)))).collect())
        }
        DefinitionKind::Kinds(arms) => {
            sum(arms.iter().map(|arm| part(type_view(&arm.ty))).collect())
        }
        DefinitionKind::Alias(ty) => Declaration::Alias {
            doc: definition_doc(definition),
            name: type_name(&definition.name),
            ty: type_view(ty),
        },
    }
}

fn definition_doc(definition: &NamedDefinition) -> DocView {
    let tags: Vec<String> = deprecated(definition.deprecated).into_iter().collect();
    doc(&definition.doc, &tags)
}

fn interface(definition: &NamedDefinition, object: &ObjectDefinition) -> Declaration {
    let is_unknown = |member: &MemberDefinition| matches!(member.ty, Type::UnknownTag(_));
    let members: Vec<PropertyView> = object.members.iter().map(property_view).collect();
    // Without a member, an interface would be the type of every value.
    let others = match &object.others {
        Others::Typed(slot) => Some(index_types(object, slot)),
        Others::Kept if members.is_empty() || object.members.iter().any(is_unknown) => {
            Some(vec![named("unknown")])
        }
        Others::Rejected if members.is_empty() => Some(vec![named("never")]),
        Others::Kept | Others::Rejected => None,
    };
    Declaration::Interface {
        doc: definition_doc(definition),
        name: type_name(&definition.name),
        members,
        others,
    }
}

/// An index signature holds for the named members as well.
fn index_types(object: &ObjectDefinition, slot: &Slot) -> Vec<TypeView> {
    let mut types = slot_types(&slot.ty, slot.nullable);
    for member in &object.members {
        types.extend(slot_types(&member.ty, member.nullable));
        if !member.required {
            types.push(named("undefined"));
        }
    }
    let mut seen = Vec::new();
    for ty in types {
        if !seen.contains(&ty) {
            seen.push(ty);
        }
    }
    seen
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
        name: member.name.clone(),
        bare: is_bare(&member.name),
        optional: !member.required,
        types: slot_types(&member.ty, member.nullable),
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

fn types_of(slot: &Slot) -> Vec<TypeView> {
    slot_types(&slot.ty, slot.nullable)
}

/// A type, and `null` where that is legal in its place and not said by the type.
fn slot_types(ty: &Type, nullable: bool) -> Vec<TypeView> {
    match ty {
        Type::Any { nullable: within } if nullable || *within => vec![named("unknown")],
        ty if nullable => vec![type_view(ty), named("null")],
        ty => vec![type_view(ty)],
    }
}

/// The type in TypeScript, `null` aside.
fn type_view(ty: &Type) -> TypeView {
    match ty {
        Type::Reference { to, .. } => named(type_name(to)),
        Type::List { items, .. } => {
            let of = types_of(items);
            let grouped = of.len() > 1;
            TypeView::List { of, grouped }
        }
        Type::Tuple(slots) => TypeView::Tuple {
            of: slots.iter().map(types_of).collect(),
        },
        Type::Map(slot) => TypeView::Map { of: types_of(slot) },
        Type::Constant(value) => literal(value),
        Type::UnknownTag(_) => named("UnknownTag"),
        Type::Text { .. } | Type::SplitText => named("string"),
        Type::Boolean => named("boolean"),
        Type::Integer(_) | Type::Number(_) => named("number"),
        Type::OpenObject => TypeView::Map {
            of: vec![named("unknown")],
        },
        Type::Any { nullable: true } => named("unknown"),
        Type::Any { nullable: false } => named("NonNullable<unknown>"),
    }
}

fn literal(value: &Literal) -> TypeView {
    let value = LiteralView::from(value);
    TypeView::Literal { value }
}

fn part(ty: TypeView) -> PartView {
    PartView {
        doc: DocView::default(),
        ty,
    }
}

fn arms(union: &UnionDefinition) -> Vec<PartView> {
    let names = union.arms.iter().map(|arm| &arm.definition);
    let all = names.chain(&union.unknown);
    all.map(|name| part(named(type_name(name)))).collect()
}

fn values(enumeration: &Enumeration) -> Vec<PartView> {
    let mut parts: Vec<PartView> = enumeration.values.iter().map(value).collect();
    if enumeration.open {
        let first = enumeration.values.first();
        let integers = first.is_some_and(|known| matches!(known.value, Literal::Integer(_)));
        parts.push(part(if integers {
            TypeView::OpenInteger
        } else {
            TypeView::OpenText
        }));
    }
    parts
}

fn value(known: &EnumerationValue) -> PartView {
    let tags: Vec<String> = deprecated(known.deprecated).into_iter().collect();
    PartView {
        doc: doc(&known.doc, &tags),
        ty: literal(&known.value),
    }
}
