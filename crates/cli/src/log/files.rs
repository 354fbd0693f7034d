//! The files that the arguments of `verify` name: files, folders and patterns.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{FILE_ALONE, Failure};

/// How the names of logs end in a folder. Other documents may be there too, such as the snapshots
/// of a store, so a log with another name is given by itself.
const ENDINGS: [&str; 6] = [
    ".jsonl",
    ".ndjson",
    ".jsonl.gz",
    ".ndjson.gz",
    ".jsonl.zst",
    ".ndjson.zst",
];

/// The files that arguments name, in the order of the arguments and then of their names.
pub fn expand(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        let before = files.len();
        if argument.is_dir() {
            walk(argument, &mut files)?;
        } else if argument.exists() || !is_pattern(argument) {
            files.push(argument.clone());
        } else {
            matching(argument, &mut files)?;
        }
        if files.len() == before {
            return Err(Failure::usage(
                format!("there is no log in `{}`", argument.display()),
                format!(
                    "in a folder, logs are the files named `*{}`",
                    ENDINGS.join("`, `*")
                ),
            ));
        }
    }
    Ok(files)
}

/// Whether an argument that is no file may match some.
pub fn is_pattern(argument: &Path) -> bool {
    argument.to_string_lossy().contains(['*', '?', '['])
}

fn matching(pattern: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let found = glob::glob(&pattern.to_string_lossy());
    let found =
        found.map_err(|error| Failure::usage(format!("`{}`: {error}", pattern.display()), None))?;
    for path in found {
        let path = path.map_err(|error| Failure::Unreadable {
            name: format!("`{}`", error.path().display()),
            source: error.into(),
            help: FILE_ALONE,
        })?;
        if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// The logs in a folder and in those below. Hidden files are passed over, and links to folders are
/// not followed, since they may lead back.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable = |source| Failure::Unreadable {
        name: format!("`{}`", folder.display()),
        source,
        help: FILE_ALONE,
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            walk(&path, files)?;
        } else if path.is_file() && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    Ok(())
}
