//! What cannot be represented is told all at once, and becomes any JSON value only where the caller
//! says so.

use chatstate_schema_model::{
    DefinitionKind, Obstacle, Obstacles, OpaquePlaces, ReadOptions, ReadSchemas, SchemaText, Type,
    read_with,
};
use serde_json::{Value, json};

/// Reads one file, with any JSON value in these places.
fn reading(schema: &Value, places: &[&str]) -> Result<ReadSchemas, Obstacles> {
    let text = schema.to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    let places = places.iter().filter(|place| **place != "all");
    let options = ReadOptions {
        opaque: OpaquePlaces {
            all: places.clone().count() == 0,
            places: places.map(|&place| place.to_owned()).collect(),
        },
        ..ReadOptions::default()
    };
    read_with(&[file], &options)
}

/// A schema with obstacles, at these places.
fn obstacles() -> Value {
    json!({
        "$defs": {
            "Whole": {"type": "array", "contains": {"pattern": "^(?!x)"}},
            "Member": {"type": "object", "properties": {
                "a": {"const": [1]},
                "b": {"type": "array", "items": {"type": "string", "minimum": 1}},
                "c": {"$ref": "#/$defs/Whole"},
                "d": {"$ref": "#/$defs/Nowhere"},
            }},
            "Arm": {"anyOf": [{"type": "string"}, {"type": "tuple"}]},
            "Part": {"allOf": [
                {"$ref": "#/$defs/Member"},
                {"properties": {"e": {"type": "string"}}, "propertyNames": {"pattern": "^(?!f)"}},
            ]},
        },
    })
}

const PLACES: [&str; 6] = [
    "/$defs/Whole",
    "/$defs/Member/properties/a",
    "/$defs/Member/properties/b/items",
    "/$defs/Member/properties/d",
    "/$defs/Arm/anyOf/1",
    "/$defs/Part/allOf/1",
];

fn schemas(obstacles: &Obstacles) -> Vec<&str> {
    let schemas = obstacles
        .iter()
        .map(|obstacle| obstacle.schema.as_deref().expect("a schema"));
    schemas.collect()
}

#[test]
fn all_obstacles_are_told_at_once() {
    let none = read_with(
        &[SchemaText {
            name: "test.json",
            text: &obstacles().to_string(),
        }],
        &ReadOptions::default(),
    );
    let mut expected = PLACES;
    expected.sort_unstable();
    let obstacles = none.expect_err("obstacles");
    let mut places = schemas(&obstacles);
    places.sort_unstable();
    assert_eq!(places, expected);
}

#[test]
fn the_places_that_are_named_become_any_value_and_no_others() {
    let all = reading(&obstacles(), &["all"]).expect("a model");
    let named = reading(&obstacles(), &PLACES).expect("a model");
    assert_eq!(all, named);
    let expected: Vec<_> = all.opaque.iter().filter_map(Obstacle::place).collect();
    assert_eq!(all.lock.opaque, expected);
    assert_eq!(expected.len(), PLACES.len());
    let any = Type::Any { nullable: true };
    let kind = |name: &str| all.ir.definitions[name].kind.clone();
    assert_eq!(kind("Whole"), DefinitionKind::Alias(any.clone()));
    let DefinitionKind::Object(member) = kind("Member") else {
        panic!("an object")
    };
    assert_eq!(member.member("a").expect("`a`").ty, any);
    let list = &member.member("b").expect("`b`").ty;
    assert!(matches!(list, Type::List { items, .. } if items.ty == any));
    let Type::Reference { to, .. } = &member.member("c").expect("`c`").ty else {
        panic!("a reference")
    };
    assert_eq!(to, "Whole");
    // What is left of the composition is the reference.
    assert!(matches!(
        kind("Part"),
        DefinitionKind::Alias(Type::Reference { to, .. }) if to == "Member"
    ));
}

#[test]
fn the_others_remain() {
    let left = reading(&obstacles(), &PLACES[1..5]).expect_err("two obstacles");
    assert_eq!(schemas(&left), [PLACES[0], PLACES[5]]);
}

#[test]
fn places_that_are_no_obstacles_are_rejected() {
    for (place, message, help) in [
        ("/$defs/Nobody", "there is no such place", "`/$defs/Name`"),
        (
            "other.json#/$defs/Whole",
            "there is no such place",
            "`test.json`",
        ),
        (
            "/$defs/Part",
            "can be represented",
            "inside of it: `/$defs/Part/allOf/1`",
        ),
        ("/$defs/Arm/anyOf/0", "can be represented", "leave it out"),
    ] {
        let rejected = reading(&obstacles(), &[place]).expect_err(place);
        let error = rejected.first();
        assert_eq!(rejected.iter().len(), 1, "{rejected}");
        assert!(error.message.contains(message), "`{message}` in: {error}");
        assert!(error.help.contains(help), "`{help}` in: {error}");
    }
}

/// What is wrong with a file as a whole is no place for any value.
#[test]
fn a_file_without_definitions_cannot_be_made_good() {
    for schema in [json!({}), json!([]), json!({"x-roots": ["A"], "$defs": {}})] {
        let rejected = reading(&schema, &["all"]).expect_err("no model");
        assert_eq!(
            rejected.iter().next().expect("one").schema,
            None,
            "{rejected}"
        );
    }
}

#[test]
fn definitions_are_where_the_caller_says() {
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "paths": {},
        "components": {"schemas": {
            "Pet": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "nullable": true},
                "age": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
                "owner": {"$ref": "#/components/schemas/Owner"},
            }},
            "Owner": {"type": "object", "properties": {}},
        }},
    });
    let text = document.to_string();
    let read = |at: &[&str]| {
        let file = SchemaText {
            name: "pets.json",
            text: &text,
        };
        let at = at.iter().map(|&at| at.to_owned()).collect();
        let options = ReadOptions {
            at,
            ..ReadOptions::default()
        };
        read_with(&[file], &options)
    };
    let reading = read(&["/components/schemas"]).expect("a model");
    let names: Vec<_> = reading.ir.definitions.keys().collect();
    assert_eq!(names, ["Pet", "Owner"]);
    assert_eq!(reading.ir.schemas[0].title, "Pets");
    assert_eq!(reading.ir.schemas[0].roots, ["Pet"]);
    let without = read(&[]).expect_err("no definitions");
    assert!(without.first().help.contains("`--at /components/schemas`"));
    let nowhere = read(&["/components/messages"]).expect_err("no such place");
    assert_eq!(nowhere.first().pointer, "/components/messages");
}
