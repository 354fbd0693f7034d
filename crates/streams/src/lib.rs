//! Event streams: which events may follow which, what they mean, and fewer events that mean the
//! same.
//!
//! Everything here is pure: text and values in, text and values out.

pub mod attach;
pub mod compact;
pub mod header;
pub mod lineage;
pub mod log;
mod packed;
pub mod patch;
pub mod replay;
mod restate;
mod sequence;
pub mod verify;
