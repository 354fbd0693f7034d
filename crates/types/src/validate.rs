//! Whether a document is valid, and everything that is wrong with one that is not.
//!
//! The typed reader decides, and stops at the first error. The list of all violations comes from the
//! `jsonschema` crate, for people who repair a file. It needs the document as a tree, so callers ask for
//! it only for small documents.

mod every;
mod tree;
mod unnamed;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};

use crate::definition::Definition;
use crate::generated::{Document, SCHEMAS, definitions};
use crate::keys::check_keys;
use crate::version::{in_spoken_version, unspoken_version_of};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Value, pointer};

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
        Some(result) => Some(result.map(|document| document.to_json())),
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

/// One rule of the schema that a document breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaViolation {
    /// JSON pointer to the offending value.
    pub at: String,
    /// The JSON Schema keyword that is broken.
    pub keyword: String,
    /// What the keyword asks for.
    pub message: String,
}

/// Everything in a document that breaks the schema of its type, from the JSON Schema itself.
///
/// This is the slow and complete report for people; [`validate`] decides. In a union only the
/// variant that the discriminator names is reported. Empty for valid documents and for text that a
/// JSON Schema validator cannot read.
#[must_use]
pub fn violations(type_name: &str, text: &str) -> Vec<SchemaViolation> {
    let Ok(value) = serde_json::from_str(text) else {
        return Vec::new();
    };
    let Some(validator) = validator(type_name) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for error in validator.iter_errors(&value) {
        collect(&error, &mut found);
    }
    found
}

/// A JSON Schema validator for one definition.
fn validator(type_name: &str) -> Option<Validator> {
    let (_, text) = SCHEMAS
        .iter()
        .find(|(_, text)| text.contains(&format!("\"{type_name}\": {{")))?;
    let mut schema: serde_json::Value = serde_json::from_str(text).ok()?;
    let reference = format!("#/$defs/{type_name}");
    schema
        .as_object_mut()?
        .insert("$ref".to_owned(), reference.into());
    jsonschema::validator_for(&schema).ok()
}

/// Notes an error; of a union, the errors of the variant that comes closest.
fn collect(error: &ValidationError<'_>, found: &mut Vec<SchemaViolation>) {
    if let ValidationErrorKind::OneOfNotValid { context } = error.kind() {
        // The tag is a member of the union itself; a constant further inside is a fault like others.
        let depth = |error: &ValidationError<'_>| error.instance_path().iter().count();
        let is_tag = |inner: &ValidationError<'_>| {
            let is_constant = matches!(inner.kind().keyword(), "const" | "not");
            is_constant && depth(inner) == depth(error) + 1
        };
        let is_variant = |errors: &&Vec<ValidationError<'static>>| !errors.iter().any(is_tag);
        if let Some(errors) = context.iter().find(is_variant) {
            return errors.iter().for_each(|error| collect(error, found));
        }
    }
    found.push(SchemaViolation {
        at: place(error),
        keyword: error.kind().keyword().to_owned(),
        message: error.masked().to_string(),
    });
}

/// Where the offending value is; a missing member is named itself, as the readers do.
fn place(error: &ValidationError<'_>) -> String {
    let holder = error.instance_path().to_string();
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            format!("{holder}/{}", pointer::escape(name))
        }
        _ => holder,
    }
}
