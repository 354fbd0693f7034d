//! `chatstate interop`: what is lost between implementations.

use chatstate_corpus::Selection;
use chatstate_runner::{AdapterCommand, InteropWork, RunOptions, interop, interop_text};

use super::corpus::embedded;
use crate::arguments::Interop;
use crate::failure::Failure;
use crate::output;

/// What is between two adapters.
const BETWEEN: &str = "--";

/// Hands the documents of the corpus from each adapter to each, prints what is lost, and gives the exit
/// code.
pub fn run(arguments: &Interop) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let selection = Selection {
        only: arguments.only.clone(),
        suites: arguments.suite.clone(),
        ..Selection::default()
    };
    let cases = corpus
        .select(&selection)
        .map_err(|error| Failure::usage(error.to_string(), None))?;
    let commands = commands(&arguments.adapters)?;
    let work = InteropWork {
        commands: &commands,
        corpus: &corpus,
        cases,
        timeout: arguments.timeout,
        start_timeout: RunOptions::default().start_timeout,
        crash_budget: arguments.crash_budget.get(),
    };
    let report = interop(&work).map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&report);
        let json = json.map_err(|error| Failure::Bug(error.to_string()))?;
        output::print_line(&json)?;
    } else {
        output::print(&interop_text::render(&report))?;
    }
    Ok(report.exit_code())
}

/// The commands between the `--`.
fn commands(words: &[String]) -> Result<Vec<AdapterCommand>, Failure> {
    let commands = words.split(|word| word == BETWEEN).map(|words| {
        let (program, arguments) = words.split_first()?;
        Some(AdapterCommand::new(program, arguments))
    });
    let commands: Option<Vec<_>> = commands.collect();
    let commands = commands.filter(|it| it.len() > 1);
    commands.ok_or_else(|| {
        let help = "write `chatstate interop -- python3 adapter.py -- python3 other.py`".to_owned();
        Failure::usage("give two adapters or more, each after `--`", help)
    })
}
