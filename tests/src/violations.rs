//! How much of a document breaks the schema, by a validator that knows nothing of ours.

use chatstate::generated::SCHEMAS;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator, validator_for};

/// The number of rules that a document of a definition breaks, by the JSON Schema itself. Of a union
/// only the variant that the discriminator names counts.
#[must_use]
pub fn violations(type_name: &str, text: &str) -> usize {
    let Ok(value) = serde_json::from_str(text) else {
        return 0;
    };
    validator(type_name)
        .iter_errors(&value)
        .map(|error| number_of(&error))
        .sum()
}

/// A JSON Schema validator for one definition.
fn validator(type_name: &str) -> Validator {
    let mut schemas = SCHEMAS.iter().map(|(_, text)| {
        let schema: serde_json::Value = serde_json::from_str(text).expect("a schema is JSON");
        schema
    });
    let found = schemas.find(|schema| schema["$defs"].get(type_name).is_some());
    let mut schema = found.unwrap_or_else(|| panic!("no schema defines `{type_name}`"));
    schema["$ref"] = format!("#/$defs/{type_name}").into();
    validator_for(&schema).expect("the schema is valid")
}

/// An error is one, but that of a union is as many as the variant has that comes closest.
fn number_of(error: &ValidationError<'_>) -> usize {
    let ValidationErrorKind::OneOfNotValid { context } = error.kind() else {
        return 1;
    };
    // The tag is a member of the union itself; a constant further inside is a fault like others.
    let depth = |error: &ValidationError<'_>| error.instance_path().iter().count();
    let is_tag = |inner: &ValidationError<'_>| {
        let is_constant = matches!(inner.kind().keyword(), "const" | "not");
        is_constant && depth(inner) == depth(error) + 1
    };
    let is_variant = |errors: &&Vec<ValidationError<'static>>| !errors.iter().any(is_tag);
    let closest = context.iter().find(is_variant);
    closest.map_or(1, |errors| errors.iter().map(number_of).sum())
}
