//! Whether a document is valid, and everything that is wrong with one that is not.
//!
//! The typed reader decides, and stops at the first error. The list of all that is wrong is for people
//! who repair a file. It needs the document as a tree, so callers ask for it only for small documents.
//! The tests hold both against the `jsonschema` crate, which knows nothing of either.

mod every;
mod tree;
mod unnamed;

use crate::definition::Definition;
use crate::generated::{Document, definitions};
use crate::keys::check_keys;
use crate::version::{in_spoken_version, unspoken_version_of};
use chatstate_json::Value;
use chatstate_json::{Class, Rejection};

pub use unnamed::{Unnamed, unnamed};

/// Reads a document of a root type: grammar, schema, version. `None` if there is no such type.
///
/// The discriminator of each union decides which variant must fit, so a malformed known variant is
/// rejected at its place; everything the schema does not name is kept (requirements `validate.*`).
#[must_use]
pub fn read(type_name: &str, text: &str) -> Option<Result<Document, Rejection>> {
    let result = Document::read(type_name, text)?;
    let result = in_spoken_version(type_name, text, result);
    Some(result.and_then(|document| consistent(&document).map(|()| document)))
}

/// What the schema does not say of one document.
fn consistent(document: &Document) -> Result<(), Rejection> {
    match document {
        Document::AgentSession(session) => check_keys(&session.state_bag),
        Document::SessionList(list) => {
            let mut sessions = list.0.iter().enumerate();
            sessions.try_for_each(|(index, session)| {
                check_keys(&session.state_bag).map_err(|error| error.within(index))
            })
        }
        _ => Ok(()),
    }
}

/// Reads a document of any definition of the schema, and writes what was read. `None` if there is no
/// such definition.
#[must_use]
pub fn read_and_write(type_name: &str, text: &str) -> Option<Result<String, Rejection>> {
    match read(type_name, text) {
        Some(result) => Some(result.and_then(|document| document.to_json())),
        None => definitions::read_and_write(type_name, text),
    }
}

/// Whether a document of any definition of the schema is valid. `None` if there is no such
/// definition.
#[must_use]
pub fn validate(type_name: &str, text: &str) -> Option<Result<(), Rejection>> {
    match read(type_name, text) {
        Some(result) => Some(result.map(drop)),
        None => definitions::read_and_write(type_name, text).map(|result| result.map(drop)),
    }
}

/// Whether a value tree is a valid document of any definition of the schema. `None` if there is no
/// such definition.
///
/// The verdict is the one that [`validate`] gives on the value's text, with the same class, rule
/// and place. Nothing is copied: a tree that a program holds anyway is judged where it is.
///
/// ```
/// use chatstate_json::parse;
/// use chatstate_types::validate::check_value;
/// let event = parse(r#"{"type":"RUN_ERROR","message":1}"#)?;
/// let rejected = check_value("Event", &event).and_then(Result::err);
/// assert_eq!(rejected.map(|rejection| rejection.at), Some("/message".to_owned()));
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[must_use]
pub fn check_value(type_name: &str, value: &Value) -> Option<Result<(), Rejection>> {
    let mut all = definitions::DEFINITIONS.iter();
    let definition = all.find(|definition| definition.name == type_name)?;
    let result = check_definition(definition, value);
    let readable = match &result {
        Ok(()) => true,
        Err(rejection) => rejection.class == Class::Schema,
    };
    if readable && let Some(rejection) = unspoken_version_of(type_name, value) {
        return Some(Err(rejection));
    }
    Some(result.and_then(|()| consistent_value(type_name, value)))
}

/// What the schema does not say of one document, which is a valid one of its type.
fn consistent_value(type_name: &str, value: &Value) -> Result<(), Rejection> {
    match type_name {
        "AgentSession" => {
            let bag = value.get("stateBag").and_then(Value::as_object);
            bag.map_or(Ok(()), check_keys)
        }
        "SessionList" => {
            let mut sessions = value.as_array().unwrap_or_default().iter().enumerate();
            sessions.try_for_each(|(index, session)| {
                consistent_value("AgentSession", session).map_err(|error| error.within(index))
            })
        }
        _ => Ok(()),
    }
}

/// Whether a value tree is one of a definition, whatever it says of its version.
pub fn check_definition(definition: &'static Definition, value: &Value) -> Result<(), Rejection> {
    tree::check(definition, value)
}

/// Everything in a value tree that breaks the schema, in the words of the rejections that the readers
/// give. [`check_value`] decides, and stops at the first.
#[must_use]
pub fn rejections(definition: &'static Definition, value: &Value) -> Vec<Rejection> {
    every::check(definition, value)
}
