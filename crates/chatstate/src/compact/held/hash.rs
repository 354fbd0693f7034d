//! Short names for ids and values.

use std::hash::{BuildHasher, Hasher};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::json::canonical_of_text;

/// The hash of an id.
pub(super) fn hash_of(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

/// What tells values apart: a hash of the canonical text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Digest([u64; 2]);

impl Digest {
    /// The digest of canonical text.
    pub fn of_canonical(text: &str) -> Self {
        let hash = xxh3_128(text.as_bytes());
        // Both halves, so that digests need no alignment of their own.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the halves are taken apart"
        )]
        Self([(hash >> 64) as u64, hash as u64])
    }

    /// The digest of the value that a text is; none of a text that no reader takes whole.
    pub fn of(text: &str) -> Option<Self> {
        canonical_of_text(text).map(|text| Self::of_canonical(&text))
    }
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
