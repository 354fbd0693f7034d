//! The files that arguments name: files, folders and patterns.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{FILE_ALONE, Failure};

/// What is looked for in folders.
pub struct WantedFiles {
    /// What it is called, such as `log`.
    pub noun: &'static str,
    /// How the names end.
    pub endings: &'static [&'static str],
}

/// Logs. Other documents may be in a folder too, such as the snapshots of a store, so a log with
/// another name is given by itself.
pub const LOGS: WantedFiles = WantedFiles {
    noun: "log",
    endings: &[
        ".jsonl",
        ".ndjson",
        ".jsonl.gz",
        ".ndjson.gz",
        ".jsonl.zst",
        ".ndjson.zst",
    ],
};

/// Documents, and logs as JSON Lines.
pub const DOCUMENTS: WantedFiles = WantedFiles {
    noun: "document",
    endings: &[".json", ".jsonl", ".ndjson"],
};

/// The files that arguments name, in the order of the arguments and then of their names.
pub fn expand(arguments: &[PathBuf], wanted: &WantedFiles) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        let before = files.len();
        if argument.is_dir() {
            walk(argument, wanted, &mut files)?;
        } else if argument.exists() || !is_pattern(argument) {
            files.push(argument.clone());
        } else {
            matching(argument, &mut files)?;
        }
        if files.len() == before {
            let WantedFiles { noun, endings } = wanted;
            return Err(Failure::usage(
                format!("there is no {noun} in `{}`", argument.display()),
                format!(
                    "in a folder, {noun}s are the files named `*{}`",
                    endings.join("`, `*")
                ),
            ));
        }
    }
    Ok(files)
}

/// Whether arguments are one file, or nothing, which is stdin.
pub fn is_one(arguments: &[PathBuf]) -> bool {
    match arguments {
        [] => true,
        [file] => !file.is_dir() && (file.exists() || !is_pattern(file)),
        _ => false,
    }
}

/// Whether an argument that is no file may match some.
fn is_pattern(argument: &Path) -> bool {
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

/// The wanted files in a folder and in those below. Hidden files are passed over, and links to folders are
/// not followed, since they may lead back.
fn walk(folder: &Path, wanted: &WantedFiles, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
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
            walk(&path, wanted, files)?;
        } else if path.is_file() && wanted.endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    Ok(())
}
