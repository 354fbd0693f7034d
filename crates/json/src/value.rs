//! The value tree.

use std::fmt;

use super::{Kind, Number, Object, SplitText, Surrogates, WriteJson, parse_with};
use crate::rejection::Rejection;

/// Any JSON value, exactly: numbers keep their decimal text, objects their order.
///
/// Equality is by value: `1.0` equals `1`, and the order of an object's members does not matter.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number of any size, as decimal text.
    Number(Number),
    /// Well-formed text.
    String(String),
    /// Text with an unpaired surrogate at an end, and never any other text.
    Split(Box<SplitText>),
    /// An array.
    Array(Vec<Value>),
    /// An object in the order of its text.
    Object(Object),
}

impl Value {
    /// A typed value as a tree, or why it is none: its text is nested too deeply, or it has a member
    /// twice since one of its type is also among the others.
    pub fn try_of(value: &impl WriteJson) -> Result<Self, Rejection> {
        let mut text = String::new();
        value.write(&mut text);
        parse_with(&text, Surrogates::AllowUnpairedAtEnds)
    }

    /// A typed value as a tree, and `null` where [`Value::try_of`] says that it is none. For values
    /// that were read, which are always one.
    pub fn of(value: &impl WriteJson) -> Self {
        Self::try_of(value).unwrap_or(Self::Null)
    }

    /// The text of a well-formed string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The items, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The member `name`, if this is an object that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// The JSON kind in the words of JSON Schema, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        Kind::of_value(self).as_str()
    }

    /// How deep containers are nested: 0 for a scalar, 1 for `[]`.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Value::depth).max().unwrap_or(0),
            Self::Object(object) => 1 + object.values().map(Value::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The value as compact JSON text, numbers spelled as they were read.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// The JSON text of the value.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_json())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<SplitText> for Value {
    fn from(text: SplitText) -> Self {
        match text.into_string() {
            Ok(text) => Self::String(text),
            Err(split) => Self::Split(Box::new(split)),
        }
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(Number::from(value))
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Number(Number::from(value))
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::Array(items)
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}
