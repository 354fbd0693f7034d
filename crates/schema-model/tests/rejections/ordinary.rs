//! What no rules make good: the model has no words for it, or it contradicts itself.

use chatstate_schema_model::{ReadOptions, SchemaText, read_with};
use serde_json::{Value, json};

/// Reading the schema by ordinary rules is rejected at `pointer` with a message and a help that hold
/// these words.
fn check_ordinary(schema: &Value, pointer: &str, message: &str, help: &str) {
    let text = schema.to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    let obstacles = read_with(&[file], &ReadOptions::default()).expect_err(&text);
    let error = obstacles.first();
    assert_eq!(error.pointer, pointer, "{error}");
    assert!(error.message.contains(message), "`{message}` in: {error}");
    assert!(error.help.contains(help), "`{help}` in: {error}");
}

/// The definition `A` is rejected at `suffix`.
fn check_definition(definition: &Value, suffix: &str, message: &str, help: &str) {
    let tagged = |tag: &str| json!({"type": "object", "properties": {"t": {"const": tag}}, "required": ["t"]});
    let schema = json!({"$defs": {"A": definition, "B": tagged("b"), "C": tagged("c")}});
    check_ordinary(&schema, &format!("/$defs/A{suffix}"), message, help);
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is a table of cases")]
fn keywords_without_words_in_the_model() {
    for (definition, suffix, message, help) in [
        (
            json!({"type": "object", "patternProperties": {"^(?!x)": {}}}),
            "/patternProperties/^(?!x)",
            "names cannot be compared with the pattern `^(?!x)`",
            "without look-around",
        ),
        (
            json!({"type": "object", "properties": {"x": {"type": "string"}}, "patternProperties": {"^x": {"type": "integer"}}}),
            "/patternProperties/^x",
            "contradict each other",
            "describe it once",
        ),
        (
            json!({"type": "object", "not": {"properties": {"a": {"pattern": "^(?!x)"}}}}),
            "/not/properties/a/pattern",
            "a condition cannot ask for the pattern `^(?!x)`",
            "without look-around",
        ),
        (
            json!({"type": "object", "if": {"$ref": "#/$defs/B"}, "then": {"properties": {"a": {"unevaluatedItems": false}}}}),
            "/then/properties/a/unevaluatedItems",
            "`unevaluatedItems` in a condition",
            "with the schemas themselves",
        ),
        (
            json!({"type": "object", "not": {"allOf": [{"$ref": "#/$defs/A"}]}}),
            "",
            "a condition that is made of itself and nothing else",
            "only from its members and items",
        ),
        (
            json!({"type": "object", "dependentSchemas": {"a": {"type": "map"}}}),
            "/dependentSchemas/a/type",
            "there is no type `map`",
            "`null`",
        ),
        (
            json!({"type": "array", "contains": {}, "unevaluatedItems": false}),
            "/unevaluatedItems",
            "`unevaluatedItems` beside `contains`",
            "with `items`",
        ),
        (
            json!({"type": "string", "minimum": 1}),
            "/minimum",
            "`minimum` cannot be represented",
            "this place takes",
        ),
        (
            json!({"pattern": "^a"}),
            "",
            "`pattern` without `type`",
            "which `type`",
        ),
        (
            json!({"if": {}, "then": {}}),
            "/if",
            "`if` cannot be represented",
            "remove it",
        ),
        (
            json!({"$dynamicRef": "#x"}),
            "/$dynamicRef",
            "reference `#x` leads nowhere",
            "`#/$defs/Name`",
        ),
        (
            json!({"const": [1]}),
            "/const",
            "this constant cannot be represented",
            "an integer",
        ),
        (
            json!({"enum": [1.5, "a"]}),
            "/enum/0",
            "this constant cannot be represented",
            "an integer",
        ),
        (
            json!(false),
            "",
            "`false` lets no value through",
            "leave the member out",
        ),
        (
            json!({"type": "tuple"}),
            "/type",
            "type `tuple`",
            "use `string`",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
}

#[test]
fn limits_and_exclusions_without_words_in_the_model() {
    for (definition, suffix, message, help) in [
        (
            json!({"not": {"type": "integer"}}),
            "",
            "everything but type `integer`",
            "leave out one of `object`",
        ),
        (
            json!({"allOf": [{"not": {"required": ["a"], "type": "object"}}, {"not": {"required": ["b"], "type": "object"}}]}),
            "/allOf/0/not",
            "a condition that lets values of several types through",
            "`\"type\": \"object\"`",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/B"}], "minItems": 1, "maximum": 2, "contains": {}}),
            "/contains",
            "`contains` cannot be represented",
            "this place takes",
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "string", "minLength": 2}], "minLength": 1}),
            "",
            "limits beside a choice of what is limited elsewhere",
            "at the variant",
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"const": "a"}], "minLength": 1}),
            "",
            "limits beside a choice of what is limited elsewhere",
            "at the variant",
        ),
        (
            json!({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}], "minItems": 1}),
            "",
            "limits beside a choice that is not between types",
            "at the variants",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
}

