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
    if is_camel(name) {
        return parted(name);
    }
    startable(spelled_out(name).to_snake_case(), "n", "empty")
}

/// A schema name as capitalised words: `RUN_STARTED` is `RunStarted`, `2d` is `N2d`, the empty name
/// is `Empty`.
#[must_use]
pub fn pascal_case(name: &str) -> String {
    if is_camel(name) {
        return capitalized(name);
    }
    startable(spelled_out(name).to_upper_camel_case(), "N", "Empty")
}

/// Whether a name is spelled as most are, `messageId` or `Message`: each of its capitals begins a word
/// of ASCII letters and digits.
fn is_camel(name: &str) -> bool {
    let name = name.as_bytes();
    let begins = name.first().is_some_and(u8::is_ascii_alphabetic);
    let ends = !name.last().is_some_and(u8::is_ascii_uppercase);
    let is_word = |pair: &[u8]| !pair[0].is_ascii_uppercase() || pair[1].is_ascii_lowercase();
    begins && ends && name.iter().all(u8::is_ascii_alphanumeric) && name.windows(2).all(is_word)
}

/// The words of such a name with underscores between.
fn parted(name: &str) -> String {
    let mut parted = String::with_capacity(name.len() + 4);
    for (index, character) in name.char_indices() {
        if index > 0 && character.is_ascii_uppercase() {
            parted.push('_');
        }
        parted.push(character.to_ascii_lowercase());
    }
    parted
}

/// Such a name with a capital at its start.
fn capitalized(name: &str) -> String {
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
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

#[cfg(test)]
mod tests {
    use heck::{ToSnakeCase, ToUpperCamelCase};

    use super::{capitalized, is_camel, parted};

    /// Names that are spelled as most are come out as any name does.
    #[test]
    fn usual_names_are_no_exceptions() {
        let letters = ['a', 'b', 'A', 'B', '1', '_'];
        let mut names = vec![String::new()];
        for _ in 0..6 {
            let longer = |name: &String| letters.map(|letter| format!("{name}{letter}"));
            let longer: Vec<String> = names.iter().flat_map(longer).collect();
            for name in longer.iter().filter(|name| is_camel(name)) {
                assert_eq!(parted(name), name.to_snake_case(), "{name}");
                assert_eq!(capitalized(name), name.to_upper_camel_case(), "{name}");
            }
            names = longer;
        }
        assert!(
            ["messageId", "Message", "a1", "x"]
                .into_iter()
                .all(is_camel)
        );
        assert!(
            !["", "1a", "ID", "aB", "a_b", "RUN"]
                .into_iter()
                .any(is_camel)
        );
    }
}
