//! The report as a badge: the JSON that <https://shields.io/badges/endpoint-badge> reads.

use serde_json::json;

use crate::judgement::Verdict;
use crate::report::RunReport;

/// Gives the badge. What was not judged whole, or against a part of the corpus alone, is grey and says so.
#[must_use]
pub fn render(report: &RunReport) -> String {
    let (message, colour) = message(report);
    let badge = json!({
        "schemaVersion": 1,
        "label": "chatstate",
        "message": message,
        "color": colour,
        "isError": colour == "red",
    });
    format!("{badge:#}\n")
}

fn message(report: &RunReport) -> (String, &'static str) {
    if report.canary.is_some() {
        return ("failed a canary".to_owned(), "red");
    }
    let passed = report.count(Verdict::Pass) + report.count(Verdict::Warn);
    let unscored = report.count(Verdict::Skip) + report.count(Verdict::Recorded);
    let scored = report.cases.len() - unscored;
    let corpus = &report.corpus.version;
    let counts = format!("{passed}/{scored}, corpus {corpus}");
    if report.incomplete.is_some() || !report.not_judged.is_empty() {
        return (format!("incomplete: {counts}"), "lightgrey");
    }
    if report.selection.is_some() {
        return (format!("a part: {counts}"), "lightgrey");
    }
    let colour = match report.exit_code() {
        0 if passed == scored => "brightgreen",
        0 => "green",
        4 => "yellow",
        _ => "red",
    };
    (counts, colour)
}
