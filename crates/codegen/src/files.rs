//! The files that a generator makes, in memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, btree_map};

use crate::CodegenError;

/// Text files by relative path, in the order of their paths.
///
/// Paths use `/` and stay inside the output folder; texts use line feeds and end with one. A text
/// that is part of the program is not copied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files(BTreeMap<String, Cow<'static, str>>);

impl Files {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; a path outside of the folder, a second file of one path, a carriage return and
    /// a missing line feed at the end are errors.
    pub fn add(
        &mut self,
        path: impl Into<String>,
        text: impl Into<Cow<'static, str>>,
    ) -> Result<(), CodegenError> {
        let (path, text) = (path.into(), text.into());
        if let Some(fault) = fault(&path, &text) {
            return Err(CodegenError::File { path, fault });
        }
        if self.0.contains_key(&path) {
            return Err(CodegenError::File {
                path,
                fault: "is made twice",
            });
        }
        self.0.insert(path, text);
        Ok(())
    }

    /// Adds all files of others, below a folder whose name ends with `/`, or beside these where it is
    /// empty.
    pub fn add_all(&mut self, folder: &str, others: Self) -> Result<(), CodegenError> {
        for (path, text) in others {
            self.add(format!("{folder}{path}"), text)?;
        }
        Ok(())
    }

    /// The files by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_ref()))
    }

    /// The text of one file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(AsRef::as_ref)
    }
}

impl IntoIterator for Files {
    type Item = (String, Cow<'static, str>);
    type IntoIter = btree_map::IntoIter<String, Cow<'static, str>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

fn fault(path: &str, text: &str) -> Option<&'static str> {
    let inside = path.split('/').all(|step| !matches!(step, "" | "." | ".."));
    if !inside || path.contains(['\\', ':']) {
        return Some("does not have a relative path inside of the output folder");
    }
    if text.contains('\r') {
        return Some("holds a carriage return");
    }
    (!text.ends_with('\n')).then_some("does not end with a line feed")
}
