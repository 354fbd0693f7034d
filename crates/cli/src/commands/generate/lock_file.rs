//! The lock file beside generated packages: what their types are called, and which files are ours.

use std::collections::BTreeMap;
use std::fmt::Write;

use chatstate_codegen::{Files, is_direction_mark};
use chatstate_schema_model::Lock;
use serde::{Deserialize, Serialize};

use super::folder::Folder;
use crate::failure::Failure;

/// The name of the lock file.
pub const LOCK_FILE: &str = "chatstate.lock";

/// What the lock file holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LockFile {
    /// The names of the types by their places in the schema.
    #[serde(flatten)]
    pub names: Lock,
    /// The paths of the files that the last run wrote.
    pub files: Vec<String>,
    /// The digests of the templates of the user's by their paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub templates: BTreeMap<String, String>,
}

impl LockFile {
    /// The lock of what is written now.
    pub fn new(names: Lock, files: &Files, templates: BTreeMap<String, String>) -> Self {
        Self {
            names,
            files: files.iter().map(|(path, _)| path.to_owned()).collect(),
            templates,
        }
    }

    /// The lock of the last run; none is empty.
    pub fn read(folder: &Folder) -> Result<Self, Failure> {
        let Some(text) = folder.text(LOCK_FILE)? else {
            return Ok(Self::default());
        };
        let lock: Self = serde_json::from_str(&text).map_err(|error| {
            let message = format!("`{LOCK_FILE}` is not a lock file: {error}");
            let help =
                "take it back from version control, or remove it together with the generated files";
            Failure::usage(message, Some(help.to_owned()))
        })?;
        // Paths are only ever removed from the folder itself.
        if let Some(path) = lock.files.iter().find(|path| !Folder::is_inside(path)) {
            let message =
                format!("`{LOCK_FILE}` names the file `{path}`, which is outside of the folder");
            return Err(Failure::usage(
                message,
                Some("take the lock file back from version control".to_owned()),
            ));
        }
        Ok(lock)
    }

    /// The text of the file.
    pub fn text(&self) -> Result<String, Failure> {
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Failure::Bug(error.to_string()))?;
        Ok(with_marks_escaped(&text) + "\n")
    }
}

/// JSON text in which direction marks, which only strings have, are escaped.
fn with_marks_escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        if is_direction_mark(character) {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text
}
