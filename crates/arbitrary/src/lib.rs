//! Generated inputs: documents from the tables of the schema, valid event streams, documents with
//! faults, and other spellings of one document.
//!
//! Everything comes from a seed and a fixed algorithm, so that a seed means the same on every machine
//! and in every version. Nothing here knows whether an answer is right.

pub mod documents;
pub mod mutations;
mod source;
pub mod strategies;
pub mod streams;
pub mod testing;
pub mod texts;
pub mod variants;

pub use source::{Choose, Source};
