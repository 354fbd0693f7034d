//! Documents from files and stdin.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use chatstate::Rejection;
use chatstate::json::{span, text_of};
use miette::{NamedSource, SourceSpan};

use crate::failure::Failure;

/// The largest text that is shown around a place; larger ones are only named.
const MAX_SHOWN_BYTES: usize = 1024 * 1024;

/// A document and where it came from.
pub struct Input {
    /// The file in backticks, or `stdin`.
    pub name: String,
    bytes: Vec<u8>,
}

impl Input {
    /// Reads a file; nothing or `-` is stdin.
    pub fn read(file: Option<&PathBuf>) -> Result<Self, Failure> {
        match file {
            Some(path) if path.as_os_str() != "-" => Self::read_file(path),
            _ => Self::read_stdin(),
        }
    }

    /// Reads a file.
    pub fn read_file(path: &Path) -> Result<Self, Failure> {
        let name = format!("`{}`", path.display());
        match fs::read(path) {
            Ok(bytes) => Ok(Self { name, bytes }),
            Err(source) => Err(Failure::Unreadable { name, source }),
        }
    }

    fn read_stdin() -> Result<Self, Failure> {
        let name = "stdin".to_owned();
        let mut bytes = Vec::new();
        match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok(Self { name, bytes }),
            Err(source) => Err(Failure::Unreadable { name, source }),
        }
    }

    /// The document's text.
    pub fn text(&self) -> Result<&str, Rejection> {
        text_of(&self.bytes)
    }

    /// The failure that shows where in this document a rejection stands.
    pub fn refused(&self, rejection: &Rejection) -> Failure {
        self.refused_with(rejection, None)
    }

    /// The same, with more to say below.
    pub fn refused_with(&self, rejection: &Rejection, help: Option<String>) -> Failure {
        let message = rejection.to_string();
        match self.text() {
            Ok(text) if text.len() <= MAX_SHOWN_BYTES => Failure::Refused {
                message,
                span: span(text, &rejection.at).map(SourceSpan::from),
                text: NamedSource::new(self.name.trim_matches('`'), text.to_owned()),
                label: format!("class `{}`, rule `{}`", rejection.class, rejection.rule),
                help,
            },
            _ => Failure::RefusedPlain {
                name: self.name.clone(),
                message,
            },
        }
    }
}
