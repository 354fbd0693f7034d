//! Whether a run says enough to bring a list up to date by it.

use chatstate_corpus::Corpus;

use crate::judgement::Verdict;
use crate::report::{Incomplete, RunReport, SelectionName};

/// What a run lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunRejection {
    /// It judged a part of the corpus.
    #[error("this one judged a part of the corpus")]
    Partial,
    /// It failed a canary.
    #[error("in this one the adapter failed a canary, and nothing was scored")]
    Canary,
    /// It stopped early.
    #[error("this one is incomplete (cases without a verdict: {0})")]
    Incomplete(usize),
    /// It is about another corpus.
    #[error("this one was made with another corpus; make it again")]
    OtherCorpus,
    /// It is about cases of the user's own, and these are others; the option that names them.
    #[error("this one is about cases of your own; give `{0}` with what it was made of")]
    OwnCases(String),
    /// Some cases fail only sometimes.
    #[error("in this one a case failed and then passed ({}); mend that first", .0.join(", "))]
    Flaky(Vec<String>),
}

/// Rejects a run that does not say enough to go by.
pub(super) fn check_run(report: &RunReport, corpus: &Corpus) -> Result<(), RunRejection> {
    let flaky = report.cases.iter();
    let flaky = flaky.filter(|case| case.verdict == Verdict::Flaky);
    let flaky: Vec<_> = flaky.map(|case| case.id.clone()).collect();
    let selection = report.selection.as_ref();
    if report.corpus.digest != corpus.digest() {
        Err(selection
            .and_then(own_cases)
            .map_or(RunRejection::OtherCorpus, RunRejection::OwnCases))
    } else if report.canary.is_some() {
        Err(RunRejection::Canary)
    } else if selection.is_some_and(SelectionName::is_part)
        || report.incomplete == Some(Incomplete::NothingSelected)
    {
        Err(RunRejection::Partial)
    } else if report.incomplete.is_some() || !report.not_judged.is_empty() {
        Err(RunRejection::Incomplete(report.not_judged.len()))
    } else if !flaky.is_empty() {
        Err(RunRejection::Flaky(flaky))
    } else {
        Ok(())
    }
}

/// The arguments that name the own cases of a run, if it had any.
fn own_cases(selection: &SelectionName) -> Option<String> {
    let option = if selection.fixtures.is_empty() {
        selection.corpora.first().map(|_| "--corpus")
    } else {
        Some("--fixtures")
    };
    option.map(str::to_owned)
}
