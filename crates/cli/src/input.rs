//! Documents from files and stdin.

use std::fs;
use std::io::{self, Read, Stdin};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use chatstate::json::{pointer, span, text_of, visible};
use chatstate::{Class, Rejection};
use miette::NamedSource;

use crate::failure::{FILE_ALONE, FILE_OR_STDIN, Failure, ShownRejection};

/// The largest text that is shown around a place; larger ones are only named.
pub const MAX_SHOWN_BYTES: usize = 1024 * 1024;

/// The longest line that is shown, in characters.
const MAX_SHOWN_COLUMNS: usize = 160;

/// Whether stdin was read already.
static STDIN_IS_READ: AtomicBool = AtomicBool::new(false);

/// Stdin, which can be read once: who names it twice would get nothing the second time.
pub fn stdin() -> Result<Stdin, Failure> {
    if STDIN_IS_READ.swap(true, Ordering::SeqCst) {
        let help = "give `-` for one document alone, and files for the others";
        return Err(Failure::usage("stdin is named twice", help.to_owned()));
    }
    Ok(io::stdin())
}

/// A document and where it came from.
pub struct InputDocument {
    /// The file in backticks, or `stdin`.
    pub name: String,
    bytes: Vec<u8>,
}

impl InputDocument {
    /// The beginning of a file that was read elsewhere.
    pub fn of(name: String, bytes: Vec<u8>) -> Self {
        Self { name, bytes }
    }

    /// Reads a file; nothing or `-` is stdin.
    pub fn read(file: Option<&PathBuf>) -> Result<Self, Failure> {
        match file {
            Some(path) if path.as_os_str() != "-" => Self::of_file(path, FILE_OR_STDIN),
            _ => Self::read_stdin(),
        }
    }

    /// Reads a file; `-` is one like any other.
    pub fn read_file(path: &Path) -> Result<Self, Failure> {
        Self::of_file(path, FILE_ALONE)
    }

    fn of_file(path: &Path, help: &'static str) -> Result<Self, Failure> {
        let name = format!("`{}`", path.display());
        match fs::read(path) {
            Ok(bytes) => Ok(Self { name, bytes }),
            Err(source) => Err(Failure::Unreadable { name, source, help }),
        }
    }

    fn read_stdin() -> Result<Self, Failure> {
        let name = "stdin".to_owned();
        let mut bytes = Vec::new();
        match stdin()?.lock().read_to_end(&mut bytes) {
            Ok(_) => Ok(Self { name, bytes }),
            Err(source) => Err(Failure::Unreadable {
                name,
                source,
                help: FILE_OR_STDIN,
            }),
        }
    }

    /// Whether it is a file whose name ends so.
    pub fn is_named(&self, ending: &str) -> bool {
        self.name.trim_end_matches('`').ends_with(ending)
    }

    /// All bytes, as they are.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The document's text.
    pub fn text(&self) -> Result<&str, Rejection> {
        text_of(&self.bytes)
    }

    /// The failure that shows where in this document a rejection is.
    pub fn rejected(&self, rejection: &Rejection) -> Failure {
        self.rejected_with(rejection, None)
    }

    /// The same, with more to say below.
    pub(crate) fn rejected_with(&self, rejection: &Rejection, help: Option<String>) -> Failure {
        let message = rejection.to_string();
        match self
            .text()
            .ok()
            .and_then(|text| Some((text, place(text, rejection)?)))
        {
            Some((text, span)) => Failure::Rejected(Box::new(ShownRejection {
                message,
                span: Some(span.into()),
                text: NamedSource::new(self.name.trim_matches('`'), text.to_owned()),
                label: format!("class `{}`, rule `{}`", rejection.class, rejection.rule),
                help,
                rejection: rejection.clone(),
            })),
            None => Failure::RejectedPlain {
                name: self.name.clone(),
                message,
                help,
                rejection: Box::new(rejection.clone()),
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
    let span = locate(text, &rejection.at)?;
    let line_start = text[..span.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next()?;
    if line.chars().count() > MAX_SHOWN_COLUMNS || visible(line) != line {
        return None;
    }
    // Of a value over several lines, the first line is enough to find it.
    let end = span.end.min(line_start + line.len());
    Some(span.start..end)
}

/// The bytes of the value that a pointer leads to, in a document or in JSON Lines as a list.
pub fn locate(text: &str, at: &str) -> Option<Range<usize>> {
    if let Some(found) = span(text, at) {
        return Some(found);
    }
    let (index, inner) = at.strip_prefix('/')?.split_once('/').map_or_else(
        || (at.trim_start_matches('/'), String::new()),
        |(index, inner)| (index, format!("/{inner}")),
    );
    let mut begins = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let begin = begins;
        begins += line.len();
        (begin, line)
    });
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let (begin, line) = lines.nth(pointer::index(index)?)?;
    let found = span(line.trim_end(), &inner)?;
    Some(begin + found.start..begin + found.end)
}

/// The line and the column of a byte, as editors count them.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
