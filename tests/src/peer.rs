//! An SDK asked about event streams directly, through its adapter: many questions to one process.

use std::process::Command;

use serde_json::{Value, json};

use crate::adapter::Adapter;
use crate::sdk::Sdk;

/// What an adapter is asked.
#[derive(Debug, Clone)]
pub struct PeerQuestion {
    /// The operation.
    pub operation: &'static str,
    /// The event stream, as JSON text.
    pub input: String,
}

/// What an SDK says of an event stream.
#[derive(Debug, Clone, PartialEq)]
pub enum PeerAnswer {
    /// The result, as JSON text.
    Ok(String),
    /// The index of the event that it rejects, and its words.
    Rejected(usize, String),
}

impl PeerAnswer {
    /// The result.
    #[must_use]
    pub fn ok(&self) -> Option<&str> {
        match self {
            Self::Ok(text) => Some(text),
            Self::Rejected(..) => None,
        }
    }

    /// The index of the event that was rejected.
    #[must_use]
    pub fn rejected_at(&self) -> Option<usize> {
        match self {
            Self::Ok(_) => None,
            Self::Rejected(index, _) => Some(*index),
        }
    }
}

/// The adapter of an SDK, asked about event streams.
#[derive(Debug)]
pub struct Peer(Adapter);

impl Peer {
    /// Starts the adapter of an SDK.
    ///
    /// # Panics
    ///
    /// When it does not start or shake hands.
    #[must_use]
    pub fn start(sdk: &Sdk) -> Self {
        Self(Adapter::start(Command::new(sdk.adapter())))
    }

    /// Asks all questions and gives the answers in their order.
    ///
    /// # Panics
    ///
    /// When the adapter breaks, or answers with a fault.
    pub fn ask(&mut self, questions: &[PeerQuestion]) -> Vec<PeerAnswer> {
        let requests: Vec<_> = questions.iter().map(request).collect();
        self.0.ask(&requests).iter().map(answer).collect()
    }
}

fn request(question: &PeerQuestion) -> Value {
    let mut request = json!({"op": question.operation, "input": question.input});
    if question.operation == "compact" {
        request["level"] = json!("stream");
    }
    request
}

/// What an answer says.
fn answer(answer: &Value) -> PeerAnswer {
    if let Some(text) = answer["ok"].as_str() {
        return PeerAnswer::Ok(text.to_owned());
    }
    let rejected = &answer["rejected"];
    let place = rejected["at"].as_str().unwrap_or_default();
    let index = place.split('/').nth(1).and_then(|index| index.parse().ok());
    let index = index.unwrap_or_else(|| panic!("neither a result nor a rejected event: {answer}"));
    let words = rejected["message"].as_str().unwrap_or_default();
    PeerAnswer::Rejected(index, words.to_owned())
}
