//! The variant of a union for unknown tags: it keeps the whole object.

use chatstate_codegen::{CodegenError, ConditionView, PresentView};
use chatstate_schema_model::{NamedDefinition, ObjectDefinition, Others, UnionDefinition};

use crate::names::Names;
use crate::object::fields;
use crate::others::judged_others;
use crate::pattern::pattern;

use crate::union::tag_property;
use crate::view::{Declared, ReadView, TagView, UnknownView};

/// The class of an unknown variant.
pub(crate) fn unknown(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    base: &str,
    union: &UnionDefinition,
    names: &Names<'_>,
) -> Result<UnknownView, CodegenError> {
    let tag_property = tag_property(base, union, names);
    let members = object.members.iter();
    let tag = (union.tag.as_str(), tag_property.as_str());
    let (fields, _) = fields(definition, members, Some(tag), names)?;
    let (tags, others): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|field| field.member.name == union.tag);
    let read = tags.into_iter().next().map(|field| field.value.read);
    Ok(UnknownView {
        declared: Declared::new(definition, names),
        base: names.definition(base),
        read: read.unwrap_or(ReadView::Runtime { method: "Text" }),
        members: others.iter().map(|field| field.view(None)).collect(),
        tag: TagView::new(union, tag_property),
        closed: object.others == Others::Rejected,
        others: judged_others(object, names),
        present: object.present.as_ref().map(PresentView::from),
        conditions: ConditionView::all(&object.conditions, pattern),
    })
}
