//! Which keywords are conditions: what they say does not change the type, and is asked of each object.

use std::collections::HashSet;

use crate::documents::Documents;
use crate::exclusion::excluded_kinds;
use crate::keywords::OBJECT;
use crate::lowering::PredicateReader;
use crate::node::Node;
use crate::opaque::address;
use crate::tag::rejected_objects;
use crate::types::listed_names;
use crate::{Condition, IrError, MemberDefinition, Type};

/// The keywords that may be conditions, with those that they are read with.
pub(crate) const CONDITIONS: &[&str] = &["if", "then", "else", "dependentSchemas", "not"];

/// The conditions among the keywords of a schema.
pub(crate) fn keywords(node: &Node<'_>) -> Vec<&'static str> {
    let found = [
        ("if", node.has("if") && node.has_any(&["then", "else"])),
        ("dependentSchemas", node.has("dependentSchemas")),
        ("dependencies", has_schemas_of_members(node)),
        ("not", node.has("not")),
        ("propertyNames", limits_names(node)),
    ];
    let found = found.into_iter().filter(|(_, is_there)| *is_there);
    found.map(|(keyword, _)| keyword).collect()
}

/// Whether conditions ask something of objects: that they are of no other type is no question.
pub(crate) fn ask_objects(node: &Node<'_>) -> bool {
    let of_other_types = excluded_kinds(node).is_some_and(|excluded| !excluded.contains(&"object"));
    let mut asking = keywords(node).into_iter();
    asking.any(|keyword| keyword != "not" || !of_other_types)
}

/// Whether what a member needs is said by a schema.
fn has_schemas_of_members(node: &Node<'_>) -> bool {
    let needed = node.member("dependencies").and_then(|all| all.as_object());
    needed.is_some_and(|members| members.values().any(|needed| !needed.is_array()))
}

/// Whether names of members are limited otherwise than by a list of them.
fn limits_names(node: &Node<'_>) -> bool {
    let Some(names) = node.get("propertyNames") else {
        return false;
    };
    let is_any_text = names.value == true
        || names.allow(&["type"]).is_ok()
            && names.member("type").is_none_or(|kind| kind == "string");
    listed_names(&names).is_none() && !is_any_text
}

/// Whether a schema says by conditions alone what is legal.
pub(crate) fn is_conditional(node: &Node<'_>) -> bool {
    !node.has("type") && !node.has_any(OBJECT) && !keywords(node).is_empty()
}

/// Whether a schema says nothing but conditions, and lets values of several types through.
pub(crate) fn is_only_asked<'a>(
    documents: &Documents<'a>,
    node: &Node<'a>,
) -> Result<bool, IrError> {
    Ok(is_conditional(node)
        && node.allow(CONDITIONS).is_ok()
        && excluded_kinds(node).is_none()
        && !takes_only_objects(documents, node)?)
}

/// Whether a schema lets no other value than objects through, by its conditions.
pub(crate) fn takes_only_objects<'a>(
    documents: &Documents<'a>,
    node: &Node<'a>,
) -> Result<bool, IrError> {
    let said = conditions(documents, node)?;
    let mut all = said.iter();
    Ok(all.any(|condition| condition.holds.takes_only_objects()))
}

/// Whether the conditions of a schema let `null` through.
pub(crate) fn takes_null<'a>(documents: &Documents<'a>, node: &Node<'a>) -> Result<bool, IrError> {
    let said = conditions(documents, node)?;
    let mut all = said.iter();
    Ok(all.all(|condition| condition.holds.takes("null") != Some(false)))
}

/// What the conditions of a schema say.
fn conditions<'a>(documents: &Documents<'a>, node: &Node<'a>) -> Result<Vec<Condition>, IrError> {
    let said = keywords(node).into_iter();
    said.map(|keyword| condition(documents, node, keyword))
        .collect()
}

/// What a keyword of a schema says as a condition.
pub(crate) fn condition<'a>(
    documents: &Documents<'a>,
    node: &Node<'a>,
    keyword: &str,
) -> Result<Condition, IrError> {
    Ok(Condition {
        keyword: keyword.to_owned(),
        pointer: format!("{}/{keyword}", node.pointer),
        holds: PredicateReader::new(documents).condition(node, keyword)?,
    })
}

/// What a description of a member says as a condition on the object.
pub(crate) fn member_condition<'a>(
    documents: &Documents<'a>,
    name: &str,
    place: &Node<'a>,
) -> Result<Condition, IrError> {
    Ok(Condition {
        keyword: "properties".to_owned(),
        pointer: place.pointer.clone(),
        holds: PredicateReader::new(documents).member(name, place)?,
    })
}

/// Whether it depends on the value which members a schema says something of.
pub(crate) fn evaluates_by_value<'a>(
    documents: &Documents<'a>,
    node: &Node<'a>,
) -> Result<bool, IrError> {
    let (mut waiting, mut seen) = (vec![node.clone()], HashSet::new());
    while let Some(node) = waiting.pop() {
        if !seen.insert(address(&node)) || !node.value.is_object() {
            continue;
        }
        if let Some(reference) = node.reference() {
            waiting.push(documents.target(&reference)?);
        }
        // Of `oneOf`, one variant holds, which is the one that is read.
        if node.has_any(&["anyOf", "if", "dependentSchemas"]) || has_schemas_of_members(&node) {
            return Ok(true);
        }
        for keyword in ["allOf", "oneOf"] {
            waiting.extend(
                node.get(keyword)
                    .map(|all| all.items())
                    .transpose()?
                    .unwrap_or_default(),
            );
        }
    }
    Ok(false)
}

/// What the conditions of an object say that its members do not say already.
pub(crate) fn conditions_beside<'a>(
    documents: &Documents<'a>,
    schema: &Node<'a>,
    members: &[MemberDefinition],
) -> Result<Vec<Condition>, IrError> {
    let mut said = conditions(documents, schema)?;
    let is_said = rejected_objects(schema).is_some_and(|list| {
        let tag = members.iter().find(|member| member.name == list.tag);
        tag.is_some_and(|tag| matches!(&tag.ty, Type::UnknownTag(tags) if *tags == list.tags))
    });
    said.retain(|condition| condition.keyword != "not" || !is_said);
    // A value is read as the first variant that accepts it.
    if schema.has("oneOf") {
        let one = condition(documents, schema, "oneOf")?;
        said.extend((!one.holds.are_apart()).then_some(one));
    }
    Ok(said)
}
