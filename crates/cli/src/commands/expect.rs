//! `chatstate expect`: lists of expected failures.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use chatstate_corpus::{Case, Corpus};
use chatstate_runner::{
    AdapterCommand, Expectations, Grouping, ListUpdate, RunOptions, RunRejection, RunReport,
    RunWork, UpdateError, list_changes, run as judge, update_list,
};

use super::corpus::requirements;
use super::own_cases;
use super::report::read;
use crate::arguments::{ExpectUpdate, ExpectVerb};
use crate::failure::{FILE_ALONE, Failure, UNEXPECTED};
use crate::output;

/// Does what was asked with a list, and gives the exit code.
pub fn run(verb: &ExpectVerb) -> Result<u8, Failure> {
    match verb {
        ExpectVerb::Update(arguments) => update(arguments),
    }
}

fn update(arguments: &ExpectUpdate) -> Result<u8, Failure> {
    let path = &arguments.file;
    let before = text_of(path)?;
    let corpus = own_cases::corpus(&arguments.sources)?;
    let updated = match (&arguments.from, arguments.adapter.split_first()) {
        (Some(report), _) => updated(arguments, &before, &read(report)?, &corpus)?,
        (None, Some((program, words))) => {
            let command = AdapterCommand::new(program, words);
            by_running(arguments, &before, &command, &corpus)?
        }
        (None, None) => {
            let help = "give `--from REPORT`, or `-- ADAPTER`".to_owned();
            return Err(Failure::usage("there is no run to go by", help));
        }
    };
    output::print(&list_changes::render(&updated))?;
    if updated.text == before {
        return Ok(0);
    }
    if arguments.check {
        return Ok(UNEXPECTED);
    }
    fs::write(path, updated.text).map_err(|source| Failure::Unwritable {
        path: path.clone(),
        source,
    })?;
    Ok(0)
}

/// The text of a list; a list that is not there yet has no entries.
fn text_of(path: &Path) -> Result<String, Failure> {
    match fs::read_to_string(path) {
        Err(source) if source.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|source| Failure::Unreadable {
            name: format!("`{}`", path.display()),
            source,
            help: FILE_ALONE,
        }),
    }
}

fn updated(
    arguments: &ExpectUpdate,
    text: &str,
    report: &RunReport,
    corpus: &Corpus,
) -> Result<ListUpdate, Failure> {
    let name = arguments.file.display().to_string();
    let reason = arguments.reason.as_deref();
    let grouping = if arguments.group {
        Grouping::Kinds
    } else {
        Grouping::Each
    };
    update_list(&name, text, (report, corpus), None, reason, grouping)
        .map_err(|error| failure(&error))
}

fn failure(error: &UpdateError) -> Failure {
    match error {
        UpdateError::Run(_) => Failure::NotEnough(error.to_string()),
        _ => Failure::usage(error.to_string(), None),
    }
}

/// Runs the whole corpus, and once more what passes although the list says that it fails: an entry of a
/// case that passes only sometimes must stay.
fn by_running(
    arguments: &ExpectUpdate,
    text: &str,
    command: &AdapterCommand,
    corpus: &Corpus,
) -> Result<ListUpdate, Failure> {
    let whole: Vec<_> = corpus.cases().iter().collect();
    let report = judged(arguments, command, corpus, whole, true)?;
    let update = updated(arguments, text, &report, corpus)?;
    let mended = update.mended.iter().filter_map(|id| corpus.case(id));
    let mended: Vec<_> = mended.collect();
    if mended.is_empty() {
        return Ok(update);
    }
    let again = judged(arguments, command, corpus, mended, false)?;
    let fails = again.cases.iter().filter(|case| case.detail.is_some());
    let flaky: Vec<_> = fails.map(|case| case.id.clone()).collect();
    if flaky.is_empty() {
        Ok(update)
    } else {
        Err(failure(&UpdateError::Run(RunRejection::Flaky(flaky))))
    }
}

fn judged(
    arguments: &ExpectUpdate,
    command: &AdapterCommand,
    corpus: &Corpus,
    cases: Vec<&Case>,
    rerun: bool,
) -> Result<RunReport, Failure> {
    let options = RunOptions {
        jobs: arguments.jobs,
        timeout: arguments.timeout,
        // What crashes is to be listed, too.
        crash_budget: cases.len() + 1,
        rerun,
        ..RunOptions::default()
    };
    let work = RunWork {
        command,
        corpus,
        cases,
        requirements: &requirements()?,
        expectations: &Expectations::default(),
    };
    judge(&work, &options, &mut |_| {}).map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })
}
