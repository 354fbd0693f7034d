//! The words that cases may use, and what arguments operations take.

use std::collections::BTreeMap;

use crate::select::backticked;

/// The words that cases may use. The runner fills it from the adapter protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The operations.
    pub operations: Vec<String>,
    /// The further arguments of each operation that has some.
    pub arguments: BTreeMap<String, Vec<OperationArgument>>,
    /// The operations that take a `type`.
    pub typed_operations: Vec<String>,
    /// The capabilities, operations included.
    pub capabilities: Vec<String>,
    /// The document types, each with the capabilities that cover it.
    pub types: Vec<(String, Vec<String>)>,
    /// Values of arguments that not everyone has: argument, value, and the capability for it.
    pub values: Vec<[String; 3]>,
    /// The classes of rejections.
    pub classes: Vec<String>,
}

/// A further argument of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationArgument {
    /// Its name.
    pub name: String,
    /// Whether it must be there.
    pub required: bool,
    /// What it may be.
    pub takes: ArgumentValue,
}

/// What an argument may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentValue {
    /// Any text.
    Text,
    /// One of these words.
    Word(Vec<String>),
    /// `true` or `false`.
    Flag,
}

impl ArgumentValue {
    /// What is wrong with a value, if anything.
    pub(super) fn problem(&self, value: &serde_json::Value) -> Option<String> {
        match self {
            Self::Text if value.is_string() => None,
            Self::Text => Some("it is a text".to_owned()),
            Self::Word(words) if words.iter().any(|word| value == word.as_str()) => None,
            Self::Word(words) => Some(format!("it is one of {}", backticked(words))),
            Self::Flag if value.is_boolean() => None,
            Self::Flag => Some("it is `true` or `false`".to_owned()),
        }
    }
}

impl Vocabulary {
    /// The names of the document types.
    #[must_use]
    pub fn type_names(&self) -> Vec<String> {
        self.types.iter().map(|(name, _)| name.clone()).collect()
    }
}
