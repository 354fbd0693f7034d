//! Every part of the schema is touched by a document that is accepted, and violated alone by one that
//! is rejected, or `corpus/excluded.toml` says why not.

use chatstate_corpus::coverage::coverage;
use chatstate_tests::embedded::corpus;
use chatstate_tests::program::chatstate;

#[test]
fn every_point_is_covered() {
    let covered = coverage(corpus());
    let problems = covered.problems(corpus());
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    assert!(covered.to_touch.len() > 500 && covered.to_violate.len() > 500);
}

#[test]
fn lint_says_how_much_is_covered() {
    let finished = chatstate(&["lint", "--coverage"], b"");
    assert_eq!(finished.code, 0, "{}", finished.stdout);
    let says = "points of the schema are touched";
    assert!(finished.stdout.contains(says), "{}", finished.stdout);
}
