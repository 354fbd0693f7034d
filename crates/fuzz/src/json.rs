//! What came of a search, for programs.

use serde::Serialize;
use serde_json::json;

use crate::{FuzzFinding, SearchGoal, SearchResult, Stop};

#[derive(Serialize)]
struct WrittenFindings<'a> {
    implementation: &'a chatstate_protocol::ImplementationName,
    operations: &'a [String],
    /// Absent where nothing was made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    judged: u64,
    #[serde(rename = "leftOut")]
    left_out: u64,
    stop: &'static str,
    findings: Vec<FindingRow<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingRow<'a> {
    kinds: &'a [String],
    count: u64,
    before: usize,
    after: usize,
    happens_again: bool,
    path: String,
    /// The text of the file: as JSON it may hold unpaired surrogates, which few readers take.
    case: &'a str,
    detail: Option<&'a chatstate_runner::Detail>,
}

/// Gives the conclusion as one JSON object on a line.
#[must_use]
pub fn render(conclusion: &SearchResult) -> String {
    let written = WrittenFindings {
        implementation: &conclusion.implementation,
        operations: &conclusion.operations,
        seed: match conclusion.goal {
            SearchGoal::Random { seed, .. } => Some(seed),
            SearchGoal::Variants => None,
        },
        judged: conclusion.judged,
        left_out: conclusion.left_out,
        stop: match conclusion.stop {
            Stop::Done => "done",
            Stop::Time => "time",
            Stop::Enough => "enough",
            Stop::Broken => "broken",
            Stop::Gone(_) => "gone",
            Stop::Nothing => "nothing",
        },
        findings: conclusion.findings.iter().map(row).collect(),
    };
    json!(written).to_string()
}

fn row(finding: &FuzzFinding) -> FindingRow<'_> {
    FindingRow {
        kinds: &finding.kinds,
        count: finding.count,
        before: finding.size.0,
        after: finding.size.1,
        happens_again: finding.happens_again,
        path: finding.path(),
        case: &finding.case,
        detail: finding.report.detail.as_ref(),
    }
}
