//! What ordinary schemas become: each thing in all the ways in which it can be written.

use chatstate_schema_model::{
    DefinitionKind, Ir, IrError, Literal, Lock, NamedDefinition, Others, ReadOptions, SchemaText,
    Type, read_with,
};
use serde_json::{Value, json};

mod asked;
mod foreign;

/// Reads one file with ordinary rules.
fn reading(schema: &Value) -> Result<Ir, IrError> {
    let text = schema.to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    read_with(&[file], &ReadOptions::default())
        .map(|reading| reading.ir)
        .map_err(|obstacles| obstacles.first().clone())
}

/// Reads definitions.
fn definitions(definitions: &Value) -> Ir {
    reading(&json!({ "$defs": definitions })).unwrap_or_else(|error| panic!("{error}"))
}

fn definition<'a>(ir: &'a Ir, name: &str) -> &'a NamedDefinition {
    let names: Vec<_> = ir.definitions.keys().collect();
    ir.definitions
        .get(name)
        .unwrap_or_else(|| panic!("no `{name}` in {names:?}"))
}

/// The types of `value` in all these spellings are equal, and so are what they refer to.
fn check_same(spellings: &[Value]) {
    let read = |spelling: &Value| {
        let mut ir = definitions(&json!({
            "A": {"type": "object", "properties": {"value": spelling}},
            "B": {"type": "object", "properties": {"t": {"const": "b"}}, "required": ["t"]},
            "C": {"type": "object", "properties": {"t": {"const": "c"}}, "required": ["t"]},
        }));
        ir.schemas.clear();
        for definition in ir.definitions.values_mut() {
            definition.pointer.clear();
        }
        ir
    };
    let first = read(&spellings[0]);
    for spelling in spellings {
        assert_eq!(read(spelling), first, "{spelling} is not {}", spellings[0]);
    }
}

