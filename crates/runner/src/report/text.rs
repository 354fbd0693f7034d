//! The report for people at a terminal.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use chatstate_json::{visible, visible_lines};
use owo_colors::Style;

use crate::canary::CanaryFailure;
use crate::expectations::StaleExpectation;
use crate::judgement::{Cause, Verdict};
use crate::outcome::beginning;
use crate::report::causes::{FailureGroup, failure_groups};
use crate::report::evidence::{self, canary_evidence, evidence};
use crate::report::messages::{canary, counted, plural, result, staleness, total};
use crate::report::{CaseReport, RunReport};

/// How much of a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextDetail {
    /// The result alone.
    Result,
    /// The causes of failures with their counts, and the result.
    Causes,
    /// Also so many failing cases in full.
    Cases(usize),
    /// All failing cases in full, and all that was skipped.
    Everything,
}

impl TextDetail {
    /// The same, with colours or without.
    #[must_use]
    pub fn coloured(self, colours: bool) -> TextOptions {
        TextOptions {
            detail: self,
            colours,
        }
    }
}

/// How a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// How much of it.
    pub detail: TextDetail,
    /// Whether the text holds colours for a terminal.
    pub colours: bool,
}

/// From so many failures on, their causes are shown before them.
const MANY_FAILURES: usize = 4;

/// How many causes are shown.
const SHOWN_CAUSES: usize = 10;

/// How much of an example's input is shown, in characters.
const SHOWN_INPUT: usize = 120;

/// Gives the report as text: the causes of many failures, the failing cases, a line for each suite, and
/// the total.
#[must_use]
pub fn render(report: &RunReport, TextOptions { detail, colours }: TextOptions) -> String {
    let mut page = TextPage {
        text: String::new(),
        colours,
    };
    if detail == TextDetail::Result {
        page.total(report);
        return page.text;
    }
    if report.unexpected() >= MANY_FAILURES || detail == TextDetail::Causes {
        page.causes(report);
    }
    page.cases(report, detail);
    page.stale(&report.stale);
    if let Some(canary) = &report.canary {
        page.canary(canary);
    }
    if detail == TextDetail::Everything {
        page.skipped(report);
    } else {
        page.skipped_count(report);
    }
    page.not_judged(report);
    page.suites(report, detail);
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

/// The word and the style of a verdict that is shown with its case.
fn shown_as(verdict: Verdict) -> Option<(&'static str, Style)> {
    let red = Style::new().red().bold();
    let yellow = Style::new().yellow().bold();
    match verdict {
        Verdict::Fail => Some(("FAIL ", red)),
        Verdict::Error => Some(("ERROR", red)),
        Verdict::Flaky => Some(("FLAKY", red)),
        Verdict::Warn => Some(("WARN ", yellow)),
        Verdict::UnexpectedPass => Some(("XPASS", yellow)),
        _ => None,
    }
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

    /// What the failures have in common, with the shortest example of each.
    fn causes(&mut self, report: &RunReport) {
        let groups = failure_groups(report);
        if groups.is_empty() {
            return;
        }
        let failures = plural(report.unexpected(), "failure");
        self.line(format!("{failures}, by cause:\n"));
        for group in groups.iter().take(SHOWN_CAUSES) {
            self.cause(report, group);
        }
        if let Some(more @ 1..) = groups.len().checked_sub(SHOWN_CAUSES) {
            self.line(format!("and {}\n", plural(more, "more cause")));
        }
        self.line(
            "`chatstate explain NAME` says what a class or a requirement in brackets means\n",
        );
    }

    fn cause(&mut self, report: &RunReport, group: &FailureGroup<'_>) {
        let Some(example) = group.example() else {
            return;
        };
        let count = self.styled(
            Style::new().red().bold(),
            format!("{:>5}", group.cases.len()),
        );
        let name = self.styled(Style::new().bold(), visible(&group.name));
        self.line(format!("{count} {name}{}", visible(&group.at_members())));
        let requirements = example.requirements.iter().map(|id| format!("[{id}]"));
        let words = std::iter::once(example.id.clone()).chain(requirements);
        self.field("case", words.collect::<Vec<_>>().join(" "));
        if let Some(input) = &example.input {
            self.field("input", beginning(input, SHOWN_INPUT));
        }
        if let Some((name, text)) = group.shown_by(report) {
            self.field(name, beginning(&text, 2 * SHOWN_INPUT));
        }
        self.line("");
    }

    /// The failing cases in full, as many as are wanted.
    fn cases(&mut self, report: &RunReport, detail: TextDetail) {
        let most = match detail {
            TextDetail::Cases(most) => most,
            TextDetail::Everything => usize::MAX,
            TextDetail::Result | TextDetail::Causes => 0,
        };
        let shown = report
            .cases
            .iter()
            .filter(|case| shown_as(case.verdict).is_some());
        let shown: Vec<&CaseReport> = shown.collect();
        for case in shown.iter().take(most) {
            self.case(report, case);
        }
        if let Some(more @ 1..) = shown.len().checked_sub(most) {
            let cases = plural(more, if most == 0 { "case" } else { "more case" });
            self.line(format!("`--verbose` shows {cases} in full\n"));
        }
    }

    fn case(&mut self, report: &RunReport, case: &CaseReport) {
        let Some((word, style)) = shown_as(case.verdict) else {
            return;
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
        self.line(format!("{word} {}", canary(failure)));
        for (name, text) in canary_evidence(failure) {
            self.field(name, text);
        }
        self.line("");
    }

    /// How many cases were skipped, in one line.
    fn skipped_count(&mut self, report: &RunReport) {
        let skipped = report.count(Verdict::Skip);
        if skipped > 0 {
            let cases = plural(skipped, "case");
            self.line(format!(
                "skipped: {cases}; `--verbose` says for want of what"
            ));
        }
    }

    /// What is missing, and how many cases each missing capability keeps from being judged.
    fn skipped(&mut self, report: &RunReport) {
        let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
        let mut reference_only = 0;
        let mut dialects: BTreeMap<&str, usize> = BTreeMap::new();
        let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
        for detail in report.cases.iter().flat_map(|case| &case.detail) {
            reference_only += usize::from(detail.cause == Cause::ReferenceOnly);
            if let Cause::OtherDialect(name) = &detail.cause {
                *dialects.entry(name).or_default() += 1;
            }
            if let Cause::LeftOut(member) = &detail.cause {
                *left_out.entry(member).or_default() += 1;
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
        for (member, count) in left_out {
            let cases = plural(count, "case");
            self.line(format!("skipped: {cases}, since no answer has `{member}`"));
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

    fn suites(&mut self, report: &RunReport, detail: TextDetail) {
        let mut suites: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
        for case in &report.cases {
            let suite = case.id.split('/').next().unwrap_or("");
            let counts = suites.entry(suite).or_default();
            *counts.entry(case.verdict).or_default() += 1;
        }
        // A suite that was skipped as a whole is in the count of what was skipped.
        let is_asked = |counts: &BTreeMap<Verdict, usize>| {
            counts.keys().any(|verdict| *verdict != Verdict::Skip)
        };
        suites.retain(|_, counts| detail == TextDetail::Everything || is_asked(counts));
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
