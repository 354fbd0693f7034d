//! The recorded event streams of `tests/recordings/`, or of the folder that `CHATSTATE_RECORDINGS`
//! names: foreign streams, held to the same tests by hand.

use std::path::Path;

use crate::workspace;

/// One recording: an event a line.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Its file, from the folder of the recordings.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Recording {
    /// The events, each as its JSON text. Text may hold U+2028, so only LF ends a line.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.split_terminator('\n')
    }
}

/// All recordings, those of single runs first.
///
/// # Panics
///
/// When there are none, or one cannot be read.
#[must_use]
pub fn recordings() -> Vec<Recording> {
    let folders = ["runs", "threads"].into_iter();
    let recordings: Vec<_> = folders.flat_map(recordings_in).collect();
    assert!(!recordings.is_empty(), "there are no recordings");
    recordings
}

fn recordings_in(folder: &str) -> Vec<Recording> {
    let root = std::env::var("CHATSTATE_RECORDINGS");
    let root = root.unwrap_or_else(|_| "tests/recordings".to_owned());
    let names = workspace::names_in(&format!("{root}/{folder}"));
    let is_recording = |name: &String| {
        let ending = Path::new(name).extension();
        ending.is_some_and(|ending| ending == "jsonl")
    };
    let names = names.into_iter().filter(is_recording);
    let recording = |name: String| Recording {
        text: workspace::text(&format!("{root}/{folder}/{name}")),
        name: format!("{folder}/{name}"),
    };
    names.map(recording).collect()
}
