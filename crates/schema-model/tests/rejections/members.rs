//! Members.

use serde_json::{Value, json};

use crate::{check, file};

/// Wraps a type as the only member of the only definition.
fn member(ty: Value) -> Value {
    let mut ty = ty;
    ty["description"] = json!("A member.");
    json!({"A": {"description": "An object.", "type": "object", "properties": {"m": ty}}})
}

/// A member of this type is rejected at `suffix` of the member.
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
            "strict profile knows",
        ),
        (
            json!({"type": "array", "prefixItems": [{}], "items": false, "minItems": 1}),
            "/prefixItems",
            "keyword `prefixItems`",
            "strict profile knows",
        ),
        (
            json!({"type": "object", "additionalProperties": false}),
            "",
            "a type without a name",
            "move it to `$defs`",
        ),
        (
            json!({"uniqueItems": true}),
            "",
            "`uniqueItems` without `type`",
            "which `type`",
        ),
        (
            json!({"$ref": "#/$defs/Nowhere"}),
            "/$ref",
            "`#/$defs/Nowhere` leads nowhere",
            "#/$defs/Name",
        ),
        (
            json!({"$ref": "other.json#/$defs/A"}),
            "/$ref",
            "`other.json`, which is not among the schema files",
            "nothing is fetched",
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
            json!({"const": 5.5}),
            "/const",
            "this constant cannot be represented",
            "an integer",
        ),
        (
            json!({"type": "string", "enum": ["a", "b"]}),
            "",
            "a type without a name",
            "move it to `$defs`",
        ),
        (
            json!({"type": "object", "properties": {}}),
            "",
            "a type without a name",
            "move it to `$defs`",
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "boolean"}]}),
            "",
            "a type without a name",
            "move it to `$defs`",
        ),
        (
            json!({"type": ["string", "boolean"]}),
            "",
            "a type without a name",
            "move it to `$defs`",
        ),
        (
            json!({"type": "integer", "minimum": "1"}),
            "/minimum",
            "expected a number",
            "leave the limit out",
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
    ] {
        check_member(ty, suffix, message, help);
    }
}
