//! What the environment may set, and how much of a stream is tried.

use crate::{Choose, Source};

/// A number that the environment may set.
#[must_use]
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Where a stream is cut: everywhere in the first tenth of the streams (the first 10,000 at most)
/// and in short ones, otherwise at one place.
pub fn cuts<T>(number: u64, count: u64, events: &[T]) -> Vec<usize> {
    if number < (count / 10).min(10_000) || events.len() < 8 {
        return (0..=events.len()).collect();
    }
    vec![Source::new(2, number).below(events.len() + 1)]
}
