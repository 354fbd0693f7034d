//! Members.

use serde_json::{Value, json};

use crate::{check, file};

/// Wraps a type as the only member of the only definition.
fn member(ty: Value) -> Value {
    let mut ty = ty;
    ty["description"] = json!("A member.");
    json!({"A": {"description": "An object.", "type": "object", "properties": {"m": ty}}})
}

/// A member of this type is refused at `suffix` of the member.
fn check_member(ty: Value, suffix: &str, message: &str, help: &str) {
    let pointer = format!("/$defs/A/properties/m{suffix}");
    check(&file(&member(ty), None), &pointer, message, help);
}

#[test]
fn keywords_of_members_that_cannot_be_represented() {
    for (ty, suffix, message, help) in [
        (
            json!({"type": "string", "contentEncoding": "base64"}),
            "/contentEncoding",
            "keyword `contentEncoding`",
            "takes `type`, `pattern`",
        ),
        (
            json!({"type": "array", "prefixItems": []}),
            "/prefixItems",
            "keyword `prefixItems`",
            "takes `type`, `items`",
        ),
        (
            json!({"type": "object", "additionalProperties": false}),
            "/additionalProperties",
            "keyword `additionalProperties`",
            "objects are open",
        ),
        (
            json!({"uniqueItems": true}),
            "/uniqueItems",
            "keyword `uniqueItems`",
            "remove it",
        ),
        (
            json!({"$ref": "#/$defs/Nowhere"}),
            "/$ref",
            "no definition `Nowhere`",
            "#/$defs/Name",
        ),
        (
            json!({"$ref": "other.json#/$defs/A"}),
            "/$ref",
            "cannot be followed",
            "same file",
        ),
        (
            json!({"$ref": "#/$defs/A", "minimum": 1}),
            "/minimum",
            "keyword `minimum`",
            "takes `$ref`",
        ),
    ] {
        check_member(ty, suffix, message, help);
    }
}

#[test]
fn types_of_members_that_cannot_be_represented() {
    for (ty, suffix, message, help) in [
        (
            json!({"const": 5}),
            "/const",
            "expected a string",
            "write a string",
        ),
        (
            json!({"type": "array"}),
            "",
            "`items` is missing",
            "add `items`",
        ),
        (
            json!({"type": "string", "enum": ["a"]}),
            "",
            "an enumeration needs a name",
            "move it to `$defs`",
        ),
        (
            json!({"type": "object", "properties": {}}),
            "",
            "an object needs a name",
            "move it to `$defs`",
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "boolean"}]}),
            "/oneOf",
            "a union needs a name",
            "move it to `$defs`",
        ),
        (
            json!({"type": ["string", "boolean"]}),
            "/type",
            "a choice of types",
            "one type and `null`",
        ),
        (json!({"type": "null"}), "", "type `null`", "use `string`"),
        (
            json!({"type": "integer", "minimum": 1.5}),
            "/minimum",
            "expected an integer",
            "smaller integer",
        ),
        (
            json!({"type": "integer", "minimum": 2, "maximum": 1}),
            "",
            "`minimum` is greater",
            "correct one",
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": -1}),
            "/minItems",
            "expected a count",
            "not negative",
        ),
        (
            json!({"type": "boolean", "deprecated": "yes"}),
            "/deprecated",
            "expected `true` or `false`",
            "leave it out",
        ),
        (
            json!({"oneOf": [{"type": ["string", "null"]}, {"type": "null"}]}),
            "/oneOf",
            "`null` is legal twice",
            "remove the `null` arm",
        ),
    ] {
        check_member(ty, suffix, message, help);
    }
}
