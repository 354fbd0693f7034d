//! The program beside the peer's script, as processes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{given, snapshots};
use crate::figure::{Measured, grouped};
use crate::measure::{self, ROUNDS, megabytes, milliseconds, of_bytes};
use crate::peer::PeerPackages;
use crate::process::{self, ProcessRun};
use crate::stream::{self, FileFraming};

/// Any number; the logs of one seed are equal on every machine.
const SEED: u64 = 20_261;

/// The events of a log that only shows what starting costs.
const FEWEST: usize = 3;

/// The commands whose memory is measured beside that of compaction, after the ids of their figures.
const READERS: [(&str, &str); 4] = [
    ("verify", "verify"),
    ("lineage", "lineage"),
    ("attach", "attach"),
    ("replay-memory", "replay"),
];

/// The bytes of the log that they read.
const MOST_READ: u64 = 200_000_000;

/// One log in both framings.
pub struct MeasuredLog {
    /// How many messages and runs it begins.
    pub held: usize,
    /// The file with one event on each line.
    pub lines: PathBuf,
    /// The file with an array.
    pub array: PathBuf,
}

/// The logs that are measured, and a folder for what is written.
pub struct Logs {
    folder: PathBuf,
    /// The fewest events that make a log.
    pub fewest: MeasuredLog,
    /// A hundredth of the events.
    pub hundredth: MeasuredLog,
    /// A tenth of the events.
    pub tenth: MeasuredLog,
    /// All events.
    pub all: MeasuredLog,
}

impl Logs {
    /// Writes the logs into a folder.
    pub fn write(folder: &Path, events: usize) -> Result<Self, String> {
        let log = |events: usize| {
            eprintln!("writing a log of {} events", grouped(events));
            let file = |ending: &str| folder.join(format!("log-{events}.{ending}"));
            let (lines, array) = (file("jsonl"), file("json"));
            stream::write(&array, FileFraming::Array, events, SEED)?;
            let held = stream::write(&lines, FileFraming::Lines, events, SEED)?;
            Ok::<_, String>(MeasuredLog { held, lines, array })
        };
        Ok(Self {
            folder: folder.to_owned(),
            fewest: log(FEWEST)?,
            hundredth: log(events / 100)?,
            tenth: log(events / 10)?,
            all: log(events)?,
        })
    }
}

/// The program and the peer on one file.
pub struct MeasuredPair {
    ours: Vec<ProcessRun>,
    peer: Vec<ProcessRun>,
    /// What they wrote in the last round.
    output: [PathBuf; 2],
}

impl MeasuredPair {
    /// Compacts a file with both, in turn.
    pub fn measure(
        program: &Path,
        peer: &PeerPackages,
        folder: &Path,
        file: &Path,
    ) -> Result<Self, String> {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        eprintln!("compacting `{name}` {ROUNDS} times with both");
        let output = [
            folder.join(format!("ours-{name}")),
            folder.join(format!("peer-{name}")),
        ];
        let mut pair = Self {
            ours: Vec::new(),
            peer: Vec::new(),
            output,
        };
        for _ in 0..ROUNDS {
            // To truncate what the round before has written would be in the time of both.
            pair.output
                .iter()
                .try_for_each(|path| process::remove(path))?;
            let mut ours = Command::new(program);
            ours.arg("compact").arg(file);
            pair.ours.push(process::run(&mut ours, &pair.output[0])?);
            // The peer's script writes its file itself, and prints nothing.
            let mut theirs = peer.command("compact.mjs", &[file, &pair.output[1]]);
            pair.peer
                .push(process::run(&mut theirs, &folder.join("printed"))?);
        }
        Ok(pair)
    }

    /// The median wall times, ours and the peer's.
    pub fn walls(&self) -> [Duration; 2] {
        [&self.ours, &self.peer]
            .map(|runs| measure::median(runs.iter().map(|run| run.wall).collect()))
    }

    /// The highest peak of the peer.
    pub fn peer_peak(&self) -> u64 {
        self.peer
            .iter()
            .map(|run| run.peak)
            .max()
            .unwrap_or_default()
    }

    fn wall_figure(&self, id: &'static str) -> Measured {
        let [ours, peer] = self.walls();
        Measured {
            id,
            value: measure::ratio(peer, ours),
            peer: format!("ours {}, peer {}", milliseconds(ours), milliseconds(peer)),
        }
    }
}

