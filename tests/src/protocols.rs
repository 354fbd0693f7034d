//! Packages of npm and `PyPI` with the schemas of foreign protocols and formats. They are fetched with
//! pinned versions and hashes: the schemas have licences of their own, and a copy here would become out
//! of date.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lane::Needs;
use crate::program::finish;
use crate::workspace;

/// What fetches the packages, with the documents of these schemas and the programs that read them.
pub const FOLDER: &str = "tests/protocols";

/// The folder of the fetched packages; nothing where npm or Python is missing, which is said.
///
/// # Panics
///
/// When a package cannot be had although the programs are there.
#[must_use]
pub fn fetched() -> Option<PathBuf> {
    let needs = Needs {
        lane: "typescript",
        programs: &["node", "npm", "python3"],
        fetch: (Path::new(FOLDER), &[]),
    };
    if !needs.are_met() {
        return None;
    }
    let fetch = Command::new(workspace::path(&format!("{FOLDER}/fetch")));
    let finished = finish(fetch, b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    Some(PathBuf::from(finished.stdout.trim()))
}
