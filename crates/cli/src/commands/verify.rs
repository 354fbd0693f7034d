//! `chatstate verify`: whether the order of the events of a stream is valid.

use std::path::PathBuf;

use chatstate::Rejection;
use chatstate::json::WriteJson;
use chatstate::log::{LogTaker, Verifying};
use chatstate::verify::{Finding, Verification, VerifyOptions};

use super::findings;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::read_log;
use crate::output;

/// Says on stderr, or with `--json` on stdout, what is wrong with the stream. Warnings do not make
/// it invalid.
pub fn run(file: Option<&PathBuf>, json: bool, complete: bool) -> Result<u8, Failure> {
    let verifying = Verifying::with(VerifyOptions { complete });
    let (found, code) = if json {
        let log = read_log(file, UpToRejection::of(verifying))?;
        let mut text = String::new();
        log.output.write(&mut text);
        output::print_line(&text)?;
        (log.output, log.code)
    } else {
        let log = read_log(file, verifying)?;
        report(&log.name, &log.output);
        (log.output, log.code)
    };
    Ok(if found.is_valid() { code } else { UNEXPECTED })
}

/// Verifies the events before one that is not valid, which is then the last finding.
struct UpToRejection {
    verifying: Verifying,
    rejected: Option<Finding>,
}

impl UpToRejection {
    fn of(verifying: Verifying) -> Self {
        Self {
            verifying,
            rejected: None,
        }
    }
}

impl LogTaker for UpToRejection {
    type Output = Verification;

    fn take(&mut self, index: usize, text: &str) -> Result<(), Rejection> {
        if self.rejected.is_none()
            && let Err(rejection) = self.verifying.take(index, text)
        {
            let event = format!("/{index}");
            let place = rejection.at.strip_prefix(&event).unwrap_or_default();
            self.rejected = Some(Finding {
                rule: rejection.rule,
                class: rejection.class,
                at: index,
                place: place.to_owned(),
                other: None,
                message: rejection.message,
            });
        }
        Ok(())
    }

    fn end(self) -> Result<Verification, Rejection> {
        let mut found = self.verifying.end()?;
        found.errors.extend(self.rejected);
        Ok(found)
    }
}

fn report(name: &str, found: &Verification) {
    for (level, findings) in [("error", &found.errors), ("warning", &found.warnings)] {
        findings::report(level, findings);
    }
    if found.is_valid() {
        output::note(&format!("{name} is a valid stream of events"));
    }
}
