//! `cargo xtask bench validation`: value trees beside `ajv` on the published schema.

use std::path::Path;
use std::time::{Duration, Instant};

use chatstate::json::{Value, parse};
use chatstate::validate::check_value;
use serde_json::json;

use super::BenchSubject;
use super::figure::FigureBound::{AtLeast, AtMost};
use super::figure::{BenchResult, Goal, Measured, Unit};
use super::measure::{self, ROUNDS, median, milliseconds};
use super::page::{self, Bench};
use super::peer::PeerPackages;
use super::stream;

/// Any number; the logs of one seed are equal on every machine.
const SEED: u64 = 20_261;

/// How often the events are judged in a round; the last time counts, as with the peer.
const PASSES: usize = 4;

/// The published schema.
const SCHEMA: &str = "schema/v1/event.schema.json";

/// The section of the page.
pub const BENCH: Bench = Bench {
    name: "validation",
    title: "Validation",
    method: "Events that are parsed already, judged against `schema/v1/event.schema.json` as it is published: ours
from value trees by the tables of the schema, the peer by `ajv` with its validator for 2020-12, compiled before the
clock starts. Both judge all events four times in a round and the last time counts. The invalid events are the same
ones, each with a `timestamp` that is a text.",
    goals: &[
        goal("valid", "{all} valid events: ajv / ours", Some(AtLeast(10.0)), Some(AtLeast(20.0))),
        goal("invalid", "{all} events, ours: invalid / valid", Some(AtMost(5.0)), Some(AtMost(3.0))),
        goal("invalid-peer", "{all} events, ajv: invalid / valid", None, None),
        goal("refused", "{all} invalid events: ajv / ours", None, None),
    ],
    events: 10_000,
    least_events: 1_000,
    measure,
};

const fn goal(
    id: &'static str,
    name: &'static str,
    floor: Option<super::figure::FigureBound>,
    aim: Option<super::figure::FigureBound>,
) -> Goal {
    Goal {
        id,
        name,
        unit: Unit::Ratio,
        floor,
        aim,
    }
}

/// Times in turn, ours and the peer's.
#[derive(Default)]
struct ValidationTimes {
    ours: Vec<Duration>,
    peer: Vec<Duration>,
}

fn measure(subject: BenchSubject<'_>, events: usize) -> Result<BenchResult, String> {
    let workspace = subject.workspace;
    let peer = PeerPackages::install(workspace)?;
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let valid: Vec<_> = stream::log(events, SEED).collect();
    let mut invalid = valid.clone();
    for event in &mut invalid {
        event["timestamp"] = json!("x");
    }
    let schema = workspace.join(SCHEMA);
    let mut times = [ValidationTimes::default(), ValidationTimes::default()];
    let inputs = [
        ValidationInput::new(folder.path(), "valid", &valid)?,
        ValidationInput::new(folder.path(), "invalid", &invalid)?,
    ];
    for _ in 0..ROUNDS {
        for ((input, times), expected) in inputs.iter().zip(&mut times).zip([events, 0]) {
            times.ours.push(input.judge(expected)?);
            times
                .peer
                .push(input.judge_by_peer(&peer, &schema, expected)?);
        }
    }
    let machine = format!(
        "{}; Node.js {}, `ajv` {}, Rust {}",
        page::machine(),
        page::version_of("node"),
        peer.version("ajv"),
        page::version_of("rustc"),
    );
    Ok(BenchResult {
        figures: figures(times),
        machine,
    })
}

fn figures(times: [ValidationTimes; 2]) -> Vec<Measured> {
    let [valid, invalid] = times.map(|times| (median(times.ours), median(times.peer)));
    let figure = |id, over: (&str, Duration), under: (&str, Duration)| Measured {
        id,
        value: measure::ratio(over.1, under.1),
        peer: format!(
            "{} {}, {} {}",
            under.0,
            milliseconds(under.1),
            over.0,
            milliseconds(over.1)
        ),
    };
    vec![
        figure("valid", ("peer", valid.1), ("ours", valid.0)),
        figure("invalid", ("invalid", invalid.0), ("valid", valid.0)),
        figure("invalid-peer", ("invalid", invalid.1), ("valid", valid.1)),
        figure("refused", ("peer", invalid.1), ("ours", invalid.0)),
    ]
}

/// The same events for both.
struct ValidationInput {
    trees: Vec<Value>,
    file: std::path::PathBuf,
}

impl ValidationInput {
    fn new(folder: &Path, name: &str, events: &[serde_json::Value]) -> Result<Self, String> {
        let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
        let trees = lines
            .iter()
            .map(|line| parse(line))
            .collect::<Result<_, _>>();
        let file = folder.join(format!("{name}.jsonl"));
        std::fs::write(&file, lines.join("\n"))
            .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        Ok(Self {
            trees: trees.map_err(|rejection| rejection.to_string())?,
            file,
        })
    }

    fn judge(&self, expected: usize) -> Result<Duration, String> {
        let mut time = Duration::ZERO;
        for _ in 0..PASSES {
            let start = Instant::now();
            let valid = self
                .trees
                .iter()
                .filter(|tree| matches!(check_value("Event", tree), Some(Ok(()))));
            let valid = valid.count();
            time = start.elapsed();
            if valid != expected {
                return Err(format!("{valid} of the events are valid, not {expected}"));
            }
        }
        Ok(time)
    }

    fn judge_by_peer(
        &self,
        peer: &PeerPackages,
        schema: &Path,
        expected: usize,
    ) -> Result<Duration, String> {
        let answer = peer.answer("validate.mjs", &[schema, &self.file])?;
        let (seconds, valid) = (answer["seconds"].as_f64(), answer["valid"].as_u64());
        if valid != u64::try_from(expected).ok() {
            return Err(format!(
                "{valid:?} of the events are valid for the peer, not {expected}"
            ));
        }
        seconds
            .map(Duration::from_secs_f64)
            .ok_or_else(|| "`validate.mjs` gave no `seconds`".to_owned())
    }
}
