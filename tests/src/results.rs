//! The table of results, which README.md and docs/matrix.md have, as its reader sees it.

use std::collections::BTreeMap;

use crate::embedded::corpus;
use crate::report::TestRun;
use crate::workspace;

/// The page with the table and more.
pub const PAGE: &str = "docs/matrix.md";

/// How the head of the table begins.
const HEAD: &str = "| implementation |";

/// The rows of the table in a document, the head first.
///
/// # Panics
///
/// When the document has no such table, or it has another column than each suite.
#[must_use]
pub fn rows(document: &str) -> Vec<String> {
    let text = workspace::text(document);
    let lines = text.lines().skip_while(|line| !line.starts_with(HEAD));
    let rows: Vec<_> = lines.take_while(|line| line.starts_with('|')).collect();
    let Some((head, rest)) = rows.split_first() else {
        panic!("{document} has no table of implementations and suites");
    };
    let suites: Vec<_> = cells(head).skip(1).collect();
    assert_eq!(suites, corpus().suites(), "the columns of {document}");
    let rest = rest.iter().skip(1);
    rest.map(|row| (*row).to_owned()).collect()
}

/// The table of results has the row of this report.
///
/// # Panics
///
/// When it has another one.
pub fn check_row(run: &TestRun) {
    let row = row(run);
    assert!(
        rows(PAGE).contains(&row),
        "`cargo xtask matrix` brings {PAGE} up to date; this is the row:\n\n{row}\n"
    );
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.trim_matches('|').split('|').map(str::trim)
}

/// The row of a report: whom it is about, and a cell for each suite.
fn row(run: &TestRun) -> String {
    let implementation = &run.report["implementation"];
    let text = |member: &str| implementation[member].as_str().unwrap_or_default();
    let (name, version, language) = (text("name"), text("version"), text("language"));
    let verdicts = run.verdicts();
    let mut cells = vec![format!("{name} {version} ({language})")];
    let suites = corpus().suites();
    cells.extend(suites.into_iter().map(|suite| cell(&verdicts, suite)));
    format!("| {} |", cells.join(" | "))
}

/// The cases of a suite that pass, of those that apply.
fn cell(verdicts: &BTreeMap<&str, &str>, suite: &str) -> String {
    let of_suite = verdicts
        .iter()
        .filter(|(id, _)| id.split('/').next() == Some(suite));
    let of_suite: Vec<_> = of_suite.map(|(_, verdict)| *verdict).collect();
    counted(&of_suite)
}

/// How many verdicts are a pass, of those that are scored.
#[must_use]
pub fn counted(verdicts: &[&str]) -> String {
    let count = |wanted: fn(&str) -> bool| verdicts.iter().filter(|it| wanted(it)).count();
    match count(|verdict| !matches!(verdict, "skip" | "recorded")) {
        0 => "–".to_owned(),
        applying => format!("{}/{applying}", count(|verdict| verdict == "pass")),
    }
}
