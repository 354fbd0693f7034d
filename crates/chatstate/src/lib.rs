//! The chatstate reference library: exact JSON, canonical form, generated types, validation, diff,
//! saving, restoring, encoding and sealing of serialized agent chat state, and verification,
//! lineage, replay and compaction of the events that make it.
//!
//! Everything here is pure: text and values in, text and values out.

pub mod attach;
pub mod cbor;
mod channel_key;
pub mod chat;
pub mod compact;
pub mod definition;
pub mod dialect;
pub mod diff;
pub mod encoding;
// The generator prints its own layout, which the drift check compares byte for byte.
#[rustfmt::skip]
pub mod generated;
pub mod head;
pub mod json;
#[cfg(feature = "schemars")]
mod json_schema;
pub mod laws;
pub mod lineage;
pub mod patch;
mod rejection;
pub mod replay;
mod restate;
pub mod seal;
mod sequence;
pub mod session;
pub mod validate;
pub mod verify;
mod version;

pub use channel_key::{channel_key, channel_key_of};
pub use rejection::{Class, Rejection};
