//! The files of the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of generated files, and those that lie among files that are written by hand.
pub const GENERATED: [&str; 7] = [
    "crates/types/src/generated/",
    "crates/types/src/json_schema/",
    "generators/rust/tests/generated/",
    "packages/dotnet/src/Chatstate/Generated/",
    "packages/python/src/chatstate/__init__.py",
    "packages/python/src/chatstate/generated/",
    "packages/typescript/src/generated/",
];

/// The root of the workspace.
///
/// # Panics
///
/// When this package does not lie in a folder of the workspace.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package of the tests lies in the workspace")
}

/// The path of a file, given from the root of the workspace with `/` between its parts.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    root().join(name)
}

/// The text of a file.
///
/// # Panics
///
/// When the file cannot be read as text.
#[must_use]
pub fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("cannot read `{name}`: {error}"))
}

/// A file as TOML.
///
/// # Panics
///
/// When the file cannot be read or is not TOML.
#[must_use]
pub fn toml(name: &str) -> toml::Table {
    let text = text(name);
    toml::from_str(&text).unwrap_or_else(|error| panic!("`{name}` is not TOML: {error}"))
}

/// The files and folders in a folder, by name and in order.
///
/// # Panics
///
/// When the folder cannot be read.
#[must_use]
pub fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(path(folder));
    let entries = entries.unwrap_or_else(|error| panic!("cannot read `{folder}`: {error}"));
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap_or_else(|error| panic!("cannot read `{folder}`: {error}"));
        entry.file_name().to_string_lossy().into_owned()
    };
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    names
}

/// Every file that git keeps or would keep, from the root of the workspace and in order.
///
/// # Panics
///
/// When git is not on this machine or the workspace is not a repository of its own.
#[must_use]
pub fn tracked_files() -> Vec<String> {
    let listing = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .expect("`git` is on this machine");
    assert!(
        listing.status.success(),
        "`git ls-files` failed: {}",
        String::from_utf8_lossy(&listing.stderr)
    );
    let listing = String::from_utf8_lossy(&listing.stdout);
    let names = listing.split('\0').filter(|name| !name.is_empty());
    // What git keeps but was just deleted is listed, too.
    let mut names: Vec<_> = names
        .filter(|name| path(name).is_file())
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}
