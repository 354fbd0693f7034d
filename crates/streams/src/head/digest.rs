//! What tells the values of messages apart.

use xxhash_rust::xxh3::xxh3_128;

use chatstate_json::canonical_of_text;

/// What tells values apart: a hash of the canonical text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Digest([u64; 2]);

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
