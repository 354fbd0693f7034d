//! How a verdict counts where a format knows only a few words.

use crate::judgement::Verdict;
use crate::report::messages::{cause, incomplete_words};
use crate::report::{CaseReport, RunReport};

/// What other formats can say of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultStatus {
    /// It is as it should be.
    Passed,
    /// It fails, or passes although a list says that it fails.
    Failed,
    /// There was no answer to judge.
    Broken,
    /// It is no part of any claim.
    Skipped,
    /// It fails, and a list says so.
    Known,
}

/// Tells how a verdict counts. What was rejected without a class never counts as passed.
pub(crate) fn status_of(verdict: Verdict) -> ResultStatus {
    match verdict {
        Verdict::Pass | Verdict::Warn => ResultStatus::Passed,
        Verdict::Fail | Verdict::UnexpectedPass | Verdict::Flaky => ResultStatus::Failed,
        Verdict::Error => ResultStatus::Broken,
        Verdict::Skip | Verdict::Recorded | Verdict::Unclassified => ResultStatus::Skipped,
        Verdict::ExpectedFailure => ResultStatus::Known,
    }
}

/// Why a case has its status, in one sentence.
pub(crate) fn reason(case: &CaseReport) -> String {
    let detail = case.detail.as_ref();
    match case.verdict {
        Verdict::UnexpectedPass => "it passes, but a list says that it fails".to_owned(),
        Verdict::ExpectedFailure => {
            let because = detail.and_then(|detail| detail.expected_because.clone());
            because.unwrap_or_default()
        }
        _ => detail.map_or(String::new(), |detail| cause(&detail.cause)),
    }
}

/// Why a case has no verdict.
pub(crate) fn not_judged(report: &RunReport) -> String {
    match &report.incomplete {
        Some(incomplete) => format!("not judged: {}", incomplete_words(incomplete)),
        None => "not judged".to_owned(),
    }
}

/// The suite of a case and its name there.
pub(crate) fn suite_and_name(id: &str) -> (&str, &str) {
    id.split_once('/').unwrap_or(("", id))
}
