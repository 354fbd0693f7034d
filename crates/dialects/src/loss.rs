//! What a conversion could not carry over.
//!
//! Writing takes the canonical document apart member by member; what is left over or does not fit is a
//! loss. Its place is in the document that the user gave. So only if there is a loss, the document is
//! read a second time to record where each value came from.

use std::fmt;

use chatstate_json::{ObjectWriter, WriteJson, pointer};

/// What kind of loss it is (requirement `convert.loss-class`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConversionLoss {
    /// The format has no place for the member.
    Member,
    /// The format has the member and cannot hold the value.
    Value,
    /// The format has no such item, so that the whole item is left out.
    Item,
    /// The value is there, and its spelling or its type is not.
    Form,
    /// What only one SDK understands.
    Foreign,
    /// The format needs what the document does not say; it is made up.
    MadeUp,
}

impl ConversionLoss {
    /// All classes, in the order of the specification.
    pub const ALL: [Self; 6] = [
        Self::Member,
        Self::Value,
        Self::Item,
        Self::Form,
        Self::Foreign,
        Self::MadeUp,
    ];

    /// The class as reports spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Value => "value",
            Self::Item => "item",
            Self::Form => "form",
            Self::Foreign => "foreign",
            Self::MadeUp => "made-up",
        }
    }

    /// What is said of it, for people.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Member => "the dialect has no place for the member",
            Self::Value => "the dialect cannot hold the value in the member that it has",
            Self::Item => "the dialect has no such item, which is left out as a whole",
            Self::Form => "the value is there, with another type or another spelling",
            Self::Foreign => "only another dialect understands it",
            Self::MadeUp => "the dialect needs what the document does not say",
        }
    }
}

/// One thing that a conversion could not carry over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What kind of loss it is.
    pub class: ConversionLoss,
    /// A JSON pointer to it in the document that was converted.
    pub at: String,
    /// Why it is lost, and what is in its place.
    pub why: String,
}

impl Loss {
    /// Whether it is at a place or inside of it.
    pub(super) fn is_within(&self, place: &str) -> bool {
        let rest = self.at.strip_prefix(place);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// What losses are ordered by: the place, items by their number, and the class.
    pub(super) fn place(&self) -> (Vec<(usize, String)>, ConversionLoss) {
        let segments = pointer::segments(&self.at).unwrap_or_default();
        let numbered = segments.into_iter().map(|segment| {
            let number = pointer::index(&segment).filter(|_| !segment.is_empty());
            (number.unwrap_or_default(), segment)
        });
        (numbered.collect(), self.class)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, at `{}`", self.why, self.at)
    }
}

impl WriteJson for Loss {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("class", self.class.as_str())
            .text("at", &self.at)
            .text("why", &self.why)
            .end();
    }
}
