//! The schemas of the kit's own formats say what the formats are.

use chatstate_runner::kit_schemas;
use serde_json::Value;

#[test]
fn every_format_has_one_schema() {
    let names: Vec<_> = kit_schemas().into_iter().map(|(name, _)| name).collect();
    let expected = [
        "case.schema.json",
        "adapter.schema.json",
        "report.schema.json",
        "expected-failures.schema.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn every_schema_names_itself_first() {
    for (name, text) in kit_schemas() {
        let schema: Value = serde_json::from_str(&text).expect("it is JSON");
        let members: Vec<_> = schema.as_object().expect("an object").keys().collect();
        assert_eq!(
            members[..4],
            ["$schema", "$id", "title", "description"],
            "{name}"
        );
        assert_eq!(
            schema["$id"],
            format!("https://chatstate.dev/schema/kit/{name}")
        );
    }
}

#[test]
fn every_member_is_described_in_plain_words() {
    for (name, text) in kit_schemas() {
        assert!(!text.contains("crate::"), "{name} mentions Rust");
        assert!(
            !text.contains("\"null\""),
            "{name} takes null for an absent member"
        );
        let schema: Value = serde_json::from_str(&text).expect("it is JSON");
        check_descriptions(name, &schema);
    }
}

/// Tags and the variants of a variant are named by their constant or their only member.
fn check_descriptions(name: &str, schema: &Value) {
    let described = |schema: &Value| schema.get("description").is_some();
    if let Some(Value::Object(members)) = schema.get("properties") {
        for (member, shape) in members {
            let tag = shape.get("const").is_some();
            let holds = described(shape) || described(schema) || tag;
            assert!(holds, "{name}: `{member}` has no description");
        }
    }
    match schema {
        Value::Object(members) => members.values().for_each(|it| check_descriptions(name, it)),
        Value::Array(items) => items.iter().for_each(|it| check_descriptions(name, it)),
        _ => {}
    }
}
