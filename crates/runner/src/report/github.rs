//! The report as workflow commands of GitHub, which become annotations of a run.

use std::fmt::Write;

use crate::judgement::Verdict;
use crate::report::RunReport;
use crate::report::evidence::{EvidenceField, canary_evidence, found};
use crate::report::messages::{canary, plural, result, staleness, total};

/// GitHub shows ten annotations of a kind for a step and hides the others.
const SHOWN: usize = 10;

/// Gives the annotations: errors for what is unexpected, with the line of the list of expected failures
/// where that is what is wrong; warnings for a SHOULD; and a notice with the result.
#[must_use]
pub fn render(report: &RunReport) -> String {
    let mut errors = Vec::new();
    if let Some(failure) = &report.canary {
        let words = joined(canary(failure), &canary_evidence(failure), "");
        errors.push(command("error", &[("title", "canary")], &words));
    }
    for entry in &report.stale {
        let line = entry.line.to_string();
        let place = [
            ("file", entry.file.as_str()),
            ("line", &line),
            ("title", "out of date"),
        ];
        let words = format!("`{}` {}", entry.names, staleness(&entry.because));
        errors.push(command("error", &place, &words));
    }
    let mut warnings = Vec::new();
    for case in &report.cases {
        let kind = match case.verdict {
            Verdict::Fail | Verdict::Error | Verdict::Flaky => "error",
            Verdict::Warn => "warning",
            _ => continue,
        };
        let words = joined(&case.title, &found(case), &report.command(&case.id));
        let line = command(kind, &[("title", case.id.as_str())], &words);
        if kind == "error" {
            &mut errors
        } else {
            &mut warnings
        }
        .push(line);
    }
    let mut text = String::new();
    for (kind, lines) in [("error", errors), ("warning", warnings)] {
        text.extend(lines.iter().take(SHOWN).map(String::as_str));
        if let Some(more @ 1..) = lines.len().checked_sub(SHOWN) {
            let words = format!(
                "and {}; the report has all of them",
                plural(more, &format!("more {kind}"))
            );
            text += &command("notice", &[], &words);
        }
    }
    let words = format!("{}\nresult: {}", total(report), result(report));
    text + &command("notice", &[("title", "chatstate")], &words)
}

/// The head, what was found, and how to see it again.
fn joined(head: &str, fields: &[EvidenceField], again: &str) -> String {
    let mut text = head.to_owned();
    for (name, words) in fields {
        let _ = write!(text, "\n{name}: {words}");
    }
    if !again.is_empty() {
        let _ = write!(text, "\nagain: {again}");
    }
    text
}

fn command(kind: &str, properties: &[(&str, &str)], message: &str) -> String {
    let properties: Vec<_> = properties
        .iter()
        .map(|(name, value)| {
            format!(
                "{name}={}",
                escaped(value).replace(':', "%3A").replace(',', "%2C")
            )
        })
        .collect();
    let space = if properties.is_empty() { "" } else { " " };
    format!(
        "::{kind}{space}{}::{}\n",
        properties.join(","),
        escaped(message)
    )
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
