//! Classes: objects, tagged unions, and documents that are no objects.

use std::collections::BTreeMap;

use askama::Template;
use chatstate_codegen::CodegenError;
use chatstate_codegen::names::Scope;
use chatstate_schema_model::{
    MemberDefinition, NamedDefinition, ObjectDefinition, Others, Type, UnionDefinition,
};

use crate::alias::annotation_of;
use crate::annotation::{Annotations, resolved};
use crate::docs::{deprecation, docstring};
use crate::layout::laid_out;
use crate::literal::{literal, text};
use crate::names::{attributes, type_name};

/// The indentation of what is in a class.
const INDENTATION: &str = "    ";

/// The texts of some formats, the type that an accessor gives, and the function that reads it.
const FORMATS: &[(&str, &str, &str)] = &[
    ("date", "Date", "as_date"),
    ("date-time", "DateTime", "as_date_time"),
    ("time", "Time", "as_time"),
    ("uuid", "Uuid", "as_uuid"),
];

/// Pydantic wants the type of other members where a type checker sees an attribute of another type.
const IGNORED: &str = "  # pyright: ignore[reportIncompatibleVariableOverride]";

/// An object as it is printed.
#[derive(Debug, Template)]
#[template(path = "object.py.j2", escape = "none")]
pub(crate) struct ObjectView {
    name: String,
    bases: String,
    doc: String,
    /// The statement that makes the class reject other members.
    config: String,
    /// The statement for the type of other members.
    extra: String,
    members: Vec<MemberView>,
    accessors: Vec<AccessorView>,
    /// Whether there is nothing in the class.
    empty: bool,
}

#[derive(Debug)]
struct MemberView {
    name: String,
    annotation: String,
    /// With its equals sign; may be empty.
    default: String,
    doc: String,
}

#[derive(Debug)]
struct AccessorView {
    name: String,
    returns: String,
    function: String,
    member: String,
    doc: String,
}

/// A union with a discriminator as it is printed.
#[derive(Debug, Template)]
#[template(path = "union.py.j2", escape = "none")]
pub(crate) struct UnionView {
    name: String,
    base: String,
    doc: String,
    arms_type: String,
    tag: String,
    arms: Vec<VariantView>,
    unknown: String,
}

#[derive(Debug)]
struct VariantView {
    tag: String,
    class: String,
}

/// A document that is not an object, as it is printed.
#[derive(Debug, Template)]
#[template(path = "document.py.j2", escape = "none")]
pub(crate) struct DocumentView {
    name: String,
    base: String,
    doc: String,
    root: String,
}

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
    let doc = docstring(
        &[&definition.doc, deprecation(definition.deprecated)],
        INDENTATION,
    );
    let (config, extra) = others(&object.others, annotations)?;
    let empty = [&doc, &config, &extra].iter().all(|part| part.is_empty()) && members.is_empty();
    Ok(ObjectView {
        name: type_name(&definition.name),
        bases: bases(&definition.name, annotations, unions),
        doc,
        config,
        extra,
        members,
        accessors,
        empty,
    })
}

fn bases(name: &str, annotations: &Annotations<'_>, unions: &Unions<'_>) -> String {
    match unions.get(name) {
        Some(unions) => {
            let unions: Vec<String> = unions.iter().map(|union| type_name(union)).collect();
            unions.join(", ")
        }
        None => annotations.imports.name("Model"),
    }
}

/// The statements about members that the schema does not name.
fn others(
    others: &Others,
    annotations: &Annotations<'_>,
) -> Result<(String, String), CodegenError> {
    Ok(match others {
        Others::Kept => (String::new(), String::new()),
        Others::Rejected => {
            let forbid = annotations.call("ConfigDict", &["extra=\"forbid\"".to_owned()]);
            (format!("model_config = {forbid}"), String::new())
        }
        Others::Typed(slot) => {
            let init = annotations.call("Field", &["init=False".to_owned()]);
            let values = annotations.slot(slot)?;
            (
                String::new(),
                format!("__pydantic_extra__: dict[str, {values}] = {init}{IGNORED}"),
            )
        }
    })
}

fn member_view(
    member: &MemberDefinition,
    name: &str,
    annotations: &Annotations<'_>,
) -> Result<MemberView, CodegenError> {
    let annotation = if member.required || member.nullable || annotations.holds_null(&member.ty) {
        annotations.nullable(&member.ty, member.nullable)?
    } else {
        let or_absent = annotations.imports.name("OrAbsent");
        format!("{or_absent}[{}]", annotations.of(&member.ty)?)
    };
    let mut arguments = Vec::new();
    if name != member.name {
        arguments.push(format!("alias={}", text(&member.name)));
    }
    if member.deprecated {
        arguments.push("deprecated=True".to_owned());
    }
    let field = (!arguments.is_empty()).then(|| annotations.call("Field", &arguments));
    let default = member.default.as_ref();
    let default = default.map(|value| format!("Absent means `{value}`."));
    let paragraphs = [
        member.doc.as_str(),
        default.as_deref().unwrap_or_default(),
        deprecation(member.deprecated),
    ];
    let annotation = annotations.annotated(&annotation, &Vec::from_iter(field));
    let default = default_of(member, annotations);
    Ok(MemberView {
        name: name.to_owned(),
        annotation: laid_out(
            &annotation,
            INDENTATION.len(),
            name.chars().count() + ": ".len(),
            default.chars().count(),
        ),
        default,
        doc: docstring(&paragraphs, INDENTATION),
    })
}

/// What a constructor takes for a member that is not given.
fn default_of(member: &MemberDefinition, annotations: &Annotations<'_>) -> String {
    match &member.ty {
        _ if !member.required => " = None".to_owned(),
        Type::Constant(value) if !member.nullable => {
            format!(" = {}", annotations.call("constant", &[literal(value)]))
        }
        _ => String::new(),
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
            doc: format!("Reads `{name}`; `ValueError` if it is something else."),
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
        tag: text(&arm.tag),
        class: type_name(&arm.definition),
    });
    let unknown = union.unknown.as_deref().map(type_name);
    UnionView {
        name: type_name(&definition.name),
        base: annotations.imports.name("TaggedUnion"),
        doc: docstring(
            &[&definition.doc, deprecation(definition.deprecated)],
            INDENTATION,
        ),
        arms_type: annotations.imports.name("Arms"),
        tag: text(&union.tag),
        arms: arms.collect(),
        unknown: unknown.unwrap_or_else(|| "None".to_owned()),
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
        doc: docstring(
            &[&definition.doc, deprecation(definition.deprecated)],
            INDENTATION,
        ),
        root: laid_out(
            &annotation_of(definition, annotations)?,
            INDENTATION.len(),
            "root: ".len(),
            0,
        ),
    })
}