#[test]
fn contradictions() {
    let arms = json!([{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}]);
    let with = |discriminator: Value| json!({"oneOf": arms, "discriminator": discriminator});
    for (definition, suffix, message, help) in [
        (
            with(json!({"propertyName": "kind"})),
            "/oneOf/0",
            "arm `B` has no required constant `kind`",
            "`const` of its own",
        ),
        (
            with(json!({})),
            "/discriminator",
            "`propertyName` is missing",
            "add `propertyName`",
        ),
        (
            with(json!({"propertyName": "t", "mapping": {"b": "#/$defs/C"}})),
            "/discriminator/mapping/b",
            "mapped to `C`, but it is the constant of `B`",
            "correct the mapping",
        ),
        (
            with(json!({"propertyName": "t", "mapping": {"x": "#/$defs/C"}})),
            "/discriminator/mapping/x",
            "no arm has the constant `x`",
            "correct the mapping",
        ),
        (
            json!({"anyOf": [{"$ref": "#/$defs/B"}, {"type": "string"}], "discriminator": {"propertyName": "t"}}),
            "/discriminator",
            "not all objects",
            "remove it",
        ),
        (
            json!({"oneOf": [{"const": "a"}, {"type": "string"}]}),
            "/oneOf/1",
            "forbids the known values",
            "write `anyOf`",
        ),
        (
            json!({"type": "string", "$ref": "#/$defs/B"}),
            "/type",
            "`type` contradicts its siblings",
            "remove it",
        ),
        (
            json!({"allOf": [{"$ref": "#/$defs/B"}, {"properties": {"t": {"const": "x"}}}]}),
            "/allOf/1/properties/t",
            "contradict each other",
            "describe it once",
        ),
        (
            json!({"allOf": [{"type": "string"}, {"minLength": 1}]}),
            "/allOf/0/type",
            "only objects can be composed",
            "in one place",
        ),
        (
            json!({"allOf": [{"$ref": "#/$defs/B"}, {"properties": {"x": {}}, "additionalProperties": false}]}),
            "/allOf/1/additionalProperties",
            "takes no member `t`, which is required",
            "`unevaluatedProperties`",
        ),
        (
            json!({"oneOf": arms, "anyOf": arms}),
            "",
            "two choices at once",
            "one `oneOf`",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
}

#[test]
fn bounds_and_names_that_cannot_be() {
    for (definition, suffix, message, help) in [
        (
            json!({"type": "object", "minProperties": -1}),
            "/minProperties",
            "expected a count",
            "not negative",
        ),
        (
            json!({"type": "number", "multipleOf": 0}),
            "",
            "`multipleOf` is not above 0",
            "above 0",
        ),
        (
            json!({"type": "string", "minLength": 3, "maxLength": 2}),
            "",
            "`minLength` is greater",
            "correct one",
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "string"}, {"type": "boolean"}]}),
            "/oneOf/1",
            "two arms are both called",
            "a `title`",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
}

#[test]
fn circles_and_references() {
    for (definition, suffix, message, help) in [
        (
            json!({"$ref": "#/$defs/A"}),
            "/$ref",
            "made of itself",
            "break the circle",
        ),
        (
            json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]}),
            "/anyOf/0/$ref",
            "made of itself",
            "break the circle",
        ),
        (
            json!({"allOf": [{"$ref": "#/$defs/A"}, {"properties": {}}]}),
            "/allOf/0",
            "has no end",
            "break the circle",
        ),
        (
            json!({"$ref": "#named"}),
            "/$ref",
            "leads nowhere",
            "`#/$defs/Name`",
        ),
        (
            json!({"$ref": "#/$defs/A%"}),
            "/$ref",
            "leads nowhere",
            "`#/$defs/Name`",
        ),
        (
            json!({"$ref": "https://example.test/x"}),
            "/$ref",
            "not among the schema files",
            "nothing is fetched",
        ),
    ] {
        check_definition(&definition, suffix, message, help);
    }
    let unknown = json!({"$schema": "https://example.test/meta", "type": "string"});
    check_ordinary(&unknown, "/$schema", "unknown dialect", "2020-12");
}

#[test]
fn a_chain_without_end_is_rejected_and_a_long_one_is_read() {
    let chain = |length: usize| {
        let link = |number: usize| {
            (
                format!("D{number}"),
                json!({"$ref": format!("#/$defs/D{}", number + 1)}),
            )
        };
        let mut definitions: serde_json::Map<String, Value> = (0..length).map(link).collect();
        definitions.insert(format!("D{length}"), json!({"type": "string"}));
        json!({ "$defs": definitions })
    };
    check_ordinary(
        &chain(1_000),
        "/$defs/D201",
        "more than 200 references",
        "the definition itself",
    );
    let text = chain(100).to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    assert!(read_with(&[file], &ReadOptions::default()).is_ok());
}
