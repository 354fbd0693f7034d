//! What a type cannot say, and a condition asks.

use chatstate_schema_model::{Condition, DefinitionKind, Others, Type};
use serde_json::{Value, json};

use super::{definition, definitions};

/// What the definition `A` is, and its conditions: the keyword of each, and what it asks.
fn asked(definition_of_a: &Value) -> (DefinitionKind, Vec<(String, Value)>) {
    let ir = definitions(&json!({"A": definition_of_a, "Text": {"type": "string"}}));
    let kind = definition(&ir, "A").kind.clone();
    let conditions: &[Condition] = match &kind {
        DefinitionKind::Object(object) => &object.conditions,
        DefinitionKind::Alias(Type::List { conditions, .. } | Type::Text { conditions, .. }) => {
            conditions
        }
        _ => &[],
    };
    let said = conditions.iter().map(|condition| {
        let asks = serde_json::to_value(&condition.holds).unwrap();
        (condition.keyword.clone(), asks)
    });
    let said = said.collect();
    (kind, said)
}

#[test]
fn what_types_cannot_say_is_asked() {
    let text = json!({"type": "string"});
    for (definition, keyword, asks) in [
        (
            json!({"type": "object", "propertyNames": {"pattern": "^a"}}),
            "propertyNames",
            json!({"propertyNames": {"pattern": "^a"}}),
        ),
        (
            json!({"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": text}),
            "additionalProperties",
            json!({"patternProperties": {"^x": {}}, "additionalProperties": {"type": ["string"]}}),
        ),
        (
            json!({"allOf": [
                {"type": "object", "properties": {"a": {}}, "additionalProperties": false},
                {"type": "object", "properties": {"b": {}}},
            ]}),
            "additionalProperties",
            json!({"properties": {"a": {}}, "additionalProperties": {"not": {}}}),
        ),
        (
            json!({"allOf": [
                {"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}},
                {"type": "object", "properties": {"a": {"type": "string", "maxLength": 2}}},
            ]}),
            "properties",
            json!({"properties": {"a": {"type": ["string"], "maxLength": 2}}}),
        ),
        (
            json!({"type": "object", "properties": {"a": {"not": {"const": 1}}}}),
            "properties",
            json!({"properties": {"a": {"not": {"enum": [1]}}}}),
        ),
        (
            json!({"type": "array", "items": text, "contains": {"const": "a"}, "maxContains": 2}),
            "contains",
            json!({"contains": {"enum": ["a"]}, "maxContains": 2}),
        ),
        (
            json!({"type": "array", "prefixItems": [text], "minItems": 1}),
            "prefixItems",
            json!({"prefixItems": [{"type": ["string"]}]}),
        ),
        (
            json!({"type": "array", "prefixItems": [text, {}], "unevaluatedItems": false}),
            "prefixItems",
            json!({"prefixItems": [{"type": ["string"]}, {}], "items": {"not": {}}}),
        ),
        (
            json!({"type": "array", "items": false}),
            "items",
            json!({"items": {"not": {}}}),
        ),
        (
            json!({"type": "string", "not": {"pattern": "^a"}}),
            "not",
            json!({"not": {"pattern": "^a"}}),
        ),
        (
            json!({"type": "string", "not": {"enum": ["a"]}, "minLength": 1}),
            "not",
            json!({"not": {"enum": ["a"]}}),
        ),
    ] {
        let expected = (keyword.to_owned(), asks);
        assert_eq!(asked(&definition).1, [expected], "{definition}");
    }
}

#[test]
fn conditions_may_hold_themselves() {
    let (_, said) = asked(&json!({
        "type": "object",
        "not": {"properties": {"a": {"$ref": "#/$defs/A"}}},
    }));
    let again = json!({"type": ["object"], "not": {"properties": {"a": {"$ref": "#/$defs/0"}}}});
    let asks = json!({"$defs": {"0": again}, "not": {"properties": {"a": {"$ref": "#/$defs/0"}}}});
    assert_eq!(said, [("not".to_owned(), asks)]);
}

/// Which members are evaluated is known, but where a condition decides it.
#[test]
fn unevaluated_members_are_asked_where_a_condition_decides() {
    let with = |more: Value| {
        let mut schema = json!({
            "type": "object",
            "properties": {"a": {}},
            "unevaluatedProperties": false,
        });
        schema
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        schema
    };
    for (more, is_asked) in [
        (json!({}), false),
        (json!({"allOf": [{"properties": {"b": {}}}]}), false),
        (
            json!({"if": {"required": ["a"]}, "then": {"properties": {"b": {}}}}),
            true,
        ),
        (
            json!({"dependentSchemas": {"a": {"properties": {"b": {}}}}}),
            true,
        ),
        (
            json!({"allOf": [{"if": true, "then": {"properties": {"b": {}}}}]}),
            true,
        ),
    ] {
        let (kind, said) = asked(&with(more.clone()));
        let DefinitionKind::Object(object) = kind else {
            panic!("an object: {more}")
        };
        let others = if is_asked {
            Others::Kept
        } else {
            Others::Rejected
        };
        assert_eq!(object.others, others, "{more}");
        let keywords = said
            .iter()
            .filter(|(keyword, _)| keyword == "unevaluatedProperties");
        assert_eq!(keywords.count(), usize::from(is_asked), "{more}");
    }
}

/// Whether a value fits one variant alone is asked, but where a constant says it.
#[test]
fn variants_that_nothing_keeps_apart_are_asked() {
    let tagged = |tag: &str| json!({"required": ["t"], "properties": {"t": {"const": tag}}});
    for (arms, count) in [
        (json!([tagged("a"), tagged("b")]), 0),
        (json!([{"required": ["a"]}, {"required": ["b"]}]), 1),
    ] {
        let ir = definitions(&json!({
            "A": {"type": "object", "properties": {"x": {"type": "string"}}, "oneOf": arms},
        }));
        let objects = ir
            .definitions
            .values()
            .filter_map(|definition| match &definition.kind {
                DefinitionKind::Object(object) => Some(object.conditions.len()),
                _ => None,
            });
        let found: Vec<usize> = objects.collect();
        assert_eq!(found, [count, count], "{arms}");
    }
}

#[test]
fn choices_at_once_give_all_combinations() {
    let required = |names: [&str; 2]| {
        let arms = names.map(|name| json!({"required": [name]}));
        json!({ "anyOf": arms })
    };
    let (kind, _) = asked(&json!({
        "type": "object",
        "allOf": [required(["a", "b"]), required(["c", "d"])],
    }));
    let DefinitionKind::Alternatives(arms) = kind else {
        panic!("a choice: {kind:?}")
    };
    assert_eq!(
        arms,
        ["AWithCWithA", "AWithDWithA", "AWithCWithB", "AWithDWithB"].map(str::to_owned)
    );
}

#[test]
fn truth_values_may_be_legal_beside_composed_objects() {
    let ir = definitions(&json!({
        "A": {"allOf": [
            {"type": ["object", "boolean", "null"], "properties": {"a": {"type": "string"}}},
            {"properties": {"b": {"type": "integer"}}},
        ]},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
    }));
    let DefinitionKind::Kinds(arms) = &definition(&ir, "A").kind else {
        panic!("a choice of kinds")
    };
    assert_eq!(arms.len(), 2);
    assert_eq!(arms[1].ty, Type::Boolean);
    let DefinitionKind::Object(object) = &definition(&ir, "B").kind else {
        panic!("an object")
    };
    assert!(object.member("a").unwrap().nullable);
}
