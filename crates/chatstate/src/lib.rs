//! The chatstate library: exact JSON, canonical form, generated types, validation, diff, saving,
//! restoring, encoding and sealing of serialized agent chat state, the formats of other SDKs, and
//! verification, lineage, replay and compaction of the events that make it.
//!
//! Everything here is pure: text and values in, text and values out. Each subject is a crate of its
//! own, and this one gathers what a program uses of them.
//!
//! With the feature `serde`, values, documents and sessions are `Serialize` and `Deserialize`, by the
//! same document or an error; with `schemars`, schemas of other types may hold the generated ones.

pub use chatstate_chats::{channel_key, channel_key_of, chat, encoding, seal, session};
pub use chatstate_dialects as dialect;
pub use chatstate_json::{self as json, Class, Rejection, cbor};
pub use chatstate_streams::{attach, compact, header, lineage, log, patch, replay, verify};
pub use chatstate_types::{definition, diff, generated, recognition, testing, validate};
