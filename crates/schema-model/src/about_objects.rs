//! Whether a schema is about objects, and whether these are records.

use serde_json::Value;

use crate::condition::ask_objects;
use crate::keywords::OBJECT;
use crate::node::Node;
use crate::present::KEYWORDS;
use crate::types::listed_names;

/// Whether a schema asks something of objects: that other members may be anything is nothing.
pub(crate) fn asks_objects(node: &Node<'_>) -> bool {
    let mut keywords = OBJECT.iter();
    keywords.any(|keyword| match *keyword {
        "additionalProperties" | "unevaluatedProperties" => node
            .get(keyword)
            .is_some_and(|others| says_something(&others)),
        keyword => node.has(keyword),
    })
}

/// Whether what is said of other members is more than a permission.
pub(crate) fn says_something(values: &Node<'_>) -> bool {
    match values.value {
        Value::Bool(open) => !open,
        Value::Object(schema) => !schema.is_empty(),
        _ => true,
    }
}

/// Whether an object is a record rather than a map: it names members, or takes no others.
pub(crate) fn has_members(node: &Node<'_>) -> bool {
    let closed = |name| node.member(name).is_some_and(|value| value == false);
    let required = node.member("required").and_then(|names| names.as_array());
    let names = node.get("propertyNames");
    let patterns = node.member("patternProperties").and_then(Value::as_object);
    node.has("properties")
        || ask_objects(node)
        || patterns.is_some_and(|patterns| !patterns.is_empty())
        || names.is_some_and(|names| listed_names(&names).is_some())
        || closed("additionalProperties")
        || closed("unevaluatedProperties")
        || required.is_some_and(|names| !names.is_empty())
        || node.has_any(&KEYWORDS)
}
