//! `chatstate test`: the main job.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use chatstate_corpus::Selection;
use chatstate_runner::report::text::Rendering;
use chatstate_runner::{
    AdapterCommand, Expectations, Options, Progress, RunReport, Work, report, run as judge,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::corpus::{embedded, requirements};
use crate::arguments::{Report, ReportFormat, Test};
use crate::failure::Failure;
use crate::output;

/// Runs the corpus against an adapter, writes the reports, and gives the exit code.
pub fn run(arguments: &Test) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let requirements = requirements()?;
    let selection = Selection {
        only: arguments.only.clone(),
        suites: arguments.suite.clone(),
        ..Selection::default()
    };
    let cases = corpus
        .select(&selection)
        .map_err(|error| Failure::usage(error.to_string(), None))?;
    let expectations = arguments
        .expect
        .as_deref()
        .map(expectations)
        .transpose()?
        .unwrap_or_default();
    let command = adapter(&arguments.adapter)?;
    let options = Options {
        jobs: arguments.jobs,
        timeout: arguments.timeout,
        crash_budget: arguments.crash_budget.get(),
        reference: arguments.adapter.is_empty(),
        ..Options::default()
    };
    let work = Work {
        command: &command,
        corpus: &corpus,
        cases,
        requirements: &requirements,
        expectations: &expectations,
    };
    let bar = Bar::default();
    let outcome = judge(&work, &options, &mut |progress| bar.show(&progress));
    bar.0.finish_and_clear();
    let report = outcome.map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })?;
    write_reports(arguments, &report)?;
    Ok(report.exit_code())
}

/// The adapter to run: the given command, or this binary as the reference.
fn adapter(words: &[String]) -> Result<AdapterCommand, Failure> {
    if let Some((program, arguments)) = words.split_first() {
        return Ok(AdapterCommand::new(program, arguments));
    }
    let program = std::env::current_exe().map_err(|error| {
        Failure::Bug(format!("cannot find the chatstate program itself: {error}"))
    })?;
    Ok(AdapterCommand::new(program, ["adapter"]))
}

fn expectations(path: &Path) -> Result<Expectations, Failure> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|source| Failure::Unreadable {
        name: format!("`{name}`"),
        source,
    })?;
    Expectations::parse(&name, &text).map_err(|error| Failure::usage(error.to_string(), None))
}

/// Writes each report where it was asked for; the text report to stdout unless another one goes
/// there.
fn write_reports(arguments: &Test, report: &RunReport) -> Result<(), Failure> {
    let stdout_taken = arguments.reports.iter().any(|wanted| wanted.path.is_none());
    let text = Report {
        format: ReportFormat::Text,
        path: None,
    };
    let default = (!stdout_taken).then_some(&text);
    for wanted in arguments.reports.iter().chain(default) {
        match &wanted.path {
            Some(path) => write_file(path, &rendered(wanted.format, arguments, report, false))?,
            None => output::print_coloured(&rendered(wanted.format, arguments, report, true))?,
        }
    }
    Ok(())
}

fn rendered(format: ReportFormat, arguments: &Test, report: &RunReport, colours: bool) -> String {
    match format {
        ReportFormat::Json => report::json::render(report),
        ReportFormat::Text => {
            let adapter = arguments.adapter.join(" ");
            let adapter = (!adapter.is_empty()).then_some(adapter.as_str());
            report::text::render(report, &Rendering { colours, adapter })
        }
    }
}

fn write_file(path: &PathBuf, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| Failure::Unwritable {
        path: path.clone(),
        source,
    })
}

/// The progress on a terminal; nothing in a pipe.
struct Bar(ProgressBar);

impl Default for Bar {
    fn default() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(0);
        // The template is a constant; were it wrong, the default style would do.
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Bar {
    fn show(&self, progress: &Progress<'_>) {
        match progress {
            Progress::Started {
                implementation,
                cases,
            } => {
                self.0.set_length(*cases as u64);
                self.0.set_message(implementation.name.clone());
            }
            Progress::Judged { done, total } => {
                self.0.set_length(*total as u64);
                self.0.set_position(*done as u64);
            }
        }
    }
}
