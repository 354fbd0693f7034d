//! Decisions at random, repeatable from a seed.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Something that decides.
pub trait Choose {
    /// A number below `count`; 0 if there is none.
    fn below(&mut self, count: usize) -> usize;

    /// Whether something of this probability happens.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, or nothing where there are none.
    fn of<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        if from.is_empty() {
            return None;
        }
        from.get(self.below(from.len()))
    }
}

/// A source of decisions.
#[derive(Debug)]
pub struct Source(ChaCha20Rng);

impl Source {
    /// The source of the input with this number under this seed.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha20Rng::from_seed(bytes))
    }
}

impl Choose for Source {
    fn below(&mut self, count: usize) -> usize {
        let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        usize::try_from(self.0.next_u32() % count).unwrap_or(0)
    }
}
