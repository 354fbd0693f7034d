//! What a replay passes over, for callers that ask for it.

use crate::patch::PatchFailure;

/// Something that replay passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    /// The rule's name.
    pub rule: &'static str,
    /// The index of the event.
    pub index: usize,
    /// JSON pointer from the event to what was passed over.
    pub place: String,
    /// What it was, for people.
    pub message: String,
}

/// The remarks of a replay, if the caller asks for them.
#[derive(Clone, Default)]
pub(super) struct Remarks(Option<Vec<Remark>>);

impl Remarks {
    /// Remarks that are kept until they are taken.
    pub fn kept() -> Self {
        Self(Some(Vec::new()))
    }

    /// Takes out what was remarked.
    pub fn take(&mut self) -> Vec<Remark> {
        self.0.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A patch that did not apply.
    pub fn failed_patch(&mut self, index: usize, member: &str, failure: &PatchFailure) {
        if let Some(remarks) = &mut self.0 {
            remarks.push(Remark {
                rule: "verify.failed-patch",
                index,
                place: format!("/{member}/{}", failure.index),
                message: format!("{failure}; replay skips the whole patch"),
            });
        }
    }

    /// An operation of a patch that is left out, since it is unknown.
    pub fn unknown_operation(&mut self, index: usize, member: &str, place: usize, op: &str) {
        if let Some(remarks) = &mut self.0 {
            remarks.push(Remark {
                rule: "verify.unknown-operation",
                index,
                place: format!("/{member}/{place}"),
                message: format!(
                    "`{op}` is no known operation; replay leaves it out and applies the rest of the patch"
                ),
            });
        }
    }

    /// A word of an open set that is unknown, so that its event has no effect.
    pub fn unknown_word(&mut self, index: usize, member: &str, word: &str) {
        if let Some(remarks) = &mut self.0 {
            remarks.push(Remark {
                rule: "verify.unknown-word",
                index,
                place: format!("/{member}"),
                message: format!("`{word}` is no known `{member}`; replay ignores the event"),
            });
        }
    }

    /// An event about something that is not there, which has no effect; `member` names it.
    pub fn no_target(&mut self, index: usize, member: &str, id: &str, what: &str) {
        if let Some(remarks) = &mut self.0 {
            remarks.push(Remark {
                rule: "verify.no-target",
                index,
                place: format!("/{member}"),
                message: format!("there is no {what} `{id}`, so replay ignores the event"),
            });
        }
    }

    /// A message of an input whose id is known, with another value.
    pub fn input_message(&mut self, index: usize, place: usize, id: &str) {
        if let Some(remarks) = &mut self.0 {
            remarks.push(Remark {
                rule: "lineage.conflict",
                index,
                place: format!("/input/messages/{place}"),
                message: format!(
                    "the run already holds another message `{id}`, which replay keeps"
                ),
            });
        }
    }
}
