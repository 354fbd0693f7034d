//! Joins requirements, cases and exclusions: which requirement is tested by what.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use crate::case::{Case, Expect};
use crate::corpus::Corpus;
use crate::exclusion;
use crate::mutant::Mutant;
use crate::problem::LintProblem;
use crate::specification::{Requirement, RequirementLevel};

/// Whether a requirement is tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// At least one of its cases finds out a mutant of the reference that is wrong in this.
    Proven,
    /// At least one case can fail because of it.
    Tested,
    /// No case can test it, for this reason.
    Excluded(String),
    /// No case tests it, and nothing says why. Only a MAY can be so without a problem.
    Untested,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proven => formatter.write_str("proven"),
            Self::Tested => formatter.write_str("tested"),
            Self::Excluded(reason) => write!(formatter, "excluded: {reason}"),
            Self::Untested => formatter.write_str("untested"),
        }
    }
}

/// One requirement with all that tests it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceabilityRow<'a> {
    /// The requirement.
    pub requirement: &'a Requirement,
    /// The ids of the cases that name it, in order.
    pub cases: Vec<&'a str>,
    /// The mutants that these cases find out, in order.
    pub kills: BTreeSet<&'a str>,
    /// Whether it is tested.
    pub status: Status,
}

/// The join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traceability<'a> {
    /// One row for each requirement, in the order of SPEC.md.
    pub rows: Vec<TraceabilityRow<'a>>,
    /// Ids that do not exist, requirements without a test, and exclusions of what is tested.
    pub problems: Vec<LintProblem>,
}

/// Joins the requirements with the cases and exclusions of a corpus.
#[must_use]
pub fn join<'a>(corpus: &'a Corpus, requirements: &'a [Requirement]) -> Traceability<'a> {
    let mut by_requirement: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in corpus.cases() {
        for id in &case.requirements {
            by_requirement.entry(id).or_default().push(case);
        }
    }
    let row = |requirement: &'a Requirement| {
        let cases = by_requirement.get(requirement.id.as_str());
        row(corpus, requirement, cases.map_or(&[], Vec::as_slice))
    };
    let rows: Vec<_> = requirements.iter().map(row).collect();
    let mut problems = unknown_ids(corpus, requirements);
    problems.extend(rows.iter().filter_map(|row| coverage(corpus, row)));
    Traceability { rows, problems }
}

fn row<'a>(
    corpus: &Corpus,
    requirement: &'a Requirement,
    cases: &[&'a Case],
) -> TraceabilityRow<'a> {
    let excluded = corpus
        .exclusions()
        .iter()
        .find(|exclusion| exclusion.requirement == requirement.id);
    let status = match excluded {
        _ if cases.iter().any(|case| proves(corpus, case)) => Status::Proven,
        _ if cases.iter().any(|case| can_fail(case)) => Status::Tested,
        Some(exclusion) => Status::Excluded(exclusion.reason.clone()),
        None => Status::Untested,
    };
    let kills = cases.iter().flat_map(|case| &case.kills);
    TraceabilityRow {
        requirement,
        cases: cases.iter().map(|case| case.id.as_str()).collect(),
        kills: kills.map(String::as_str).collect(),
        status,
    }
}

/// Whether a case names a mutant that violates what the case is about.
fn proves(corpus: &Corpus, case: &Case) -> bool {
    let mut mutants = corpus.mutants().iter();
    let names = |mutant: &Mutant| mutant.family.proves() && case.kills.contains(&mutant.id);
    can_fail(case) && mutants.any(names)
}

/// A case that is only recorded tests nothing.
fn can_fail(case: &Case) -> bool {
    !matches!(case.expect, Some(Expect::Either(_)))
}

fn unknown_ids(corpus: &Corpus, requirements: &[Requirement]) -> Vec<LintProblem> {
    let known = |id: &str| requirements.iter().any(|requirement| requirement.id == id);
    let help = "SPEC.md has no paragraph with this id; write one or correct the id";
    let mut problems = Vec::new();
    for case in corpus.cases() {
        for (index, id) in case.requirements.iter().enumerate() {
            if !known(id) {
                let file = format!("corpus/{}", case.path());
                let problem = LintProblem::new(&file, format!("`{id}` is no requirement"), help);
                problems.push(problem.at_pointer(format!("/requirements/{index}")));
            }
        }
    }
    for exclusion in corpus.exclusions() {
        if !known(&exclusion.requirement) {
            let message = format!("`{}` is no requirement", exclusion.requirement);
            problems.push(LintProblem::new(&excluded_file(), message, help));
        }
    }
    problems
}

/// A requirement that binds is either tested or excluded, and not both.
fn coverage(corpus: &Corpus, row: &TraceabilityRow<'_>) -> Option<LintProblem> {
    let Requirement {
        id, level, line, ..
    } = row.requirement;
    let excluded = corpus
        .exclusions()
        .iter()
        .any(|exclusion| exclusion.requirement == *id);
    match row.status {
        Status::Proven | Status::Tested if excluded => {
            let message = format!("`{id}` is excluded, but `{}` tests it", row.cases[0]);
            let help = "take the row away";
            Some(LintProblem::new(&excluded_file(), message, help))
        }
        Status::Untested if *level != RequirementLevel::May => {
            let message = format!("no case tests `{id}`, which is a {level}");
            let help = "add a case that can fail, or a row with a reason to `corpus/excluded.toml`";
            Some(LintProblem::new("SPEC.md", message, help).at_line(*line))
        }
        _ => None,
    }
}

fn excluded_file() -> String {
    format!("corpus/{}", exclusion::PATH)
}

impl Traceability<'_> {
    /// Gives the page `docs/traceability.md`.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut page = String::from(HEAD);
        for row in &self.rows {
            let Requirement { id, level, .. } = row.requirement;
            let cases = cells(row.cases.iter());
            let kills = cells(row.kills.iter());
            let status = row.status.to_string().replace('|', "\\|");
            let _ = writeln!(page, "| `{id}` | {level} | {status} | {cases} | {kills} |");
        }
        let count = |wanted: fn(&Status) -> bool| {
            let rows = self.rows.iter();
            rows.filter(|row| wanted(&row.status)).count()
        };
        let _ = writeln!(
            page,
            "\n{} requirements: {} proven, {} tested, {} excluded, {} untested.",
            self.rows.len(),
            count(|status| *status == Status::Proven),
            count(|status| *status == Status::Tested),
            count(|status| matches!(status, Status::Excluded(_))),
            count(|status| *status == Status::Untested),
        );
        page
    }
}

const HEAD: &str = "\
# Requirements and the cases that test them

Written by `cargo xtask codegen` from `SPEC.md`, `corpus/` and `corpus/excluded.toml`; do not edit.

A requirement is *tested* when at least one case can fail because of it, and *proven* when such a case finds out a
mutant of the reference that is wrong in one thing (`chatstate selftest` shows that it does). That says nothing about
who passes.

| requirement | level | status | cases | kills |
|---|---|---|---|---|
";

fn cells<T: fmt::Display>(words: impl Iterator<Item = T>) -> String {
    let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
    words.join(" ")
}
