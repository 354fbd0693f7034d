//! `expected-failures.toml`: what an implementation is known to get wrong, each with its reason.
//! The JSON Schema of the file is `schema/kit/expected-failures.schema.json`.

pub mod text;
mod update;
mod version;

use std::num::NonZeroUsize;

use chatstate_corpus::{Case, CasePattern, Corpus};
use chatstate_protocol::ImplementationName;
use globset::Glob;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::Date;
use toml::Spanned;

use crate::judgement::{ACCEPTED, EntryPlace, NOT_JSON, Verdict};
use crate::report::CaseReport;

pub use update::{
    Grouping, ListChange, ListUpdate, Removal, RunRejection, UpdateError, update_list,
};

/// How many failures a pattern or a requirement may excuse, unless it says another number.
const MOST_EXCUSED: usize = 20;

/// What an implementation is known to get wrong. Everything that an entry names must fail, or the
/// entry is out of date.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Expected failures")]
struct ExpectationFile {
    /// The known failures.
    #[serde(default)]
    #[schemars(with = "Vec<Expectation>")]
    expect: Vec<Spanned<Expectation>>,
}

/// One known failure. It names cases in exactly one way: `case` or `requirement`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The id or an alias of a case, or a pattern over them where `*` stands for any text.
    #[serde(default)]
    pub case: Option<String>,
    /// The id of a requirement, for every case that tests it.
    #[serde(default)]
    pub requirement: Option<String>,
    /// Why it fails: what the implementation does and where.
    #[schemars(length(min = 1))]
    pub reason: String,
    /// Where it is reported.
    #[serde(default)]
    pub issue: Option<String>,
    /// Who looks after it.
    #[serde(default)]
    pub owner: Option<String>,
    /// The last day on which the entry counts, as `YYYY-MM-DD`.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    pub until: Option<Day>,
    /// How it fails, as the report spells it; `*` stands for any text. Another failure is not excused.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// The most failures that a pattern or a requirement may excuse; 20 when absent. With more of them
    /// it excuses none.
    #[serde(default)]
    #[schemars(with = "Option<usize>", range(min = 1))]
    pub max: Option<NonZeroUsize>,
    /// For which implementations the entry counts; all when absent.
    #[serde(default)]
    pub when: Option<When>,
}

/// For which implementations an entry counts. Each is a pattern where `*` stands for any text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The implementation's name.
    #[serde(default)]
    pub name: Option<String>,
    /// The implementation's version: a pattern, or comparisons with commas between, such as `>=1.2, <2`. A
    /// word in a version makes it an earlier one (`2.0.0-rc.1`, `2.0b1`), but for `post`.
    #[serde(default)]
    pub version: Option<String>,
    /// The implementation's language.
    #[serde(default)]
    pub language: Option<String>,
    /// The operating system the runner runs on, such as `linux`, `macos`, `windows`.
    #[serde(default)]
    pub os: Option<String>,
}

/// A day, written `2027-03-01` with or without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "toml::Value")]
pub struct Day(pub Date);

impl TryFrom<toml::Value> for Day {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let text = match &value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let date = || {
            let date = text.parse::<toml::value::Datetime>().ok()?.date?;
            let month = time::Month::try_from(date.month).ok()?;
            Date::from_calendar_date(i32::from(date.year), month, date.day).ok()
        };
        date()
            .map(Self)
            .ok_or_else(|| format!("`{text}` is not a day such as `2027-03-01`"))
    }
}

/// The file cannot be used. Exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{file}` line {line}: {message}")]
pub struct ExpectationsError {
    file: String,
    line: usize,
    message: String,
}

/// Which cases an entry names.
#[derive(Debug, Clone)]
enum EntryTarget {
    Cases(CasePattern),
    Requirement(String),
}

/// An entry, ready to match.
#[derive(Debug, Clone)]
struct EntryMatcher {
    expectation: Expectation,
    line: usize,
    target: EntryTarget,
}

/// All entries of a file. The default has none.
#[derive(Debug, Clone, Default)]
pub struct Expectations {
    file: String,
    entries: Vec<EntryMatcher>,
}

/// Why an entry is out of date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Staleness {
    /// No case of the corpus has this id, or tests this requirement.
    MatchesNothing,
    /// What it names was skipped or is never scored, so that nothing is known to fail.
    NotScored,
    /// None of the cases that it names fails in the way that it says.
    NoneFailsSo,
    /// These cases pass.
    Passes(Vec<String>),
    /// Its last day is over.
    Over,
    /// It would excuse more failures than it may, and so excuses none.
    TooMany {
        /// How many it would excuse.
        failures: usize,
        /// How many it may.
        most: usize,
    },
}

/// An entry that is out of date. Exit code 4 when nothing worse happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StaleExpectation {
    /// The file.
    pub file: String,
    /// The line that the entry begins on, from 1.
    pub line: usize,
    /// The id, pattern or requirement that the entry names.
    pub names: String,
    /// Why it is out of date.
    pub because: Staleness,
}

