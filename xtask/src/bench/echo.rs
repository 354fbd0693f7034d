//! The runner's own cost: a Python adapter that only echoes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use chatstate_corpus::{Corpus, Selection, load_dir};
use chatstate_runner::{AdapterCommand, Expectations, Options, Work, run};
use serde_json::json;

use super::measure::{Row, ratio, side_by_side};

/// How many cases are run.
const CASES: u32 = 20_000;

/// An adapter that answers every request with its input.
const ADAPTER: &str = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        answer = {"protocol": 1, "implementation": {"name": "echo", "version": "1", "language": "python"},
                  "capabilities": ["round-trip", "events"], "maxInFlight": 64}
    elif request["cmd"] == "run":
        answer = {"seq": request["seq"], "ok": request["input"]}
    else:
        break
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
"#;

/// Cases a second through the runner, beside the same lines through a bare pipe.
pub fn runner() -> Result<Row, String> {
    let corpus = corpus()?;
    let cases = corpus
        .select(&Selection::default())
        .map_err(|error| error.to_string())?;
    let command = AdapterCommand::new("python3", ["-c", ADAPTER]);
    let expectations = Expectations::default();
    let work = Work {
        command: &command,
        corpus: &corpus,
        cases,
        requirements: &[],
        expectations: &expectations,
    };
    let options = Options {
        canaries: false,
        ..Options::default()
    };
    let (ours, bare) = side_by_side(
        || {
            let report = run(&work, &options, &mut |_| {}).map_err(|error| error.to_string())?;
            if report.exit_code() == 0 {
                Ok(())
            } else {
                Err("the echo adapter failed cases".to_owned())
            }
        },
        bare_pipe,
    )?;
    let per_second = |time: std::time::Duration| f64::from(CASES) / time.as_secs_f64();
    Ok(Row {
        what: format!("{CASES} cases through a Python adapter that echoes"),
        measured: format!("{:.0} cases/s", per_second(ours)),
        yardstick: format!(
            "the same lines through a bare pipe {:.0}/s",
            per_second(bare)
        ),
        ratio: ratio(ours, bare),
    })
}

/// A document of about a kilobyte, as chats have them.
fn document(index: u32) -> serde_json::Value {
    json!({"type": "CUSTOM", "name": format!("n{index}"), "value": {"text": "word ".repeat(190), "index": index}})
}

fn corpus() -> Result<Corpus, String> {
    let case = |index: u32| {
        let case = json!({
            "title": format!("case {index}"), "requirements": ["round-trip.known"], "needs": ["events"], "why": "speed",
            "op": "round-trip", "type": "Event", "input": document(index), "since": "1",
        });
        (
            format!("round-trip/c{index:06}.json"),
            case.to_string().into_bytes(),
        )
    };
    load_dir("bench", (0..CASES).map(case)).map_err(|error| error.to_string())
}

/// The lines that the runner would send, written and read by two threads.
fn bare_pipe() -> Result<(), String> {
    let failed = |error: std::io::Error| format!("the bare pipe failed: {error}");
    let mut child = Command::new("python3")
        .args(["-c", ADAPTER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the bare pipe has no ends".to_owned());
    };
    let writer = std::thread::spawn(move || -> std::io::Result<()> {
        for index in 0..CASES {
            let run = json!({"cmd": "run", "seq": index, "op": "round-trip", "type": "Event", "input": document(index).to_string()});
            writeln!(input, "{run}")?;
        }
        Ok(())
    });
    let lines = BufReader::new(output).lines().take(CASES as usize).count();
    writer
        .join()
        .map_err(|_| "the bare pipe's writer panicked".to_owned())?
        .map_err(failed)?;
    child.wait().map_err(failed)?;
    if lines == CASES as usize {
        Ok(())
    } else {
        Err(format!("the bare pipe gave {lines} lines"))
    }
}
