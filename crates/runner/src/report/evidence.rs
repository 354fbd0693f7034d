//! What a reader must see to believe a verdict: names, and what is beside them.

use crate::canary::{CanaryFailure, CanaryVerdict};
use crate::judgement::{BrokenLaw, Detail, Verdict};
use crate::outcome::beginning;
use crate::report::messages::{
    cause, difference_line, expected_line, got_lines, plural, shortened,
};
use crate::report::{CaseReport, RunReport};

/// How much of the input of a case is shown, in characters; `chatstate show` prints all of it.
const SHOWN_INPUT: usize = 200;

/// How many differences of a case are shown.
const SHOWN_DIFFERENCES: usize = 8;

/// How many differences of a broken law are shown: the first says the most.
const SHOWN_DIFFERENCES_OF_LAWS: usize = 3;

/// A name and the text beside it, which may have several lines.
pub(crate) type EvidenceField = (&'static str, String);

/// All that a reader needs for one case.
pub(crate) fn evidence(report: &RunReport, case: &CaseReport) -> Vec<EvidenceField> {
    let mut fields = found(case);
    if let Some(input) = &case.input {
        let input = beginning(&shortened(input), SHOWN_INPUT);
        fields.insert(1.min(fields.len()), ("input", input));
    }
    fields.push(("why", case.why.clone()));
    if !case.requirements.is_empty() {
        let requirements = case.requirements.iter().map(|id| format!("[{id}]"));
        fields.push(("spec", requirements.collect::<Vec<_>>().join(" ")));
    }
    fields.push(("again", report.command(&case.id)));
    fields
}

/// What was found about a case.
pub(crate) fn found(case: &CaseReport) -> Vec<EvidenceField> {
    let mut fields = match &case.detail {
        Some(detail) => of_detail(detail),
        None => Vec::new(),
    };
    fields.extend(rerun(case));
    if case.verdict == Verdict::UnexpectedPass {
        let words = "it passes, but a list says that it fails";
        fields.insert(0, ("what", words.to_owned()));
    }
    fields
}

/// What came of a case that was asked once more, where that is something else.
pub(crate) fn rerun(case: &CaseReport) -> Option<EvidenceField> {
    let words = |again: Verdict| {
        format!(
            "`{}`, when a new process was asked once more: the adapter keeps something between \
             requests, or works against a clock",
            again.as_str()
        )
    };
    case.again.map(|again| ("then", words(again)))
}

/// All that a reader needs for a canary.
pub(crate) fn canary_evidence(failure: &CanaryFailure) -> Vec<EvidenceField> {
    let mut fields = Vec::new();
    if let Some(op) = &failure.op {
        let of = failure.document_type.as_ref();
        let of = of.map_or(String::new(), |name| format!(" of `{name}`"));
        fields.push(("asked", format!("`{op}`{of}")));
    }
    if let Some(input) = &failure.input {
        fields.push(("input", shortened(input)));
    }
    if let Some(got) = &failure.got {
        fields.push(("got", got_lines(got)));
    }
    let why = match failure.verdict {
        CanaryVerdict::Broken | CanaryVerdict::MixesUp => {
            "what such an adapter answers says nothing about its SDK, so nothing is scored"
        }
        _ => "such an adapter would pass many cases without doing anything, so nothing is scored",
    };
    fields.push(("why", why.to_owned()));
    fields
}

fn of_detail(detail: &Detail) -> Vec<EvidenceField> {
    let mut fields = vec![("what", cause(&detail.cause))];
    let differences = &detail.differences;
    let shown = differences.iter().take(SHOWN_DIFFERENCES);
    fields.extend(shown.map(|it| ("where", difference_line(it))));
    if let Some(more @ 1..) = differences.len().checked_sub(SHOWN_DIFFERENCES) {
        fields.push(("", format!("and {}", plural(more, "more difference"))));
    }
    fields.extend(laws(detail));
    if let Some(expected) = &detail.expected {
        fields.push(("expected", expected_line(expected)));
    }
    if let Some(got) = &detail.got {
        fields.push(("got", got_lines(got)));
    }
    if let Some(written) = &detail.written_back {
        fields.push(("written", got_lines(written)));
    }
    if let Some(fingerprint) = &detail.fingerprint {
        fields.push(("known as", shortened(fingerprint)));
    }
    fields
}

/// The broken laws.
pub(crate) fn laws(detail: &Detail) -> Vec<EvidenceField> {
    detail.laws.iter().flat_map(of_law).collect()
}

/// A broken law, with what shows it; the case's own answer is with the case.
fn of_law(broken: &BrokenLaw) -> Vec<EvidenceField> {
    let law = format!("`{}`: {}", broken.law.as_str(), broken.problem);
    let mut fields = vec![("law", law)];
    let shown = broken.differences.iter().take(SHOWN_DIFFERENCES_OF_LAWS);
    fields.extend(shown.map(|it| ("where", difference_line(it))));
    if let Some(asked) = &broken.asked {
        fields.push(("asked", shortened(asked)));
    }
    if let Some(got) = &broken.got {
        fields.push(("answered", got_lines(got)));
    }
    fields
}
