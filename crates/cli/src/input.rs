//! Documents from files and stdin.

use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use chatstate::compact::{Framing, TornTail};
use chatstate::json::{span, text_of, visible};
use chatstate::log::{LogReader, LogTaker};
use chatstate::replay::read_stream;
use chatstate::{Class, Rejection};
use miette::NamedSource;

use crate::failure::{Failure, ShownRejection, UNEXPECTED};
use crate::output;

/// The largest text that is shown around a place; larger ones are only named.
const MAX_SHOWN_BYTES: usize = 1024 * 1024;

/// The longest line that is shown, in characters.
const MAX_SHOWN_COLUMNS: usize = 160;

/// A document and where it came from.
pub struct InputDocument {
    /// The file in backticks, or `stdin`.
    pub name: String,
    bytes: Vec<u8>,
}

/// What was made of a log of events.
pub struct LogInput<O> {
    /// The file in backticks, or `stdin`.
    pub name: String,
    /// What it came to.
    pub output: O,
    /// How its events are kept apart.
    pub framing: Framing,
    /// The exit code of having read it: the end of a torn line is lost.
    pub code: u8,
}

/// Reads a log of events in blocks, so that none is held as a whole but one that people can be
/// shown. A torn last line is left out, with a note on stderr: its writer was stopped in the
/// middle.
pub fn read_log<T: LogTaker>(
    file: Option<&PathBuf>,
    taker: T,
) -> Result<LogInput<T::Output>, Failure> {
    let (name, mut source): (String, Box<dyn Read>) = match file {
        Some(path) if path.as_os_str() != "-" => {
            let name = format!("`{}`", path.display());
            match fs::File::open(path) {
                Ok(file) => (name, Box::new(file)),
                Err(source) => return Err(Failure::Unreadable { name, source }),
            }
        }
        _ => ("stdin".to_owned(), Box::new(io::stdin())),
    };
    let mut input = InputDocument {
        bytes: read_block(&mut source, &name)?,
        name,
    };
    let is_whole = input.bytes.len() <= MAX_SHOWN_BYTES;
    let mut reader = LogReader::new(taker);
    reader
        .push(&input.bytes)
        .map_err(|rejection| input.rejected_log(&rejection))?;
    while !input.bytes.is_empty() && !is_whole {
        input.bytes = read_block(&mut source, &input.name)?;
        reader
            .push(&input.bytes)
            .map_err(|rejection| plainly_rejected(&input.name, &rejection))?;
    }
    let read = reader.finish().map_err(|rejection| {
        if is_whole {
            input.rejected_log(&rejection)
        } else {
            plainly_rejected(&input.name, &rejection)
        }
    })?;
    if let Some(torn) = read.torn {
        output::note(&torn_tail(&input.name, torn));
    }
    Ok(LogInput {
        name: input.name,
        output: read.output,
        framing: read.framing.unwrap_or(Framing::Lines),
        code: if read.torn.is_some() { UNEXPECTED } else { 0 },
    })
}

/// A little more than people can be shown; less only at the end.
fn read_block(source: &mut impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut block = Vec::new();
    match source
        .take(MAX_SHOWN_BYTES as u64 + 1)
        .read_to_end(&mut block)
    {
        Ok(_) => Ok(block),
        Err(source) => {
            let name = name.to_owned();
            Err(Failure::Unreadable { name, source })
        }
    }
}

fn plainly_rejected(name: &str, rejection: &Rejection) -> Failure {
    Failure::RejectedPlain {
        name: name.to_owned(),
        message: rejection.to_string(),
        help: None,
    }
}

/// Says what was left out of a log.
pub fn torn_tail(name: &str, torn: TornTail) -> String {
    let offset = torn.offset;
    format!("{name}: breaks off within an event; what begins at byte {offset} was left out")
}

impl InputDocument {
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

    /// The failure that shows where in this log a rejection is. Of text that is not JSON, the
    /// reader of whole documents says the place.
    fn rejected_log(&self, rejection: &Rejection) -> Failure {
        if self.bytes.len() > MAX_SHOWN_BYTES {
            return plainly_rejected(&self.name, rejection);
        }
        let whole = self.text().and_then(|text| read_stream(text).map(drop));
        self.rejected(whole.as_ref().err().unwrap_or(rejection))
    }

    /// The failure that shows where in this document a rejection is.
    pub fn rejected(&self, rejection: &Rejection) -> Failure {
        self.rejected_with(rejection, None)
    }

    /// The same, with more to say below.
    pub fn rejected_with(&self, rejection: &Rejection, help: Option<String>) -> Failure {
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
            })),
            None => Failure::RejectedPlain {
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
    if line.chars().count() > MAX_SHOWN_COLUMNS || visible(line) != line {
        return None;
    }
    // Of a value over several lines, the first line is enough to find it.
    let end = span.end.min(line_start + line.len());
    Some(span.start..end)
}