/// Gives the JSON Schema of the file, as `schema/kit/expected-failures.schema.json` holds it.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ExpectationFile).to_value()
}

impl Expectations {
    /// Reads a file; `file` is its name in messages.
    ///
    /// # Errors
    ///
    /// When the text is not TOML, an entry is malformed, names nothing or two things, or has no
    /// reason.
    pub fn parse(file: &str, text: &str) -> Result<Self, ExpectationsError> {
        let line_of = |offset: usize| text.get(..offset).unwrap_or("").matches('\n').count() + 1;
        let error = |offset: usize, message: String| ExpectationsError {
            file: file.to_owned(),
            line: line_of(offset),
            message,
        };
        let read: ExpectationFile = toml::from_str(text).map_err(|problem| {
            let offset = problem.span().map_or(0, |span| span.start);
            error(offset, problem.message().to_owned())
        })?;
        let mut entries = Vec::new();
        for expectation in read.expect {
            let offset = expectation.span().start;
            let expectation = expectation.into_inner();
            let target = target(&expectation).map_err(|message| error(offset, message))?;
            entries.push(EntryMatcher {
                expectation,
                line: line_of(offset),
                target,
            });
        }
        let file = file.to_owned();
        Ok(Self { file, entries })
    }

    /// Applies the entries that count for this implementation to the judged cases, and gives those
    /// that are out of date.
    pub(crate) fn apply(
        &self,
        corpus: &Corpus,
        implementation: &ImplementationName,
        today: Date,
        cases: &mut [CaseReport],
    ) -> Vec<StaleExpectation> {
        let counts = |entry: &&EntryMatcher| entry.counts_for(implementation);
        let mut stale = Vec::new();
        for entry in self.entries.iter().filter(counts) {
            if let Some(because) = entry.apply(corpus, today, cases, &self.file) {
                stale.push(StaleExpectation {
                    file: self.file.clone(),
                    line: entry.line,
                    names: entry.names().to_owned(),
                    because,
                });
            }
        }
        stale
    }
}

/// Reads which cases an entry names, and checks what serde cannot.
fn target(expectation: &Expectation) -> Result<EntryTarget, String> {
    if expectation.reason.trim().is_empty() {
        return Err("`reason` is empty; say what the implementation does".to_owned());
    }
    if let Some(pattern) = &expectation.fingerprint {
        glob(pattern)?;
    }
    expectation.when.as_ref().map_or(Ok(()), When::check)?;
    match (&expectation.case, &expectation.requirement) {
        (Some(pattern), None) => CasePattern::new(pattern)
            .map(EntryTarget::Cases)
            .map_err(|error| error.to_string()),
        (None, Some(id)) => Ok(EntryTarget::Requirement(id.clone())),
        _ => Err("an entry has `case` or `requirement`, and not both".to_owned()),
    }
}

fn glob(pattern: &str) -> Result<globset::GlobMatcher, String> {
    let glob = Glob::new(pattern);
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| format!("`{pattern}` is not a pattern: {}", error.kind()))
}

/// Whether a text is of a pattern in which `*` stands for any text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let is_former = pattern == FORMER && [NOT_JSON, ACCEPTED].contains(&text);
    is_former || glob(pattern).is_ok_and(|glob| glob.is_match(text))
}

/// The signs of a fingerprint, such as `member-dropped@/a` and `crashed`. The names of members may hold
/// spaces, so a word that begins no sign belongs to the one before.
fn signs_of(fingerprint: &str) -> Vec<String> {
    let begins = |word: &str| {
        let class = word.split('@').next().unwrap_or(word);
        let is_name = |letter: char| letter.is_ascii_lowercase() || "-:.*".contains(letter);
        !class.is_empty() && class.chars().all(is_name)
    };
    let mut signs: Vec<String> = Vec::new();
    for word in fingerprint.split(' ') {
        match signs.last_mut() {
            Some(last) if !begins(word) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => signs.push(word.to_owned()),
        }
    }
    signs
}

/// What an answer that is not JSON, and a document that was accepted, were called at first. Lists and
/// mutants with this name stay true.
const FORMER: &str = "ok";

impl When {
    fn check(&self) -> Result<(), String> {
        let patterns = [&self.name, &self.language, &self.os].into_iter().flatten();
        patterns
            .map(|it| glob(it))
            .try_for_each(|it| it.map(drop))?;
        match &self.version {
            Some(range) if version::is_range(range) => version::check(range),
            Some(pattern) => glob(pattern).map(drop),
            None => Ok(()),
        }
    }

    fn holds(&self, implementation: &ImplementationName) -> bool {
        let holds = |pattern: &Option<String>, text: &str| {
            pattern
                .as_ref()
                .is_none_or(|pattern| matches(pattern, text))
        };
        let range = self.version.as_ref().filter(|it| version::is_range(it));
        let version = match range {
            Some(range) => version::holds(range, &implementation.version),
            None => holds(&self.version, &implementation.version),
        };
        version
            && holds(&self.name, &implementation.name)
            && holds(&self.language, &implementation.language)
            && holds(&self.os, std::env::consts::OS)
    }
}

