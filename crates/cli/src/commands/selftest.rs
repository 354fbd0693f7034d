//! `chatstate selftest`: the corpus against every mutant of the reference.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::thread;

use chatstate_corpus::{Corpus, Family, Mutant, traceability};
use chatstate_runner::AdapterCommand;
use chatstate_runner::selftest::{self, SelftestSetup};

use super::corpus::{embedded, requirements};
use crate::arguments::Selftest;
use crate::failure::{Failure, UNEXPECTED};
use crate::output;
use chatstate_reference::SURVIVOR;

/// Tries the mutants, prints what came of it, and gives the exit code.
pub fn run(arguments: &Selftest) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let requirements = requirements()?;
    let program = std::env::current_exe().map_err(|error| {
        Failure::Bug(format!("cannot find the chatstate program itself: {error}"))
    })?;
    let command = |mutant: Option<&str>| {
        let mut words = vec![OsString::from("adapter")];
        words.extend(mutant.iter().flat_map(|id| ["--mutant".into(), id.into()]));
        AdapterCommand::new(program.clone(), words)
    };
    let survivor = survivor();
    let mut mutants = chosen(&corpus, &arguments.only)?;
    mutants.extend(arguments.with_survivor.then_some(&survivor));
    let setup = SelftestSetup {
        corpus: &corpus,
        requirements: &requirements,
        mutants,
        command: &command,
        jobs: arguments.jobs.unwrap_or_else(processors),
    };
    let conclusion = selftest::run(&setup, &mut |_| {}).map_err(|error| Failure::NotStarted {
        message: error.to_string(),
    })?;
    if arguments.json {
        output::print_line(&selftest::json::render(&conclusion))?;
    } else {
        let joined = traceability::join(&corpus, &requirements);
        output::print(&selftest::text::render(&conclusion, &joined))?;
    }
    let fine = conclusion.complaints.is_empty();
    Ok(if fine { 0 } else { UNEXPECTED })
}

fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The mutants of these ids, or all when none is named.
fn chosen<'a>(corpus: &'a Corpus, ids: &[String]) -> Result<Vec<&'a Mutant>, Failure> {
    let known = corpus.mutants();
    if let Some(id) = ids.iter().find(|id| known.iter().all(|it| it.id != **id)) {
        return Err(Failure::no_mutant(
            id,
            known.iter().map(|it| it.id.as_str()),
        ));
    }
    let is_chosen = |mutant: &&Mutant| ids.is_empty() || ids.contains(&mutant.id);
    Ok(known.iter().filter(is_chosen).collect())
}

/// What nothing can find out, since it is not broken.
fn survivor() -> Mutant {
    Mutant {
        id: SURVIVOR.to_owned(),
        family: Family::Structure,
        does: "does nothing wrong".to_owned(),
        operations: Vec::new(),
        shows: vec!["*".to_owned()],
    }
}
