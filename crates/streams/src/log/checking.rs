//! What verification finds, and every event that is none (requirements `verify.*`).

use super::{LogTaker, Verifying};
use crate::verify::{Finding, Verification, VerifyOptions};
use chatstate_json::{ReadJson, Rejection, Tape};
use chatstate_types::generated::Event;

/// So many broken events are kept: a file that is no log has millions.
const KEPT: usize = 1000;

/// What a log was found to be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Checked {
    /// The errors end with the events that are no valid documents. Order is verified up to the
    /// first of these.
    pub found: Verification,
    /// How many broken events there are beside those among the errors.
    pub more: usize,
    /// The first event that is no valid document. What follows it was held against the schema
    /// alone.
    pub unordered_from: Option<usize>,
}

/// Verifies a log, and goes on after an event that is no valid document.
#[derive(Default)]
pub struct Checking {
    verifying: Verifying,
    tape: Tape,
    broken: Vec<Finding>,
    more: usize,
}

impl Checking {
    /// As the options say.
    #[must_use]
    pub fn with(options: VerifyOptions) -> Self {
        Self {
            verifying: Verifying::with(options),
            ..Self::default()
        }
    }

    fn keep(&mut self, index: usize, rejection: Rejection) {
        if self.broken.len() == KEPT {
            self.more += 1;
            return;
        }
        let event = format!("/{index}");
        let place = rejection.at.strip_prefix(&event).unwrap_or_default();
        self.broken.push(Finding {
            rule: rejection.rule,
            class: rejection.class,
            at: index,
            place: place.to_owned(),
            other: None,
            message: rejection.message,
        });
    }
}

impl LogTaker for Checking {
    type Output = Checked;

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        let taken = if self.broken.is_empty() {
            self.verifying.take(index, text)
        } else {
            let read = self.tape.read(text).and_then(Event::read);
            read.map(drop).map_err(|rejection| rejection.within(index))
        };
        if let Err(rejection) = taken {
            self.keep(index, rejection);
        }
        Ok(())
    }

    fn end(self) -> Result<Checked, Rejection> {
        let mut found = self.verifying.end()?;
        let unordered_from = self.broken.first().map(|finding| finding.at);
        found.errors.extend(self.broken);
        Ok(Checked {
            found,
            more: self.more,
            unordered_from,
        })
    }
}
