//! The reference and an independent JSON Schema validator agree about every document.
//!
//! The reference dispatches on discriminators and reads into types; the `jsonschema` crate knows
//! only the schema files. What one rejects with class `schema`, the other finds invalid.

use std::collections::HashMap;
use std::sync::LazyLock;

use chatstate::Class;
use chatstate::generated::{ROOT_NAMES, SCHEMAS};
use chatstate::json::{canonical, parse};
use chatstate::validate::validate;
use chatstate_corpus::Case;
use chatstate_tests::embedded::{corpus, input_text};
use chatstate_tests::recording::recordings;
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// Most documents of the corpus can be compared; fewer would mean that the comparison is broken.
const LEAST_COMPARED: usize = 300;

#[test]
fn documents_of_the_corpus() {
    let compared = corpus()
        .cases()
        .iter()
        .filter(|case| document(case).is_some_and(|(name, text)| check(&case.id, name, &text)));
    let compared = compared.count();
    assert!(
        compared >= LEAST_COMPARED,
        "only {compared} documents were compared"
    );
}

#[test]
fn recorded_events() {
    for recording in recordings() {
        for (index, line) in recording.lines().enumerate() {
            let name = format!("{}:{}", recording.name, index + 1);
            let compared = check(&name, "Event", line);
            assert!(
                compared || holds_half_a_pair(line),
                "{name} was not compared"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// For every document d and all changes c: the reference accepts c(d) exactly if the schema
    /// does.
    #[test]
    fn changed_documents(
        start in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), change()), 1..4),
    ) {
        let (name, mut value) = start.get(&ACCEPTED).clone();
        for (place, change) in &changes {
            apply(&mut value, *place, change);
        }
        check("a changed document", name, &value.to_string());
    }
}

/// Compares the two; false for a document that only the reference can judge.
fn check(id: &str, name: &'static str, text: &str) -> bool {
    let Some(value) = exact(text) else {
        return false;
    };
    let accepted = match validate(name, text).expect("a root type") {
        Ok(()) => true,
        Err(rejection) if rejection.class == Class::Schema => false,
        // Other classes are about what a schema cannot say.
        Err(_) => return false,
    };
    let valid = VALIDATORS[name].is_valid(&value);
    assert_eq!(
        accepted,
        valid,
        "{id}: the reference says {:?}, the schema says {:?}\n{name} {text}",
        validate(name, text),
        VALIDATORS[name]
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect::<Vec<_>>()
    );
    true
}

/// Whether a line holds an unpaired surrogate, which `serde_json` does not read.
fn holds_half_a_pair(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_err() && line.contains("\\ud")
}

/// The value of a text, if `serde_json` can hold exactly this value.
fn exact(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let written = canonical(&parse(&value.to_string()).ok()?);
    (canonical(&parse(text).ok()?) == written).then_some(value)
}

/// A validator for each root type.
static VALIDATORS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let validator = |name: &&'static str| {
        let mut schema = schema_with(name);
        schema["$ref"] = json!(format!("#/$defs/{name}"));
        let validator = jsonschema::validator_for(&schema);
        (
            *name,
            validator.unwrap_or_else(|error| panic!("`{name}`: {error}")),
        )
    };
    ROOT_NAMES.iter().map(validator).collect()
});

/// The schema file that has a root type.
fn schema_with(name: &str) -> Value {
    let parsed = SCHEMAS
        .iter()
        .map(|(_, text)| serde_json::from_str::<Value>(text).unwrap());
    let is_home = |schema: &Value| schema["$defs"].get(name).is_some();
    parsed
        .into_iter()
        .find(is_home)
        .expect("a root type has a schema")
}

/// The accepted documents of the corpus, each with its type.
static ACCEPTED: LazyLock<Vec<(&str, Value)>> = LazyLock::new(|| {
    let documents = corpus().cases().iter().filter_map(document);
    let accepted = documents.filter(|(name, text)| validate(name, text) == Some(Ok(())));
    accepted
        .filter_map(|(name, text)| Some((name, exact(&text)?)))
        .collect()
});

/// The document of a case, with its type.
fn document(case: &Case) -> Option<(&'static str, String)> {
    let wanted = match case.op.as_str() {
        "round-trip" | "validate" => case.document_type.as_deref()?,
        "verify" | "replay" | "lineage" => "EventStream",
        _ => return None,
    };
    let name = ROOT_NAMES.iter().find(|name| **name == wanted)?;
    Some((name, input_text(case)?))
}

