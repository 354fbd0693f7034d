//! Short names for ids.

use std::hash::{BuildHasher, Hasher};

use xxhash_rust::xxh3::xxh3_64;

/// The hash of an id.
pub(super) fn hash_of(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

/// Hashes are keys of tables as they are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Identity;

/// See [`Identity`].
#[derive(Debug, Default)]
pub(super) struct IdentityHasher(u64);

impl BuildHasher for Identity {
    type Hasher = IdentityHasher;

    fn build_hasher(&self) -> IdentityHasher {
        IdentityHasher::default()
    }
}

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
