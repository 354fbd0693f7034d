//! Typed round trips of events, side by side.

use std::path::Path;
use std::time::{Duration, Instant};

use chatstate::generated::Event;
use serde_json::Value;

use super::languages::Languages;
use crate::figure::Measured;
use crate::measure::{self, ROUNDS, milliseconds};
use crate::stream;

/// How often the events pass in a round: the others are slower, so that theirs take as long.
const PASSES: usize = 40;

/// The times of all rounds.
#[derive(Default)]
struct RoundTripTimes {
    rust: Vec<Duration>,
    typescript: Vec<Duration>,
    zod: Vec<Duration>,
    typescript_validation: Vec<Duration>,
    zod_validation: Vec<Duration>,
    python: Vec<Duration>,
    pydantic: Vec<Duration>,
}

/// Measures all languages in turn.
pub fn measure(workspace: &Path, events: usize, seed: u64) -> Result<Vec<Measured>, String> {
    let languages = Languages::set_up(workspace)?;
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let log = folder.path().join("events.jsonl");
    let lines: Vec<String> = stream::log(events, seed)
        .map(|event| event.to_string())
        .collect();
    std::fs::write(&log, lines.join("\n"))
        .map_err(|error| format!("cannot write `{}`: {error}", log.display()))?;
    let mut times = RoundTripTimes::default();
    for _ in 0..ROUNDS {
        times.rust.push(rust(&lines)?);
        times.add_typescript(&languages.typescript(&log)?, events)?;
        times.add_python(&languages.python(&log)?)?;
    }
    Ok(times.figures())
}

/// The fastest pass of the reference.
fn rust(lines: &[String]) -> Result<Duration, String> {
    let mut fastest = Duration::MAX;
    for _ in 0..PASSES {
        let start = Instant::now();
        let mut length = 0;
        for line in lines {
            let written = Event::from_json(line).and_then(|event| event.to_json());
            length += written.map_err(|rejection| rejection.to_string())?.len();
        }
        fastest = fastest.min(start.elapsed());
        if length != lines.iter().map(String::len).sum::<usize>() {
            return Err("the events are not written as they were read".to_owned());
        }
    }
    Ok(fastest)
}

impl RoundTripTimes {
    fn add_typescript(&mut self, answer: &Value, events: usize) -> Result<(), String> {
        let results = &answer["results"];
        for name in ["zodValidation", "oursValidation"] {
            if results[name].as_u64() != u64::try_from(events).ok() {
                return Err(format!("`{name}` accepts {} of {events}", results[name]));
            }
        }
        self.typescript.push(seconds(answer, "oursRoundTrip")?);
        self.zod.push(seconds(answer, "zodRoundTrip")?);
        self.typescript_validation
            .push(seconds(answer, "oursValidation")?);
        self.zod_validation.push(seconds(answer, "zodValidation")?);
        Ok(())
    }

    fn add_python(&mut self, answer: &Value) -> Result<(), String> {
        self.python.push(seconds(answer, "ours")?);
        self.pydantic.push(seconds(answer, "peer")?);
        Ok(())
    }

    fn figures(self) -> Vec<Measured> {
        let rust = fastest(&self.rust);
        let (typescript, zod) = (fastest(&self.typescript), fastest(&self.zod));
        let (python, pydantic) = (fastest(&self.python), fastest(&self.pydantic));
        let ours = fastest(&self.typescript_validation);
        let theirs = fastest(&self.zod_validation);
        vec![
            figure("rust-zod", ("zod", zod), ("Rust", rust)),
            figure("rust-pydantic", ("pydantic", pydantic), ("Rust", rust)),
            figure("typescript", ("zod", theirs), ("TypeScript", ours)),
            figure("typescript-zod", ("zod", zod), ("TypeScript", typescript)),
            figure("python", ("Python", python), ("pydantic", pydantic)),
        ]
    }
}

/// The fastest time: other users of the machine make a pass slower and never faster.
fn fastest(times: &[Duration]) -> Duration {
    times.iter().copied().min().unwrap_or_default()
}

fn figure(id: &'static str, over: (&str, Duration), under: (&str, Duration)) -> Measured {
    Measured {
        id,
        value: measure::ratio(over.1, under.1),
        peer: format!(
            "{} {}, {} {}",
            under.0,
            milliseconds(under.1),
            over.0,
            milliseconds(over.1)
        ),
    }
}

fn seconds(answer: &Value, name: &str) -> Result<Duration, String> {
    let seconds = answer["seconds"][name].as_f64();
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("no seconds of `{name}` in {answer}"))
}
