//! Reports of runs in a folder of their own.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::program::{FinishedProgram, chatstate, chatstate_program};

/// A folder for the files of one test.
#[derive(Debug)]
pub struct ReportFolder(TempDir);

impl ReportFolder {
    /// A new and empty one.
    ///
    /// # Panics
    ///
    /// When there is no room for it.
    #[must_use]
    pub fn create() -> Self {
        Self(tempfile::tempdir().expect("there is room for a temporary folder"))
    }

    /// The path of a file in it.
    #[must_use]
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// The text of a file in it.
    ///
    /// # Panics
    ///
    /// When it was not written.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name))
            .unwrap_or_else(|error| panic!("`{name}` was not written: {error}"))
    }

    /// Writes a file and gives its path.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    #[must_use]
    pub fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.path().join(name), text).expect("the folder can be written");
        self.path(name)
    }

    /// Runs cases against a mutant, or the reference, and keeps its report.
    #[must_use]
    pub fn run(&self, name: &str, selection: &[&str], mutant: Option<&str>) -> FinishedProgram {
        let format = if Path::new(name).extension().is_some_and(|it| it == "json") {
            "json"
        } else {
            "jsonl"
        };
        // A slow machine is no reason for another verdict.
        let mut arguments: Vec<OsString> = vec!["test".into(), "--timeout".into(), "120".into()];
        arguments.extend(["--report".into(), report_option(format, &self.path(name))]);
        arguments.extend(selection.iter().map(OsString::from));
        if let Some(mutant) = mutant {
            arguments.extend(["--".into(), chatstate_program().into(), "adapter".into()]);
            arguments.extend(["--mutant".into(), mutant.into()]);
        }
        chatstate(&arguments, b"")
    }
}

fn report_option(format: &str, path: &str) -> OsString {
    format!("{format}={path}").into()
}

/// Runs `chatstate report` with these arguments.
#[must_use]
pub fn report(arguments: &[&str]) -> FinishedProgram {
    let arguments: Vec<_> = ["report"].iter().chain(arguments).collect();
    chatstate(&arguments, b"")
}

/// Cases that one mutant fails, and others that it passes.
pub const SOME: &[&str] = &[
    "--only",
    "round-trip/unknown-event*",
    "--suite",
    "round-trip",
];

/// The mutant that fails them.
pub const MUTANT: &str = "drop-unknown-variant";
