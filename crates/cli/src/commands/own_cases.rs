//! `--corpus DIR` and `--fixtures FILE`: cases of one's own.

use std::fs;
use std::path::{Path, PathBuf};

use chatstate::json::visible_lines;
use chatstate_corpus::Corpus;
use chatstate_runner::RunReport;

use super::corpus::embedded;
use super::fixtures;
use crate::arguments::CaseSources;
use crate::failure::{FILE_ALONE, Failure};

/// The corpus with own cases beside it, or fixtures in its place.
pub fn corpus(sources: &CaseSources) -> Result<Corpus, Failure> {
    match sources.fixtures.as_slice() {
        [] => beside(embedded()?, &sources.corpus),
        files => fixtures::corpus(files),
    }
}

/// The corpus with the cases of folders, each at `<suite>/<name>.json` in one.
fn beside(mut corpus: Corpus, folders: &[PathBuf]) -> Result<Corpus, Failure> {
    for folder in folders {
        let files = files(folder)?;
        if files.is_empty() {
            let message = format!("there is no case in `{}`", folder.display());
            let help = format!(
                "a case lies at `<suite>/<name>.json`; `chatstate new case round-trip/my-chat --op round-trip --type ChatState --corpus {}` begins one",
                folder.display()
            );
            return Err(Failure::usage(message, help));
        }
        corpus = corpus.with_cases(files).map_err(|error| {
            let root = format!("{}/", folder.display());
            let problems = error.problems.to_string().replace("corpus/", &root);
            let message = format!(
                "the cases in `{}` cannot be read:\n{problems}",
                folder.display()
            );
            Failure::usage(visible_lines(&message), None)
        })?;
    }
    Ok(corpus)
}

/// Names the file of each case that lies in one of the folders.
pub fn name_files(report: &mut RunReport, sources: &CaseSources) {
    for case in &mut report.cases {
        let files = sources.corpus.iter();
        let mut files = files.map(|folder| folder.join(format!("{}.json", case.id)));
        let file = files.find(|file| file.is_file());
        case.file = file.map(|file| file.display().to_string());
    }
}

/// The JSON files in the folders of a folder, with their paths in it.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::new();
    for suite in entries(folder)?.iter().filter(|path| path.is_dir()) {
        for path in entries(suite)?.iter().filter(|path| is_json(path)) {
            let bytes = fs::read(path).map_err(|source| unreadable(path, source))?;
            let parts =
                [suite, path].map(|it| it.file_name().unwrap_or_default().to_string_lossy());
            files.push((parts.join("/"), bytes));
        }
    }
    Ok(files)
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let read = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let read = read.map_err(|source| unreadable(folder, source))?;
    let mut paths: Vec<_> = read.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
}

fn unreadable(path: &Path, source: std::io::Error) -> Failure {
    Failure::Unreadable {
        name: format!("`{}`", path.display()),
        source,
        help: FILE_ALONE,
    }
}
