//! What of the schema the cases touch and violate.
//!
//! A *point* is a part of the schema that a reader could get wrong: a member, a word of an
//! enumeration, a variant of a union, a bound. An accepted document touches the points that it has a
//! value at. A rejected document with a single fault violates the points at the place of the fault;
//! with several faults, a reader that sees only one of them would pass for both.

mod place;
mod points;

use std::collections::BTreeSet;

use chatstate_json::{Surrogates, parse_with};
use chatstate_types::definition::{Definition, definition_of};
use chatstate_types::validate;
use globset::Glob;

use crate::case::{Case, Expect};
use crate::corpus::Corpus;
use crate::exclusion::{self, Uncovered};
use crate::problem::LintProblem;

/// What the cases of a corpus cover.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Every point that an accepted document can touch.
    pub to_touch: BTreeSet<String>,
    /// Those of them that one touches.
    pub touched: BTreeSet<String>,
    /// Every point that a rejected document can violate.
    pub to_violate: BTreeSet<String>,
    /// Those of them that one violates alone.
    pub violated: BTreeSet<String>,
}

/// Finds out what the cases of a corpus cover.
#[must_use]
pub fn coverage(corpus: &Corpus) -> Coverage {
    let mut coverage = Coverage::default();
    points::collect(&mut coverage.to_touch, &mut coverage.to_violate);
    for case in corpus.cases() {
        let Some(definition) = case.document_type.as_deref().and_then(definition_of) else {
            continue;
        };
        match (case.op.as_str(), &case.expect) {
            ("validate" | "round-trip", None | Some(Expect::Ok(_))) => {
                touch(case, definition, &mut coverage);
            }
            ("validate", Some(Expect::Rejected(_))) => violate(case, definition, &mut coverage),
            _ => {}
        }
    }
    let Coverage {
        to_touch,
        to_violate,
        ..
    } = &coverage;
    let (to_touch, to_violate) = (to_touch.clone(), to_violate.clone());
    coverage.touched.retain(|point| to_touch.contains(point));
    coverage.violated.retain(|point| to_violate.contains(point));
    coverage
}

fn touch(case: &Case, definition: &'static Definition, coverage: &mut Coverage) {
    let input = case.input_bytes();
    let text = std::str::from_utf8(&input.bytes).unwrap_or("");
    if let Ok(value) = parse_with(text, Surrogates::AllowUnpairedAtEnds) {
        place::trace(&definition.shape, definition.name, &value, &mut |point| {
            coverage.touched.insert(point);
        });
    }
}

/// Notes the points at the one fault of a document. With two faults, either could be overlooked.
fn violate(case: &Case, definition: &'static Definition, coverage: &mut Coverage) {
    let input = case.input_bytes();
    let text = std::str::from_utf8(&input.bytes).unwrap_or("");
    let Ok(value) = parse_with(text, Surrogates::AllowUnpairedAtEnds) else {
        return;
    };
    let Err(rejection) = validate::check_definition(definition, &value) else {
        return;
    };
    if validate::rejections(definition, &value).len() > 1 {
        return;
    }
    let points = place::violated(definition, &value, &rejection.at, &rejection.rule);
    coverage.violated.extend(points);
}

impl Coverage {
    /// The points that no case covers and no row of `corpus/excluded.toml` excepts, and the rows
    /// that except nothing.
    #[must_use]
    pub fn problems(&self, corpus: &Corpus) -> Vec<LintProblem> {
        let rows = corpus.uncovered();
        let mut problems = Vec::new();
        for (point, verb, help) in self.gaps() {
            if !rows.iter().any(|row| names(row, point)) {
                let message = format!("no case {verb} `{point}`");
                problems.push(LintProblem::new("corpus", message, help));
            }
        }
        let excepts = |row: &&Uncovered| self.gaps().any(|(point, ..)| names(row, point));
        for row in rows.iter().filter(|row| !excepts(row)) {
            let message = format!("`{}` names no point that is not covered", row.point);
            let file = format!("corpus/{}", exclusion::PATH);
            problems.push(LintProblem::new(&file, message, "take the row away"));
        }
        problems
    }

    /// How much is covered, as one line.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} of {} points of the schema are touched, {} of {} violated",
            self.touched.len(),
            self.to_touch.len(),
            self.violated.len(),
            self.to_violate.len(),
        )
    }

    /// The points that are not covered, with the words for it.
    fn gaps(&self) -> impl Iterator<Item = (&str, &'static str, &'static str)> {
        let untouched = self.to_touch.difference(&self.touched).map(|point| {
            let help = "add a case of `validate` or `round-trip` whose document has it";
            (point.as_str(), "touches", help)
        });
        let unviolated = self.to_violate.difference(&self.violated).map(|point| {
            let help = "add a case of `validate` whose document has this fault and no other";
            (point.as_str(), "violates", help)
        });
        untouched.chain(unviolated)
    }
}

/// Whether a row excepts a point. Points hold characters that patterns know, but for `*`.
fn names(row: &Uncovered, point: &str) -> bool {
    let pattern = globset::escape(&row.point).replace("[*]", "*");
    let glob = Glob::new(&pattern);
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(point))
}
