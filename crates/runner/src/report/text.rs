//! The report for people. Every word they read is in this file.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use chatstate_adapter::Rejected;
use owo_colors::Style;

use crate::canary::{CanaryFailure, CanaryVerdict};
use crate::expectations::{StaleExpectation, Staleness};
use crate::judgement::{BrokenLaw, Cause, Detail, DifferenceReport, Expected, Verdict};
use crate::outcome::{Lost, Outcome, Violation, beginning};
use crate::report::{CaseReport, Incomplete, RunReport};

/// How the report is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rendering<'a> {
    /// Whether to use colours.
    pub colours: bool,
    /// The adapter as the user would type it; absent for the built-in reference.
    pub adapter: Option<&'a str>,
}

/// How many characters of a document are shown on a line.
const SHOWN_CHARACTERS: usize = 400;

/// How many differences of a case are shown.
const SHOWN_DIFFERENCES: usize = 8;

/// How many differences of a broken law are shown: the first tells the most.
const SHOWN_DIFFERENCES_OF_LAWS: usize = 3;

/// How many lines of a stack trace or of stderr are shown, from the end.
const SHOWN_LINES: usize = 8;

/// Gives the report as text: what is unexpected in full, then a line for each suite, then the total.
#[must_use]
pub fn render(report: &RunReport, rendering: &Rendering<'_>) -> String {
    let mut page = Page {
        text: String::new(),
        rendering,
    };
    for case in &report.cases {
        page.case(case);
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

struct Page<'a> {
    text: String,
    rendering: &'a Rendering<'a>,
}

impl Page<'_> {
    fn line(&mut self, text: impl fmt::Display) {
        let _ = writeln!(self.text, "{text}");
    }

    fn styled(&self, style: Style, text: impl fmt::Display) -> String {
        if self.rendering.colours {
            style.style(text).to_string()
        } else {
            text.to_string()
        }
    }

    /// A name and what stands beside it, for the lines below a head line.
    fn field(&mut self, name: &str, text: impl fmt::Display) {
        let name = self.styled(Style::new().dimmed(), format!("{name:<9}"));
        // What an adapter wrote must not command the terminal.
        let text = text.to_string();
        let text = text.replace(|it: char| it.is_control() && it != '\n', " ");
        let text = text.replace('\n', "\n                ");
        self.line(format!("      {name} {text}"));
    }

    fn case(&mut self, case: &CaseReport) {
        let (word, style) = match case.verdict {
            Verdict::Fail => ("FAIL ", Style::new().red().bold()),
            Verdict::Error => ("ERROR", Style::new().red().bold()),
            Verdict::Warn => ("WARN ", Style::new().yellow().bold()),
            Verdict::UnexpectedPass => ("XPASS", Style::new().yellow().bold()),
            _ => return,
        };
        let word = self.styled(style, word);
        let id = self.styled(Style::new().bold(), &case.id);
        self.line(format!("{word} {id}: {}", case.title));
        match &case.detail {
            Some(detail) => self.detail(detail),
            None => self.field("what", "it passes, but a list says that it fails"),
        }
        self.field("why", &case.why);
        let requirements: Vec<_> = case
            .requirements
            .iter()
            .map(|id| format!("[{id}]"))
            .collect();
        self.field("spec", requirements.join(" "));
        self.field("again", self.command(&case.id));
        self.line("");
    }

    /// The command that runs one case again.
    fn command(&self, id: &str) -> String {
        let adapter = self.rendering.adapter;
        let adapter = adapter.map_or(String::new(), |adapter| format!(" -- {adapter}"));
        format!("chatstate test --only {id}{adapter}")
    }

    fn detail(&mut self, detail: &Detail) {
        self.field("what", cause(&detail.cause));
        let differences = &detail.differences;
        for difference in differences.iter().take(SHOWN_DIFFERENCES) {
            self.field("where", difference_line(difference));
        }
        if let Some(more @ 1..) = differences.len().checked_sub(SHOWN_DIFFERENCES) {
            self.field("", format!("and {more} more differences"));
        }
        for law in &detail.laws {
            self.law(law);
        }
        if let Some(expected) = &detail.expected {
            self.field("expected", expected_line(expected));
        }
        if let Some(got) = &detail.got {
            self.field("got", got_lines(got));
        }
        if let Some(fingerprint) = &detail.fingerprint {
            self.field("known as", shortened(fingerprint));
        }
    }

    /// A broken law, with what shows it; the case's own answer stands with the case.
    fn law(&mut self, broken: &BrokenLaw) {
        self.field(
            "law",
            format!("`{}`: {}", broken.law.as_str(), broken.problem),
        );
        for difference in broken.differences.iter().take(SHOWN_DIFFERENCES_OF_LAWS) {
            self.field("where", difference_line(difference));
        }
        if let Some(asked) = &broken.asked {
            self.field("asked", shortened(asked));
        }
        if let Some(got) = &broken.got {
            self.field("answered", got_lines(got));
        }
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
        if let Some(op) = &failure.op {
            let of = failure.document_type.as_ref();
            let of = of.map_or(String::new(), |name| format!(" of `{name}`"));
            self.field("asked", format!("`{op}`{of}"));
        }
        if let Some(input) = &failure.input {
            self.field("input", shortened(input));
        }
        if let Some(got) = &failure.got {
            self.field("got", got_lines(got));
        }
        self.field(
            "why",
            "such an adapter would pass many cases without doing anything, so nothing is scored",
        );
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
            let again = self.command(id);
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
                "note: {cases} refused without a class; they are no part of any claim"
            ));
        }
        for word in &report.unknown_capabilities {
            self.line(format!(
                "note: the adapter declares `{word}`, which this kit does not know"
            ));
        }
    }

    fn total(&mut self, report: &RunReport) {
        let sdk = &report.implementation;
        let digest: String = report.corpus.digest.chars().take(12).collect();
        let (word, style) = result(report);
        let word = self.styled(style, word);
        self.line(format!(
            "{} {} ({}) on corpus {} ({digest}): {}",
            sdk.name,
            sdk.version,
            sdk.language,
            report.corpus.version,
            counted(&report.summary)
        ));
        self.line(format!("result: {word}"));
    }
}

