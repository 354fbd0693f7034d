//! Decisions at random, repeatable from a seed.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A source of decisions.
pub struct Source(TestRng);

impl Source {
    /// The source of the stream with this number under this seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&number.to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    /// A number below `count`; 0 if there is none.
    pub fn below(&mut self, count: usize) -> usize {
        let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        usize::try_from(self.0.next_u32() % count).unwrap_or(0)
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn of<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        if from.is_empty() {
            return None;
        }
        from.get(self.below(from.len()))
    }
}

/// A number that the environment may set.
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
