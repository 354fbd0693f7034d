//! JSON Schemas of the generated types, for schemas that contain them (feature `schemars`).
//!
//! They are the definitions of the schema files, word for word. Deriving them from the types would
//! lose what Rust does not express: descriptions, patterns, and which unions are open. What a
//! definition refers to becomes a definition of the schema that is being built.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::generated::SCHEMAS;
use schemas::subschema;

// The generator prints its own layout, which the drift check compares byte for byte.
#[rustfmt::skip]
mod schemas;

/// Where a reference into the same schema file points.
const DEFINITIONS: &str = "#/$defs/";

/// The schema of one definition. Names come from the schema files, so one of them has it.
pub(crate) fn definition(name: &str, generator: &mut SchemaGenerator) -> Schema {
    let mut files = SCHEMAS.iter();
    let found = files.find_map(|(_, text)| {
        let mut file: Value = serde_json::from_str(text).ok()?;
        Some(file.get_mut("$defs")?.get_mut(name)?.take())
    });
    let Some(mut schema) = found else {
        unreachable!("no schema file defines `{name}`");
    };
    resolve(&mut schema, generator);
    match Schema::try_from(schema) {
        Ok(schema) => schema,
        Err(_) => unreachable!("the definition of `{name}` is a schema"),
    }
}

/// Makes every reference one of the schema that is being made. A definition without a type of its
/// own takes the place of the reference.
fn resolve(schema: &mut Value, generator: &mut SchemaGenerator) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| resolve(item, generator)),
        Value::Object(members) => {
            for (_, value) in members.iter_mut() {
                resolve(value, generator);
            }
            if let Some(referred) = referred(members, generator) {
                members.remove("$ref");
                for (keyword, value) in referred {
                    members.entry(keyword).or_insert(value);
                }
            }
        }
        _ => {}
    }
}

/// What is in the place of a reference.
fn referred(
    members: &Map<String, Value>,
    generator: &mut SchemaGenerator,
) -> Option<Map<String, Value>> {
    let name = members.get("$ref")?.as_str()?.strip_prefix(DEFINITIONS)?;
    let schema = subschema(name, generator).unwrap_or_else(|| definition(name, generator));
    schema.as_object().cloned()
}