fn result(report: &RunReport) -> (String, Style) {
    let bad = Style::new().red().bold();
    if report.canary.is_some() {
        return (
            "the adapter failed a canary; nothing was scored".to_owned(),
            bad,
        );
    }
    if let Some(incomplete) = &report.incomplete {
        return (format!("incomplete: {}", incomplete_words(incomplete)), bad);
    }
    match report.exit_code() {
        0 => ("as expected".to_owned(), Style::new().green().bold()),
        4 => {
            let words = "the list of expected failures is out of date";
            (words.to_owned(), Style::new().yellow().bold())
        }
        _ => {
            let unexpected = report.count(Verdict::Fail) + report.count(Verdict::Error);
            (plural(unexpected, "unexpected failure"), bad)
        }
    }
}

fn incomplete_words(incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::NothingSelected => "no case is selected".to_owned(),
        Incomplete::EverythingSkipped => {
            "every selected case needs a capability that the adapter does not declare".to_owned()
        }
        Incomplete::CrashBudgetSpent(budget) => format!(
            "{} crashed the adapter, hung it or broke the protocol, so the run stopped",
            plural(*budget, "case")
        ),
        Incomplete::CouldNotRestart(problem) => {
            format!("the adapter did not start again: {problem}")
        }
    }
}

fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The verdicts that at least one case has.
fn counted(counts: &BTreeMap<Verdict, usize>) -> String {
    let present = counts.iter().filter(|(_, count)| **count > 0);
    let words = present.map(|(verdict, count)| format!("{count} {}", verdict.as_str()));
    let words: Vec<_> = words.collect();
    match words.as_slice() {
        [] => "no case judged".to_owned(),
        words => words.join(", "),
    }
}

fn cause(cause: &Cause) -> String {
    match cause {
        Cause::DifferentValue => "the answer has another value".to_owned(),
        Cause::DifferentText => "the answer is another text".to_owned(),
        Cause::NotJson(problem) => format!("the text of the answer is not JSON: {problem}"),
        Cause::Accepted => "the document was accepted, and it should be refused".to_owned(),
        Cause::Refused => "the document was refused, and it should be accepted".to_owned(),
        Cause::OtherReason => "the document was refused for another reason".to_owned(),
        Cause::NoAlternative => "none of the right answers was given".to_owned(),
        Cause::NoClass => "the refusal has no class".to_owned(),
        Cause::Unsupported => {
            "the adapter declares the capability, and then does not have it".to_owned()
        }
        Cause::Unsayable => "the format of the SDK cannot hold the document".to_owned(),
        Cause::Fault => "the SDK or its adapter broke".to_owned(),
        Cause::NoAnswer => "there is no answer to judge".to_owned(),
        Cause::NotDeclared(words) => format!("not declared: {}", words.join(", ")),
        Cause::ReferenceOnly => "the case binds the reference alone".to_owned(),
        Cause::OtherDialect(name) => {
            format!("the adapter sees `{name}` alone, and the case is about the canonical form")
        }
        Cause::Open(reason) => format!("any answer is right: {reason}"),
        Cause::BrokenLaws => "the answer breaks a law".to_owned(),
        Cause::MalformedCase(problem) => format!("the case itself is wrong: {problem}"),
    }
}

fn difference_line(difference: &DifferenceReport) -> String {
    let DifferenceReport {
        class,
        at,
        expected,
        got,
    } = difference;
    let side = |text: &Option<String>| match text {
        Some(text) => format!("`{}`", shortened(text)),
        None => "nothing".to_owned(),
    };
    format!(
        "{} {class}: expected {}, got {}",
        place(at),
        side(expected),
        side(got)
    )
}

fn loss_line(lost: &Lost) -> String {
    format!(
        "{} {}: {}",
        place(&lost.at),
        lost.class,
        shortened(&lost.why)
    )
}

