//! Why a document was rejected: the one error type of this library.

use std::borrow::Cow;
use std::fmt;

use crate::{pointer, visible};

/// What kind of rule a rejected document breaks (design: the classes of SPEC.md, `validate.class`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The text is not I-JSON: grammar, UTF-8, duplicate member names, unpaired surrogates.
    Syntax,
    /// Nesting or size beyond what the reader takes.
    Limit,
    /// A `schemaVersion` that this library does not support.
    Version,
    /// One value against the schema.
    Schema,
    /// The inner consistency of one document.
    Semantic,
    /// The order of events.
    Sequence,
    /// A restore that was rejected.
    Restore,
}

impl Class {
    /// The class as the adapter protocol spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Limit => "limit",
            Self::Version => "version",
            Self::Schema => "schema",
            Self::Semantic => "semantic",
            Self::Sequence => "sequence",
            Self::Restore => "restore",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A rejected document: the class, where, the rule it breaks, and a sentence for people.
///
/// The message is lower case and does not repeat the place; `Display` puts the two together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", DisplayedPlace(at))]
pub struct Rejection {
    /// The kind of rule that is broken.
    pub class: Class,
    /// JSON pointer (RFC 6901) to the offending value; a missing member is named itself.
    pub at: String,
    /// The rule's short name: a JSON Schema keyword for class `schema`, else a name of the table
    /// under `validate.rule` in SPEC.md.
    pub rule: Cow<'static, str>,
    /// What is wrong and what to do about it.
    pub message: String,
}

impl Rejection {
    /// A rejection of the value at hand; callers prepend where it is with [`Self::within`]. What the
    /// message says of the document is made [`visible`](visible()).
    #[must_use]
    pub fn new(
        class: Class,
        rule: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            class,
            at: String::new(),
            rule: rule.into(),
            message: visible(&message.into()).into_owned(),
        }
    }

    /// A rejection of class `schema` under the named JSON Schema keyword.
    #[must_use]
    pub fn schema(rule: &'static str, message: impl Into<String>) -> Self {
        Self::new(Class::Schema, rule, message)
    }

    /// The same rejection, seen from the object or array that holds the value under `segment`.
    ///
    /// Readers call this on the way out, so that reading a good document builds no pointers.
    #[must_use]
    pub fn within(mut self, segment: impl fmt::Display) -> Self {
        let mut at = String::from("/");
        at.push_str(&pointer::escape(&segment.to_string()));
        at.push_str(&self.at);
        self.at = at;
        self
    }
}

/// Prints where the value is, or nothing for the whole document.
struct DisplayedPlace<'a>(&'a str);

impl fmt::Display for DisplayedPlace<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(formatter, ", at `{}`", visible(self.0))
    }
}
