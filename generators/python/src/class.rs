//! Classes: objects, tagged unions, and documents that are no objects.

use std::collections::BTreeMap;

use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, ConditionView};
use chatstate_schema_model::{
    MemberDefinition, NamedDefinition, ObjectDefinition, Others, PresentMembers, Slot, Type,
    UnionDefinition,
};

use crate::alias::annotation_of;
use crate::annotation::{Annotations, checked_pattern, resolved, value};
use crate::docs::{deprecation, docstring};
use crate::names::{attributes, type_name};
use crate::view::{
    AccessorView, Annotation, AskedMembersView, CallArgument, ClosedView, ConditionsView,
    DefaultView, DocView, DocumentView, ExtraView, LiteralView, MemberView, NamesView, ObjectView,
    PatternView, ReaderView, UnionView, VariantView,
};

/// The texts of some formats, the type that an accessor gives, and the function that reads it.
const FORMATS: &[(&str, &str, &str)] = &[
    ("date", "Date", "as_date"),
    ("date-time", "DateTime", "as_date_time"),
    ("time", "Time", "as_time"),
    ("uuid", "Uuid", "as_uuid"),
];

/// The unions of which each definition is a variant, in order.
pub(crate) type Unions<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// An object.
pub(crate) fn object(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    annotations: &Annotations<'_>,
    unions: &Unions<'_>,
) -> Result<ObjectView, CodegenError> {
    let names = attributes(definition, object)?;
    let mut members = Vec::new();
    for (member, name) in object.members.iter().zip(&names) {
        members.push(member_view(member, name, annotations)?);
    }
    let accessors = accessors(definition, object, &names, annotations)?;
    let doc = doc(definition);
    let (closed, extra) = others(&object.others, annotations)?;
    let by_name = by_name(object, annotations)?;
    let present = object
        .present
        .as_ref()
        .map(|asked| present(asked, annotations));
    let conditions = conditions(object, annotations);
    let nothing = doc.is_empty() && closed.is_none() && extra.is_none();
    let nothing = nothing && by_name.is_none() && present.is_none();
    let bases = bases(definition, object, annotations, unions);
    let is_variant = unions.contains_key(definition.name.as_str());
    let reader = is_variant.then(|| reader(annotations.imports.name("Self"), annotations));
    let nothing = nothing && conditions.is_none() && reader.is_none();
    Ok(ObjectView {
        name: type_name(&definition.name),
        bases,
        empty: nothing && members.is_empty(),
        doc,
        reader,
        closed,
        extra,
        names: by_name,
        present: present.map(Box::new),
        conditions,
        members,
        accessors,
    })
}

fn doc(definition: &NamedDefinition) -> DocView {
    docstring(&[&definition.doc, deprecation(definition.deprecated)])
}

/// What type checkers are told that a class reads: a union any of its variants, which each read
/// themselves.
fn reader(returns: String, annotations: &Annotations<'_>) -> ReaderView {
    ReaderView {
        checking: annotations.imports.name("TYPE_CHECKING"),
        text: annotations.imports.name("JsonText"),
        returns,
    }
}

fn bases(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    annotations: &Annotations<'_>,
    unions: &Unions<'_>,
) -> Vec<String> {
    let unions = unions.get(definition.name.as_str());
    let unions = unions.into_iter().flatten();
    let mut bases: Vec<String> = unions.map(|union| type_name(union)).collect();
    if object.names.is_some() {
        bases.push(annotations.imports.name("ModelByName"));
    }
    if object.present.is_some() {
        bases.push(annotations.imports.name("ModelByPresence"));
    }
    if !object.conditions.is_empty() {
        bases.push(annotations.imports.name("ModelByConditions"));
    }
    if bases.is_empty() {
        bases.push(annotations.imports.name("Model"));
    }
    bases
}

/// What is done with members that the schema does not name.
fn others(
    others: &Others,
    annotations: &Annotations<'_>,
) -> Result<(Option<ClosedView>, Option<ExtraView>), CodegenError> {
    Ok(match others {
        Others::Kept => (None, None),
        Others::Rejected => {
            let config = annotations.imports.name("ConfigDict");
            (Some(ClosedView { config }), None)
        }
        Others::Typed(slot) => {
            let field = annotations.imports.name("Field");
            let of = annotations.slot(slot)?;
            (None, Some(ExtraView { of, field }))
        }
    })
}

/// What is asked of which members are there.
fn present(asked: &PresentMembers, annotations: &Annotations<'_>) -> AskedMembersView {
    AskedMembersView {
        class: annotations.imports.name("Present"),
        present: asked.into(),
    }
}

/// What is asked of the object beyond the types of its members.
fn conditions(object: &ObjectDefinition, annotations: &Annotations<'_>) -> Option<ConditionsView> {
    if object.conditions.is_empty() {
        return None;
    }
    Some(ConditionsView {
        class: annotations.imports.name("Condition"),
        all: ConditionView::all(&object.conditions, str::to_owned),
    })
}

