//! Looks for inputs that an implementation gets wrong.
//!
//! The corpus asks what somebody has thought of. Here, questions are made up from a seed, the answers
//! are judged as those to cases are, against the reference and the laws, and what fails is made as
//! small as it goes and told as a case. An answer may be anything.

mod finding;
pub mod json;
mod kind;
mod oracle;
mod question;
mod questions;
mod search;
mod shrink;
pub mod text;
mod variants;

pub use finding::Finding;
pub use search::{Conclusion, Goal, Progress, Setup, Stop, run};
