//! The kit's own formats and words, as one list each.

use std::collections::BTreeMap;

use chatstate_corpus::{ArgumentValue, OperationArgument, Vocabulary};
use chatstate_protocol::vocabulary;
use chatstate_types::generated::definitions::DEFINITIONS;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::report::lines::hex;

/// Gives the words that cases may use, from the adapter protocol.
#[must_use]
pub fn case_vocabulary() -> Vocabulary {
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let mut arguments = BTreeMap::new();
    let mut typed_operations = Vec::new();
    for op in vocabulary::OPERATIONS {
        let taken = vocabulary::arguments_of(op).iter();
        let taken = taken.map(|argument| OperationArgument {
            name: argument.name.to_owned(),
            required: argument.required,
            takes: match argument.takes {
                vocabulary::Takes::Text => ArgumentValue::Text,
                vocabulary::Takes::Word(words) => ArgumentValue::Word(owned(words)),
                vocabulary::Takes::Flag => ArgumentValue::Flag,
            },
        });
        arguments.insert((*op).to_owned(), taken.collect());
        if vocabulary::takes_type(op) {
            typed_operations.push((*op).to_owned());
        }
    }
    Vocabulary {
        operations: owned(vocabulary::OPERATIONS),
        arguments,
        typed_operations,
        capabilities: vocabulary::capabilities().map(str::to_owned).collect(),
        types: document_types(),
        values: vocabulary::VALUES
            .iter()
            .map(|(argument, value, capability)| {
                [argument, value, capability].map(|word| (*word).to_owned())
            })
            .collect(),
        classes: owned(vocabulary::CLASSES),
    }
}

/// Gives every type that a document can have: those of the protocol, and every other definition of the
/// schema, which an implementation needs a word of its own for.
fn document_types() -> Vec<(String, Vec<String>)> {
    let mut types: Vec<(String, Vec<String>)> = vocabulary::TYPES
        .iter()
        .map(|(name, capability)| ((*name).to_owned(), vec![(*capability).to_owned()]))
        .collect();
    for definition in DEFINITIONS {
        let name = definition.name;
        if vocabulary::capability_of_type(name).is_none() {
            let area = vocabulary::capability_of_file(definition.file);
            let words = area.into_iter().chain([vocabulary::DEFINITIONS]);
            types.push((name.to_owned(), words.map(str::to_owned).collect()));
        }
    }
    types
}

/// Gives the files of `schema/kit`, each with its name and its text.
#[must_use]
pub fn kit_schemas() -> Vec<(&'static str, String)> {
    let schemas = [
        (
            "case.schema.json",
            chatstate_corpus::schema(&case_vocabulary()),
        ),
        ("adapter.schema.json", chatstate_protocol::message::schema()),
        ("report.schema.json", crate::report::schema()),
        (
            "expected-failures.schema.json",
            crate::expectations::schema(),
        ),
    ];
    schemas
        .map(|(name, schema)| (name, pretty(name, &schema)))
        .into()
}

/// The files of the canonical schema, as they are compiled in.
const SCHEMAS: [(&str, &str); 3] = [
    (
        "chat-state.schema.json",
        include_str!("../../../schema/v1/chat-state.schema.json"),
    ),
    (
        "event.schema.json",
        include_str!("../../../schema/v1/event.schema.json"),
    ),
    (
        "session.schema.json",
        include_str!("../../../schema/v1/session.schema.json"),
    ),
];

/// Gives the SHA-256 of each file of the canonical schema, as the heads of generated files name it.
pub(crate) fn schema_digests() -> BTreeMap<String, String> {
    let digest = |text: &str| hex(&Sha256::digest(text));
    SCHEMAS
        .map(|(name, text)| (name.to_owned(), digest(text)))
        .into()
}

/// The schema as a page: what it is comes first, and optional members are absent, never null.
fn pretty(name: &str, schema: &Value) -> String {
    let id = format!("https://chatstate.dev/schema/kit/{name}");
    let mut members = Map::new();
    for member in ["$schema", "$id", "title", "description"] {
        let value = schema.get(member).cloned();
        members.insert(
            member.to_owned(),
            value.unwrap_or_else(|| id.clone().into()),
        );
    }
    for (member, value) in schema.as_object().into_iter().flatten() {
        members.entry(member).or_insert_with(|| value.clone());
    }
    let mut schema = Value::Object(members);
    tidy(&mut schema);
    format!("{schema:#}\n")
}

/// Takes away what the Rust types say and the formats do not mean: null for absent members, number
/// formats that JSON Schema does not have, line breaks of the source in descriptions.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            tidy_members(members);
            members.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn tidy_members(members: &mut Map<String, Value>) {
    if members.get("default") == Some(&Value::Null) {
        members.shift_remove("default");
    }
    let rust_format = |format: &str| format.starts_with("uint");
    if members
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(rust_format)
    {
        members.shift_remove("format");
    }
    if let Some(Value::String(text)) = members.get_mut("description") {
        let paragraphs: Vec<_> = text.split("\n\n").map(|it| it.replace('\n', " ")).collect();
        *text = paragraphs.join("\n\n");
    }
    if let Some(Value::Array(kinds)) = members.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            members.insert("type".to_owned(), kind);
        }
    }
    let or_null = |arms: &Vec<Value>| arms.len() == 2 && arms[1] == json!({ "type": "null" });
    let arms = members.get("anyOf").and_then(Value::as_array);
    if let Some([Value::Object(arm), _]) = arms.filter(|arms| or_null(arms)).map(Vec::as_slice) {
        let arm = arm.clone();
        members.shift_remove("anyOf");
        members.extend(arm);
    }
}
