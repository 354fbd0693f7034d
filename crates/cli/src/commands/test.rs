//! `chatstate test`: the main job.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use chatstate_corpus::Selection;
use chatstate_runner::{
    AdapterCommand, Expectations, Options, Progress, SelectionName, Work, run as judge,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::corpus::{embedded, requirements};
use super::written_reports;
use crate::arguments::Test;
use crate::failure::Failure;

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
    let cases = match arguments.shard {
        Some(shard) => shard.share(cases),
        None => cases,
    };
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
        selection: selection_name(arguments),
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
    let mut begun = Ok(());
    let outcome = judge(&work, &options, &mut |progress| {
        if let Progress::Started { beginning, .. } = &progress {
            begun = written_reports::begin(&arguments.reports, beginning);
        }
        bar.show(&progress);
    });
    bar.0.finish_and_clear();
    let report = outcome.map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })?;
    begun?;
    written_reports::write(&arguments.reports, &requirements, &report)?;
    Ok(report.exit_code())
}

/// What was asked for less than the whole corpus.
fn selection_name(arguments: &Test) -> Option<SelectionName> {
    let name = SelectionName {
        only: arguments.only.clone(),
        suites: arguments.suite.clone(),
        shard: arguments.shard,
    };
    (name != SelectionName::default()).then_some(name)
}

/// The adapter to run: the given command, or this binary as the reference.
pub fn adapter(words: &[String]) -> Result<AdapterCommand, Failure> {
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
            Progress::Started { beginning, cases } => {
                self.0.set_length(*cases as u64);
                self.0.set_message(beginning.implementation.name.clone());
            }
            Progress::Judged { done, total } => {
                self.0.set_length(*total as u64);
                self.0.set_position(*done as u64);
            }
        }
    }
}
