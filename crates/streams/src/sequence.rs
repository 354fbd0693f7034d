//! The order of events: what each event begins, continues and ends, and what is open between
//! two events.
//!
//! Replay and verification take the events through one [`Tracker`], so that both reject the same
//! streams under the same rule names. It resolves chunks, so code after it need not know them.

mod chunks;
mod key;
mod open;
mod steps;
mod surrogates;
mod tracker;

pub(crate) use key::{BorrowedItemKey, Id, IdHasher, ItemKey};
pub(crate) use steps::{Beginning, Opening, Part, Step};
pub(crate) use tracker::Tracker;

pub use open::{ItemKind, OpenItem};

use std::borrow::Cow;

use chatstate_json::{Class, Rejection};

/// An event that is not allowed in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The rule's name, such as `text.not-open`.
    pub rule: Cow<'static, str>,
    /// What is wrong, for people.
    pub message: String,
    /// JSON pointer from the event to what is wrong.
    pub place: String,
    /// The index of the other event involved, if there is one.
    pub other: Option<usize>,
}

impl Violation {
    /// A violation in which no other event is involved.
    pub fn new(rule: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            message: message.into(),
            place: String::new(),
            other: None,
        }
    }

    /// The same, about a place in the event.
    pub fn at(mut self, place: String) -> Self {
        self.place = place;
        self
    }

    /// The same, with the other event involved.
    pub fn with(mut self, other: usize) -> Self {
        self.other = Some(other);
        self
    }
}

impl From<Violation> for Rejection {
    fn from(violation: Violation) -> Self {
        let rejection = Self::new(Class::Sequence, violation.rule, violation.message);
        Self {
            at: violation.place,
            ..rejection
        }
    }
}
