//! `chatstate report`: what to do with the reports of runs.

use std::path::PathBuf;

use chatstate_runner::{RunReport, report};

use super::corpus::{embedded, requirements};
use super::written_reports;
use crate::arguments::{ReportVerb, Reports};
use crate::failure::{Failure, INCOMPLETE, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// Does what was asked with the reports, and gives the exit code.
pub fn run(verb: &ReportVerb) -> Result<u8, Failure> {
    match verb {
        ReportVerb::Show { reports, files } => show(reports, files),
        ReportVerb::Diff {
            json,
            only_worse,
            before,
            after,
        } => diff(before, after, *json, *only_worse),
        ReportVerb::Verify { files } => verify(files),
        ReportVerb::Merge { reports, files } => merge(reports, files),
    }
}

/// Reads the report of a run.
pub fn read(file: &PathBuf) -> Result<RunReport, Failure> {
    let input = InputDocument::read(Some(file))?;
    let text = input
        .text()
        .map_err(|rejection| input.rejected(&rejection))?;
    let mut report = report::read(text).map_err(|error| Failure::RejectedReport {
        name: input.name.clone(),
        source: error,
    })?;
    report.file = Some(input.name.trim_matches('`').to_owned());
    Ok(report)
}

fn show(reports: &Reports, files: &[PathBuf]) -> Result<u8, Failure> {
    let runs: Vec<_> = files.iter().map(read).collect::<Result<_, _>>()?;
    written_reports::rewrite(reports, &requirements()?, &runs)?;
    Ok(0)
}

fn diff(before: &PathBuf, after: &PathBuf, json: bool, only_worse: bool) -> Result<u8, Failure> {
    let mut comparison = report::compare(&read(before)?, &read(after)?);
    if only_worse {
        comparison.keep_worse();
    }
    let text = if json {
        comparison.to_json()
    } else {
        comparison.to_text()
    };
    output::print(&text)?;
    Ok(if comparison.changes.is_empty() {
        0
    } else {
        UNEXPECTED
    })
}

/// What was changed weighs more than what is missing.
fn verify(files: &[PathBuf]) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let mut code = 0;
    for file in files {
        let found = report::verify(&read(file)?, &corpus);
        let name = file.display();
        for problem in &found.problems {
            output::print_line(&format!("{name}: wrong: {problem}"))?;
        }
        for gap in &found.gaps {
            output::print_line(&format!("{name}: no claim: {gap}"))?;
        }
        if !found.problems.is_empty() {
            code = UNEXPECTED;
        } else if !found.gaps.is_empty() && code == 0 {
            code = INCOMPLETE;
        }
        if found.problems.is_empty() && found.gaps.is_empty() {
            output::print_line(&format!(
                "{name}: whole, unchanged, and about the whole corpus"
            ))?;
        }
    }
    Ok(code)
}

/// Without a format, the merged report is the text report of the whole run.
fn merge(reports: &Reports, files: &[PathBuf]) -> Result<u8, Failure> {
    let shards: Vec<_> = files.iter().map(read).collect::<Result<_, _>>()?;
    let merged = report::merge(&shards);
    let merged = merged.map_err(|error| Failure::usage(error.to_string(), None))?;
    written_reports::rewrite(reports, &requirements()?, std::slice::from_ref(&merged))?;
    Ok(merged.exit_code())
}
