//! What came of trying all mutants, for programs.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::{SelftestResult, text};

#[derive(Serialize)]
struct WrittenSelftest<'a> {
    mutants: Vec<MutantRow<'a>>,
    cases: usize,
    idle: &'a [&'a str],
    complaints: Vec<String>,
}

#[derive(Serialize)]
struct MutantRow<'a> {
    id: &'a str,
    family: &'static str,
    killed: bool,
    /// The cases that do not pass, each with the parts of its fingerprint.
    failures: BTreeMap<&'a str, Vec<String>>,
}

/// Gives the conclusion as one JSON object on a line.
#[must_use]
pub fn render(conclusion: &SelftestResult<'_>) -> String {
    let row = |trial: &super::Trial<'_>| (trial.mutant.id.clone(), trial.failures.clone());
    let trials: Vec<_> = conclusion.trials.iter().map(row).collect();
    let rows = conclusion.trials.iter().zip(&trials);
    let mutants = rows.map(|(trial, (id, failures))| MutantRow {
        id,
        family: trial.mutant.family.as_str(),
        killed: conclusion.killed.contains(id.as_str()),
        failures: failures
            .iter()
            .map(|failure| (failure.case.as_str(), failure.signs.clone()))
            .collect(),
    });
    let written = WrittenSelftest {
        mutants: mutants.collect(),
        cases: conclusion.cases,
        idle: &conclusion.idle,
        complaints: conclusion.complaints.iter().map(text::complaint).collect(),
    };
    json!(written).to_string()
}
