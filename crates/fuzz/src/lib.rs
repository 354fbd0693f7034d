//! Looks for inputs that an implementation gets wrong.
//!
//! Inputs are generated from a seed. Answers are judged like those of cases, against the reference
//! and the laws, and only where one answer is right for everybody: a wrong finding costs more trust
//! than ten right ones earn. Each kind of failure is shrunk and reported once, as a case. The input
//! itself is shrunk and not the decisions after it, since an input from the corpus has none.

mod finding;
pub mod json;
mod kind;
pub mod laws;
mod oracle;
mod question;
mod questions;
mod search;
mod shrink;
pub mod text;
mod variants;

pub use finding::FuzzFinding;
pub use search::{SearchGoal, SearchProgress, SearchResult, SearchSetup, Stop, run};
