//! Documents in other formats than the canonical one, read into it. Nothing is guessed in silence:
//! what a document did not say and the canonical form needs is made up and told.

pub mod ag_ui_draft;

use std::fmt;

use crate::json::{ObjectWriter, WriteJson};

/// Something that a conversion made up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invention {
    /// A JSON pointer to the place in the document that did not say it.
    pub at: String,
    /// What was made up, for people.
    pub message: String,
}

impl fmt::Display for Invention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, at `{}`", self.message, self.at)
    }
}

impl WriteJson for Invention {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("at", &self.at)
            .text("message", &self.message)
            .end();
    }
}
