//! `chatstate fuzz`: a search for inputs that an SDK gets wrong.

use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chatstate_fuzz::{
    FuzzFinding, SearchGoal, SearchProgress, SearchResult, SearchSetup, Stop, laws,
};
use indicatif::ProgressBar;

use super::corpus::{embedded, requirements};
use super::test::adapter;
use crate::arguments::Fuzz;
use crate::failure::{Failure, INCOMPLETE, UNEXPECTED};
use crate::output;

/// How long is looked when nothing is said.
const SECONDS: Duration = Duration::from_mins(1);

/// How long an adapter may take to start: some install their SDK on first use.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// Looks, prints what was found, and gives the exit code.
pub fn run(arguments: &Fuzz) -> Result<u8, Failure> {
    if arguments.strictness.laws {
        reject_without_law(&arguments.operations)?;
    }
    let corpus = embedded()?;
    let requirements = requirements()?;
    let command = adapter(&arguments.adapter)?;
    let setup = SearchSetup {
        command: &command,
        is_reference: arguments.adapter.is_empty(),
        corpus: &corpus,
        requirements: &requirements,
        reference: &chatstate_reference::answer,
        operations: arguments.operations.clone(),
        goal: goal(arguments),
        exact: arguments.strictness.exact,
        laws: arguments.strictness.laws,
        most_findings: arguments.findings.get(),
        timeout: arguments.timeout,
        start_timeout: START_TIMEOUT,
    };
    let bar = bar();
    let conclusion = chatstate_fuzz::run(&setup, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    let conclusion = conclusion.map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })?;
    if arguments.json {
        output::print_line(&chatstate_fuzz::json::render(&conclusion))?;
    } else {
        let name = (!arguments.adapter.is_empty()).then(|| command.to_string());
        output::print_coloured(&chatstate_fuzz::text::render(
            &conclusion,
            name.as_deref(),
            true,
        ))?;
    }
    if let Some(folder) = &arguments.promote {
        for finding in &conclusion.findings {
            promote(folder, finding)?;
        }
    }
    Ok(exit_code(&conclusion))
}

/// Rejects operations whose answers nothing else that an SDK answers says anything about.
fn reject_without_law(operations: &[String]) -> Result<(), Failure> {
    let mut operations = operations.iter();
    match operations.find(|op| !laws::OPERATIONS.contains(&op.as_str())) {
        None => Ok(()),
        Some(op) => {
            let message = format!("no law is about the answers of `{op}`");
            let known = laws::OPERATIONS.join("`, `");
            let help = format!("leave out `--laws`, or name one of `{known}`");
            Err(Failure::usage(message, help))
        }
    }
}

fn goal(arguments: &Fuzz) -> SearchGoal {
    if arguments.variants {
        return SearchGoal::Variants;
    }
    let time = arguments.seconds;
    let time = time.or_else(|| arguments.cases.is_none().then_some(SECONDS));
    SearchGoal::Random {
        seed: arguments.seed.unwrap_or_else(seed_of_now),
        cases: arguments.cases,
        time,
    }
}

/// A seed that is another one each time, and short enough to be typed again.
fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

fn exit_code(conclusion: &SearchResult) -> u8 {
    match (&conclusion.stop, conclusion.findings.is_empty()) {
        (_, false) => UNEXPECTED,
        (Stop::Nothing | Stop::Broken | Stop::Gone(_), true) => INCOMPLETE,
        _ => 0,
    }
}

/// Writes the case of a finding, unless there is one of that name.
fn promote(folder: &Path, finding: &FuzzFinding) -> Result<(), Failure> {
    let path = folder.join(finding.path());
    let unwritable = |source| Failure::Unwritable {
        path: path.clone(),
        source,
    };
    if let Some(suite) = path.parent() {
        fs::create_dir_all(suite).map_err(unwritable)?;
    }
    let created = fs::File::create_new(&path);
    match created.and_then(|mut file| file.write_all(finding.case.as_bytes())) {
        Ok(()) => output::note(&format!("wrote {}", path.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            output::note(&format!("{} is there already", path.display()));
        }
        Err(error) => return Err(unwritable(error)),
    }
    Ok(())
}

fn bar() -> ProgressBar {
    if std::io::stderr().is_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::hidden()
    }
}

fn show(bar: &ProgressBar, progress: SearchProgress) {
    let SearchProgress { judged, findings } = progress;
    bar.set_message(format!("{judged} inputs, {findings} kinds of failures"));
    bar.tick();
}
