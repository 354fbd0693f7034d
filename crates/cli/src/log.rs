//! Logs of events from files and stdin, with the places of what is found in them.

mod files;
mod places;
mod source;

pub use files::{DOCUMENTS, LOGS, expand, is_one};
pub use places::{LogPlaces, about_event, index_of, placed};
pub use source::LogSource;

use std::path::PathBuf;

use chatstate::Rejection;
use chatstate::compact::{Framing, TornTail};
use chatstate::log::{LogReader, LogTaker};
use chatstate::replay::read_stream;

use crate::failure::{Failure, UNEXPECTED};
use crate::input::{InputDocument, MAX_SHOWN_BYTES};
use crate::output;

/// Where a log breaks off.
#[derive(Debug, Clone, Copy)]
pub struct Torn {
    /// The line; none where the compressed data breaks off between two events.
    pub line: Option<u64>,
    /// The first byte that belongs to no whole event; none as above.
    pub byte: Option<u64>,
}

impl Torn {
    /// Compressed data that breaks off between two events.
    pub const BETWEEN_EVENTS: Self = Self {
        line: None,
        byte: None,
    };
}

impl From<TornTail> for Torn {
    fn from(torn: TornTail) -> Self {
        Self {
            line: Some(torn.line),
            byte: Some(torn.offset),
        }
    }
}

/// What was made of a log of events.
pub struct LogInput<O> {
    /// The file in backticks, or `stdin`.
    pub name: String,
    /// What it came to.
    pub output: O,
    /// How its events are kept apart.
    pub framing: Framing,
    /// How many events it has.
    pub events: usize,
    /// Where it breaks off.
    pub torn: Option<Torn>,
    /// Finds its events.
    pub places: LogPlaces,
}

impl<O> LogInput<O> {
    /// The exit code of having read it: the end of a torn log is lost.
    pub fn code(&self) -> u8 {
        if self.torn.is_some() { UNEXPECTED } else { 0 }
    }

    /// Says what was left out of a log that breaks off.
    pub fn note_torn(&self) {
        if let Some(torn) = self.torn {
            output::note(&torn_tail(&self.name, torn));
        }
    }
}

/// Why a log came to nothing.
pub enum LogFailure {
    /// It cannot be read.
    Unread(Failure),
    /// It was rejected.
    Rejected {
        /// What is wrong.
        rejection: Box<Rejection>,
        /// The index of the event, or the one behind the last where there is no whole event.
        index: usize,
        /// Finds its events.
        places: LogPlaces,
        /// The failure for people.
        shown: Box<Failure>,
    },
}

impl From<LogFailure> for Failure {
    fn from(failure: LogFailure) -> Self {
        match failure {
            LogFailure::Unread(failure) => failure,
            LogFailure::Rejected { shown, .. } => *shown,
        }
    }
}

/// Reads a log of events in blocks, so that none is held as a whole but one that people can be
/// shown. Of a log that breaks off, what is whole is taken.
pub fn try_read_log<T: LogTaker>(
    file: Option<&PathBuf>,
    taker: T,
) -> Result<LogInput<T::Output>, LogFailure> {
    let mut source = LogSource::open(file).map_err(LogFailure::Unread)?;
    let mut reader = LogReader::new(taker);
    let mut first = source.block().map_err(LogFailure::Unread)?;
    let mut pushed = reader.push(&first);
    let places = source.places();
    if first.len() > MAX_SHOWN_BYTES {
        let mut block = std::mem::take(&mut first);
        while pushed.is_ok() {
            source.fill(&mut block).map_err(LogFailure::Unread)?;
            if block.is_empty() {
                break;
            }
            pushed = reader.push(&block);
        }
    }
    let name = source.name.clone();
    let events = reader.events();
    let rejected = |rejection: Rejection| {
        let index = index_of(&rejection.at).unwrap_or(events);
        let shown = Box::new(shown(&name, &first, &rejection, &places));
        let places = places.clone();
        LogFailure::Rejected {
            rejection: Box::new(rejection),
            index,
            places,
            shown,
        }
    };
    let read = pushed.and_then(|()| reader.finish()).map_err(rejected)?;
    let is_cut = source.is_cut().then_some(Torn::BETWEEN_EVENTS);
    Ok(LogInput {
        name: source.name.clone(),
        output: read.output,
        framing: read.framing.unwrap_or(Framing::Lines),
        events: read.events,
        torn: read.torn.map(Torn::from).or(is_cut),
        places,
    })
}

/// The same for people, with a note where a log breaks off.
pub fn read_log<T: LogTaker>(
    file: Option<&PathBuf>,
    taker: T,
) -> Result<LogInput<T::Output>, Failure> {
    let log = try_read_log(file, taker)?;
    log.note_torn();
    Ok(log)
}

/// The failure that shows where in a log a rejection is.
fn shown(name: &str, head: &[u8], rejection: &Rejection, places: &LogPlaces) -> Failure {
    let mut rejection = rejection.clone();
    let is_array = head.trim_ascii_start().starts_with(b"[");
    let input = InputDocument::of(name.to_owned(), head.to_vec());
    if head.len() <= MAX_SHOWN_BYTES && is_array {
        // The reader of whole documents says the place of what is not JSON.
        let whole = input.text().and_then(|text| read_stream(text).map(drop));
        if let Err(whole) = whole {
            rejection = whole;
        }
        return input.rejected(&rejection);
    }
    let name = places.name(name, index_of(&rejection.at));
    Failure::RejectedPlain {
        name,
        message: about_event(&rejection.to_string()),
        help: None,
        rejection: Box::new(rejection),
    }
}

/// Says what was left out of a log.
pub fn torn_tail(name: &str, torn: Torn) -> String {
    match (torn.byte, torn.line) {
        (Some(byte), Some(line)) => format!(
            "{name}: breaks off within an event; what begins at byte {byte} was left out (line {line})"
        ),
        _ => format!("{name}: the compressed data breaks off; what was there of it was used"),
    }
}
