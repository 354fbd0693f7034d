//! What must be true of the whole. Every test is in `tests/`; here is what several of them share.
//!
//! All of it ends a test with a message when something that every test needs is not there, so the
//! functions give plain values.

pub mod action;
pub mod adapter;
pub mod arrows;
pub mod browser;
pub mod call;
pub mod changes;
pub mod document;
pub mod embedded;
pub mod foreign_documents;
pub mod lane;
pub mod opened;
pub mod package;
pub mod peer;
pub mod program;
pub mod protocols;
pub mod recording;
pub mod report;
pub mod report_folder;
pub mod results;
pub mod rules;
pub mod samples;
pub mod sdk;
pub mod toolchain;
pub mod violations;
pub mod workspace;
