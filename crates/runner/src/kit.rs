//! The kit's own formats and words, as one list each.

use std::collections::BTreeMap;

use chatstate_adapter::vocabulary;
use chatstate_corpus::Vocabulary;

/// Gives the words that cases may use, from the adapter protocol; `mutants` are the reference's.
#[must_use]
pub fn case_vocabulary(mutants: Option<&[&str]>) -> Vocabulary {
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
        let taken = taken.map(|(name, required)| ((*name).to_owned(), *required));
        arguments.insert((*op).to_owned(), taken.collect());
        if vocabulary::takes_type(op) {
            typed_operations.push((*op).to_owned());
        }
    }
    let types = vocabulary::TYPES.iter();
    Vocabulary {
        operations: owned(vocabulary::OPERATIONS),
        arguments,
        typed_operations,
        capabilities: vocabulary::capabilities().map(str::to_owned).collect(),
        types: types
            .map(|(name, capability)| ((*name).to_owned(), (*capability).to_owned()))
            .collect(),
        classes: owned(vocabulary::CLASSES),
        mutants: mutants.map(owned),
    }
}

/// Gives the files of `schema/kit`, each with its name and its text.
#[must_use]
pub fn kit_schemas() -> Vec<(&'static str, String)> {
    let schemas = [
        (
            "case.schema.json",
            chatstate_corpus::schema(&case_vocabulary(None)),
        ),
        ("adapter.schema.json", chatstate_adapter::message::schema()),
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

/// `$id` stands at the top, right after `$schema`.
fn pretty(name: &str, schema: &serde_json::Value) -> String {
    let id = format!("https://chatstate.dev/schema/kit/{name}");
    let mut members = serde_json::Map::new();
    let schema = schema.as_object().cloned().unwrap_or_default();
    for (index, (member, value)) in schema.into_iter().enumerate() {
        if index == 1 {
            members.insert("$id".to_owned(), id.clone().into());
        }
        members.insert(member, value);
    }
    format!("{:#}\n", serde_json::Value::Object(members))
}
