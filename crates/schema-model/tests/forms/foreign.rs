//! Forms that schemas of public protocols use.

use chatstate_schema_model::{DefinitionKind, Ir, Literal, Others, Slot, Type};
use serde_json::{Value, json};

use super::{check_same, definition, definitions, reading, reference};

/// The definition `A` of a schema, as the model has it.
fn kind_of(definition: &Value) -> DefinitionKind {
    let ir = definitions(&json!({"A": definition, "Text": {"type": "string"}}));
    first_definition(&ir)
}

fn first_definition(ir: &Ir) -> DefinitionKind {
    definition(ir, "A").kind.clone()
}

#[test]
fn null_may_be_alone() {
    check_same(&[
        json!({"type": "null"}),
        json!({"const": null}),
        json!({"enum": [null]}),
        json!({"type": ["null"]}),
        json!({"anyOf": [{"type": "null"}]}),
        json!({"not": {"type": ["object", "array", "string", "number", "boolean"]}}),
    ]);
    let ir = definitions(&json!({
        "A": {"allOf": [
            {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
            {"type": "object", "properties": {"a": {"type": "null"}}},
        ]},
    }));
    let DefinitionKind::Object(object) = &definition(&ir, "A").kind else {
        panic!("an object")
    };
    let member = object.member("a").expect("`a`");
    // Every text is shorter or longer than this one.
    assert!(matches!(
        member.ty,
        Type::Text {
            minimum_length: Some(1),
            maximum_length: Some(0),
            ..
        }
    ));
    assert!(member.nullable);
}

#[test]
fn values_of_several_kinds_are_a_choice() {
    let kinds = kind_of(&json!({"enum": [true, "a", false, 1, 2]}));
    let DefinitionKind::Kinds(arms) = kinds else {
        panic!("a choice of kinds: {kinds:?}")
    };
    let types: Vec<&Type> = arms.iter().map(|arm| &arm.ty).collect();
    assert_eq!(
        types,
        [
            &Type::Boolean,
            &Type::Constant(Literal::Text("a".to_owned())),
            &reference("AKnownNumber"),
        ]
    );
    check_same(&[
        json!({"type": "boolean"}),
        json!({"enum": [false, true]}),
        json!({"type": "boolean", "enum": [true, "a", false, null]}),
    ]);
    check_same(&[
        json!({"enum": ["a", "b"]}),
        json!({"type": "string", "enum": ["a", 1, "b", null]}),
    ]);
}

#[test]
fn types_are_left_out_by_not() {
    check_same(&[
        json!({"not": {"type": "null"}}),
        json!({"type": ["object", "array", "string", "number", "boolean"]}),
        json!({"allOf": [{"description": "Any value."}, {"not": {"type": "null"}}]}),
    ]);
    check_same(&[
        json!({"type": ["object", "array", "number", "boolean", "null"]}),
        json!({"not": {"type": "string"}}),
    ]);
    check_same(&[
        json!({"type": ["string", "boolean"]}),
        json!({"not": {"type": ["null", "object", "array", "number"]}}),
    ]);
}

#[test]
fn types_are_left_out_beside_a_reference_to_anything() {
    let beside = json!({"$ref": "#/$defs/Any", "not": {"type": "null"}});
    let value = |value: &Value| {
        let a = json!({"type": "object", "properties": {"value": value}});
        let ir = definitions(&json!({"A": a, "Any": {"description": "Any value."}}));
        definition(&ir, "A").kind.clone()
    };
    assert_eq!(value(&beside), value(&json!({"not": {"type": "null"}})));
}

#[test]
fn limits_beside_a_choice_are_about_their_kind() {
    check_same(&[
        json!({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}),
        json!({"anyOf": [{"type": "number"}, {"type": "string"}], "minimum": 0}),
    ]);
    check_same(&[
        json!({"anyOf": [{"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2}, {"type": "boolean"}]}),
        json!({"anyOf": [{"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "boolean"}], "minItems": 1, "maxItems": 2, "minLength": 3}),
    ]);
    check_same(&[
        json!({"type": "number", "minimum": 1, "exclusiveMaximum": 2}),
        json!({"type": "number", "minimum": 1, "exclusiveMinimum": false, "maximum": 2, "exclusiveMaximum": true}),
    ]);
}

#[test]
fn variants_with_one_label_are_told_apart_by_what_they_have() {
    for (arms, names) in [
        (
            json!([
                {"type": "object", "required": ["a"], "properties": {"a": {}}},
                {"type": "object", "required": ["a"], "properties": {"a": {}, "b": {}}},
            ]),
            ["AWithA", "AWithAAndB"],
        ),
        (
            json!([
                {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
                {"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean"}}},
            ]),
            ["AWithAAText", "AWithAAFlag"],
        ),
        (
            json!([
                {"type": "array", "items": {"type": "number"}, "minItems": 4},
                {"type": "array", "items": {"type": "number"}, "minItems": 6},
            ]),
            ["ANumberListFrom4", "ANumberListFrom6"],
        ),
        (
            json!([
                {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "string"}]}},
                {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "boolean"}]}},
            ]),
            ["AChoiceListOfText", "AChoiceListOfFlag"],
        ),
    ] {
        let expected = names.map(str::to_owned).to_vec();
        let found = kind_of(&json!({ "anyOf": arms }));
        assert_eq!(found, DefinitionKind::Alternatives(expected));
    }
    check_same(&[
        json!({"type": ["string", "boolean"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "string"}, {"type": "boolean"}]}),
    ]);
}

#[test]
fn references_lead_to_anchors_and_into_schemas() {
    for (place, target) in [
        (json!({"$ref": "#here"}), "AnchoredInner"),
        (json!({"$dynamicRef": "#there"}), "Dynamic"),
        (json!({"$recursiveRef": "#"}), "Test"),
        (
            json!({"$ref": "#/$defs/Anchored/properties/inner"}),
            "AnchoredInner",
        ),
    ] {
        let schema = json!({
            "type": "object",
            "properties": {"a": place},
            "$defs": {
                "Anchored": {"type": "object", "properties": {
                    "inner": {"$anchor": "here", "type": "object", "properties": {"x": {"type": "string"}}},
                    "shown": {"type": "string", "default": "d", "examples": [{"$anchor": "here"}]},
                }},
                "Dynamic": {"$dynamicAnchor": "there", "type": "object", "properties": {}},
            },
        });
        let ir = reading(&schema).unwrap_or_else(|error| panic!("{error}"));
        let DefinitionKind::Object(object) = &definition(&ir, "Test").kind else {
            panic!("an object")
        };
        let ty = &object.member("a").expect("`a`").ty;
        assert!(
            matches!(ty, Type::Reference { to, .. } if to == target),
            "{target}: {ty:?}"
        );
    }
}

/// What is beside `$ref` was no part of a schema up to draft 7.
#[test]
fn early_drafts_ignore_what_is_beside_a_reference() {
    let target = |dialect: &str| {
        let schema = json!({
            "$schema": dialect,
            "definitions": {
                "A": {"$ref": "#/definitions/B", "properties": {"b": {"type": "string"}}},
                "B": {"type": "object", "properties": {"a": {"type": "string"}}},
            },
        });
        first_definition(&reading(&schema).unwrap_or_else(|error| panic!("{error}")))
    };
    let early = target("http://json-schema.org/draft-07/schema#");
    assert!(matches!(early, DefinitionKind::Alias(Type::Reference { to, .. }) if to == "B"));
    let late = target("https://json-schema.org/draft/2020-12/schema");
    assert!(matches!(late, DefinitionKind::Object(object) if object.members.len() == 2));
}

#[test]
fn names_that_are_listed_are_members() {
    check_same(&[
        json!({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "propertyNames": {"anyOf": [{"type": "string", "const": "a"}, {"const": "b"}]}, "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "additionalProperties": false}),
    ]);
}

/// What an object says of members that it does not name: what they are, and the patterns of their
/// names with whether other names are errors.
fn others(definition: &Value) -> (Others, Option<(Vec<String>, bool)>) {
    let DefinitionKind::Object(object) = kind_of(definition) else {
        panic!("an object: {definition}")
    };
    let names = object.names.map(|names| {
        let patterns = names.patterns.into_iter().map(|members| members.pattern);
        (patterns.collect(), names.closed)
    });
    (object.others, names)
}

#[test]
fn names_of_members_match_patterns() {
    let typed = |ty: Type| {
        Others::Typed(Box::new(Slot {
            ty,
            nullable: false,
        }))
    };
    let patterns = |patterns: &[&str], closed: bool| {
        let patterns = patterns.iter().map(|&pattern| pattern.to_owned());
        Some((patterns.collect::<Vec<_>>(), closed))
    };
    for (definition, expected) in [
        (
            json!({"type": "object", "patternProperties": {"^a": {"type": "boolean"}}}),
            (Others::Kept, patterns(&["^a"], false)),
        ),
        (
            json!({"patternProperties": {"^a": {"type": "boolean"}, "b$": true}, "additionalProperties": false}),
            (Others::Kept, patterns(&["^a", "b$"], true)),
        ),
        (
            json!({"patternProperties": {"^a": {"type": "boolean"}, "b$": {"type": "boolean"}}, "additionalProperties": false}),
            (typed(Type::Boolean), patterns(&["^a", "b$"], true)),
        ),
        (
            json!({"patternProperties": {".*": {"type": "boolean"}}, "additionalProperties": false}),
            (typed(Type::Boolean), None),
        ),
        (
            json!({"patternProperties": {"": {"type": "boolean"}}}),
            (typed(Type::Boolean), None),
        ),
        (
            json!({"properties": {"c": {}}, "patternProperties": {"^x-": {}}, "unevaluatedProperties": false}),
            (Others::Kept, patterns(&["^x-"], true)),
        ),
        (
            json!({"allOf": [{"properties": {"c": {}}}, {"patternProperties": {"^x-": {}}}], "unevaluatedProperties": false}),
            (Others::Kept, patterns(&["^x-"], true)),
        ),
    ] {
        assert_eq!(others(&definition), expected, "{definition}");
    }
}

/// A named member is what the patterns say that its name matches, too.
#[test]
fn named_members_match_patterns_as_well() {
    let DefinitionKind::Object(object) = kind_of(&json!({
        "properties": {"aa": {"type": "string"}, "b": {}},
        "patternProperties": {"^a": {"enum": ["x", "y"]}},
    })) else {
        panic!("an object")
    };
    let types: Vec<&Type> = object.members.iter().map(|member| &member.ty).collect();
    assert_eq!(types, [&reference("AValue"), &Type::Any { nullable: true }]);
}

/// The conditions of the definition `A`: each keyword, and what it says.
fn conditions_of(definition: &Value) -> Vec<(String, Value)> {
    let DefinitionKind::Object(object) = kind_of(definition) else {
        panic!("an object: {definition}")
    };
    let conditions = object.conditions.into_iter();
    conditions
        .map(|condition| {
            let says = serde_json::to_value(&condition.holds).unwrap();
            (condition.keyword, says)
        })
        .collect()
}

#[test]
fn conditions_are_asked_of_objects() {
    let of_a = json!({"required": ["a"]});
    let open = json!({"type": "object"});
    let with = |keyword: &str, value: Value| {
        let mut schema = open.clone();
        schema[keyword] = value;
        schema
    };
    for (definition, keyword, says) in [
        (with("not", of_a.clone()), "not", json!({"not": of_a})),
        (json!({"not": of_a}), "not", json!({"not": of_a})),
        (
            json!({"allOf": [open, {"not": {"type": "object", "required": ["a"]}}]}),
            "not",
            json!({"not": {"type": ["object"], "required": ["a"]}}),
        ),
        (
            json!({"type": "object", "if": of_a, "then": {"required": ["b"]}, "else": false}),
            "if",
            json!({"if": of_a, "then": {"required": ["b"]}, "else": {"not": {}}}),
        ),
        (
            with("dependentSchemas", json!({"a": {"minProperties": 2}})),
            "dependentSchemas",
            json!({"allOf": [{"if": of_a, "then": {"minProperties": 2}}]}),
        ),
        (
            with("dependencies", json!({"a": {"minProperties": 2}})),
            "dependencies",
            json!({"allOf": [{"if": of_a, "then": {"minProperties": 2}}]}),
        ),
        (
            with("not", json!({"properties": {"a": {"const": 1}}})),
            "not",
            json!({"not": {"properties": {"a": {"enum": [1]}}}}),
        ),
        // What is referred to has a name.
        (
            with(
                "not",
                json!({"properties": {"a": {"$ref": "#/$defs/Text"}}}),
            ),
            "not",
            json!({"$defs": {"0": {"type": ["string"]}}, "not": {"properties": {"a": {"$ref": "#/$defs/0"}}}}),
        ),
        // Not only the objects with that tag are rejected.
        (
            with(
                "not",
                json!({"required": ["t", "a"], "properties": {"t": {"const": "x"}}}),
            ),
            "not",
            json!({"not": {"required": ["t", "a"], "properties": {"t": {"enum": ["x"]}}}}),
        ),
    ] {
        let expected = (keyword.to_owned(), says);
        assert_eq!(conditions_of(&definition), [expected], "{definition}");
    }
    for without in [
        json!({"type": "object", "properties": {}, "if": of_a}),
        json!({"type": "object", "properties": {}, "then": of_a}),
    ] {
        assert_eq!(conditions_of(&without), [], "{without}");
    }
}

#[test]
fn null_is_asked_the_conditions_too() {
    for (condition, is_nullable) in [
        (json!({"required": ["a"]}), false),
        (json!({"required": ["a"], "type": "object"}), true),
    ] {
        let member = json!({"type": ["object", "null"], "not": condition});
        let ir = definitions(&json!({"A": {"type": "object", "properties": {"a": member}}}));
        let DefinitionKind::Object(object) = &definition(&ir, "A").kind else {
            panic!("an object")
        };
        assert_eq!(
            object.member("a").unwrap().nullable,
            is_nullable,
            "{condition}"
        );
    }
}