/// One change of a document at one place.
#[derive(Debug, Clone)]
enum Change {
    /// The member or item is gone.
    Drop,
    /// The value is another one.
    Replace(Value),
    /// The text has other letters.
    Extend,
    /// The object has a member more, one that the schema may know elsewhere.
    Insert(&'static str, Value),
    /// The array has its first item once more.
    Repeat,
}

/// Values of every kind, and some that are legal in few places.
fn value() -> impl Strategy<Value = Value> {
    let words = WORDS.iter().map(|word| json!(word));
    let others = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(""),
        json!("/a~1b"),
        json!("/a~2"),
        json!([]),
        json!([null]),
        json!(["a"]),
        json!({}),
        json!({ "type": "text", "text": "a" }),
    ];
    prop::sample::select(words.chain(others).collect::<Vec<_>>())
}

fn change() -> impl Strategy<Value = Change> {
    let insert = (prop::sample::select(MEMBERS.as_slice()), value());
    prop_oneof![
        Just(Change::Drop),
        value().prop_map(Change::Replace),
        Just(Change::Extend),
        insert.prop_map(|(name, value)| Change::Insert(name, value)),
        Just(Change::Repeat),
    ]
}

/// Every constant and every listed word of the schemas.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut words = Vec::new();
    for (_, text) in SCHEMAS {
        collect_words(&serde_json::from_str(text).unwrap(), &mut words);
    }
    words.sort();
    words.dedup();
    words
});

fn collect_words(schema: &Value, words: &mut Vec<String>) {
    let texts = schema["enum"].as_array().into_iter().flatten();
    let texts = texts.chain(schema.get("const")).filter_map(Value::as_str);
    words.extend(texts.map(str::to_owned));
    let members = schema.as_object().into_iter().flat_map(Map::values);
    let items = schema.as_array().into_iter().flatten();
    members
        .chain(items)
        .for_each(|inner| collect_words(inner, words));
}

/// Names that the schemas know, and some that they do not.
static MEMBERS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut names = vec!["x-unknown", "", "Type"];
    for definition in chatstate::generated::definitions::DEFINITIONS {
        if let chatstate::definition::Shape::Object(members) = definition.shape {
            names.extend(members.iter().map(|member| member.name));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
});

/// Makes the change at one of the places where it can be made, if there is one.
fn apply(document: &mut Value, place: Index, change: &Change) {
    let mut places = Vec::new();
    collect_places(document, "", &mut places);
    let fits = |place: &String| match (change, document.pointer(place)) {
        (Change::Drop, _) => !place.is_empty(),
        (Change::Extend, Some(value)) => value.is_string(),
        (Change::Insert(..), Some(value)) => value.is_object(),
        (Change::Repeat, Some(value)) => value.as_array().is_some_and(|items| !items.is_empty()),
        (_, value) => value.is_some(),
    };
    places.retain(fits);
    if places.is_empty() {
        return;
    }
    let place = place.get(&places);
    if let (Change::Drop, Some((holder, name))) = (change, place.rsplit_once('/')) {
        let holder = document.pointer_mut(holder);
        drop_from(holder.expect("a place is in a value"), name);
    } else if let Some(value) = document.pointer_mut(place) {
        change_value(value, change);
    }
}

fn collect_places(value: &Value, place: &str, places: &mut Vec<String>) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        let name = name.replace('~', "~0").replace('/', "~1");
        collect_places(inner, &format!("{place}/{name}"), places);
    }
    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
        collect_places(inner, &format!("{place}/{index}"), places);
    }
    places.push(place.to_owned());
}

fn drop_from(holder: &mut Value, name: &str) {
    match holder {
        Value::Object(members) => {
            members.remove(&name.replace("~1", "/").replace("~0", "~"));
        }
        Value::Array(items) => {
            if let Ok(index) = name.parse::<usize>() {
                items.remove(index);
            }
        }
        _ => {}
    }
}

fn change_value(value: &mut Value, change: &Change) {
    match (change, &mut *value) {
        (Change::Replace(other), _) => *value = other.clone(),
        (Change::Extend, Value::String(text)) => text.push('X'),
        (Change::Insert(name, other), Value::Object(members)) => {
            members.insert((*name).to_owned(), other.clone());
        }
        (Change::Repeat, Value::Array(items)) => items.push(items[0].clone()),
        _ => {}
    }
}
