//! An adapter asked directly: many requests to one process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The process of an adapter, after its handshake.
#[derive(Debug)]
pub struct Adapter {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    asked: usize,
    /// What it said of itself.
    pub introduction: Value,
}

impl Adapter {
    /// Starts it and shakes hands.
    ///
    /// # Panics
    ///
    /// When it does not start or shake hands.
    #[must_use]
    pub fn start(mut command: Command) -> Self {
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
            introduction,
        }
    }

    /// Sends requests, which lack only their numbers, and gives the answers in their order.
    ///
    /// # Panics
    ///
    /// When the adapter breaks.
    pub fn ask(&mut self, questions: &[Value]) -> Vec<Value> {
        let first = self.asked;
        self.asked += questions.len();
        let requests = self.requests.as_mut().expect("the process is running");
        let answers = &mut self.answers;
        // Questions are written while answers are read, or both sides would wait for room in a pipe.
        let mut answered: Vec<Value> = std::thread::scope(|scope| {
            scope.spawn(move || {
                for (seq, question) in (first..).zip(questions) {
                    let mut request = question.clone();
                    request["cmd"] = json!("run");
                    request["seq"] = json!(seq);
                    writeln!(requests, "{request}").expect("the adapter reads");
                }
            });
            questions.iter().map(|_| read(answers)).collect()
        });
        answered.sort_by_key(|answer| answer["seq"].as_u64());
        for (seq, answer) in (first..).zip(&answered) {
            assert_eq!(answer["seq"], json!(seq), "{answer}");
        }
        answered
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.requests.take());
        let _ = self.process.wait();
    }
}

fn read(answers: &mut impl BufRead) -> Value {
    let mut line = String::new();
    answers.read_line(&mut line).expect("the adapter answers");
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}
