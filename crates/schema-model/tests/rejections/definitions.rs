//! Definitions that are no unions by tag.

use serde_json::{Value, json};

use crate::{check, file};

/// This definition is rejected at `suffix` of the definition.
fn check_definition(definition: &Value, suffix: &str, message: &str, help: &str) {
    let definitions = json!({"A": definition, "B": {"description": "B.", "type": "string"}});
    check(
        &file(&definitions, None),
        &format!("/$defs/A{suffix}"),
        message,
        help,
    );
}

#[test]
fn objects_that_cannot_be_represented() {
    for (definition, suffix, message, help) in [
        (
            json!({"type": "string"}),
            "",
            "`description` is missing",
            "generators print",
        ),
        (
            json!({"description": " ", "type": "string"}),
            "",
            "`description` is missing",
            "add a sentence",
        ),
        (
            json!({"description": "A.", "type": "object", "properties": {"m": {"type": "string"}}}),
            "/properties/m",
            "`description` is missing",
            "add a sentence",
        ),
        (
            json!({"description": "A.", "type": "object", "properties": {}, "required": ["m"]}),
            "/required/0",
            "`m` is not described",
            "under `properties`",
        ),
        (
            json!({"description": "A.", "type": "object", "properties": {}, "required": ["m", "m"]}),
            "/required/1",
            "`m` is listed twice",
            "remove one",
        ),
        (
            json!({"description": "A.", "type": "object", "properties": {}, "additionalProperties": false}),
            "",
            "limits its other members",
            "objects are open",
        ),
        (
            json!({"description": "A.", "type": "object", "properties": {}, "unevaluatedProperties": false}),
            "/unevaluatedProperties",
            "keyword `unevaluatedProperties`",
            "objects are open",
        ),
        (
            json!({"description": "A.", "type": "object", "properties": {"m": {"type": "string", "description": "M.", "default": ""}}, "required": ["m"]}),
            "/properties/m/default",
            "no default",
            "from `required`",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
}

#[test]
fn other_definitions_that_cannot_be_represented() {
    for (definition, suffix, message, help) in [
        (
            json!({"description": "A.", "allOf": []}),
            "/allOf",
            "keyword `allOf`",
            "strict profile",
        ),
        (
            json!({"description": "A.", "type": ["string", "null"]}),
            "",
            "may not be `null` itself",
            "where the definition is used",
        ),
        (
            json!({"description": "A.", "$ref": "#/$defs/B"}),
            "",
            "only renames `B`",
            "refer to `B`",
        ),
        (
            json!({"description": "A.", "enum": []}),
            "/enum",
            "without values",
            "list the known values",
        ),
        (
            json!({"description": "A.", "enum": ["a", "b", "a"]}),
            "/enum/2",
            "`a` is listed twice",
            "remove one",
        ),
        (
            json!({"description": "A.", "oneOf": [{"const": "a"}, {"type": "string"}]}),
            "/oneOf/1",
            "forbids the known values",
            "write `anyOf`",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {"type": "string", "format": "uri"}]}),
            "",
            "nothing tells the arms apart",
            "a JSON kind of its own",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {"description": "any"}]}),
            "",
            "nothing tells the arms apart",
            "make every arm",
        ),
        (
            json!({"description": "A.", "type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "boolean"}]}}),
            "/items",
            "without a name of its own",
            "move it to `$defs`",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {"type": "null"}]}),
            "",
            "may not be `null` itself",
            "where the definition is used",
        ),
        (
            json!({"description": "A.", "oneOf": []}),
            "/oneOf",
            "a union without arms",
            "list the arms",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
}
