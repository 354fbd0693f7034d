//! When the corpus is called a good one, from reports alone.

use chatstate_corpus::{Corpus, Family, Mutant, VERSION, load_dir};
use chatstate_runner::selftest::{Complaint, MutantFailure, Trial, conclude};
use chatstate_runner::{CaseReport, Verdict};

/// A corpus of so many cases, of which the first names `one` and the second `two`.
fn corpus(cases: usize) -> Corpus {
    let kills = |index: usize| match index {
        0 => r#""one""#,
        1 => r#""two""#,
        _ => "",
    };
    let case = |index: usize| {
        let text = format!(
            r#"{{ "title": "{index}", "requirements": ["a.must"], "why": "it matters",
                 "op": "canonicalize", "input": 1, "expect": {{ "ok": "1" }},
                 "kills": [{}], "since": "1" }}"#,
            kills(index)
        );
        (format!("s/case-{index}.json"), text.into_bytes())
    };
    load_dir(VERSION, (0..cases).map(case)).expect("the cases are well-formed")
}

fn mutant(id: &str, family: Family) -> Mutant {
    Mutant {
        id: id.to_owned(),
        family,
        does: "rounds".to_owned(),
        operations: Vec::new(),
        shows: vec!["number-rounded@*".to_owned()],
    }
}

fn report(case: usize, verdict: Verdict) -> CaseReport {
    CaseReport {
        id: format!("s/case-{case}"),
        file: None,
        verdict,
        again: None,
        requirements: Vec::new(),
        input: None,
        detail: None,
        uncompared: Vec::new(),
        title: String::new(),
        why: String::new(),
    }
}

/// The cases that fail under a mutant, each with its signs.
type Failures<'a> = &'a [(usize, &'a [&'a str])];

/// Concludes from the failures of some mutants, in a corpus of twelve cases.
fn check(mutants: &[(&str, Family, Failures<'_>)], killed: &[&str], expected: &[Complaint]) {
    let corpus = corpus(12);
    let rows: Vec<_> = mutants
        .iter()
        .map(|(id, family, _)| mutant(id, *family))
        .collect();
    let failure = |(case, signs): &(usize, &[&str])| MutantFailure {
        case: format!("s/case-{case}"),
        signs: signs.iter().map(|sign| (*sign).to_owned()).collect(),
    };
    let trials = rows
        .iter()
        .zip(mutants)
        .map(|(mutant, (_, _, failures))| Trial {
            mutant,
            failures: failures.iter().map(failure).collect(),
        });
    let conclusion = conclude(&corpus, &[report(0, Verdict::Pass)], trials.collect());
    assert_eq!(conclusion.complaints, expected);
    assert_eq!(conclusion.killed.into_iter().collect::<Vec<_>>(), killed);
}

const ROUNDED: &[&str] = &["number-rounded@/a"];

#[test]
fn a_mutant_is_killed_by_the_case_that_promises_it() {
    let [one, two] = ["one", "two"];
    let scalars = Family::Scalars;
    check(&[(one, scalars, &[(0, ROUNDED)])], &[one], &[]);
    check(
        &[(one, scalars, &[(3, ROUNDED)])],
        &[],
        &[Complaint::NotFoundOut {
            mutant: one.to_owned(),
            case: "s/case-0".to_owned(),
        }],
    );
    check(
        &[(one, scalars, &[(0, &["number-rounded@/a", "ok"])])],
        &[],
        &[Complaint::OtherReason {
            mutant: one.to_owned(),
            case: "s/case-0".to_owned(),
            sign: "ok".to_owned(),
        }],
    );
    check(
        &[("three", scalars, &[(3, ROUNDED)])],
        &[],
        &[Complaint::NotPromised {
            mutant: "three".to_owned(),
            cases: vec!["s/case-3".to_owned()],
        }],
    );
    check(
        &[("three", scalars, &[])],
        &[],
        &[Complaint::NotPromised {
            mutant: "three".to_owned(),
            cases: Vec::new(),
        }],
    );
    check(
        &[
            (one, scalars, &[(0, ROUNDED)]),
            (two, scalars, &[(1, ROUNDED)]),
        ],
        &[one, two],
        &[],
    );
}

#[test]
fn mutants_are_different_faults() {
    let both: Failures<'_> = &[(0, ROUNDED), (1, ROUNDED)];
    let broad = |mutant: &str, failures| Complaint::TooBroad {
        mutant: mutant.to_owned(),
        failures,
    };
    check(
        &[("one", Family::Scalars, both)],
        &["one"],
        &[broad("one", 2)],
    );
    check(&[("one", Family::Validation, both)], &["one"], &[]);
    check(
        &[
            ("one", Family::Validation, both),
            ("two", Family::Validation, both),
        ],
        &["one", "two"],
        &[Complaint::Alike("one".to_owned(), "two".to_owned())],
    );
}

#[test]
fn the_reference_passes() {
    let corpus = corpus(12);
    for (verdict, expected) in [
        (Verdict::Pass, 0),
        (Verdict::Recorded, 0),
        (Verdict::Warn, 1),
        (Verdict::Fail, 1),
        (Verdict::Error, 1),
    ] {
        let conclusion = conclude(&corpus, &[report(2, verdict)], Vec::new());
        assert_eq!(conclusion.complaints.len(), expected, "{verdict:?}");
    }
}
