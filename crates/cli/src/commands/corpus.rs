//! `chatstate list`, `show`, `copy` and `lint`: the embedded corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use chatstate_corpus::{
    Case, Corpus, Requirement, Selection, SelectionError, coverage, specification, traceability,
};
use chatstate_runner::case_vocabulary;

use super::generate::folder::Folder;
use crate::arguments::List;
use crate::failure::{Failure, UNEXPECTED};
use crate::names::did_you_mean;
use crate::output;

/// The corpus that is compiled into the binary.
pub fn embedded() -> Result<Corpus, Failure> {
    Corpus::embedded().map_err(|error| Failure::Bug(error.to_string()))
}

/// The requirements of SPEC.md that are compiled into the binary.
pub fn requirements() -> Result<Vec<Requirement>, Failure> {
    specification::embedded().map_err(|problems| Failure::Bug(problems.to_string()))
}

/// The selected cases, or what was probably meant.
pub fn selected<'corpus>(
    corpus: &'corpus Corpus,
    selection: &Selection,
) -> Result<Vec<&'corpus Case>, Failure> {
    corpus.select(selection).map_err(|error| {
        let suites = corpus.cases().iter().map(Case::suite);
        let ids = corpus.cases().iter().map(|case| case.id.as_str());
        let help = match &error {
            SelectionError::NoCase { pattern } if suites.clone().any(|it| it == pattern) => {
                Some(format!(
                    "`{pattern}` is a suite: say `--suite {pattern}`, or `--only '{pattern}/*'`"
                ))
            }
            SelectionError::NoCase { pattern } => did_you_mean(pattern, ids),
            SelectionError::NoSuite { suite, .. } => {
                did_you_mean(suite, suites.collect::<BTreeSet<_>>())
            }
            _ => None,
        };
        Failure::usage(error.to_string(), help)
    })
}

/// Prints id and title of each case.
pub fn list(arguments: &List) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let selection = Selection {
        suites: arguments.suite.iter().cloned().collect(),
        requirements: arguments.requirement.iter().cloned().collect(),
        ..Selection::default()
    };
    let cases = selected(&corpus, &selection)?;
    let width = cases.iter().map(|case| case.id.len()).max().unwrap_or(0);
    for case in cases {
        output::print_line(&format!("{:width$}  {}", case.id, case.title))?;
    }
    Ok(0)
}

/// Prints the file of one case.
pub fn show(id: &str) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let Some(case) = corpus.case(id) else {
        let ids = corpus.cases().iter().map(|case| case.id.as_str());
        let list = "`chatstate list` prints the ids";
        let help = match did_you_mean(id, ids) {
            Some(question) => format!("{question} {list}"),
            None => list.to_owned(),
        };
        return Err(Failure::usage(format!("there is no case `{id}`"), help));
    };
    output::print(corpus.text(case))?;
    Ok(0)
}

/// Writes the corpus into a new or empty folder.
pub fn copy(directory: &Path) -> Result<u8, Failure> {
    let folder = Folder::new(directory);
    folder.recover()?;
    if !is_empty(directory)? {
        let message = format!("`{}` is not empty", directory.display());
        return Err(Failure::usage(
            message,
            "name a folder that does not exist yet".to_owned(),
        ));
    }
    let corpus = embedded()?;
    let files: BTreeMap<_, _> = corpus.files().collect();
    folder.fill(&files)?;
    let count = files.len();
    output::print_line(&format!("wrote {count} files to `{}`", directory.display()))?;
    Ok(0)
}

/// Whether nothing is in a folder, which may not be there.
fn is_empty(directory: &Path) -> Result<bool, Failure> {
    match fs::read_dir(directory) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(source) => Err(Failure::Unwritable {
            path: directory.to_owned(),
            source,
        }),
    }
}

/// Prints what is wrong with the corpus; nothing is exit code 0.
pub fn lint(with_coverage: bool) -> Result<u8, Failure> {
    let corpus = embedded()?;
    let requirements = requirements()?;
    let mut problems = chatstate_corpus::lint(&corpus, &requirements, &case_vocabulary());
    for problem in traceability::join(&corpus, &requirements).problems {
        // Both know of a requirement that does not exist.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    let covered = with_coverage.then(|| coverage::coverage(&corpus));
    problems.extend(covered.iter().flat_map(|it| it.problems(&corpus)));
    for problem in &problems {
        output::print_line(&problem.to_string())?;
    }
    if let Some(covered) = covered {
        output::print_line(&covered.summary())?;
    }
    if problems.is_empty() {
        let (cases, rules) = (corpus.cases().len(), requirements.len());
        output::print_line(&format!(
            "{cases} cases and {rules} requirements, nothing to complain about"
        ))?;
        return Ok(0);
    }
    Ok(UNEXPECTED)
}
