//! The report as Markdown, for the summary of a CI step or a comment.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::judgement::Verdict;
use crate::report::evidence::{EvidenceField, canary_evidence, evidence};
use crate::report::messages::{canary, one_line, plural, result, staleness};
use crate::report::status::{not_judged, suite_and_name};
use crate::report::{CaseReport, RunReport};

/// How many failures are reported in full. GitHub takes a summary of 1 MiB.
const SHOWN: usize = 50;

/// Gives the report as Markdown: the result, a table of the suites, and what is unexpected.
#[must_use]
pub fn render(report: &RunReport) -> String {
    let sdk = &report.implementation;
    let mut text = format!(
        "## {} {} ({}): {}\n\n",
        escaped(&sdk.name),
        escaped(&sdk.version),
        escaped(&sdk.language),
        escaped(&result(report))
    );
    if let Some(failure) = &report.canary {
        let _ = writeln!(text, "{}\n", escaped(canary(failure)));
        fence(&mut text, &canary_evidence(failure));
    }
    table(&mut text, report);
    for entry in &report.stale {
        let place = format!("{} line {}", entry.file, entry.line);
        let words = format!("`{}` {}", entry.names, staleness(&entry.because));
        let _ = writeln!(text, "- **out of date**, {}: {}", escaped(&place), words);
    }
    if !report.stale.is_empty() {
        text.push('\n');
    }
    failures(&mut text, report);
    if !report.not_judged.is_empty() {
        let cases = plural(report.not_judged.len(), "case");
        let _ = writeln!(text, "{cases} {}.\n", escaped(&not_judged(report)));
    }
    let _ = writeln!(
        text,
        "chatstate {} on corpus {}, SHA-256 `{}`",
        escaped(&report.kit),
        report.corpus.version,
        report.corpus.digest
    );
    text
}

/// A row for each suite, a column for each verdict that any case has.
fn table(text: &mut String, report: &RunReport) {
    let mut suites: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
    for case in &report.cases {
        let suite = suites.entry(suite_and_name(&case.id).0).or_default();
        *suite.entry(case.verdict).or_default() += 1;
    }
    if suites.is_empty() {
        return;
    }
    let verdicts: Vec<_> = Verdict::ALL
        .into_iter()
        .filter(|it| report.count(*it) > 0)
        .collect();
    let names: Vec<_> = verdicts.iter().map(|it| it.as_str()).collect();
    let _ = writeln!(text, "| suite | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(verdicts.len()));
    let row = |name: &str, count: &dyn Fn(Verdict) -> usize| {
        let counts: Vec<_> = verdicts.iter().map(|it| count(*it).to_string()).collect();
        format!("| {name} | {} |\n", counts.join(" | "))
    };
    for (suite, counts) in &suites {
        *text += &row(suite, &|it| counts.get(&it).copied().unwrap_or(0));
    }
    *text += &row("**all**", &|it| report.count(it));
    text.push('\n');
}

fn failures(text: &mut String, report: &RunReport) {
    let tells = |case: &&CaseReport| {
        matches!(
            case.verdict,
            Verdict::Fail
                | Verdict::Error
                | Verdict::Flaky
                | Verdict::Warn
                | Verdict::UnexpectedPass
        )
    };
    let cases: Vec<_> = report.cases.iter().filter(tells).collect();
    for case in cases.iter().take(SHOWN) {
        let (verdict, title) = (case.verdict.as_str(), escaped(&case.title));
        let _ = writeln!(
            text,
            "<details><summary><b>{verdict}</b> <code>{}</code>: {title}</summary>\n",
            escaped(&case.id)
        );
        fence(text, &evidence(report, case));
        text.push_str("</details>\n\n");
    }
    if let Some(more @ 1..) = cases.len().checked_sub(SHOWN) {
        let _ = writeln!(text, "And {more} more; the report has all of them.\n");
    }
}

/// Text as it is, in a fence longer than any in it.
fn fence(text: &mut String, fields: &[EvidenceField]) {
    let mut body = String::new();
    for (name, words) in fields {
        let words = words.replace('\n', "\n          ");
        let _ = writeln!(body, "{name:<9} {words}");
    }
    let longest = body.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(text, "{fence}text\n{body}{fence}\n");
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in one_line(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '*' | '_' | '[' | ']' | '|' | '#' => {
                out.push('\\');
                out.push(character);
            }
            other => out.push(other),
        }
    }
    out
}
