//! The files that a generator makes, in memory.

use std::collections::BTreeMap;

use crate::CodegenError;

/// Text files by relative path, in the order of their paths.
///
/// Paths use `/` and stay inside the output folder; texts use line feeds and end with one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files(BTreeMap<String, String>);

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
        text: impl Into<String>,
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

    /// The files by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The text of one file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
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
