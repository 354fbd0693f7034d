//! An SDK asked about event streams directly, through its adapter: many questions to one process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Map, Value, json};

use crate::sdk::Sdk;

/// What an adapter is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The operation.
    pub operation: &'static str,
    /// The event stream, as JSON text.
    pub input: String,
}

/// What an SDK says of an event stream.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The result, as JSON text.
    Ok(String),
    /// The index of the event that it refuses, and its words.
    Refused(usize, String),
}

impl Answer {
    /// The result.
    #[must_use]
    pub fn ok(&self) -> Option<&str> {
        match self {
            Self::Ok(text) => Some(text),
            Self::Refused(..) => None,
        }
    }

    /// The index of the event that was refused.
    #[must_use]
    pub fn refused_at(&self) -> Option<usize> {
        match self {
            Self::Ok(_) => None,
            Self::Refused(index, _) => Some(*index),
        }
    }
}

/// The process of an adapter, after its handshake.
#[derive(Debug)]
pub struct Peer {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    asked: usize,
}

impl Peer {
    /// Starts the adapter of an SDK.
    ///
    /// # Panics
    ///
    /// When it does not start or shake hands.
    #[must_use]
    pub fn start(sdk: &Sdk) -> Self {
        let mut command = Command::new(sdk.adapter());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let mut process = command.spawn().expect("the adapter starts");
        let mut requests = process.stdin.take().expect("its input is a pipe");
        let mut answers = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        writeln!(requests, "{}", json!({"cmd": "start", "protocol": 1})).expect("it reads");
        let introduction = read(&mut answers);
        assert_eq!(introduction["protocol"], json!(1), "{introduction}");
        Self {
            process,
            requests: Some(requests),
            answers,
            asked: 0,
        }
    }

    /// Asks all questions and gives the answers in their order.
    ///
    /// # Panics
    ///
    /// When the adapter breaks, or answers with a fault.
    pub fn ask(&mut self, questions: &[Question]) -> Vec<Answer> {
        let first = self.asked;
        self.asked += questions.len();
        let requests = self.requests.as_mut().expect("the process is running");
        let answers = &mut self.answers;
        // Questions are written while answers are read, or both sides would wait for room in a pipe.
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for (seq, question) in (first..).zip(questions) {
                    writeln!(requests, "{}", request(seq, question)).expect("the adapter reads");
                }
            });
            let answered = (first..).zip(questions);
            answered
                .map(|(seq, _)| answer(seq, &read(answers)))
                .collect()
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.requests.take());
        let _ = self.process.wait();
    }
}

fn request(seq: usize, question: &Question) -> Value {
    let mut request = Map::new();
    request.insert("cmd".to_owned(), json!("run"));
    request.insert("seq".to_owned(), json!(seq));
    request.insert("op".to_owned(), json!(question.operation));
    request.insert("input".to_owned(), json!(question.input));
    if question.operation == "compact" {
        request.insert("level".to_owned(), json!("stream"));
    }
    Value::Object(request)
}

fn read(answers: &mut impl BufRead) -> Value {
    let mut line = String::new();
    answers.read_line(&mut line).expect("the adapter answers");
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The adapter of this SDK answers in the order of the questions, one at a time.
fn answer(seq: usize, answer: &Value) -> Answer {
    assert_eq!(answer["seq"], json!(seq), "{answer}");
    if let Some(text) = answer["ok"].as_str() {
        return Answer::Ok(text.to_owned());
    }
    let rejected = &answer["rejected"];
    let place = rejected["at"].as_str().unwrap_or_default();
    let index = place.split('/').nth(1).and_then(|index| index.parse().ok());
    let index = index.unwrap_or_else(|| panic!("neither a result nor a refused event: {answer}"));
    let words = rejected["message"].as_str().unwrap_or_default();
    Answer::Refused(index, words.to_owned())
}
