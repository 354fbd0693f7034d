//! The chatstate reference library: exact JSON, canonical form, generated types, validation, diff,
//! verification, lineage, replay and compaction of serialized agent chat state.
//!
//! Everything here is pure: text and values in, text and values out.

pub mod attach;
pub mod cbor;
mod channel_key;
pub mod compact;
pub mod definition;
pub mod dialect;
pub mod diff;
// The generator prints its own layout, which the drift check compares byte for byte.
#[rustfmt::skip]
pub mod generated;
pub mod head;
pub mod json;
pub mod laws;
pub mod lineage;
pub mod patch;
mod rejection;
pub mod replay;
mod restate;
mod sequence;
pub mod session;
pub mod validate;
pub mod verify;

pub use channel_key::{channel_key, channel_key_of};
pub use rejection::{Class, Rejection};
