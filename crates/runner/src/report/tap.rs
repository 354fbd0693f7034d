//! The report as TAP, version 14.

use std::fmt::Write;

use crate::report::evidence::{EvidenceField, canary_evidence, evidence};
use crate::report::messages::{canary, one_line, staleness};
use crate::report::status::{ResultStatus, not_judged, reason, status_of};
use crate::report::{CaseReport, RunReport};

/// Gives the report as TAP: a test point for each case. Known failures are `TODO`, what is no part of any
/// claim is `SKIP`, and a failed canary bails out.
#[must_use]
pub fn render(report: &RunReport) -> String {
    let points = report.cases.len() + report.not_judged.len() + report.stale.len();
    let mut text = format!("TAP version 14\n1..{points}\n");
    let mut number = 0;
    let mut next = || {
        number += 1;
        number
    };
    for case in &report.cases {
        point(&mut text, report, case, next());
    }
    for id in &report.not_judged {
        let _ = writeln!(text, "not ok {} - {}", next(), escaped(id));
        block(&mut text, &[("what", not_judged(report))]);
    }
    for entry in &report.stale {
        let words = format!("{} line {}: `{}`", entry.file, entry.line, entry.names);
        let _ = writeln!(text, "not ok {} - {}", next(), escaped(&words));
        block(&mut text, &[("what", staleness(&entry.because))]);
    }
    if let Some(failure) = &report.canary {
        let _ = writeln!(text, "Bail out! {}", one_line(canary(failure)));
        for (name, words) in canary_evidence(failure) {
            let _ = writeln!(text, "# {name}: {}", one_line(&words));
        }
    }
    text
}

fn point(text: &mut String, report: &RunReport, case: &CaseReport, number: usize) {
    let status = status_of(case.verdict);
    let (word, directive) = match status {
        ResultStatus::Passed => ("ok", ""),
        ResultStatus::Skipped => ("ok", " # SKIP"),
        ResultStatus::Known => ("not ok", " # TODO"),
        ResultStatus::Failed | ResultStatus::Broken => ("not ok", ""),
    };
    let (id, title) = (escaped(&case.id), escaped(&case.title));
    let _ = write!(text, "{word} {number} - {id}: {title}{directive}");
    if !directive.is_empty() {
        let _ = write!(text, " {}", escaped(&reason(case)));
    }
    text.push('\n');
    let tells = matches!(status, ResultStatus::Failed | ResultStatus::Broken);
    if tells || (status == ResultStatus::Passed && case.detail.is_some()) {
        block(text, &evidence(report, case));
    }
}

/// The YAML below a test point. JSON strings are YAML, whatever they hold.
fn block(text: &mut String, fields: &[EvidenceField]) {
    text.push_str("  ---\n");
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in fields.iter().filter(|(name, _)| !name.is_empty()) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    for name in names {
        let values = fields.iter().filter(|(it, _)| *it == name);
        let values: Vec<_> = values.map(|(_, words)| words.as_str()).collect();
        let value = match values.as_slice() {
            [only] => serde_json::json!(only),
            all => serde_json::json!(all),
        };
        let _ = writeln!(text, "  {}: {value}", name.replace(' ', "-"));
    }
    text.push_str("  ...\n");
}

/// A description on one line; `#` would begin a directive.
fn escaped(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace('#', "\\#")
}
