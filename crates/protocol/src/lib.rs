//! The adapter protocol, version 1: its messages, its words, and a small loop that serves it.
//!
//! An *adapter* is one long-lived program between the kit's runner and an SDK. It reads one JSON
//! object per line on stdin and writes one per line on stdout, in UTF-8; stderr is free for logs.
//! Documents travel as **strings of JSON text**, so that no JSON library on the way can repair,
//! reorder or round what is under test.
//!
//! An SDK written in Rust implements [`Implementation`] and calls [`serve`]; an SDK in any other
//! language reads and writes the messages of [`message`] itself, they are a page long.

pub mod message;
mod serve;
pub mod vocabulary;

pub use message::{
    Answer, AnswerError, DocumentError, ImplementationName, ProtocolError, Rejected, Reply,
    Request, RunRequest, Start, StartReply,
};
pub use serve::{AdapterError, BUFFER_BYTES, Implementation, serve};

/// The version of the protocol that this crate supports.
pub const PROTOCOL_VERSION: u32 = 1;

/// The longest line either side may send, in bytes without the newline: 64 MiB.
pub const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// How many requests the runner sends before it reads, when the adapter does not say.
pub const DEFAULT_MAX_IN_FLIGHT: u32 = 1;
