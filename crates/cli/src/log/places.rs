//! Where the events of a log stand.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use chatstate::log::{EventPlace, EventPlaces};
use tempfile::SpooledTempFile;

use super::source::LogSource;
use crate::input::MAX_SHOWN_BYTES;

/// Finds events of a log that was read. A file is read again, so that nothing is kept of the many
/// logs in which nothing is found.
#[derive(Debug, Clone)]
pub enum LogPlaces {
    /// In a file.
    File(PathBuf),
    /// In what gives its text once, such as stdin, and was kept.
    Kept(KeptText),
}

/// A text that is kept while it is read: in memory, and from a block on in a file without a name.
#[derive(Debug, Clone)]
pub struct KeptText(Arc<Mutex<SpooledTempFile>>);

impl Default for KeptText {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(SpooledTempFile::new(MAX_SHOWN_BYTES))))
    }
}

impl KeptText {
    /// Keeps more. What cannot be kept is told without places.
    pub fn push(&self, bytes: &[u8]) {
        if let Ok(mut file) = self.0.lock() {
            // A full disk takes nothing away but the places.
            let _ = file.write_all(bytes);
        }
    }

    /// Gives the blocks from the beginning as long as they are wanted.
    fn each_block(&self, take: &mut dyn FnMut(&[u8]) -> bool) {
        let Ok(mut file) = self.0.lock() else {
            return;
        };
        let mut block = vec![0; MAX_SHOWN_BYTES];
        if file.rewind().is_err() {
            return;
        }
        while let Ok(length @ 1..) = file.read(&mut block) {
            if !take(&block[..length]) {
                break;
            }
        }
    }
}

impl LogPlaces {
    /// The places of the events with these indexes, as far as they are found.
    pub fn find(&self, wanted: BTreeSet<usize>) -> BTreeMap<usize, EventPlace> {
        if wanted.is_empty() {
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
            Self::Kept(text) => text.each_block(&mut |block| places.push(block)),
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
