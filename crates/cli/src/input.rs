//! Documents from files and stdin.

use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use chatstate::compact::TornTail;
use chatstate::json::{span, text_of};
use chatstate::{Class, Rejection};
use miette::NamedSource;

use crate::failure::{Failure, Refusal, UNEXPECTED};
use crate::output;

/// The largest text that is shown around a place; larger ones are only named.
const MAX_SHOWN_BYTES: usize = 1024 * 1024;

/// The longest line that is shown, in characters.
const MAX_SHOWN_COLUMNS: usize = 160;

/// A document and where it came from.
pub struct Input {
    /// The file in backticks, or `stdin`.
    pub name: String,
    bytes: Vec<u8>,
}

/// A log of events.
pub struct Log<'i> {
    /// Its whole events.
    pub text: &'i str,
    /// The exit code of having read it: the end of a torn line is lost.
    pub code: u8,
}

/// Says what was left out of a log.
pub fn torn_tail(name: &str, torn: TornTail) -> String {
    let offset = torn.offset;
    format!("{name}: breaks off within an event; what begins at byte {offset} was left out")
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

    /// All bytes, as they are.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The document's text.
    pub fn text(&self) -> Result<&str, Rejection> {
        text_of(&self.bytes)
    }

    /// The log of events that this is, without a torn last line, which is told on stderr: whoever
    /// wrote it was stopped in the middle.
    pub fn log(&self) -> Result<Log<'_>, Rejection> {
        let is_array = self.bytes.trim_ascii_start().starts_with(b"[");
        let torn = TornTail::of_lines(&self.bytes).filter(|_| !is_array);
        let end = torn.map_or(self.bytes.len(), |torn| {
            output::note(&torn_tail(&self.name, torn));
            usize::try_from(torn.offset).unwrap_or(self.bytes.len())
        });
        Ok(Log {
            text: text_of(&self.bytes[..end])?,
            code: if torn.is_some() { UNEXPECTED } else { 0 },
        })
    }

    /// The failure that shows where in this document a rejection stands.
    pub fn refused(&self, rejection: &Rejection) -> Failure {
        self.refused_with(rejection, None)
    }

    /// The same, with more to say below.
    pub fn refused_with(&self, rejection: &Rejection, help: Option<String>) -> Failure {
        let message = rejection.to_string();
        match self
            .text()
            .ok()
            .and_then(|text| Some((text, place(text, rejection)?)))
        {
            Some((text, span)) => Failure::Refused(Box::new(Refusal {
                message,
                span: Some(span.into()),
                text: NamedSource::new(self.name.trim_matches('`'), text.to_owned()),
                label: format!("class `{}`, rule `{}`", rejection.class, rejection.rule),
                help,
            })),
            None => Failure::RefusedPlain {
                name: self.name.clone(),
                message,
                help,
            },
        }
    }
}

/// The bytes to point at, when the document is one that people can be shown: short enough, with
/// lines that fit a screen. The grammar's rejections name line and column themselves.
fn place(text: &str, rejection: &Rejection) -> Option<Range<usize>> {
    if text.len() > MAX_SHOWN_BYTES || matches!(rejection.class, Class::Syntax | Class::Limit) {
        return None;
    }
    let span = span(text, &rejection.at)?;
    let line_start = text[..span.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next()?;
    if line.chars().count() > MAX_SHOWN_COLUMNS {
        return None;
    }
    // Of a value over several lines, the first line is enough to find it.
    let end = span.end.min(line_start + line.len());
    Some(span.start..end)
}
