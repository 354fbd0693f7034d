//! The variant of a union for unknown tags: it keeps the whole object.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{NamedDefinition, ObjectDefinition, UnionDefinition};

use crate::docs::summary;
use crate::literal::string;
use crate::names::Names;
use crate::object::{Field, Property, docs, fields, full_type, read};
use crate::union::tag_property;

/// What the template prints of an unknown variant.
#[derive(Template)]
#[template(path = "unknown.j2", escape = "none")]
struct UnknownView {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    base: String,
    tag: String,
    tag_docs: Vec<String>,
    tag_property: String,
    tag_read: String,
    properties: Vec<Property>,
    reads: Vec<String>,
}

/// The text that an unknown variant is printed from.
pub(crate) fn unknown(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    base: &str,
    union: &UnionDefinition,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let name = names.definition(&definition.name);
    let tag_property = tag_property(base, union, names);
    let members = object.members.iter();
    let tag = (union.tag.as_str(), tag_property.as_str());
    let (fields, _) = fields(definition, members, Some(tag), names)?;
    let (tags, others): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|field| field.member.name == union.tag);
    let tag_read = tags.first().map(|field| field.ty.read.clone());
    let properties = others.iter().map(|field| Property {
        docs: docs(field.member),
        obsolete: field.member.deprecated,
        wire: string(&field.member.name),
        modifiers: String::new(),
        ty: full_type(field),
        name: field.name.clone(),
        body: "{ get; }".to_owned(),
    });
    let view = UnknownView {
        docs: summary(
            &definition.doc,
            &format!("`{name}`, which the schema does not describe."),
        ),
        obsolete: definition.deprecated,
        base: names.definition(base),
        tag: string(&union.tag),
        tag_docs: summary(
            &format!("The discriminator, the member `{}`.", union.tag),
            "",
        ),
        tag_read: tag_read.unwrap_or_else(|| "JsonRead.Text".to_owned()),
        properties: properties.collect(),
        reads: others.iter().map(statement).collect(),
        tag_property,
        name,
    };
    printed(&view)
}

/// The statement that reads a member, from the part of an initializer that does.
fn statement(field: &Field<'_>) -> String {
    format!("{};", read(field).trim_end_matches(','))
}
