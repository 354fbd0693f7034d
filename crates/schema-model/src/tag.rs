//! What distinguishes objects: required members with one value, and the list of those that a
//! variant for the rest does not take.

use serde_json::Value;

use crate::node::Node;

/// The tag member of an unknown variant and the tags that it does not take.
pub(crate) struct TagList<'a> {
    /// The name of the tag member.
    pub tag: &'a str,
    /// The known tags.
    pub tags: Vec<&'a str>,
    /// Where they are listed.
    pub place: Node<'a>,
}

/// What makes an object the variant for unknown tags: a required member that is text but not one of
/// a list, which is at the member or, as a list of objects, at the object.
pub(crate) fn tag_list<'a>(schemas: &[Node<'a>]) -> Option<TagList<'a>> {
    let at_members = members(schemas).find_map(|(tag, member)| {
        let place = member.get("not")?.get("enum")?;
        let tags = place.texts().ok()?;
        Some(TagList { tag, tags, place })
    });
    let list = at_members.or_else(|| schemas.iter().find_map(rejected_objects))?;
    is_required(schemas, list.tag).then_some(list)
}

/// The tags of the objects that `not` lists: `{"not": {"anyOf": [objects with one constant each]}}`.
pub(crate) fn rejected_objects<'a>(schema: &Node<'a>) -> Option<TagList<'a>> {
    let not = schema.get("not")?;
    let place = not.get("anyOf").unwrap_or_else(|| not.clone());
    let arms = place.items().unwrap_or_else(|_| vec![not]);
    let mut tags = Vec::new();
    let mut tag = None;
    for arm in arms {
        // A schema that says more does not reject all objects with the tag.
        arm.allow(&["type", "properties", "required"]).ok()?;
        let [_] = members(std::slice::from_ref(&arm)).collect::<Vec<_>>()[..] else {
            return None;
        };
        let [(name, value)] = constants(&[arm]).try_into().ok()?;
        if tag.is_some_and(|tag| tag != name) {
            return None;
        }
        tag = Some(name);
        tags.push(value);
    }
    Some(TagList {
        tag: tag?,
        tags,
        place,
    })
}

/// The required members of an object that have one legal text, in order.
pub(crate) fn constants<'a>(schemas: &[Node<'a>]) -> Vec<(&'a str, &'a str)> {
    let constants = members(schemas).filter_map(|(name, member)| Some((name, only_text(&member)?)));
    constants
        .filter(|(name, _)| is_required(schemas, name))
        .collect()
}

/// The text of `const`, or of an `enum` with one value.
fn only_text<'a>(member: &Node<'a>) -> Option<&'a str> {
    let listed = || match member.member("enum")?.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    };
    member.member("const").or_else(listed)?.as_str()
}

fn members<'n, 'a>(
    schemas: &'n [Node<'a>],
) -> impl Iterator<Item = (&'a str, Node<'a>)> + use<'n, 'a> {
    schemas
        .iter()
        .filter_map(|schema| schema.get("properties")?.members().ok())
        .flatten()
}

fn is_required(schemas: &[Node<'_>], name: &str) -> bool {
    let mut lists = schemas
        .iter()
        .filter_map(|schema| schema.member("required").and_then(Value::as_array));
    lists.any(|names| names.iter().any(|other| other == name))
}
