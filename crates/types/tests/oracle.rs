//! The generated readers against a JSON Schema validator that knows nothing of them.
//!
//! Documents are made from the tables of the schema: small ones with every foreign value in every
//! place, and large ones at random. The laws: a reader accepts a document exactly if the validator
//! does, and what is accepted is written as the same value.

use chatstate_arbitrary::documents::{Choices, foreign, grow, variations_of};
use chatstate_json::{canonical, parse};
use chatstate_types::generated::{Document, ROOT_NAMES, SCHEMAS, definitions};
use chatstate_types::validate::{check_definition, rejections};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// A validator for each root type, in the order of the tables.
static VALIDATORS: LazyLock<Vec<Validator>> = LazyLock::new(|| {
    let schemas = SCHEMAS
        .iter()
        .map(|(_, text)| serde_json::from_str(text).expect("a schema"));
    let schemas: Vec<Value> = schemas.collect();
    ROOT_NAMES
        .iter()
        .map(|name| validator(&schemas, name))
        .collect()
});

fn validator(schemas: &[Value], name: &str) -> Validator {
    let schema = schemas
        .iter()
        .find(|schema| schema["$defs"].get(name).is_some());
    let definitions = &schema.expect("every root is in a schema")["$defs"];
    let schema = json!({"$ref": format!("#/$defs/{name}"), "$defs": definitions});
    jsonschema::draft202012::new(&schema).expect("the schema is valid")
}

/// The readers, the validator and the tables agree, and what is read is written as the same value.
fn check(root: usize, value: &Value) {
    let (name, text) = (ROOT_NAMES[root], value.to_string());
    let read = Document::read(name, &text).expect("a root type");
    assert_eq!(
        read.is_ok(),
        VALIDATORS[root].is_valid(value),
        "{name}: {text}\nreader: {:?}\nvalidator: {:?}",
        read.as_ref().err(),
        VALIDATORS[root]
            .validate(value)
            .err()
            .map(|error| error.to_string()),
    );
    let tree = parse(&text).expect("JSON");
    let judged = check_definition(definitions::ROOTS[root], &tree);
    assert_eq!(judged.err().as_ref(), read.as_ref().err(), "{name}: {text}");
    let all = rejections(definitions::ROOTS[root], &tree);
    assert_eq!(all.is_empty(), read.is_ok(), "{name}: {text}\n{all:?}");
    if let Ok(document) = read {
        let canonical = |text: &str| parse(text).map(|value| canonical(&value));
        assert_eq!(
            canonical(&document.to_json().expect("it is valid")),
            canonical(&text),
            "{name}: {text}"
        );
    }
}

/// Every part of the schema, with every foreign value in its place, is judged alike.
#[test]
fn small_documents_are_judged_alike() {
    for (root, name) in ROOT_NAMES.iter().enumerate() {
        // A stream would only repeat all events.
        let above = if *name == "EventStream" {
            vec!["Event"]
        } else {
            Vec::new()
        };
        let values = variations_of(definitions::ROOTS[root], &above);
        let (good, bad) = values
            .iter()
            .chain(&foreign())
            .fold((0, 0), |(good, bad), value| {
                check(root, value);
                if VALIDATORS[root].is_valid(value) {
                    (good + 1, bad)
                } else {
                    (good, bad + 1)
                }
            });
        assert!(
            good > 0 && bad > 10,
            "{name}: {good} valid and {bad} invalid documents"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grown_documents_are_read(
        root in 0..ROOT_NAMES.len(),
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let value = grow(definitions::ROOTS[root], &mut Choices::new(&bytes));
        prop_assert!(VALIDATORS[root].is_valid(&value), "{value}");
        check(root, &value);
    }
}
