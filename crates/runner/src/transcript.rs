//! Transcripts: each request of a run with its outcome. A run can be judged again from one, also with a
//! later corpus and without the SDK.
//!
//! Requests are kept without their sequence numbers and without case ids, so that the order of the
//! requests, the number of processes and renamed cases do not matter.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

use chatstate_protocol::{RunRequest, StartReply};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::outcome::Outcome;
use crate::report::CorpusName;

/// The version of this form.
const FORMAT: u64 = 1;

/// All that was asked of an adapter in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// Whom it is about.
    pub about: About,
    /// The requests, in the order of the cases.
    pub exchanges: Vec<Exchange>,
}

/// Whom a transcript is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// What the adapter said of itself.
    pub introduction: StartReply,
    /// The command that started it; absent for the built-in reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// The operating system that it ran on.
    pub os: String,
    /// The version of the kit that asked.
    pub kit: String,
    /// The cases that it was tested against.
    pub corpus: CorpusName,
}

/// One request and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The request; its number is its place in the transcript.
    pub asked: RunRequest,
    /// What came of it, after the search for whom to blame.
    pub outcome: Outcome,
}

/// A text is no transcript, or not all of one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// It is something else.
    #[error(
        "line {line} is no part of a transcript: {problem}; give what `chatstate test --record` wrote"
    )]
    NotATranscript {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// It is written in a form of a later version.
    #[error(
        "the transcript has format {0}, and this program reads format {FORMAT}; use a newer `chatstate`"
    )]
    OtherFormat(u64),
    /// It ends before its footer, or lines are missing.
    #[error("the transcript is not whole: it holds {found} requests, and its last line {counted}")]
    NotWhole {
        /// How many requests there are.
        found: usize,
        /// What the footer says.
        counted: String,
    },
}

/// A line of a transcript: whom it is about, a request, or how many there were.
#[derive(Deserialize)]
#[serde(expecting = "a line of a transcript")]
struct TranscriptLine {
    transcript: Option<TranscriptHeader>,
    asked: Option<RunRequest>,
    outcome: Option<Outcome>,
    requests: Option<usize>,
}

#[derive(Deserialize)]
#[serde(expecting = "whom the transcript is about")]
struct TranscriptHeader {
    format: u64,
    #[serde(flatten)]
    about: Map<String, Value>,
}

impl Transcript {
    /// A transcript of these requests, which are numbered again.
    pub(crate) fn new(about: About, mut exchanges: Vec<Exchange>) -> Self {
        for (exchange, seq) in exchanges.iter_mut().zip(0..) {
            exchange.asked.seq = seq;
        }
        Self { about, exchanges }
    }

    /// Gives the transcript as JSON Lines: whom it is about, each request, and how many there are.
    #[must_use]
    pub fn render(&self) -> String {
        let mut header = Map::from_iter([("format".to_owned(), FORMAT.into())]);
        if let Value::Object(about) = json!(self.about) {
            header.extend(about);
        }
        let mut text = format!("{}\n", json!({ "transcript": header }));
        for exchange in &self.exchanges {
            let _ = writeln!(text, "{}", json!(exchange));
        }
        let _ = writeln!(text, "{}", json!({ "requests": self.exchanges.len() }));
        text
    }

    /// Reads a transcript.
    ///
    /// # Errors
    ///
    /// When it is something else, or not whole.
    pub fn parse(text: &str) -> Result<Self, TranscriptError> {
        let mut lines = text.lines();
        let about = read_header(lines.next().unwrap_or_default())?;
        let (mut exchanges, mut counted) = (Vec::new(), None);
        for (line, number) in lines.zip(2..) {
            let problem = |problem: String| TranscriptError::NotATranscript {
                line: number,
                problem,
            };
            let line = serde_json::from_str(line).map_err(|error| problem(error.to_string()))?;
            match line {
                _ if counted.is_some() => {
                    return Err(problem("it comes after the end".to_owned()));
                }
                TranscriptLine {
                    asked: Some(asked),
                    outcome: Some(outcome),
                    ..
                } => exchanges.push(Exchange { asked, outcome }),
                TranscriptLine {
                    requests: Some(requests),
                    ..
                } => counted = Some(requests),
                _ => return Err(problem("it is no request with its outcome".to_owned())),
            }
        }
        if counted == Some(exchanges.len()) {
            return Ok(Self { about, exchanges });
        }
        let counted = counted.map(|counted| format!("counts {counted}"));
        Err(TranscriptError::NotWhole {
            found: exchanges.len(),
            counted: counted.unwrap_or_else(|| "is missing".to_owned()),
        })
    }
}

fn read_header(line: &str) -> Result<About, TranscriptError> {
    let problem = |problem: String| TranscriptError::NotATranscript { line: 1, problem };
    let line: TranscriptLine =
        serde_json::from_str(line).map_err(|error| problem(error.to_string()))?;
    let Some(TranscriptHeader { format, about }) = line.transcript else {
        let words = "a transcript begins with whom it is about";
        return Err(problem(words.to_owned()));
    };
    if format != FORMAT {
        return Err(TranscriptError::OtherFormat(format));
    }
    let about = serde_json::from_value(about.into());
    about.map_err(|error| problem(error.to_string()))
}

/// Answers requests as a transcript says that they were answered.
#[derive(Debug)]
pub(crate) struct Player<'a> {
    /// What came of each request, in the order in which it was made.
    outcomes: HashMap<String, VecDeque<&'a Outcome>>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(transcript: &'a Transcript) -> Self {
        let mut outcomes: HashMap<_, VecDeque<_>> = HashMap::new();
        for Exchange { asked, outcome } in &transcript.exchanges {
            let asked = RunRequest {
                seq: 0,
                ..asked.clone()
            };
            let known = outcomes.entry(key(&asked)).or_default();
            known.push_back(outcome);
        }
        Self { outcomes }
    }

    /// What came of a request: the first time, the second time, and so on. Nothing when it was never
    /// made.
    pub(crate) fn answer(&mut self, call: &Call<'_>) -> Option<Outcome> {
        let outcomes = self.outcomes.get_mut(&key(&call.request(0)))?;
        let outcome = *outcomes.front()?;
        if outcomes.len() > 1 {
            outcomes.pop_front();
        }
        Some(outcome.clone())
    }
}

/// A request as text: the same for equal requests.
fn key(asked: &RunRequest) -> String {
    json!(asked).to_string()
}
