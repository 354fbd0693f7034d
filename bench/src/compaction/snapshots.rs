//! Level `snapshot` on logs of many runs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::figure::{Measured, grouped};
use crate::hostile::runs_with_messages;
use crate::measure::{self, ROUNDS, milliseconds};
use crate::process::{self, ProcessEnd};

/// The runs of the smaller log; the larger one has twice as many.
const RUNS: usize = 8_000;

/// What is retained: the id of the figure, and how the command line spells it.
const RETAINED: [(&str, &str); 2] = [("snapshot-tips", "tips"), ("snapshot-runs", "runs")];

/// The figures of both retentions.
pub fn figures(program: &Path, folder: &Path) -> Result<Vec<Measured>, String> {
    let log = |runs: usize| {
        let file = folder.join(format!("runs-{runs}.jsonl"));
        std::fs::write(&file, runs_with_messages(runs))
            .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        Ok::<_, String>(file)
    };
    let logs = [log(RUNS)?, log(2 * RUNS)?];
    let figure = |(id, retain)| {
        eprintln!("compacting to level `snapshot`, {retain}");
        let [small, large] = fastest(program, folder, &logs, retain)?;
        Ok(Measured {
            id,
            value: measure::ratio(large, small * 2),
            peer: format!(
                "{} and 2 × {} for {} runs",
                milliseconds(large),
                milliseconds(small),
                grouped(RUNS)
            ),
        })
    };
    RETAINED.into_iter().map(figure).collect()
}

/// The least processor time on both logs, in turn.
fn fastest(
    program: &Path,
    folder: &Path,
    logs: &[PathBuf; 2],
    retain: &str,
) -> Result<[Duration; 2], String> {
    let (output, errors) = (folder.join("printed"), folder.join("errors"));
    let mut times = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (log, time) in logs.iter().zip(&mut times) {
            let words = ["compact", "--level", "snapshot", "--retain", retain];
            let mut arguments: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
            arguments.push(log.clone());
            let run = process::bounded(program, &arguments, &output, &errors)?;
            if run.end != ProcessEnd::Succeeded {
                return Err(format!("level `snapshot` ended wrong: {:?}", run.end));
            }
            *time = run.time.min(*time);
        }
    }
    Ok(times)
}
