//! Chats and sessions of agents: what they hold, how they are saved, restored, encoded and sealed.

mod channel_key;
pub mod chat;
pub mod encoding;
pub mod seal;
pub mod session;

pub use channel_key::{channel_key, channel_key_of};
// Generated crates carry a copy of `encoding.rs`, and have these two modules of their own.
pub(crate) use chatstate_types::{generated, version};