/// A JSON pointer; the empty one is the whole document.
fn place(at: &str) -> String {
    if at.is_empty() {
        "the whole document".to_owned()
    } else {
        format!("`{at}`")
    }
}

fn expected_line(expected: &Expected) -> String {
    match expected {
        Expected::Ok(text) => shortened(text),
        Expected::Rejected(rejected) => refusal(rejected),
        Expected::AnyOf(alternatives) => {
            let lines: Vec<_> = alternatives.iter().map(expected_line).collect();
            lines.join("\nor ")
        }
    }
}

fn got_lines(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(text) => shortened(text),
        Outcome::Rejected(rejected) => refusal(rejected),
        Outcome::Unsupported(why) => format!("unsupported: {}", shortened(why)),
        Outcome::Unsayable(lost) => {
            let lines: Vec<_> = lost.iter().map(loss_line).collect();
            format!(
                "not asked, because this would be lost:\n{}",
                lines.join("\n")
            )
        }
        Outcome::Fault(what) => format!("fault:\n{}", last_lines(what)),
        Outcome::Crashed {
            ending,
            stderr,
            certain,
        } => {
            format!(
                "the adapter {ending}{}{}",
                blame(*certain),
                stderr_lines(stderr)
            )
        }
        Outcome::TimedOut {
            milliseconds,
            stderr,
            certain,
        } => format!(
            "no answer within {milliseconds} ms{}{}",
            blame(*certain),
            stderr_lines(stderr)
        ),
        Outcome::Malformed {
            violation: kind,
            line,
            certain,
        } => {
            format!("{}{}\n{line}", violation(kind), blame(*certain))
        }
    }
}

fn refusal(rejected: &Rejected) -> String {
    let Rejected {
        class,
        at,
        rule,
        message,
    } = rejected;
    let mut text = match class {
        Some(class) => format!("refused with class `{class}`"),
        None => "refused without a class".to_owned(),
    };
    if let Some(at) = at {
        let _ = write!(text, " at {}", place(at));
    }
    if let Some(rule) = rule {
        let _ = write!(text, " by rule `{rule}`");
    }
    if let Some(message) = message {
        let _ = write!(text, ": {}", shortened(message));
    }
    text
}

fn blame(certain: bool) -> &'static str {
    if certain {
        ""
    } else {
        " while several requests were under way; none did it again alone, and this one was sent first"
    }
}

fn stderr_lines(stderr: &str) -> String {
    if stderr.trim().is_empty() {
        "; it wrote nothing to stderr".to_owned()
    } else {
        format!("; its stderr ends with\n{}", last_lines(stderr))
    }
}

fn violation(violation: &Violation) -> String {
    match violation {
        Violation::NotUtf8 => "a line that is not UTF-8:".to_owned(),
        Violation::TooLong => "a line longer than 64 MiB".to_owned(),
        Violation::NotAnAnswer => {
            "a line that is not an answer (logs belong on stderr):".to_owned()
        }
        Violation::UnknownSeq => "an answer with a `seq` that was never sent:".to_owned(),
        Violation::AnsweredTwice => "a second answer to the same `seq`:".to_owned(),
        Violation::BadReply(problem) => format!("a malformed answer, {problem}:"),
        Violation::AfterTheLast => "a line after the last answer:".to_owned(),
    }
}

fn canary(verdict: CanaryVerdict) -> &'static str {
    match verdict {
        CanaryVerdict::SkipsAll => {
            "the adapter skips all: it declares no operation with a kind of document, or answers `unsupported` to everything"
        }
        CanaryVerdict::EchoesAll => {
            "the adapter echoes all: it gives back what it got, even what is not JSON"
        }
        CanaryVerdict::AcceptsAll => {
            "the adapter accepts all: it takes what is not JSON, or what plainly breaks the schema"
        }
        CanaryVerdict::RefusesAll => "the adapter refuses all: it refuses a valid document",
        CanaryVerdict::Broken => "the adapter breaks on a plain request",
    }
}

fn staleness(because: &Staleness) -> String {
    match because {
        Staleness::MatchesNothing => {
            "matches no case of the corpus; take the entry away".to_owned()
        }
        Staleness::NotScored => {
            "is skipped or never scored, so nothing is known to fail; take the entry away"
                .to_owned()
        }
        Staleness::Passes(ids) => format!(
            "passes: {}; take the entry away, or make it name what fails",
            ids.join(", ")
        ),
        Staleness::Over => "had its last day; look at it again".to_owned(),
    }
}

/// The beginning of a text on one line.
fn shortened(text: &str) -> String {
    beginning(&text.replace(['\n', '\r'], " "), SHOWN_CHARACTERS)
}

/// The last lines of a text, each shortened.
fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    let skipped = lines.len().saturating_sub(SHOWN_LINES);
    let shown: Vec<_> = lines[skipped..]
        .iter()
        .map(|line| shortened(line))
        .collect();
    shown.join("\n")
}
