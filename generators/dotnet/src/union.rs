//! Tagged unions: an abstract class, or a class that holds one of its variants.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{NamedDefinition, UnionDefinition};

use crate::docs::summary;
use crate::holder::{HolderVariant, holder};
use crate::literal::string;
use crate::names::{Names, arms, property};
use crate::types::CSharpTypes;

/// What the template prints of a union.
#[derive(Template)]
#[template(path = "union.j2", escape = "none")]
struct UnionView {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    tag: String,
    tag_docs: Vec<String>,
    tag_property: String,
    /// The tag of each known variant as a literal, and its reader.
    arms: Vec<(String, String)>,
    /// What becomes of an unknown tag.
    otherwise: String,
}

/// The property for the tag, which neither the union nor a variant has as its own name.
pub(crate) fn tag_property(name: &str, union: &UnionDefinition, names: &Names<'_>) -> String {
    let of_tag = property(&union.tag, &names.definition(name));
    if arms(union).any(|arm| names.definition(arm) == of_tag) {
        return format!("{of_tag}Value");
    }
    of_tag
}

/// The text that a union is printed from.
pub(crate) fn union(
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    if !names.is_hierarchy(&definition.name, union) {
        return shared(definition, union, names);
    }
    let name = names.definition(&definition.name);
    let tag_property = tag_property(&definition.name, union, names);
    let types = CSharpTypes {
        names,
        hidden: [tag_property.clone()].into(),
    };
    let read = |arm: &str| format!("{}.FromElement(element)", types.expression(arm));
    let known = union.arms.iter();
    let view = UnionView {
        docs: summary(
            &definition.doc,
            &format!("`{name}`, which the schema does not describe."),
        ),
        obsolete: definition.deprecated,
        tag: string(&union.tag),
        tag_docs: summary(
            &format!("The discriminator, the member `{}`.", union.tag),
            "",
        ),
        arms: known
            .map(|arm| (string(&arm.tag), read(&arm.definition)))
            .collect(),
        otherwise: otherwise(union, read),
        name,
        tag_property,
    };
    printed(&view)
}

/// What is done with a tag that no known variant has.
fn otherwise(union: &UnionDefinition, read: impl Fn(&str) -> String) -> String {
    if let Some(unknown) = &union.unknown {
        return read(unknown);
    }
    let tags: Vec<String> = union.arms.iter().map(|arm| string(&arm.tag)).collect();
    format!(
        "throw JsonRead.NoSuchTag(element, {}, {})",
        string(&union.tag),
        tags.join(", ")
    )
}

/// A union that shares a variant with an earlier one.
fn shared(
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let types = CSharpTypes::new(names);
    let of = |definition: &str| HolderVariant {
        name: names.definition(definition),
        ty: types.of(&chatstate_schema_model::Type::Reference {
            to: definition.to_owned(),
            cyclic: false,
        }),
    };
    let all: Vec<HolderVariant> = arms(union).map(of).collect();
    let read = |arm: &str| {
        let (name, ty) = (names.definition(arm), types.expression(arm));
        format!("Of{name}({ty}.FromElement(element))")
    };
    let known = union.arms.iter().map(|arm| {
        let tag = string(&arm.tag);
        format!("{tag} => {},", read(&arm.definition))
    });
    let mut cases: Vec<String> = known.collect();
    cases.push(format!("_ => {},", otherwise(union, read)));
    let chosen_by = format!("JsonRead.Tag(element, {})", string(&union.tag));
    holder(definition, all, &chosen_by, cases, names)
}
