//! The corpus finds out every deliberate defect, by the cases that say so and for the right reason,
//! and no defect where there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use chatstate_corpus::traceability::{self, Status};
use chatstate_corpus::{Expect, Family, RequirementLevel};
use chatstate_tests::embedded::{corpus, requirements};
use chatstate_tests::program::chatstate;
use serde::Deserialize;

/// Fewer mutants would be too few to call the corpus proven.
const LEAST_MUTANTS: usize = 80;

/// What `selftest --json` prints.
#[derive(Deserialize)]
struct Conclusion {
    mutants: Vec<Row>,
    cases: usize,
    complaints: Vec<String>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    killed: bool,
    failures: BTreeMap<String, Vec<String>>,
}

/// What came of trying every mutant, and one that is not broken.
static CONCLUSION: LazyLock<Conclusion> = LazyLock::new(|| {
    let finished = chatstate(&["selftest", "--with-survivor", "--json"], b"");
    assert_eq!(finished.code, 1, "{}", finished.stderr);
    serde_json::from_str(&finished.stdout).expect("it is JSON")
});

#[test]
fn only_the_planted_survivor_survives() {
    let complaints: Vec<_> = CONCLUSION.complaints.iter().collect();
    assert!(
        matches!(complaints.as_slice(), [only] if only.starts_with("`survivor` survives")),
        "{complaints:#?}"
    );
    let rows = &CONCLUSION.mutants;
    let killed = rows.iter().filter(|row| row.killed);
    let killed: BTreeSet<_> = killed.map(|row| row.id.as_str()).collect();
    let listed: BTreeSet<_> = corpus().mutants().iter().map(|it| it.id.as_str()).collect();
    assert_eq!(killed, listed);
    assert_eq!(CONCLUSION.cases, corpus().cases().len());
}

#[test]
fn there_are_mutants_of_every_family() {
    let mutants = corpus().mutants();
    assert!(mutants.len() >= LEAST_MUTANTS, "{}", mutants.len());
    for family in Family::ALL {
        let is_there = mutants.iter().any(|mutant| mutant.family == family);
        assert!(is_there, "no mutant is of the family `{family}`");
    }
}

#[test]
fn a_rejection_for_the_wrong_reason_fails() {
    let rows = &CONCLUSION.mutants;
    let row = rows.iter().find(|row| row.id == "wrong-reason");
    let failures = &row.expect("it is listed").failures;
    for case in corpus().cases() {
        let rejects = matches!(case.expect, Some(Expect::Rejected(_)));
        let fails = failures.contains_key(&case.id);
        assert!(fails || !rejects, "`{}` passes", case.id);
    }
}

#[test]
fn every_must_is_violated_by_a_mutant() {
    let joined = traceability::join(corpus(), requirements());
    let binding =
        |row: &&traceability::TraceabilityRow<'_>| row.requirement.level == RequirementLevel::Must;
    for row in joined.rows.iter().filter(binding) {
        let proven = matches!(row.status, Status::Proven | Status::Excluded(_));
        let id = &row.requirement.id;
        assert!(proven, "`{id}` is {}: no mutant violates it", row.status);
    }
}

#[test]
fn one_mutant_can_be_tried_alone() {
    let finished = chatstate(&["selftest", "--only", "round-integer"], b"");
    let last = finished.stdout.lines().last().unwrap_or_default();
    let cases = corpus().cases().len();
    let expected = format!("1/1 mutants killed, {cases} cases, 0 untested requirements");
    assert_eq!((finished.code, last), (0, expected.as_str()));
}
