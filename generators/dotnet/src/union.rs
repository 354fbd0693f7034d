//! Tagged unions: an abstract class, or a class that holds one of its variants.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{NamedDefinition, UnionDefinition};

use crate::docs::summary;
use crate::holder::{HolderVariant, holder, referenced};
use crate::names::{Names, arms, property};
use crate::types::CSharpTypes;
use crate::view::{
    ChoiceView, Declared, DefinitionView, TagCase, TagView, UnionView, UnknownCase, VariantView,
};

/// The property for the tag, which neither the union nor a variant has as its own name.
pub(crate) fn tag_property(name: &str, union: &UnionDefinition, names: &Names<'_>) -> String {
    let of_tag = property(&union.tag, &names.definition(name));
    if arms(union).any(|arm| names.definition(arm) == of_tag) {
        return format!("{of_tag}Value");
    }
    of_tag
}

impl TagView {
    /// The discriminator of a union that has a property for it.
    pub(crate) fn new(union: &UnionDefinition, property: String) -> Self {
        let sentence = format!("The discriminator, the member `{}`.", union.tag);
        Self {
            doc: vec![summary(&sentence, "")],
            wire: union.tag.clone(),
            property,
        }
    }
}

/// The class of a union.
pub(crate) fn union(
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names<'_>,
) -> Result<DefinitionView, CodegenError> {
    if !names.is_hierarchy(&definition.name, union) {
        return shared(definition, union, names);
    }
    let tag_property = tag_property(&definition.name, union, names);
    let types = CSharpTypes {
        names,
        hidden: [tag_property.clone()].into(),
    };
    let arms = union.arms.iter().map(|arm| VariantView {
        tag: arm.tag.clone(),
        class: types.expression(&arm.definition),
    });
    let unknown = union.unknown.as_deref();
    Ok(DefinitionView::Union(UnionView {
        declared: Declared::new(definition, names),
        tag: TagView::new(union, tag_property),
        arms: arms.collect(),
        unknown: unknown.map(|unknown| types.expression(unknown)),
    }))
}

/// A union that shares a variant with an earlier one.
fn shared(
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names<'_>,
) -> Result<DefinitionView, CodegenError> {
    let types = CSharpTypes::new(names);
    let all: Vec<HolderVariant> = arms(union).map(|arm| referenced(arm, &types)).collect();
    let cases = union.arms.iter().map(|arm| TagCase {
        tag: arm.tag.clone(),
        name: names.definition(&arm.definition),
        class: types.expression(&arm.definition),
    });
    let unknown = union.unknown.as_deref().map(|unknown| UnknownCase {
        name: names.definition(unknown),
        class: types.expression(unknown),
    });
    let choice = ChoiceView::Tag {
        wire: union.tag.clone(),
        cases: cases.collect(),
        unknown,
    };
    let holder = holder(definition, all, choice, names)?;
    Ok(DefinitionView::Holder(holder))
}
