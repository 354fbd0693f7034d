//! How many cases everybody passes, suite by suite.

use std::collections::BTreeSet;

use chatstate_runner::{RunReport, Verdict};

/// The head of the table and a row for each run. Each cell says how many cases of a suite pass, of
/// those that are scored.
pub fn table(reports: &[RunReport]) -> Vec<String> {
    let ids = reports.iter().flat_map(|report| &report.cases);
    let suites: BTreeSet<_> = ids.map(|case| suite(&case.id)).collect();
    let names: Vec<_> = suites.iter().copied().collect();
    let mut lines = vec![
        format!("| implementation | {} |", names.join(" | ")),
        format!("|---|{}", "---|".repeat(names.len())),
    ];
    lines.extend(reports.iter().map(|report| {
        let cells: Vec<_> = names.iter().map(|suite| cell(report, suite)).collect();
        format!("| {} | {} |", name(report), cells.join(" | "))
    }));
    lines
}

/// The name of an implementation with its version and its language.
pub fn name(report: &RunReport) -> String {
    let sdk = &report.implementation;
    format!("{} {} ({})", sdk.name, sdk.version, sdk.language)
}

fn suite(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

fn cell(report: &RunReport, name: &str) -> String {
    let cases = report.cases.iter().filter(|case| suite(&case.id) == name);
    let verdicts = cases.map(|case| case.verdict);
    let is_scored = |it: &Verdict| !matches!(it, Verdict::Skip | Verdict::Recorded);
    let scored: Vec<_> = verdicts.filter(is_scored).collect();
    let passed = scored.iter().filter(|it| **it == Verdict::Pass).count();
    match scored.len() {
        0 => "–".to_owned(),
        scored => format!("{passed}/{scored}"),
    }
}
