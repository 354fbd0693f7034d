//! `chatstate test`: the main job.

use std::fs;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chatstate_corpus::Selection;
use chatstate_runner::{
    AdapterCommand, Expectations, Limits, RunOptions, RunProgress, RunReport, RunWork,
    SelectionName, Transcript, record, replay, run as run_cases,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::corpus::{requirements, selected};
use super::own_cases;
use super::written_reports;
use crate::arguments::Test;
use crate::failure::{FILE_ALONE, Failure};

/// Runs the corpus against an adapter, writes the reports, and gives the exit code.
pub fn run(arguments: &Test) -> Result<u8, Failure> {
    let corpus = own_cases::corpus(&arguments.sources)?;
    let requirements = requirements()?;
    let selection = Selection {
        only: arguments.only.clone(),
        suites: arguments.suite.clone(),
        ..Selection::default()
    };
    let cases = selected(&corpus, &selection)?;
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
    let transcript = arguments.replay.as_deref().map(transcript).transpose()?;
    let command = AdapterCommand {
        limits: limits(arguments)?,
        ..adapter(&arguments.adapter)?
    };
    let options = RunOptions {
        jobs: arguments.jobs,
        timeout: arguments.timeout,
        crash_budget: arguments.crash_budget.get(),
        reference: match &transcript {
            Some(transcript) => transcript.about.adapter.is_none(),
            None => arguments.adapter.is_empty(),
        },
        fail_fast: arguments.fail_fast,
        rerun: !arguments.no_rerun,
        selection: selection_name(arguments),
        ..RunOptions::default()
    };
    let work = RunWork {
        command: &command,
        corpus: &corpus,
        cases,
        requirements: &requirements,
        expectations: &expectations,
    };
    let mut report = judged(arguments, &work, &options, transcript.as_ref())?;
    own_cases::name_files(&mut report, &arguments.sources);
    written_reports::write(&arguments.reports, &requirements, &report)?;
    Ok(report.exit_code())
}

/// Runs the cases, or judges a transcript, with the progress on a terminal.
fn judged(
    arguments: &Test,
    work: &RunWork<'_>,
    options: &RunOptions,
    transcript: Option<&Transcript>,
) -> Result<RunReport, Failure> {
    let bar = TerminalProgress::default();
    let mut begun = Ok(());
    let mut show = |progress: RunProgress<'_>| {
        if let RunProgress::Started { beginning, .. } = &progress {
            begun = written_reports::begin(&arguments.reports, beginning);
        }
        bar.show(&progress);
    };
    let outcome = match (transcript, &arguments.record) {
        (Some(transcript), _) => Ok((replay(work, options, transcript, &mut show), None)),
        (None, Some(_)) => record(work, options, &mut show).map(|(report, it)| (report, Some(it))),
        (None, None) => run_cases(work, options, &mut show).map(|report| (report, None)),
    };
    bar.0.finish_and_clear();
    let (report, recorded) = outcome.map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })?;
    begun?;
    if let (Some(path), Some(transcript)) = (&arguments.record, recorded) {
        fs::write(path, transcript.render()).map_err(|source| Failure::Unwritable {
            path: path.clone(),
            source,
        })?;
    }
    Ok(report)
}

fn transcript(path: &Path) -> Result<Transcript, Failure> {
    let (name, text) = read(path)?;
    Transcript::parse(&text)
        .map_err(|error| Failure::usage(format!("{name} is rejected: {error}"), None))
}

/// What each adapter process may use, where this system can see to it.
fn limits(arguments: &Test) -> Result<Limits, Failure> {
    let bytes = |mebibytes: NonZeroUsize| (mebibytes.get() as u64).saturating_mul(1024 * 1024);
    let limits = Limits {
        memory: arguments.max_memory.map(bytes),
        processor_time: arguments.max_cpu,
    };
    if Limits::POSSIBLE || limits == Limits::default() {
        return Ok(limits);
    }
    let help = "leave out `--max-memory` and `--max-cpu`, or limit the adapter by what starts it";
    let message = "this system has no limits for the memory and the time of another process";
    Err(Failure::usage(message, help.to_owned()))
}

/// What was asked for less than the whole corpus.
fn selection_name(arguments: &Test) -> Option<SelectionName> {
    let names = |paths: &[PathBuf]| paths.iter().map(|it| it.display().to_string()).collect();
    let name = SelectionName {
        fixtures: names(&arguments.sources.fixtures),
        corpora: names(&arguments.sources.corpus),
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
    let (_, text) = read(path)?;
    let name = path.display().to_string();
    Expectations::parse(&name, &text).map_err(|error| Failure::usage(error.to_string(), None))
}

/// The name of a file in backticks, and its text.
fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = format!("`{}`", path.display());
    match fs::read_to_string(path) {
        Ok(text) => Ok((name, text)),
        Err(source) => Err(Failure::Unreadable {
            name,
            source,
            help: FILE_ALONE,
        }),
    }
}

/// The progress on a terminal; nothing in a pipe.
struct TerminalProgress(ProgressBar);

impl Default for TerminalProgress {
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

impl TerminalProgress {
    fn show(&self, progress: &RunProgress<'_>) {
        match progress {
            RunProgress::Started { beginning, cases } => {
                self.0.set_length(*cases as u64);
                self.0.set_message(beginning.implementation.name.clone());
            }
            RunProgress::Judged { done, total } => {
                self.0.set_length(*total as u64);
                self.0.set_position(*done as u64);
            }
        }
    }
}
