//! Names in a target language from names in the schema.
//!
//! A name comes from its own definition or member and nothing else: no counters, so that an
//! unrelated addition to the schema renames nothing. Two schema names that become one are an error.

use std::borrow::Cow;
use std::collections::HashMap;

use heck::{ToSnakeCase, ToUpperCamelCase};

use crate::CodegenError;

/// A schema name as lower-case words with underscores: `messageId` is `message_id`, `$type` is
/// `dollar_type`, `2d` is `n2d`, the empty name is `empty`.
#[must_use]
pub fn snake_case(name: &str) -> String {
    startable(spelled_out(name).to_snake_case(), "n", "empty")
}

/// A schema name as capitalised words: `RUN_STARTED` is `RunStarted`, `2d` is `N2d`, the empty name
/// is `Empty`.
#[must_use]
pub fn pascal_case(name: &str) -> String {
    startable(spelled_out(name).to_upper_camel_case(), "N", "Empty")
}

/// Punctuation that distinguishes names becomes a word; other punctuation only parts words.
fn spelled_out(name: &str) -> Cow<'_, str> {
    if !name.contains(['$', '@', '+']) {
        return name.into();
    }
    let name = name.replace('$', " dollar ");
    name.replace('@', " at ").replace('+', " plus ").into()
}

/// A name that may begin an identifier.
fn startable(name: String, before_digit: &str, empty: &str) -> String {
    match name.chars().next() {
        None => empty.to_owned(),
        Some(first) if first.is_numeric() => format!("{before_digit}{name}"),
        Some(_) => name,
    }
}

/// The names that are taken in one place of the generated code.
#[derive(Debug)]
pub struct Scope {
    place: String,
    taken: HashMap<String, String>,
}

impl Scope {
    /// An empty scope; `place` says where it is, for errors.
    #[must_use]
    pub fn new(place: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            taken: HashMap::new(),
        }
    }

    /// Takes `name` for the schema's `original`, and gives it back.
    pub fn take(&mut self, name: String, original: &str) -> Result<String, CodegenError> {
        match self.taken.insert(name.clone(), original.to_owned()) {
            None => Ok(name),
            Some(first) => Err(CodegenError::Collision {
                name,
                first,
                second: original.to_owned(),
                place: self.place.clone(),
            }),
        }
    }

    /// Whether `name` is taken.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains_key(name)
    }
}
