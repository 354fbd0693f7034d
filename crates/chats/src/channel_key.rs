//! The key under which a channel's state is saved.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use chatstate_json::Rejection;
use chatstate_json::from_text;

/// The channel key of an agent's keys: padded Base64 (RFC 4648 section 4) of the SHA-256 of the
/// UTF-8 text of the keys joined with `:` (requirement `channel-key.hash`, `channel-key.join`).
///
/// Two lists of keys that join to the same text have the same key.
#[must_use]
pub fn channel_key(keys: &[String]) -> String {
    STANDARD.encode(Sha256::digest(keys.join(":")))
}

/// The channel key of a JSON array of strings.
pub fn channel_key_of(text: &str) -> Result<String, Rejection> {
    from_text::<Vec<String>>(text).map(|keys| channel_key(&keys))
}
