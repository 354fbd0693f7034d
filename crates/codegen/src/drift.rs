//! Generated files against what is on disk.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use similar::TextDiff;

use crate::Files;

/// The lines of unchanged text around a change.
const CONTEXT: usize = 3;

/// How one file differs from what the generator makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChange {
    /// The file is not there.
    Missing,
    /// The file has another text.
    Different,
    /// The file is there although the generator makes no such file.
    Left,
}

/// One file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileDifference<'f> {
    path: Cow<'f, str>,
    change: FileChange,
    existing: &'f str,
    generated: &'f str,
}

/// All differences between generated files and what is there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drift<'f>(Vec<FileDifference<'f>>);

impl Drift<'_> {
    /// Whether everything is as the generator would write it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The changed paths in order.
    pub fn changes(&self) -> impl Iterator<Item = (&str, FileChange)> {
        let changes = self.0.iter();
        changes.map(|difference| (difference.path.as_ref(), difference.change))
    }

    /// The same drift with every path below `folder`.
    #[must_use]
    pub fn below(mut self, folder: &str) -> Self {
        for difference in &mut self.0 {
            difference.path = format!("{folder}/{}", difference.path).into();
        }
        self
    }

    /// Adds the differences of another folder.
    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// What a person reads: a unified diff for each file, and the command that puts them right.
    /// Empty where there is no difference.
    #[must_use]
    pub fn report(&self, fix: &str) -> String {
        if self.is_empty() {
            return String::new();
        }
        let differences: String = self.0.iter().map(FileDifference::report).collect();
        let count = self.0.len();
        let subject = if count == 1 { "file is" } else { "files are" };
        format!(
            "{differences}{count} generated {subject} not up to date\n  help: run `{fix}` and commit the result\n"
        )
    }
}

impl FileDifference<'_> {
    fn report(&self) -> String {
        let path = &self.path;
        match self.change {
            FileChange::Missing => format!("`{path}` is missing\n"),
            FileChange::Left => format!("`{path}` is no longer generated\n"),
            FileChange::Different => TextDiff::from_lines(self.existing, self.generated)
                .unified_diff()
                .context_radius(CONTEXT)
                .header(
                    &format!("{path} (as it is)"),
                    &format!("{path} (as generated)"),
                )
                .to_string(),
        }
    }
}

/// Compares generated files with the existing texts by path.
///
/// `existing` holds every file of the output folder, so that a file that is no longer generated is
/// found as well.
#[must_use]
pub fn compare<'f>(files: &'f Files, existing: &'f BTreeMap<String, String>) -> Drift<'f> {
    let mut paths: BTreeSet<&'f str> = files.iter().map(|(path, _)| path).collect();
    paths.extend(existing.keys().map(String::as_str));
    let differences = paths.into_iter().filter_map(|path| {
        difference(
            path,
            existing.get(path).map(String::as_str),
            files.get(path),
        )
    });
    Drift(differences.collect())
}

fn difference<'f>(
    path: &'f str,
    existing: Option<&'f str>,
    generated: Option<&'f str>,
) -> Option<FileDifference<'f>> {
    let change = match (existing, generated) {
        (None, _) => FileChange::Missing,
        (Some(_), None) => FileChange::Left,
        (Some(found), Some(made)) if found == made => return None,
        (Some(_), Some(_)) => FileChange::Different,
    };
    Some(FileDifference {
        path: path.into(),
        change,
        existing: existing.unwrap_or_default(),
        generated: generated.unwrap_or_default(),
    })
}
