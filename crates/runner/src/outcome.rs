//! What became of one request.

use chatstate_protocol::{Rejected, Reply};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the adapter answered, or what the runner saw instead of an answer.
///
/// In the last three, `certain` says whether this was the only request under way. If it is false,
/// several were, none of them did it again when it was alone, and this is the one sent first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The operation succeeded with this text.
    Ok(String),
    /// The document was rejected.
    Rejected(Rejected),
    /// The adapter does not have the operation, and why.
    Unsupported(String),
    /// The adapter was not asked, because its dialect cannot hold the document: what would be lost.
    Unsayable(Vec<Lost>),
    /// The SDK or the adapter broke, in its own words.
    Fault(String),
    /// The adapter ended while it had the request.
    Crashed {
        /// How it ended: an exit status or a signal.
        ending: String,
        /// The end of what it wrote to stderr.
        stderr: String,
        /// Whether this was the only request under way.
        certain: bool,
    },
    /// The adapter did not answer in time and was killed.
    TimedOut {
        /// How long it had.
        milliseconds: u64,
        /// The end of what it wrote to stderr.
        stderr: String,
        /// Whether this was the only request under way.
        certain: bool,
    },
    /// The adapter wrote what is not an answer.
    Malformed {
        /// What is wrong with it.
        violation: ProtocolViolation,
        /// The beginning of the line.
        line: String,
        /// Whether this was the only request under way.
        certain: bool,
    },
}

/// Something that the dialect of an adapter cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// The kind of loss.
    pub class: String,
    /// A JSON pointer to it in the canonical document.
    pub at: String,
    /// Why it is lost.
    pub why: String,
}

/// How a line breaks the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Violation")]
pub enum ProtocolViolation {
    /// It is not UTF-8.
    NotUtf8,
    /// It is longer than the protocol allows.
    TooLong,
    /// It is not a JSON object with a `seq`.
    NotAnAnswer,
    /// Its `seq` was never sent.
    UnknownSeq,
    /// Its `seq` was answered before.
    AnsweredTwice,
    /// It has a known `seq`, but what it says about it is malformed, in these words.
    BadReply(String),
    /// It came when nothing was left to answer.
    AfterTheLast,
}

impl ProtocolViolation {
    /// The violation's name, as fingerprints spell it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotUtf8 => "not-utf8",
            Self::TooLong => "too-long",
            Self::NotAnAnswer => "not-an-answer",
            Self::UnknownSeq => "unknown-seq",
            Self::AnsweredTwice => "answered-twice",
            Self::BadReply(_) => "bad-reply",
            Self::AfterTheLast => "after-the-last",
        }
    }
}

impl Outcome {
    /// The outcome's name, as reports and fingerprints spell it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ok(_) => "ok",
            Self::Rejected(_) => "rejected",
            Self::Unsupported(_) => "unsupported",
            Self::Unsayable(_) => "unsayable",
            Self::Fault(_) => "fault",
            Self::Crashed { .. } => "crashed",
            Self::TimedOut { .. } => "timed-out",
            Self::Malformed { .. } => "malformed",
        }
    }

    /// Whether the runner saw something else than an answer.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        matches!(
            self,
            Self::Crashed { .. } | Self::TimedOut { .. } | Self::Malformed { .. }
        )
    }

    /// The same outcome, blamed on the first of several requests.
    pub(crate) fn uncertain(mut self) -> Self {
        if let Self::Crashed { certain, .. }
        | Self::TimedOut { certain, .. }
        | Self::Malformed { certain, .. } = &mut self
        {
            *certain = false;
        }
        self
    }

    /// A line that breaks the protocol.
    pub(crate) fn malformed(violation: ProtocolViolation, line: &str) -> Self {
        Self::Malformed {
            violation,
            line: beginning(line, LINE_CHARACTERS),
            certain: true,
        }
    }
}

impl From<Reply> for Outcome {
    fn from(reply: Reply) -> Self {
        match reply {
            Reply::Ok(text) => Self::Ok(text),
            Reply::Rejected(rejected) => Self::Rejected(rejected),
            Reply::Unsupported(why) => Self::Unsupported(why),
            Reply::Fault(what) => Self::Fault(what),
        }
    }
}

/// How much of a malformed line is kept, in characters.
pub(crate) const LINE_CHARACTERS: usize = 200;

/// The beginning of a text, with `…` where the rest is left out.
pub(crate) fn beginning(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
