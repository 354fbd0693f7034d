//! What cannot be represented is refused, with the place and what to do about it.

use chatstate_ir::{SchemaText, read};
use serde_json::{Value, json};

/// A schema file around definitions; every one of them is a root unless `roots` says otherwise.
fn file(definitions: &Value, roots: Option<&Value>) -> Value {
    let names: Vec<&String> = definitions
        .as_object()
        .expect("definitions")
        .keys()
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.test/schema.json",
        "title": "Test",
        "description": "A schema of a test.",
        "x-roots": roots.unwrap_or(&json!(names)),
        "$defs": definitions,
    })
}

/// Reading the file is refused at `pointer` with a message and a help that hold these words.
fn check(schema: &Value, pointer: &str, message: &str, help: &str) {
    let text = schema.to_string();
    let error = read(&[SchemaText {
        name: "test.schema.json",
        text: &text,
    }])
    .expect_err(&format!("{message}: {text}"));
    assert_eq!(error.file, "test.schema.json");
    assert_eq!(error.pointer, pointer, "{error}");
    assert!(error.message.contains(message), "`{message}` in: {error}");
    assert!(error.help.contains(help), "`{help}` in: {error}");
}

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

/// This definition is refused at `suffix` of the definition.
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
            "remove it",
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
            json!({"description": "A.", "enum": ["a", 1]}),
            "/enum/1",
            "expected a string",
            "write a string",
        ),
        (
            json!({"description": "A.", "anyOf": [{"type": "string"}, {"type": "boolean"}]}),
            "/anyOf",
            "only known as an open enumeration",
            "two arms",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {"type": "string", "format": "uri"}]}),
            "/oneOf/1",
            "second arm of JSON kind `string`",
            "one arm of each",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {"description": "any"}]}),
            "/oneOf/1/description",
            "keyword `description`",
            "remove it",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {}]}),
            "/oneOf/1",
            "may not be `null`",
            "where the definition is used",
        ),
        (
            json!({"description": "A.", "oneOf": [{"type": "string"}, {"type": "null"}]}),
            "/oneOf/1",
            "type `null`",
            "use `string`",
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

fn arm(tag: &Value, required: &Value) -> Value {
    let mut tag = tag.clone();
    tag["description"] = json!("The tag.");
    json!({"description": "An arm.", "type": "object", "properties": {"type": tag}, "required": required})
}

fn unknown(list: &Value) -> Value {
    arm(
        &json!({"type": "string", "not": {"enum": list}}),
        &json!(["type"]),
    )
}

fn union(arms: &[&str]) -> Value {
    let arms: Vec<Value> = arms
        .iter()
        .map(|arm| json!({"$ref": format!("#/$defs/{arm}")}))
        .collect();
    json!({"description": "A union.", "oneOf": arms})
}

#[test]
fn unions_that_cannot_be_told_apart() {
    let (yes, no) = (json!(["type"]), json!([]));
    let tagged = |tag: &str, required: &Value| arm(&json!({"const": tag}), required);
    let (a, b, u) = (
        tagged("a", &yes),
        tagged("b", &yes),
        unknown(&json!(["a", "b"])),
    );
    for (a, b, u, arms, pointer, message, help) in [
        (
            &a,
            &tagged("b", &no),
            &u,
            &["A", "B"][..],
            "/$defs/X/oneOf/1",
            "arm `B` has no required constant `type`",
            "`const` of its own",
        ),
        (
            &tagged("a", &no),
            &b,
            &u,
            &["A", "B"],
            "/$defs/X/oneOf/0",
            "arm `A` has no required constant",
            "give every arm",
        ),
        (
            &a,
            &tagged("b", &no),
            &u,
            &["A", "B", "U"],
            "/$defs/X/oneOf/1",
            "arm `B` has no required constant `type`",
            "`const` of its own",
        ),
        (
            &a,
            &tagged("a", &yes),
            &u,
            &["A", "B"],
            "/$defs/X/oneOf/1",
            "arms `A` and `B` both have `type` `a`",
            "a tag of its own",
        ),
        (
            &a,
            &b,
            &u,
            &["A", "U", "B"],
            "/$defs/X/oneOf/1",
            "`U` takes unknown tags but is not the last arm",
            "end of `oneOf`",
        ),
        (
            &a,
            &b,
            &unknown(&json!(["a"])),
            &["A", "B", "U"],
            "/$defs/U/properties/type/not/enum",
            "not the tags of the known arms",
            "write `a`, `b`",
        ),
        (
            &a,
            &b,
            &unknown(&json!(["b", "a"])),
            &["A", "B", "U"],
            "/$defs/U/properties/type/not/enum",
            "in their order",
            "generated",
        ),
        (
            &a,
            &b,
            &unknown(&json!(["a", "b", "c"])),
            &["A", "B", "U"],
            "/$defs/U/properties/type/not/enum",
            "not the tags",
            "run the code generator",
        ),
    ] {
        let definitions = json!({"X": union(arms), "A": a, "B": b, "U": u});
        check(&file(&definitions, None), pointer, message, help);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let text = json!({"description": "A text.", "type": "string"});
    let good = json!({"A": text});
    let with = |name: &str, value: Value| {
        let mut file = file(&good, None);
        file[name] = value;
        file
    };
    for (schema, pointer, message, help) in [
        (json!([]), "", "expected an object", "schema object"),
        (
            with("$schema", json!("http://json-schema.org/draft-07/schema#")),
            "/$schema",
            "unknown dialect",
            "2020-12",
        ),
        (
            with("definitions", json!({})),
            "/definitions",
            "keyword `definitions`",
            "takes `$schema`",
        ),
        (
            with("x-roots", json!(["B"])),
            "/x-roots/0",
            "no definition `B`",
            "under `$defs`",
        ),
        (
            file(&json!({"A": text, "B": text}), Some(&json!(["A"]))),
            "/$defs/B",
            "no root needs definition `B`",
            "list it in `x-roots`",
        ),
        (
            file(&json!({"a-b": text}), None),
            "/$defs/a-b",
            "`a-b` is not a type name",
            "capital letter",
        ),
        (
            file(&json!({"A~/": text}), None),
            "/$defs/A~0~1",
            "is not a type name",
            "letters and digits",
        ),
    ] {
        check(&schema, pointer, message, help);
    }
}

#[test]
fn two_files_may_not_define_one_name() {
    let text = file(
        &json!({"A": {"description": "A text.", "type": "string"}}),
        None,
    )
    .to_string();
    let files = ["one.schema.json", "two.schema.json"].map(|name| SchemaText { name, text: &text });
    let error = read(&files).expect_err("`A` is in both");
    assert_eq!(
        (error.file.as_str(), error.pointer.as_str()),
        ("two.schema.json", "/$defs/A")
    );
    assert!(
        error.message.contains("is also in `one.schema.json`"),
        "{error}"
    );
}

#[test]
fn an_error_says_where_what_and_what_to_do() {
    let error = read(&[SchemaText {
        name: "x.schema.json",
        text: "{",
    }])
    .expect_err("not JSON");
    let text = error.to_string();
    assert!(text.starts_with("not JSON: "), "{text}");
    assert!(
        text.contains("in `x.schema.json` at ``\n  help: correct the text"),
        "{text}"
    );
}