/// What the names of other members say of them.
fn by_name(
    object: &ObjectDefinition,
    annotations: &Annotations<'_>,
) -> Result<Option<NamesView>, CodegenError> {
    let Some(names) = &object.names else {
        return Ok(None);
    };
    let any = Slot {
        ty: Type::Any { nullable: true },
        nullable: true,
    };
    let patterns = names.patterns.iter().map(|members| {
        // Where all are of one type, they are read by it.
        let is_read = object.others != Others::Kept;
        let of = annotations.slot(if is_read { &any } else { &members.slot })?;
        Ok(PatternView {
            pattern: LiteralView::Text(checked_pattern(&members.pattern)?),
            of: annotations.as_value(of),
        })
    });
    Ok(Some(NamesView {
        class: annotations.imports.name("Names"),
        patterns: patterns.collect::<Result<_, CodegenError>>()?,
        closed: LiteralView::Boolean(names.closed),
    }))
}

fn member_view(
    member: &MemberDefinition,
    name: &str,
    annotations: &Annotations<'_>,
) -> Result<MemberView, CodegenError> {
    let annotation = if member.required || member.nullable || annotations.holds_null(&member.ty) {
        annotations.nullable(&member.ty, member.nullable)?
    } else {
        Annotation::AbsentOr {
            name: annotations.imports.name("OrAbsent"),
            of: Box::new(annotations.of(&member.ty)?),
        }
    };
    let alias = (name != member.name).then(|| LiteralView::Text(member.name.clone()));
    let deprecated = member.deprecated.then_some(LiteralView::Boolean(true));
    let argument = |name, value: Option<LiteralView>| {
        let name = Some(name);
        value.map(|value| CallArgument { name, value })
    };
    let arguments = [argument("alias", alias), argument("deprecated", deprecated)];
    let field = annotations.described("Field", arguments);
    Ok(MemberView {
        name: name.to_owned(),
        annotation: annotations.annotated(annotation, Vec::from_iter(field)),
        default: default_of(member, annotations),
        doc: member_doc(member),
    })
}

fn member_doc(member: &MemberDefinition) -> DocView {
    let paragraphs = member_paragraphs(member);
    let paragraphs: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
    docstring(&paragraphs)
}

/// What is said of a member.
pub(crate) fn member_paragraphs(member: &MemberDefinition) -> Vec<String> {
    let default = member.default.as_ref();
    let default = default.map(|value| format!("Absent means `{value}`."));
    let mut paragraphs = vec![
        member.doc.clone(),
        default.unwrap_or_default(),
        deprecation(member.deprecated).to_owned(),
    ];
    paragraphs.retain(|paragraph| !paragraph.trim().is_empty());
    paragraphs
}

/// What a constructor takes for a member that is not given.
fn default_of(member: &MemberDefinition, annotations: &Annotations<'_>) -> DefaultView {
    match &member.ty {
        _ if !member.required => DefaultView::None,
        Type::Constant(constant) if !member.nullable => DefaultView::Constant {
            function: annotations.imports.name("constant"),
            value: value(constant),
        },
        _ => DefaultView::Required,
    }
}

/// The accessors of members whose text denotes something else.
fn accessors(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &[String],
    annotations: &Annotations<'_>,
) -> Result<Vec<AccessorView>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    for (member, name) in object.members.iter().zip(names) {
        scope.take(name.clone(), &member.name)?;
    }
    let mut accessors = Vec::new();
    for (member, name) in object.members.iter().zip(names) {
        let Type::Text {
            format: Some(format),
            ..
        } = resolved(annotations.ir, &member.ty)?
        else {
            continue;
        };
        let Some((_, returns, function)) = FORMATS.iter().find(|row| row.0 == format) else {
            continue;
        };
        let accessor = format!("{name}_{function}");
        accessors.push(AccessorView {
            name: scope.take(accessor, &member.name)?,
            returns: annotations.imports.name(returns),
            function: annotations.imports.name(function),
            member: name.clone(),
        });
    }
    Ok(accessors)
}

/// A union with a discriminator.
pub(crate) fn union(
    definition: &NamedDefinition,
    union: &UnionDefinition,
    annotations: &Annotations<'_>,
) -> UnionView {
    let arms = union.arms.iter().map(|arm| VariantView {
        tag: arm.tag.clone(),
        class: type_name(&arm.definition),
    });
    UnionView {
        name: type_name(&definition.name),
        base: annotations.imports.name("TaggedUnion"),
        doc: doc(definition),
        reader: reader(annotations.types.annotated(&definition.name), annotations),
        arms_type: annotations.imports.name("Arms"),
        tag: union.tag.clone(),
        arms: arms.collect(),
        unknown: union.unknown.as_deref().map(type_name),
    }
}

/// A document that is not an object.
pub(crate) fn document(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
) -> Result<DocumentView, CodegenError> {
    Ok(DocumentView {
        name: type_name(&definition.name),
        base: annotations.imports.name("Document"),
        doc: doc(definition),
        root: annotation_of(definition, annotations)?,
    })
}
