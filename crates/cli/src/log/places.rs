//! Where the events of a log stand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use chatstate::log::{EventPlace, EventPlaces};

use super::source::LogSource;
use crate::input::MAX_SHOWN_BYTES;

/// Finds events of a log that was read. A file is read again, so that nothing is kept of the many
/// logs in which nothing is found; of stdin there is what fits into a block.
#[derive(Debug, Clone)]
pub enum LogPlaces {
    /// In a file.
    File(PathBuf),
    /// In what came from stdin.
    Text(Vec<u8>),
    /// Nowhere: the log came from stdin and was too large to keep.
    Gone,
}

impl LogPlaces {
    /// Of the log in a file, or of one from stdin that begins with a block.
    pub fn of(file: Option<&PathBuf>, first: &[u8]) -> Self {
        match file.filter(|path| path.as_os_str() != "-") {
            // What is no file, such as a pipe, gives its text once.
            Some(path) if path.is_file() => Self::File(path.clone()),
            _ if first.len() <= MAX_SHOWN_BYTES => Self::Text(first.to_vec()),
            _ => Self::Gone,
        }
    }

    /// Of the log in a file; what comes from stdin is not kept.
    pub fn of_file(file: Option<&PathBuf>) -> Self {
        match file.filter(|path| path.is_file()) {
            Some(path) => Self::File(path.clone()),
            None => Self::Gone,
        }
    }

    /// The places of the events with these indexes, as far as they are found.
    pub fn find(&self, wanted: BTreeSet<usize>) -> BTreeMap<usize, EventPlace> {
        if wanted.is_empty() || matches!(self, Self::Gone) {
            return BTreeMap::new();
        }
        let mut places = EventPlaces::of(wanted);
        match self {
            Self::File(path) => {
                // What could be read a moment ago is told without places if it is gone.
                if let Ok(mut source) = LogSource::hidden(path) {
                    while let Ok(block) = source.block() {
                        if block.is_empty() || !places.push(&block) {
                            break;
                        }
                    }
                }
            }
            Self::Text(text) => {
                places.push(text);
            }
            Self::Gone => {}
        }
        places.finish()
    }

    /// The name of a log with the place of an event.
    pub fn name(&self, name: &str, index: Option<usize>) -> String {
        let place = index.and_then(|index| self.find(BTreeSet::from([index])).remove(&index));
        place.map_or_else(|| name.to_owned(), |place| placed(name, place))
    }
}

/// The file, line, column and byte, as editors find them.
pub fn placed(name: &str, place: EventPlace) -> String {
    let file = name.trim_matches('`');
    format!(
        "{file}:{}:{} (byte {})",
        place.line, place.column, place.byte
    )
}

/// A message of the reader of documents about one event of a log, in which line 1 is that of the
/// event.
pub fn about_event(message: &str) -> String {
    let Some((before, rest)) = message.split_once(" (line 1, column ") else {
        return message.to_owned();
    };
    match rest.split_once(')') {
        Some((column, after)) => format!("{before} (column {column} of the event){after}"),
        None => message.to_owned(),
    }
}

/// The index of the event that a pointer from the log leads to.
pub fn index_of(pointer: &str) -> Option<usize> {
    pointer.split('/').nth(1)?.parse().ok()
}
