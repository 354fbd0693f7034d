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
mod delivery;
mod dialect;
mod executor;
mod expectations;
mod included;
mod interop;
mod judge;
mod judgement;
mod kept;
mod kit;
mod laws;
mod limits;
mod outcome;
mod plan;
mod process;
pub mod report;
mod run;
pub mod selftest;
mod session;
mod transcript;
mod worker;
mod written_back;

pub use canary::{CanaryFailure, CanaryVerdict};
pub use command::AdapterCommand;
pub use conversation::AdapterConversation;
pub use expectations::{
    Day, Expectation, Expectations, ExpectationsError, Grouping, ListChange, ListUpdate, Removal,
    RunRejection, StaleExpectation, Staleness, UpdateError, When, text as list_changes,
    update_list,
};
pub use interop::{
    InteropLoss, InteropPair, InteropReport, InteropWork, Party, interop, text as interop_text,
};
pub use judge::{judge, not_applicable};
pub use judgement::{
    BrokenLaw, Cause, Detail, DifferenceReport, EntryPlace, Expected, JudgeOptions, Judgement,
    Verdict,
};
pub use kit::{case_vocabulary, kit_schemas};
pub use limits::Limits;
pub use outcome::{Lost, Outcome, ProtocolViolation};
pub use report::{CaseReport, CorpusName, Incomplete, RunReport, SelectionName, Shard};
pub use run::{RunOptions, RunProgress, RunWork, record, replay, run};
pub use session::StartError;
pub use transcript::{About, Exchange, Transcript, TranscriptError};
