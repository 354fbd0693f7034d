//! A JSON report of `chatstate test`, as its reader sees it.

use std::collections::BTreeMap;
use std::ffi::OsString;

use serde_json::Value;

use crate::program::{FinishedProgram, chatstate};

/// What a run of `chatstate test` came to.
#[derive(Debug, Clone)]
pub struct TestRun {
    /// How the program ended and what it said.
    pub finished: FinishedProgram,
    /// The JSON report.
    pub report: Value,
}

/// Runs `chatstate test` with these arguments and a JSON report beside the text report.
///
/// # Panics
///
/// When no report is written.
pub fn test<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> TestRun {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let path = folder.path().join("report.json");
    let mut option = OsString::from("json=");
    option.push(&path);
    let mut all: Vec<OsString> = vec!["test".into(), "--report".into(), "text".into()];
    all.extend(["--report".into(), option]);
    all.extend(arguments.into_iter().map(Into::into));
    let finished = chatstate(&all, b"");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("no report was written: {error}\n{}", finished.stderr));
    let report = serde_json::from_str(&text).expect("the report is JSON");
    TestRun { finished, report }
}

impl TestRun {
    /// The verdict of each case by its id.
    ///
    /// # Panics
    ///
    /// When the report does not have the members that it always has.
    #[must_use]
    pub fn verdicts(&self) -> BTreeMap<&str, &str> {
        let cases = self.report["cases"]
            .as_array()
            .expect("`cases` is an array");
        cases
            .iter()
            .map(|case| {
                let id = case["id"].as_str().expect("a case has an id");
                (id, case["verdict"].as_str().expect("a case has a verdict"))
            })
            .collect()
    }
}
