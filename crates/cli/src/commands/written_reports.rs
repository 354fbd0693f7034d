//! Writes reports where they were asked for.

use std::fs::OpenOptions;
use std::io::Write;

use chatstate_corpus::Requirement;
use chatstate_runner::report::text::TextOptions;
use chatstate_runner::{RunReport, report};

use crate::arguments::{ReportFormat, ReportOutput, Reports};
use crate::failure::Failure;
use crate::output;
use crate::written_file::WrittenFile;

/// The variable with the file that GitHub shows below a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Empties the files of all reports before anything is judged, so that a run that is killed leaves
/// no report of an earlier one: all of them, or none if one cannot be written. JSON Lines get their
/// header, which is no report without its footer.
pub fn begin(reports: &Reports, beginning: &RunReport) -> Result<(), Failure> {
    let mut begun = Vec::new();
    for ReportOutput { format, path } in &reports.wanted {
        let text = match format {
            ReportFormat::Jsonl => report::lines::header(beginning),
            _ => String::new(),
        };
        if let Some(path) = path {
            begun.push(WrittenFile::beside(path, &text)?);
        }
    }
    begun.into_iter().try_for_each(WrittenFile::put)
}

/// Writes the reports of a run where they were asked for, and the text report to stdout unless
/// another one goes there. Annotations are meant to go between other lines, so they leave it its
/// place.
pub fn write(
    reports: &Reports,
    requirements: &[Requirement],
    run: &RunReport,
) -> Result<(), Failure> {
    let takes_stdout = |it: &ReportOutput| it.path.is_none() && it.format != ReportFormat::Github;
    if !reports.wanted.iter().any(takes_stdout) {
        output::print_coloured(&report::text::render(run, reports.detail().coloured(true)))?;
    }
    write_all(reports, requirements, std::slice::from_ref(run))
}

/// Writes the reports of runs that are over where they were asked for; with no wish, the text reports.
pub fn rewrite(
    reports: &Reports,
    requirements: &[Requirement],
    runs: &[RunReport],
) -> Result<(), Failure> {
    if reports.wanted.is_empty() {
        let mut texts = runs
            .iter()
            .map(|run| report::text::render(run, reports.detail().coloured(true)));
        return texts.try_for_each(|text| output::print_coloured(&text));
    }
    write_all(reports, requirements, runs)
}

/// All reports are written beside their places first, and put there when all of them could be.
fn write_all(
    reports: &Reports,
    requirements: &[Requirement],
    runs: &[RunReport],
) -> Result<(), Failure> {
    let (mut files, text) = (Vec::new(), reports.detail());
    for ReportOutput { format, path } in &reports.wanted {
        let written = text_of(*format, text.coloured(path.is_none()), requirements, runs)?;
        match path {
            Some(path) => files.push(WrittenFile::beside(path, &written)?),
            None => output::print_coloured(&written)?,
        }
        match runs {
            [run] if *format == ReportFormat::Github => summarize(run)?,
            _ => {}
        }
    }
    files.into_iter().try_for_each(WrittenFile::put)
}

fn text_of(
    format: ReportFormat,
    text: TextOptions,
    requirements: &[Requirement],
    runs: &[RunReport],
) -> Result<String, Failure> {
    match (format, runs) {
        (ReportFormat::Html, runs) => Ok(report::html(runs, requirements)),
        (_, [run]) => Ok(rendered(format, text, requirements, run)),
        _ => {
            let message = "only `html` holds several runs; give one report for other formats";
            Err(Failure::usage(message, None))
        }
    }
}

fn rendered(
    format: ReportFormat,
    text: TextOptions,
    requirements: &[Requirement],
    report: &RunReport,
) -> String {
    match format {
        ReportFormat::Text => report::text::render(report, text),
        ReportFormat::Jsonl => report::lines::render(report),
        ReportFormat::Json => report::json::render(report),
        ReportFormat::Junit => report::junit(report),
        ReportFormat::Tap => report::tap(report),
        ReportFormat::Sarif => report::sarif(report, requirements),
        ReportFormat::Markdown => report::markdown(report),
        ReportFormat::Github => report::github(report),
        ReportFormat::Badge => report::badge(report),
        ReportFormat::Html => report::html(std::slice::from_ref(report), requirements),
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
