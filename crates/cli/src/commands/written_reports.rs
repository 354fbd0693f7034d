//! Writes reports where they were asked for.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use chatstate_corpus::Requirement;
use chatstate_runner::{RunReport, report};

use crate::arguments::{Output, ReportFormat, Reports};
use crate::failure::Failure;
use crate::output;

/// The variable with the file that GitHub shows below a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Empties the files of all reports before anything is judged, so that a run that is killed leaves no
/// report of an earlier one behind. JSON Lines get their header, which is no report without its footer.
pub fn begin(reports: &Reports, beginning: &RunReport) -> Result<(), Failure> {
    for Output { format, path } in &reports.wanted {
        let text = match format {
            ReportFormat::Jsonl => report::lines::header(beginning),
            _ => String::new(),
        };
        if let Some(path) = path {
            write_file(path, &text)?;
        }
    }
    Ok(())
}

/// Writes each report of one or several runs where it was asked for; the text report to stdout unless another one goes there.
/// Annotations are made to stand between other lines, so they leave it its place.
pub fn write(
    reports: &Reports,
    requirements: &[Requirement],
    runs: &[RunReport],
) -> Result<(), Failure> {
    let takes_stdout = |it: &&Output| it.path.is_none() && it.format != ReportFormat::Github;
    if !reports.wanted.iter().any(|it| takes_stdout(&it)) {
        let default = Output {
            format: ReportFormat::Text,
            path: None,
        };
        write_one(&default, requirements, runs)?;
    }
    let mut wanted = reports.wanted.iter();
    wanted.try_for_each(|output| write_one(output, requirements, runs))
}

fn write_one(
    Output { format, path }: &Output,
    requirements: &[Requirement],
    runs: &[RunReport],
) -> Result<(), Failure> {
    let text = match runs {
        [run] => rendered(*format, requirements, run, path.is_none()),
        _ => {
            let message = "this format holds one run; give one report";
            return Err(Failure::usage(message, None));
        }
    };
    match path {
        Some(path) => write_file(path, &text)?,
        None => output::print_coloured(&text)?,
    }
    match runs {
        [run] if *format == ReportFormat::Github => summarize(run),
        _ => Ok(()),
    }
}

fn rendered(
    format: ReportFormat,
    requirements: &[Requirement],
    report: &RunReport,
    colours: bool,
) -> String {
    match format {
        ReportFormat::Text => report::text::render(report, colours),
        ReportFormat::Jsonl => report::lines::render(report),
        ReportFormat::Json => report::json::render(report),
        ReportFormat::Junit => report::junit(report),
        ReportFormat::Tap => report::tap(report),
        ReportFormat::Sarif => report::sarif(report, requirements),
        ReportFormat::Markdown => report::markdown(report),
        ReportFormat::Github => report::github(report),
        ReportFormat::Badge => report::badge(report),
    }
}

/// Adds to the summary of the step, where GitHub gives a file for it.
fn summarize(report: &RunReport) -> Result<(), Failure> {
    let Some(path) = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(report::markdown(report).as_bytes()));
    written.map_err(|source| Failure::Unwritable {
        path: path.into(),
        source,
    })
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| Failure::Unwritable {
        path: path.to_owned(),
        source,
    })
}