impl EntryMatcher {
    fn names(&self) -> &str {
        let Expectation {
            case, requirement, ..
        } = &self.expectation;
        case.as_deref().or(requirement.as_deref()).unwrap_or("")
    }

    fn counts_for(&self, implementation: &ImplementationName) -> bool {
        let when = self.expectation.when.as_ref();
        when.is_none_or(|when| when.holds(implementation))
    }

    /// Whether it says that a case fails in this way. A pattern that stands for one loss does not stand
    /// for another one beside it.
    fn excuses(&self, fingerprint: &str) -> bool {
        let Some(listed) = self.expectation.fingerprint.as_deref() else {
            return true;
        };
        if !listed.contains('*') {
            return matches(listed, fingerprint);
        }
        let patterns = signs_of(listed);
        let is_listed = |sign: &String| patterns.iter().any(|pattern| matches(pattern, sign));
        signs_of(fingerprint).iter().all(is_listed)
    }

    /// How many failures it may excuse.
    fn most(&self) -> usize {
        let max = self.expectation.max;
        max.map_or(MOST_EXCUSED, NonZeroUsize::get)
    }

    fn is_over(&self, today: Date) -> bool {
        self.expectation.until.is_some_and(|Day(last)| last < today)
    }

    fn names_case(&self, case: &Case) -> bool {
        match &self.target {
            EntryTarget::Cases(pattern) => pattern.matches(case),
            EntryTarget::Requirement(id) => case.requirements.contains(id),
        }
    }

    /// Changes the verdicts of the cases that the entry names, and says why it is out of date.
    fn apply(
        &self,
        corpus: &Corpus,
        today: Date,
        cases: &mut [CaseReport],
        file: &str,
    ) -> Option<Staleness> {
        if !corpus.cases().iter().any(|case| self.names_case(case)) {
            return Some(Staleness::MatchesNothing);
        }
        if self.is_over(today) {
            return Some(Staleness::Over);
        }
        let named = |report: &CaseReport| {
            let case = corpus.case(&report.id);
            case.is_some_and(|case| self.names_case(case))
        };
        let failures = cases.iter().filter(|it| named(it) && self.would_excuse(it));
        let (failures, most) = (failures.count(), self.most());
        if failures > most {
            return Some(Staleness::TooMany { failures, most });
        }
        let (mut judged, mut scored, mut passing) = (false, false, Vec::new());
        for report in cases.iter_mut().filter(|it| named(it)) {
            judged = true;
            scored |= !matches!(report.verdict, Verdict::Skip | Verdict::Recorded);
            self.apply_to(report, file);
            if report.verdict == Verdict::UnexpectedPass {
                passing.push(report.id.clone());
            }
        }
        match (judged, scored, passing.is_empty()) {
            (true, false, _) => Some(Staleness::NotScored),
            (true, true, _) if self.is_about_a_failure() && failures == 0 => {
                Some(Staleness::NoneFailsSo)
            }
            (true, true, false) => Some(Staleness::Passes(passing)),
            _ => None,
        }
    }

    /// Whether it speaks of one failure of many cases, and so says nothing of those that pass.
    fn is_about_a_failure(&self) -> bool {
        let names_one = match &self.target {
            EntryTarget::Cases(_) => !self.names().contains(['*', '?', '[', '{']),
            EntryTarget::Requirement(_) => false,
        };
        self.expectation.fingerprint.is_some() && !names_one
    }

    fn apply_to(&self, report: &mut CaseReport, file: &str) {
        if report.verdict == Verdict::Pass {
            if !self.is_about_a_failure() {
                report.verdict = Verdict::UnexpectedPass;
            }
        } else if self.would_excuse(report) {
            report.verdict = Verdict::ExpectedFailure;
            if let Some(detail) = &mut report.detail {
                detail.expected_because = Some(self.expectation.reason.clone());
                detail.expected_at = Some(EntryPlace {
                    file: file.to_owned(),
                    line: self.line,
                });
            }
        }
    }

    /// Whether it excuses what came of a case. A failure that has another fingerprint than the listed one
    /// is a new failure.
    fn would_excuse(&self, report: &CaseReport) -> bool {
        let detail = report.detail.as_ref();
        let fingerprint = detail.map(|it| it.fingerprint.as_deref().unwrap_or(""));
        let is_failure = match report.verdict {
            Verdict::Fail | Verdict::Warn | Verdict::Unclassified | Verdict::Error => true,
            Verdict::Pass
            | Verdict::Skip
            | Verdict::Recorded
            | Verdict::ExpectedFailure
            | Verdict::UnexpectedPass
            | Verdict::Flaky => false,
        };
        is_failure && fingerprint.is_some_and(|it| self.excuses(it))
    }
}