#[test]
fn null_is_said_in_many_ways() {
    check_same(&[
        json!({"type": ["string", "null"]}),
        json!({"type": "string", "nullable": true}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"oneOf": [{"const": null}, {"type": "string"}]}),
        json!({"anyOf": [{"anyOf": [{"type": "null"}]}, {"type": "string"}]}),
    ]);
    check_same(&[
        json!({"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]}),
        json!({"$ref": "#/$defs/B", "nullable": true}),
        json!({"allOf": [{"$ref": "#/$defs/B"}], "nullable": true}),
    ]);
    check_same(&[
        json!({"enum": ["a", "b", null]}),
        json!({"enum": ["a", "b"], "nullable": true}),
        json!({"oneOf": [{"enum": ["a", "b"]}, {"enum": [null]}]}),
    ]);
}

#[test]
fn one_thing_is_said_in_many_ways() {
    check_same(&[
        json!({"const": "a"}),
        json!({"enum": ["a"]}),
        json!({"type": "string", "enum": ["a"]}),
        json!({"oneOf": [{"const": "a"}]}),
    ]);
    check_same(&[
        json!({"enum": ["a", "b"]}),
        json!({"oneOf": [{"const": "a"}, {"const": "b"}]}),
        json!({"type": "string", "anyOf": [{"enum": ["a"]}, {"const": "b"}]}),
    ]);
    check_same(&[
        json!({"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}),
        json!({"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "string"}]}),
    ]);
    check_same(&[
        json!({"$ref": "#/$defs/B"}),
        json!({"$ref": "#/$defs/B", "description": ""}),
        json!({"allOf": [{"$ref": "#/$defs/B"}]}),
        json!({"$ref": "#/$defs/B", "type": "object"}),
        json!({"$ref": "#/%24defs/B", "x-note": 1, "title": "T", "examples": [1]}),
    ]);
    check_same(&[
        json!({}),
        json!(true),
        json!({"title": "Anything", "$comment": "x"}),
    ]);
    check_same(&[
        json!({"type": ["string", "integer"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
    ]);
    check_same(&[
        json!({"type": "number"}),
        json!({"type": ["integer", "number"]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}),
    ]);
    check_same(&[
        json!({"type": "array", "prefixItems": [{"type": "string"}, {}], "items": false, "minItems": 2}),
        json!({"type": "array", "items": [{"type": "string"}, {}], "additionalItems": false, "minItems": 2}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, true], "minItems": 2, "maxItems": 2}),
    ]);
    check_same(&[
        json!({"type": "array"}),
        json!({"type": "array", "items": true}),
        json!({"items": {}}),
    ]);
    check_same(&[
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": true}),
    ]);
    check_same(&[
        json!({}),
        json!({"additionalProperties": true, "additionalItems": true}),
    ]);
    check_same(&[
        json!({"anyOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}]}),
        json!({"oneOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}], "discriminator": {"propertyName": "t"}}),
        json!({"oneOf": [{"allOf": [{"$ref": "#/$defs/B"}]}, {"$ref": "#/$defs/C"}], "type": "object",
               "discriminator": {"propertyName": "t", "mapping": {"b": "#/$defs/B"}}}),
    ]);
}

/// The member `m` of the definition `A` has this type.
fn member_type(ir: &Ir, name: &str) -> Type {
    let DefinitionKind::Object(object) = &definition(ir, "A").kind else {
        panic!("an object")
    };
    object.member(name).expect("the member").ty.clone()
}

fn reference(to: &str) -> Type {
    Type::Reference {
        to: to.to_owned(),
        cyclic: false,
    }
}

#[test]
fn what_has_no_name_is_called_after_its_place() {
    let ir = definitions(&json!({
        "A": {"type": "object", "properties": {
            "size": {"enum": ["s", "l"]},
            "items": {"type": "array", "items": {"type": "object", "properties": {"x": {"enum": [1, 2]}}}},
            "by-name": {"type": "object", "additionalProperties": {"type": ["string", "boolean"]}},
            "shape": {"anyOf": [
                {"type": "object", "properties": {"kind": {"const": "round"}}, "required": ["kind"]},
                {"type": "object", "properties": {"kind": {"const": "flat"}, "side": {"enum": ["up", "down"]}}, "required": ["kind"]},
            ]},
        }},
        "some_thing": {"type": "object", "properties": {}},
        "RUN_STATE": {"type": "object", "properties": {}},
        "größe": {"type": "object", "properties": {}},
        "2d": {"type": "object", "properties": {}},
    }));
    let names: Vec<&str> = ir.definitions.keys().map(String::as_str).collect();
    let expected = [
        "A",
        "ASize",
        "AItemsItem",
        "AItemsItemX",
        "AByNameValue",
        "AShape",
        "AShapeRound",
        "AShapeFlat",
        "AShapeFlatSide",
        "SomeThing",
        "RunState",
        "GrU00f6U00dfe",
        "N2d",
    ];
    assert_eq!(names, expected);
    assert_eq!(member_type(&ir, "size"), reference("ASize"));
}

#[test]
fn a_name_that_is_taken_is_made_longer_and_a_locked_one_stays() {
    let schema = json!({"$defs": {
        "A": {"type": "object", "properties": {"b": {"enum": [1, 2]}}},
        "AB": {"type": "object", "properties": {}},
    }});
    let ir = reading(&schema).unwrap();
    assert_eq!(member_type(&ir, "b"), reference("TestAB"));
    let mut lock = Lock::default();
    lock.types.insert(
        "test.json#/$defs/A/properties/b".to_owned(),
        "AB".to_owned(),
    );
    let text = schema.to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    let options = ReadOptions {
        lock,
        ..ReadOptions::default()
    };
    let reading = read_with(&[file], &options).unwrap();
    assert_eq!(member_type(&reading.ir, "b"), reference("AB"));
    let names: Vec<_> = reading.lock.types.values().collect();
    assert_eq!(names, ["A", "TestAB", "AB"]);
}

#[test]
fn a_name_in_the_lock_wins_whatever_it_is() {
    let text = json!({"$defs": {"A": {"type": "object", "properties": {}}}}).to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    let mut lock = Lock::default();
    lock.types
        .insert("test.json#/$defs/A".to_owned(), "Chosen".to_owned());
    let options = ReadOptions {
        lock,
        ..ReadOptions::default()
    };
    let reading = read_with(&[file], &options).unwrap();
    assert_eq!(definition(&reading.ir, "Chosen").pointer, "/$defs/A");
}

#[test]
fn names_in_code_are_given() {
    let schema = |name: &str| {
        json!({ "$defs": { "a-b": { "type": "object", "x-name": name, "properties": {
            "kind": { "type": "string" },
            "Kind": { "type": "string", "x-name": "upper_kind" },
            "operator": { "oneOf": [
                { "const": "<", "x-name": "less" },
                { "const": "<=", "x-name": "less-or-equal" },
            ]},
        }}}})
    };
    let ir = reading(&schema("Pair")).unwrap();
    let DefinitionKind::Object(pair) = &definition(&ir, "Pair").kind else {
        panic!("`Pair` is no object")
    };
    let names: Vec<&str> = pair
        .members
        .iter()
        .map(chatstate_schema_model::MemberDefinition::code_name)
        .collect();
    assert_eq!(names, ["kind", "upper_kind", "operator"]);
    assert_eq!(pair.members[1].name, "Kind");
    let DefinitionKind::Enumeration(operator) = &definition(&ir, "PairOperator").kind else {
        panic!("`PairOperator` is no enumeration")
    };
    let names = operator.values.iter().map(|it| it.code_name.as_deref());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [Some("less"), Some("less-or-equal")]
    );
    // It is the name from then on, also where an earlier run gave another.
    let text = schema("Pair").to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    let mut options = ReadOptions::default();
    options
        .lock
        .types
        .insert("test.json#/$defs/a-b".to_owned(), "AB".to_owned());
    let lock = read_with(&[file], &options).unwrap().lock;
    assert_eq!(lock.types["test.json#/$defs/a-b"], "Pair");
    let error = reading(&schema("no name")).unwrap_err().to_string();
    assert!(error.contains("`no name` is no name for code"), "{error}");
}

#[test]
fn an_arm_before_others_renames_none() {
    let arm = |tag: &str| json!({"type": "object", "properties": {"t": {"const": tag}, "size": {"enum": ["s", "l"]}}, "required": ["t"]});
    let names = |tags: &[&str]| {
        let arms: Vec<Value> = tags.iter().map(|tag| arm(tag)).collect();
        let text = json!({"$defs": {"A": {"anyOf": arms}}}).to_string();
        let file = SchemaText {
            name: "test.json",
            text: &text,
        };
        read_with(&[file], &ReadOptions::default())
            .unwrap()
            .lock
            .types
    };
    let (before, after) = (names(&["one", "two"]), names(&["new", "one", "two"]));
    for (place, name) in &before {
        assert_eq!(after.get(place), Some(name), "{place}");
    }
    assert_eq!(
        before["test.json#/$defs/A/oneOf/two/properties/size"],
        "ATwoSize"
    );
}

#[test]
fn composed_objects_have_the_members_of_all_parts() {
    let ir = definitions(&json!({
        "Base": {"type": "object", "properties": {"kind": {"type": "string"}, "id": {"type": "string"}, "body": {}}, "required": ["kind"]},
        "A": {"allOf": [{"$ref": "#/$defs/Base"}, {"type": "object", "properties": {
            "kind": {"const": "a"}, "body": {"type": "object", "properties": {"x": {"type": "integer"}}}}, "required": ["body"]}]},
        "B": {"$ref": "#/$defs/A", "properties": {"more": {"type": "boolean"}}, "unevaluatedProperties": false},
    }));
    let DefinitionKind::Object(a) = &definition(&ir, "A").kind else {
        panic!("an object")
    };
    let members: Vec<_> = a
        .members
        .iter()
        .map(|member| (member.name.as_str(), member.required))
        .collect();
    assert_eq!(members, [("kind", true), ("id", false), ("body", true)]);
    assert_eq!(
        member_type(&ir, "kind"),
        Type::Constant(Literal::Text("a".to_owned()))
    );
    assert_eq!(member_type(&ir, "body"), reference("ABody"));
    let DefinitionKind::Object(b) = &definition(&ir, "B").kind else {
        panic!("an object")
    };
    assert_eq!((b.members.len(), &b.others), (4, &Others::Rejected));
}

#[test]
fn members_beside_a_choice_are_members_of_every_arm() {
    let ir = definitions(&json!({
        "A": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "oneOf": [
            {"properties": {"t": {"const": "x"}}, "required": ["t"], "allOf": [{"$ref": "#/$defs/X"}]},
            {"title": "Rest", "type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"],
             "not": {"anyOf": [{"properties": {"t": {"const": "x"}}, "required": ["t"]}]}},
        ]},
        "X": {"type": "object", "properties": {"x": {"type": "integer"}}},
    }));
    let DefinitionKind::Union(union) = &definition(&ir, "A").kind else {
        panic!("a union")
    };
    assert_eq!(
        (union.tag.as_str(), union.unknown.as_deref()),
        ("t", Some("AUnknown"))
    );
    let DefinitionKind::Object(arm) = &definition(&ir, "AX").kind else {
        panic!("an object")
    };
    let members: Vec<_> = arm
        .members
        .iter()
        .map(|member| member.name.as_str())
        .collect();
    assert_eq!(members, ["id", "t", "x"]);
    let DefinitionKind::Object(rest) = &definition(&ir, "AUnknown").kind else {
        panic!("an object")
    };
    assert_eq!(
        rest.member("t").unwrap().ty,
        Type::UnknownTag(vec!["x".to_owned()])
    );
}

#[test]
fn what_nothing_tells_apart_is_tried_in_order() {
    let ir = definitions(&json!({
        "A": {"anyOf": [{"$ref": "#/$defs/X"}, {"title": "Both", "type": "object", "required": ["x", "y"]}, {"type": "string"}]},
        "X": {"type": "object", "properties": {"x": {}}},
    }));
    let DefinitionKind::Kinds(arms) = &definition(&ir, "A").kind else {
        panic!("kinds")
    };
    assert_eq!(arms[0].ty, reference("AObject"));
    let expected = DefinitionKind::Alternatives(vec!["X".to_owned(), "AObjectBoth".to_owned()]);
    assert_eq!(definition(&ir, "AObject").kind, expected);
}

#[test]
fn roots_are_listed_or_found() {
    let object = json!({"type": "object", "properties": {"b": {"$ref": "#/definitions/B"}}});
    let leaf = json!({"type": "object", "properties": {}});
    let circle = json!({"type": "object", "properties": {"b": {"$ref": "#/definitions/A"}}});
    for (schema, roots) in [
        (json!({"definitions": {"A": object, "B": leaf}}), vec!["A"]),
        (
            json!({"definitions": {"A": object, "B": leaf}, "x-roots": ["B"]}),
            vec!["B"],
        ),
        (
            json!({"definitions": {"A": object, "B": circle}}),
            vec!["A", "B"],
        ),
        (
            json!({"definitions": {"A": object, "B": leaf}, "type": "object"}),
            vec!["A"],
        ),
        (
            json!({"title": "Whole thing", "type": "object", "properties": {"a": {"$ref": "#/definitions/A"}}, "definitions": {"A": object, "B": leaf}}),
            vec!["WholeThing"],
        ),
        (
            json!({"$ref": "#/definitions/A", "definitions": {"A": object, "B": leaf}}),
            vec!["Test"],
        ),
        (
            json!({"type": "object", "properties": {"self": {"$ref": "#"}}}),
            vec!["Test"],
        ),
    ] {
        let ir = reading(&schema).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ir.roots().collect::<Vec<_>>(), roots, "{schema}");
    }
}

#[test]
fn files_refer_to_each_other_by_name_or_id() {
    let other = json!({"$id": "https://example.test/v1/other.json", "$defs": {"B": {"type": "object", "properties": {}}}}).to_string();
    for address in [
        "other.schema.json",
        "https://example.test/v1/other.json",
        "other.json",
        "./other.json",
    ] {
        let first = json!({
            "$id": "https://example.test/v1/first.json",
            "$defs": {"A": {"type": "object", "properties": {"m": {"$ref": format!("{address}#/$defs/B")}}}},
        });
        let text = first.to_string();
        let files = [
            SchemaText {
                name: "first.schema.json",
                text: &text,
            },
            SchemaText {
                name: "other.schema.json",
                text: &other,
            },
        ];
        let reading =
            read_with(&files, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(member_type(&reading.ir, "m"), reference("B"), "{address}");
        assert_eq!(definition(&reading.ir, "B").schema, "other.schema.json");
    }
}

#[test]
fn recursion_is_found_through_everything() {
    let ir = definitions(&json!({
        "A": {"type": "object", "properties": {
            "pair": {"type": "array", "prefixItems": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "items": false, "minItems": 2},
            "list": {"$ref": "#/$defs/List"},
        }},
        "B": {"type": "object", "properties": {}},
        "List": {"type": "array", "items": {"$ref": "#/$defs/A"}},
    }));
    let Type::Tuple(places) = member_type(&ir, "pair") else {
        panic!("a tuple")
    };
    let cyclic = |ty: &Type| matches!(ty, Type::Reference { cyclic: true, .. });
    assert!(cyclic(&places[0].ty) && !cyclic(&places[1].ty));
    assert!(
        !cyclic(&member_type(&ir, "list")),
        "a list is an indirection"
    );
    let recursive: Vec<_> = ir
        .definitions
        .values()
        .map(|definition| definition.recursive)
        .collect();
    assert_eq!(recursive, [true, false, true]);
}