/// Every figure that is measured on processes.
pub fn figures(program: &Path, peer: &PeerPackages, logs: &Logs) -> Result<Vec<Measured>, String> {
    for log in [&logs.fewest, &logs.hundredth, &logs.tenth, &logs.all] {
        verify(program, log, &logs.folder)?;
    }
    let pair = |file: &Path| MeasuredPair::measure(program, peer, &logs.folder, file);
    let lines = [
        pair(&logs.hundredth.lines)?,
        pair(&logs.tenth.lines)?,
        pair(&logs.all.lines)?,
    ];
    let [_, tenth, all] = &lines;
    let mut figures = vec![
        pair(&logs.fewest.lines)?.wall_figure("start"),
        lines[0].wall_figure("lines-hundredth"),
        tenth.wall_figure("lines-tenth"),
        all.wall_figure("lines-all"),
        pair(&logs.hundredth.array)?.wall_figure("array-hundredth"),
        pair(&logs.tenth.array)?.wall_figure("array-tenth"),
        pair(&logs.all.array)?.wall_figure("array-all"),
    ];
    figures.extend(sizes(all)?);
    figures.extend(memory(program, logs, all.peer_peak())?);
    figures.extend(readers(program, logs)?);
    figures.extend(snapshots::figures(program, &logs.folder)?);
    let times = [tenth, all].map(|pair| pair.walls()[0]);
    figures.push(Measured {
        id: "linear",
        value: measure::ratio(times[1], times[0] * 10),
        peer: format!(
            "{} and 10 × {}",
            milliseconds(times[1]),
            milliseconds(times[0])
        ),
    });
    Ok(figures)
}

/// A log that a verifier rejects would measure nothing.
fn verify(program: &Path, log: &MeasuredLog, folder: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg("verify").arg(&log.lines).stderr(Stdio::null());
    process::run(&mut command, &folder.join("printed")).map(drop)
}

/// What the two wrote: events and bytes.
fn sizes(pair: &MeasuredPair) -> Result<[Measured; 2], String> {
    let mut events = [0, 0];
    let mut bytes = [0, 0];
    for (index, path) in pair.output.iter().enumerate() {
        let failed = |error: std::io::Error| format!("cannot read `{}`: {error}", path.display());
        let file = std::io::BufReader::new(std::fs::File::open(path).map_err(failed)?);
        for line in std::io::BufRead::split(file, b'\n') {
            bytes[index] += line.map_err(failed)?.len() + 1;
            events[index] += 1;
        }
    }
    let figure = |id, [ours, peer]: [usize; 2]| Measured {
        id,
        value: of(ours) / of(peer),
        peer: format!("ours {}, peer {}", grouped(ours), grouped(peer)),
    };
    Ok([figure("events", events), figure("bytes", bytes)])
}

/// The memory of compaction, and how it grows with the log.
fn memory(program: &Path, logs: &Logs, peer: u64) -> Result<[Measured; 2], String> {
    let peak = |log: &MeasuredLog| given::peak(program, &logs.folder, "compact", &log.lines);
    let (tenth, all) = (peak(&logs.tenth)?, peak(&logs.all)?);
    let held = logs.all.held - logs.tenth.held;
    Ok([
        Measured {
            id: "memory",
            value: of_bytes(all),
            peer: format!("peer {}", megabytes(peer)),
        },
        Measured {
            id: "growth",
            value: of_bytes(all.saturating_sub(tenth)) / of(held),
            peer: format!(
                "from {} by {} messages and runs",
                megabytes(tenth),
                grouped(held)
            ),
        },
    ])
}

/// The memory of the commands that read a log and do not compact it.
fn readers(program: &Path, logs: &Logs) -> Result<Vec<Measured>, String> {
    let log = &logs.folder.join("log-beginning.jsonl");
    let size = write_beginning(&logs.all.lines, log)
        .map_err(|error| format!("cannot write `{}`: {error}", log.display()))?;
    let peer = format!("a log of {}", megabytes(size));
    let figure = |(id, command)| {
        Ok(Measured {
            id,
            value: of_bytes(given::peak(program, &logs.folder, command, log)?),
            peer: peer.clone(),
        })
    };
    READERS.into_iter().map(figure).collect()
}

/// Writes the whole lines at the beginning of a log that have at most [`MOST_READ`] bytes together, and
/// gives how many bytes they have.
fn write_beginning(log: &Path, beginning: &Path) -> io::Result<u64> {
    let mut out = BufWriter::new(File::create(beginning)?);
    let (mut input, mut line, mut size) = (BufReader::new(File::open(log)?), Vec::new(), 0);
    while input.read_until(b'\n', &mut line)? > 0 {
        size += line.len() as u64;
        if size > MOST_READ {
            size -= line.len() as u64;
            break;
        }
        out.write_all(&line)?;
        line.clear();
    }
    out.flush()?;
    Ok(size)
}

/// Counts here are far below the integers that a double holds.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts of events and bytes are below 2^53"
)]
fn of(count: usize) -> f64 {
    count as f64
}
