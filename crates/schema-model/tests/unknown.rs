//! Choices that a schema closes, opened for what it does not know.

use chatstate_schema_model::{
    DefinitionKind, Lock, ReadOptions, ReadSchemas, SchemaText, Type, UnknownValues, read_with,
};
use serde_json::{Value, json};

fn reading(definitions: &Value, lock: Lock) -> ReadSchemas {
    let text = json!({ "$defs": definitions }).to_string();
    let file = SchemaText {
        name: "test.json",
        text: &text,
    };
    let options = ReadOptions {
        unknown: UnknownValues::Kept,
        lock,
        ..ReadOptions::default()
    };
    let reading = read_with(&[file], &options).unwrap_or_else(|error| panic!("{error}"));
    reading.ir.check("test.json").expect("a sound model");
    reading
}

fn kind<'r>(reading: &'r ReadSchemas, name: &str) -> &'r DefinitionKind {
    &reading.ir.definitions[name].kind
}

fn definitions() -> Value {
    let arm = |tag: &str| json!({"type": "object", "required": ["op"], "properties": {"op": {"const": tag}}});
    json!({
        "Frame": {"oneOf": [{"$ref": "#/$defs/Open"}, {"$ref": "#/$defs/Close"}]},
        "Open": arm("open"),
        "Close": arm("close"),
        "Colour": {"enum": ["red", "green"]},
        "Size": {"enum": [1, 2]},
    })
}

#[test]
fn unions_and_enumerations_of_texts_are_opened() {
    let reading = reading(&definitions(), Lock::default());
    let names: Vec<_> = reading.ir.definitions.keys().collect();
    assert_eq!(
        names,
        ["Frame", "FrameUnknown", "Open", "Close", "Colour", "Size"]
    );
    let DefinitionKind::Union(union) = kind(&reading, "Frame") else {
        panic!("a union")
    };
    assert_eq!(union.unknown.as_deref(), Some("FrameUnknown"));
    let DefinitionKind::Object(unknown) = kind(&reading, "FrameUnknown") else {
        panic!("an object")
    };
    let tags = ["open", "close"].map(str::to_owned).to_vec();
    assert_eq!(unknown.members[0].ty, Type::UnknownTag(tags));
    for (name, open) in [("Colour", true), ("Size", false)] {
        let DefinitionKind::Enumeration(enumeration) = kind(&reading, name) else {
            panic!("an enumeration")
        };
        assert_eq!(enumeration.open, open, "{name}");
    }
}

#[test]
fn what_other_variants_follow_stays_closed() {
    let mut schema = definitions();
    schema["First"] = json!({"anyOf": [{"$ref": "#/$defs/Frame"}, {"$ref": "#/$defs/Other"}]});
    schema["Other"] = json!({"oneOf": [{"$ref": "#/$defs/Open"}, {"type": "object", "required": ["op"], "properties": {"op": {"const": "pause"}}}]});
    let reading = reading(&schema, Lock::default());
    for (name, open) in [("Frame", false), ("Other", true)] {
        let DefinitionKind::Union(union) = kind(&reading, name) else {
            panic!("a union")
        };
        assert_eq!(union.unknown.is_some(), open, "{name}");
    }
}

#[test]
fn the_variant_keeps_its_name_and_takes_none() {
    let mut schema = definitions();
    schema["FrameUnknown"] = json!({"type": "object", "properties": {}});
    let first = reading(&schema, Lock::default());
    let place = "test.json#/$defs/Frame/oneOf/unknown";
    assert_eq!(first.lock.types[place], "TestFrameUnknown");
    let again = reading(&definitions(), first.lock);
    assert_eq!(again.lock.types[place], "TestFrameUnknown");
}
