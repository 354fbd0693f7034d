//! Drives adapters, judges their answers, reports.
//!
//! The runner knows no language and no SDK: it starts a program, talks the adapter protocol with it
//! and compares what comes back with what the cases of the corpus say. The reference goes through
//! the same door as everybody. Processes live in one file, judging is pure, and no word of a report
//! is outside of `report`.

mod call;
mod canary;
mod command;
mod conversation;
mod dialect;
mod expectations;
mod judge;
mod judgement;
mod kit;
mod laws;
mod outcome;
mod process;
pub mod report;
mod run;
pub mod selftest;
mod session;
mod worker;

pub use canary::{CanaryFailure, CanaryVerdict};
pub use command::AdapterCommand;
pub use conversation::Conversation;
pub use expectations::{
    Day, Expectation, Expectations, ExpectationsError, StaleExpectation, Staleness, When,
};
pub use judge::{judge, not_applicable};
pub use judgement::{
    Bar, BrokenLaw, Cause, Detail, DifferenceReport, Expected, Judgement, Verdict,
};
pub use kit::{case_vocabulary, kit_schemas};
pub use outcome::{Lost, Outcome, Violation};
pub use report::{CaseReport, CorpusName, Incomplete, RunReport, SelectionName, Shard};
pub use run::{Options, Progress, Work, run};
pub use session::StartError;
