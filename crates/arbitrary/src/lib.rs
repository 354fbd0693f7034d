//! What can be asked of an implementation, made up: documents from the tables of the schema, valid
//! event streams, documents with faults, and other spellings of one document.
//!
//! Everything comes from a seed and is the same on every machine. Nothing here knows whether an
//! answer is right.

pub mod documents;
pub mod mutations;
mod source;
pub mod streams;
pub mod testing;
pub mod texts;
pub mod variants;

pub use source::{Choose, Source};
