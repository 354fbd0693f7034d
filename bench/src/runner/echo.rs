//! Adapters that answer each request with its input: what is left is the runner and the pipe.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use chatstate_corpus::{Corpus, Selection, load_dir};
use chatstate_protocol::{
    AdapterError, BUFFER_BYTES, Implementation, ImplementationName, PROTOCOL_VERSION, Reply,
    RunRequest, StartReply,
};
use chatstate_runner::{AdapterCommand, Expectations, RunOptions, RunWork, Verdict, run};
use serde_json::json;

use crate::figure::{Measured, grouped};
use crate::measure::{ratio, side_by_side};

/// The adapter in Python.
const PYTHON: &str = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        answer = {"protocol": 1, "implementation": {"name": "echo", "version": "1", "language": "python"},
                  "capabilities": ["round-trip", "chat"], "maxInFlight": 256}
    elif request["cmd"] == "run":
        answer = {"seq": request["seq"], "ok": request["input"]}
    else:
        break
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
"#;

/// The task of this program that is the adapter in Rust.
const TASK: &str = "echo-adapter";

/// The adapter in Rust, as `chatstate_protocol` serves it.
struct Echo;

impl Implementation for Echo {
    fn introduce(&mut self) -> StartReply {
        StartReply {
            protocol: PROTOCOL_VERSION,
            implementation: ImplementationName {
                name: "echo".to_owned(),
                version: "1".to_owned(),
                language: "rust".to_owned(),
            },
            capabilities: ["round-trip", "chat"].map(str::to_owned).to_vec(),
            dialect: None,
            max_in_flight: Some(256),
        }
    }

    fn run(&mut self, request: &RunRequest) -> Reply {
        Reply::Ok(request.input.clone().unwrap_or_default())
    }
}

/// Answers requests on stdin until `stop`.
pub fn serve() -> Result<(), AdapterError> {
    let output = BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock());
    chatstate_protocol::serve(io::stdin().lock(), output, &mut Echo)
}

/// Cases a second through the runner, beside the same lines through a bare pipe.
pub fn measure(cases: usize) -> Result<Vec<Measured>, String> {
    let this = std::env::current_exe().map_err(|error| format!("cannot find itself: {error}"))?;
    let python = AdapterCommand::new("python3", ["-c", PYTHON]);
    let native = AdapterCommand::new(this, [TASK]);
    let mut figures = compared(["python", "python-pipe"], &python, cases / 10)?;
    figures.extend(compared(["native", "native-pipe"], &native, cases)?);
    Ok(figures)
}

fn compared(
    ids: [&'static str; 2],
    command: &AdapterCommand,
    count: usize,
) -> Result<Vec<Measured>, String> {
    let corpus = corpus(count)?;
    let lines = lines(count);
    let (ours, bare) = side_by_side(
        || through_runner(command, &corpus),
        || bare_pipe(command, &lines),
    )?;
    let per_second = |time: Duration| per_second(count, time);
    let peer = format!(
        "ours {}/s, pipe {}/s",
        grouped(whole(per_second(ours))),
        grouped(whole(per_second(bare)))
    );
    let figure = |id, value| Measured {
        id,
        value,
        peer: peer.clone(),
    };
    let [speed, beside] = ids;
    Ok(vec![
        figure(speed, per_second(ours)),
        figure(beside, ratio(ours, bare)),
    ])
}

fn per_second(count: usize, time: Duration) -> f64 {
    u32::try_from(count).map_or(f64::NAN, f64::from) / time.as_secs_f64()
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is shown, and is neither negative nor large"
)]
fn whole(value: f64) -> usize {
    value.round() as usize
}

fn through_runner(command: &AdapterCommand, corpus: &Corpus) -> Result<(), String> {
    let cases = corpus.select(&Selection::default());
    let cases = cases.map_err(|error| error.to_string())?;
    let expectations = Expectations::default();
    let count = cases.len();
    let work = RunWork {
        command,
        corpus,
        cases,
        requirements: &[],
        expectations: &expectations,
    };
    let options = RunOptions {
        canaries: false,
        ..RunOptions::default()
    };
    let report = run(&work, &options, &mut |_| {}).map_err(|error| error.to_string())?;
    if report.count(Verdict::Pass) == count {
        Ok(())
    } else {
        Err("the echo adapter failed cases".to_owned())
    }
}

/// A chat of about a kilobyte.
fn document(index: usize) -> String {
    let message = |role: &str, text: &str| json!({"role": role, "items": [{"type": "text", "text": text}], "metadata": {"index": index}});
    let question = message(
        "user",
        "What will the weather be in Paris at the weekend?\n",
    );
    let answer = message(
        "assistant",
        &"It stays mild, and \"rain\" is not in sight. ".repeat(15),
    );
    json!({"history": [question, answer], "participants": [], "channels": []}).to_string()
}

fn corpus(count: usize) -> Result<Corpus, String> {
    let case = |index: usize| {
        let input = document(index);
        let text = format!(
            r#"{{"title":"case {index}","requirements":["round-trip.known"],"needs":["chat"],"why":"speed",
            "op":"round-trip","type":"ChatState","input":{input},"since":"1"}}"#
        );
        (format!("round-trip/c{index:06}.json"), text.into_bytes())
    };
    load_dir("bench", (0..count).map(case)).map_err(|error| error.to_string())
}

/// The lines that the runner sends.
fn lines(count: usize) -> Vec<u8> {
    let mut lines = format!(
        "{}\n",
        json!({"cmd": "start", "protocol": PROTOCOL_VERSION})
    );
    for index in 0..count {
        let run = json!({
            "cmd": "run", "seq": index, "op": "round-trip", "type": "ChatState", "input": document(index),
        });
        lines += &run.to_string();
        lines.push('\n');
    }
    lines.into_bytes()
}

/// Lines written and counted by two threads.
fn bare_pipe(command: &AdapterCommand, lines: &[u8]) -> Result<(), String> {
    let failed = |error: io::Error| format!("the bare pipe failed: {error}");
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the bare pipe has no ends".to_owned());
    };
    let wanted = lines.split(|byte| *byte == b'\n').count() - 1;
    let (written, answered) = std::thread::scope(|scope| {
        let writer = scope.spawn(move || input.write_all(lines));
        let answers = BufReader::with_capacity(64 * 1024, output).split(b'\n');
        // Reading comes first: both sides would wait for room in a pipe otherwise.
        let answered = answers.take(wanted).count();
        (writer.join(), answered)
    });
    written
        .map_err(|_| "the bare pipe's writer panicked".to_owned())?
        .map_err(failed)?;
    child.wait().map_err(failed)?;
    if answered == wanted {
        Ok(())
    } else {
        Err(format!("the bare pipe gave {answered} lines"))
    }
}

#[cfg(test)]
mod tests {
    use chatstate_runner::AdapterCommand;

    use super::{bare_pipe, lines};

    /// Far more than a pipe holds goes through one.
    #[test]
    #[cfg(unix)]
    fn nobody_waits_for_the_other_side() {
        let cat = AdapterCommand::new("cat", std::iter::empty::<&str>());
        assert_eq!(bare_pipe(&cat, &lines(2_000)), Ok(()));
    }
}
