//! The one generated part of a schema file: the lists of known tags in the unknown variants.

use serde_json::Value;

use crate::documents::parse;
use crate::node::Node;
use crate::tag::{constants, tag_list};
use crate::{IrError, SchemaText};

/// The text of a schema file with the list of every unknown variant put right.
///
/// The unknown variant of an open union says `"not": {"enum": [...]}` with the tags of all known
/// variants, so that exactly one variant of `oneOf` matches. The list follows from the variants;
/// this gives the text with it, as JSON with an indent of two spaces, members in the author's
/// order, and a line feed at the end. A union that cannot be read is left alone: [`crate::read`]
/// says what is wrong with it.
pub fn with_generated_lists(file: &SchemaText<'_>) -> Result<String, IrError> {
    let mut value = parse(file)?;
    for (pointer, tags) in lists(&Node::root(file.name, &value)) {
        if let Some(list) = value.pointer_mut(&pointer) {
            *list = Value::Array(tags.into_iter().map(Value::String).collect());
        }
    }
    Ok(format!("{value:#}\n"))
}

/// The place of every list and what it must say.
fn lists(root: &Node<'_>) -> Vec<(String, Vec<String>)> {
    let definitions = root.get("$defs").and_then(|node| node.members().ok());
    let unions = definitions
        .into_iter()
        .flatten()
        .filter_map(|(_, definition)| definition.get("oneOf")?.items().ok());
    unions.filter_map(|arms| list_of(root, &arms)).collect()
}

fn list_of(root: &Node<'_>, arms: &[Node<'_>]) -> Option<(String, Vec<String>)> {
    let (unknown, known) = arms.split_last()?;
    let list = tag_list(&[target(root, unknown)?])?;
    let tags = known.iter().map(|arm| {
        let constants = constants(&[target(root, arm)?]);
        let (_, value) = constants.into_iter().find(|(name, _)| *name == list.tag)?;
        Some(value.to_owned())
    });
    Some((list.place.pointer, tags.collect::<Option<_>>()?))
}

fn target<'a>(root: &Node<'a>, arm: &Node<'a>) -> Option<Node<'a>> {
    let name = arm.get("$ref")?.value.as_str()?.strip_prefix("#/$defs/")?;
    root.get("$defs")?.get(name)
}
