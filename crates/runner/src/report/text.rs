//! The report for people at a terminal.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use chatstate_json::{visible, visible_lines};
use owo_colors::Style;

use crate::canary::CanaryFailure;
use crate::expectations::StaleExpectation;
use crate::judgement::{Cause, Verdict};
use crate::report::evidence::{self, canary_evidence, evidence};
use crate::report::messages::{canary, counted, plural, result, staleness, total};
use crate::report::{CaseReport, RunReport};

/// Gives the report as text: what is unexpected in full, then a line for each suite, then the total.
#[must_use]
pub fn render(report: &RunReport, colours: bool) -> String {
    let mut page = TextPage {
        text: String::new(),
        colours,
    };
    for case in &report.cases {
        page.case(report, case);
    }
    page.stale(&report.stale);
    if let Some(canary) = &report.canary {
        page.canary(canary);
    }
    page.skipped(report);
    page.not_judged(report);
    page.suites(report);
    page.notes(report);
    page.total(report);
    page.text
}

/// Gives one case with what was found about it, without how to run it again.
#[must_use]
pub fn found(case: &CaseReport, colours: bool) -> String {
    let mut page = TextPage {
        text: String::new(),
        colours,
    };
    page.head("FOUND", Style::new().red().bold(), case);
    for (name, text) in evidence::found(case) {
        page.field(name, text);
    }
    page.text
}

struct TextPage {
    text: String,
    colours: bool,
}

impl TextPage {
    fn line(&mut self, text: impl fmt::Display) {
        let _ = writeln!(self.text, "{text}");
    }

    fn styled(&self, style: Style, text: impl fmt::Display) -> String {
        if self.colours {
            style.style(text).to_string()
        } else {
            text.to_string()
        }
    }

    /// A name and what is beside it, for the lines below a head line.
    fn field(&mut self, name: &str, text: impl fmt::Display) {
        let name = self.styled(Style::new().dimmed(), format!("{name:<9}"));
        // What an adapter wrote must not command the terminal.
        let text = visible_lines(&text.to_string()).replace('\n', "\n                ");
        self.line(format!("      {name} {text}"));
    }

    fn case(&mut self, report: &RunReport, case: &CaseReport) {
        let (word, style) = match case.verdict {
            Verdict::Fail => ("FAIL ", Style::new().red().bold()),
            Verdict::Error => ("ERROR", Style::new().red().bold()),
            Verdict::Flaky => ("FLAKY", Style::new().red().bold()),
            Verdict::Warn => ("WARN ", Style::new().yellow().bold()),
            Verdict::UnexpectedPass => ("XPASS", Style::new().yellow().bold()),
            _ => return,
        };
        self.head(word, style, case);
        for (name, text) in evidence(report, case) {
            self.field(name, text);
        }
        self.line("");
    }

    fn head(&mut self, word: &str, style: Style, case: &CaseReport) {
        let word = self.styled(style, word);
        let id = self.styled(Style::new().bold(), &case.id);
        self.line(format!("{word} {id}: {}", case.title));
    }

    fn stale(&mut self, stale: &[StaleExpectation]) {
        for entry in stale {
            let word = self.styled(Style::new().yellow().bold(), "STALE");
            let StaleExpectation {
                file, line, names, ..
            } = entry;
            self.line(format!(
                "{word} {file} line {line}: `{names}` {}",
                staleness(&entry.because)
            ));
            self.line("");
        }
    }

    fn canary(&mut self, failure: &CanaryFailure) {
        let word = self.styled(Style::new().red().bold(), "CANARY");
        self.line(format!("{word} {}", canary(failure.verdict)));
        for (name, text) in canary_evidence(failure) {
            self.field(name, text);
        }
        self.line("");
    }

    /// What is missing, and how many cases each missing capability keeps from being judged.
    fn skipped(&mut self, report: &RunReport) {
        let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
        let mut reference_only = 0;
        let mut dialects: BTreeMap<&str, usize> = BTreeMap::new();
        for detail in report.cases.iter().flat_map(|case| &case.detail) {
            reference_only += usize::from(detail.cause == Cause::ReferenceOnly);
            if let Cause::OtherDialect(name) = &detail.cause {
                *dialects.entry(name).or_default() += 1;
            }
            if let Cause::NotDeclared(words) = &detail.cause {
                for word in words {
                    *missing.entry(word).or_default() += 1;
                }
            }
        }
        for (word, count) in missing {
            let cases = plural(count, "case");
            self.line(format!("skipped: {cases} for want of `{word}`"));
        }
        if reference_only > 0 {
            let cases = plural(reference_only, "case");
            self.line(format!("skipped: {cases} for the reference alone"));
        }
        for (name, count) in dialects {
            let cases = plural(count, "case");
            self.line(format!(
                "skipped: {cases} that cannot be put in `{name}`, which the adapter sees alone"
            ));
        }
    }

    fn not_judged(&mut self, report: &RunReport) {
        for id in &report.not_judged {
            let again = report.command(id);
            self.line(format!("not judged: {id} ({again})"));
        }
    }

    fn suites(&mut self, report: &RunReport) {
        let mut suites: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
        for case in &report.cases {
            let suite = case.id.split('/').next().unwrap_or("");
            let counts = suites.entry(suite).or_default();
            *counts.entry(case.verdict).or_default() += 1;
        }
        let width = suites.keys().map(|suite| suite.len()).max().unwrap_or(0);
        for (suite, counts) in suites {
            let total: usize = counts.values().sum();
            let line = format!("{suite:<width$}  {total:>4}: {}", counted(&counts));
            self.line(line);
        }
    }

    fn notes(&mut self, report: &RunReport) {
        let left_out: usize = report.cases.iter().map(|case| case.uncompared.len()).sum();
        if left_out > 0 {
            let members = plural(left_out, "member");
            self.line(format!(
                "note: {members} of replays were left out by the adapter and not compared"
            ));
        }
        let unclassified = report.count(Verdict::Unclassified);
        if unclassified > 0 {
            let cases = plural(unclassified, "case");
            self.line(format!(
                "note: {cases} rejected without a class; they are no part of any claim"
            ));
        }
        for word in &report.unknown_capabilities {
            self.line(format!(
                "note: the adapter declares `{}`, which this kit does not know",
                visible(word)
            ));
        }
    }

    fn total(&mut self, report: &RunReport) {
        self.line(total(report));
        let style = match report.exit_code() {
            0 => Style::new().green().bold(),
            4 => Style::new().yellow().bold(),
            _ => Style::new().red().bold(),
        };
        let word = self.styled(style, result(report));
        self.line(format!("result: {word}"));
    }
}
