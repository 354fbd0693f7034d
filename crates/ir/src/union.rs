//! Tagged unions: which member tells the arms apart, and which arm takes the rest.

use crate::definition::Scope;
use crate::node::{Node, listed};
use crate::{Arm, IrError, Union};

/// Whether a `oneOf` is a union of objects told apart by a tag: every arm refers to an object with
/// members.
pub(crate) fn is_tagged(arms: &Node<'_>, scope: &Scope<'_>) -> Result<bool, IrError> {
    for arm in arms.items()? {
        let Some(reference) = arm.get("$ref") else {
            return Ok(false);
        };
        if scope.target(&reference)?.1.get("properties").is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// One arm as it is written: where, the name it refers to, and the object under that name.
struct Written<'a> {
    place: Node<'a>,
    name: &'a str,
    object: Node<'a>,
}

/// Reads the arms of a tagged union.
pub(crate) fn read_union(arms: &Node<'_>, scope: &Scope<'_>) -> Result<Union, IrError> {
    let mut written = Vec::new();
    for place in arms.items()? {
        place.allow(&[], &["$ref"])?;
        let (name, object) = scope.target(&place.require("$ref")?)?;
        written.push(Written {
            place,
            name,
            object: object.clone(),
        });
    }
    let unknown = take_unknown(&mut written)?;
    let tag = match &unknown {
        Some((_, list)) => list.tag.to_owned(),
        None => common_tag(arms, &written)?,
    };
    let known = read_arms(&written, &tag)?;
    if let Some((_, list)) = &unknown {
        check_list(&list.names, &known)?;
    }
    Ok(Union {
        tag,
        arms: known,
        unknown: unknown.map(|(name, _)| name),
    })
}

/// The last arm, if it is the one for unknown tags.
fn take_unknown<'a>(
    written: &mut Vec<Written<'a>>,
) -> Result<Option<(String, TagList<'a>)>, IrError> {
    let last = written.pop();
    if let Some(early) = written.iter().find(|arm| tag_list(&arm.object).is_some()) {
        let message = format!(
            "`{}` takes unknown tags but is not the last arm",
            early.name
        );
        return Err(early
            .place
            .fail(message, "move it to the end of `oneOf`; there is only one"));
    }
    let Some(last) = last else {
        return Ok(None);
    };
    if let Some(list) = tag_list(&last.object) {
        return Ok(Some((last.name.to_owned(), list)));
    }
    written.push(last);
    Ok(None)
}

/// The tag of a closed union: the first required constant that all arms have.
fn common_tag(arms: &Node<'_>, written: &[Written<'_>]) -> Result<String, IrError> {
    let help = "give every arm a required member with a `const` of its own, under one name";
    let first = written
        .first()
        .ok_or_else(|| arms.fail("a union without arms", "list the arms"))?;
    let candidates = required_constants(&first.object);
    let Some((fallback, _)) = candidates.first() else {
        let message = format!("arm `{}` has no required constant", first.name);
        return Err(first.place.fail(message, help));
    };
    let common = candidates.iter().find(|(name, _)| {
        written
            .iter()
            .all(|arm| constant(&arm.object, name).is_some())
    });
    Ok(common.map_or(*fallback, |(name, _)| *name).to_owned())
}

fn read_arms(written: &[Written<'_>], tag: &str) -> Result<Vec<Arm>, IrError> {
    let mut known: Vec<Arm> = Vec::new();
    for arm in written {
        let value = constant(&arm.object, tag).ok_or_else(|| {
            let message = format!("arm `{}` has no required constant `{tag}`", arm.name);
            let help = format!(
                "give `{}` a required member `{tag}` with a `const` of its own",
                arm.name
            );
            arm.place.fail(message, help)
        })?;
        if let Some(earlier) = known.iter().find(|earlier| earlier.tag == value) {
            let message = format!(
                "arms `{}` and `{}` both have `{tag}` `{value}`",
                earlier.definition, arm.name
            );
            return Err(arm.place.fail(message, "give each arm a tag of its own"));
        }
        known.push(Arm {
            tag: value.to_owned(),
            definition: arm.name.to_owned(),
        });
    }
    Ok(known)
}

/// The list of known tags in an unknown arm is a copy, so it must not drift.
fn check_list(list: &Node<'_>, known: &[Arm]) -> Result<(), IrError> {
    let tags: Vec<&str> = known.iter().map(|arm| arm.tag.as_str()).collect();
    if list.texts()? == tags {
        return Ok(());
    }
    let message = "the list is not the tags of the known arms in their order";
    let help = format!(
        "the list is generated: run the code generator, or write {}",
        listed(&tags)
    );
    Err(list.fail(message, help))
}

/// The tag member of an unknown arm and the place of its list of known tags.
pub(crate) struct TagList<'a> {
    /// The name of the tag member.
    pub tag: &'a str,
    /// The array of known tags.
    pub names: Node<'a>,
}

/// What makes an object the arm for unknown tags: a required member that is text but not one of a
/// list.
pub(crate) fn tag_list<'a>(object: &Node<'a>) -> Option<TagList<'a>> {
    let members = object.get("properties")?.members().ok()?;
    members.into_iter().find_map(|(tag, member)| {
        let names = member.get("not")?.get("enum")?;
        is_required(object, tag).then_some(TagList { tag, names })
    })
}

/// The required members of an object that are constant texts, in order.
fn required_constants<'a>(object: &Node<'a>) -> Vec<(&'a str, &'a str)> {
    let members = object
        .get("properties")
        .and_then(|node| node.members().ok());
    let constants = members
        .into_iter()
        .flatten()
        .filter_map(|(name, _)| Some((name, constant(object, name)?)));
    constants.collect()
}

/// The text that the member `name` must have, if it is required and constant.
pub(crate) fn constant<'a>(object: &Node<'a>, name: &str) -> Option<&'a str> {
    let value = object
        .get("properties")?
        .get(name)?
        .get("const")?
        .value
        .as_str()?;
    is_required(object, name).then_some(value)
}

fn is_required(object: &Node<'_>, name: &str) -> bool {
    object
        .get("required")
        .and_then(|required| required.value.as_array())
        .is_some_and(|required| required.iter().any(|other| other == name))
}
