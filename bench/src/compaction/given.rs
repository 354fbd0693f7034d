//! Logs that the command line gives, such as those of other generators: what each command takes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::programs::MeasuredPair;
use crate::measure::{self, ROUNDS, milliseconds};
use crate::peer::PeerPackages;
use crate::process::{self, ProcessRun};

/// The commands that read a log.
const COMMANDS: [&str; 4] = ["verify", "lineage", "attach", "replay"];

/// The head of the table.
const HEAD: [&str; 2] = [
    "| log | command | wall time | peak memory | peer / ours |",
    "|---|---|---|---|---|",
];

/// The table of all logs, with a row for each command and one for the peer.
pub fn table(workspace: &Path, program: &Path, logs: &[PathBuf]) -> Result<Vec<String>, String> {
    let peer = PeerPackages::install(workspace)?;
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let mut lines: Vec<String> = HEAD.map(str::to_owned).into();
    for log in logs {
        lines.extend(rows(program, &peer, folder.path(), log)?);
    }
    Ok(lines)
}

/// The rows of one log.
fn rows(
    program: &Path,
    peer: &PeerPackages,
    folder: &Path,
    log: &Path,
) -> Result<Vec<String>, String> {
    let name = log.file_name().unwrap_or_default().to_string_lossy();
    let row = |command: &str, wall: Duration, peak: u64, ratio: &str| {
        let peak = measure::megabytes(peak);
        let wall = milliseconds(wall);
        format!("| {name} | {command} | {wall} | {peak} | {ratio} |")
    };
    let pair = MeasuredPair::measure(program, peer, folder, log)?;
    let [ours, theirs] = pair.walls();
    let ratio = format!("{:.1}", measure::ratio(theirs, ours));
    let peak = peak(program, folder, "compact", log)?;
    let mut rows = vec![
        row("`compact`", ours, peak, &ratio),
        row("`@ag-ui/client`", theirs, pair.peer_peak(), "–"),
    ];
    for command in COMMANDS {
        let (wall, peak) = command_on(program, folder, command, log)?;
        rows.push(row(&format!("`{command}`"), wall, peak, "–"));
    }
    Ok(rows)
}

/// The median wall time of a command, and its memory.
fn command_on(
    program: &Path,
    folder: &Path,
    command: &str,
    log: &Path,
) -> Result<(Duration, u64), String> {
    eprintln!("`{command}` of `{}` {ROUNDS} times", log.display());
    let output = folder.join("printed");
    let run = |_| process::run(Command::new(program).arg(command).arg(log), &output);
    let runs = (0..ROUNDS)
        .map(run)
        .collect::<Result<Vec<ProcessRun>, _>>()?;
    let wall = measure::median(runs.iter().map(|run| run.wall).collect());
    Ok((wall, peak(program, folder, command, log)?))
}

/// The memory of a command, the highest of a few runs: a bound must hold in every run.
pub fn peak(program: &Path, folder: &Path, command: &str, log: &Path) -> Result<u64, String> {
    let mut highest = 0;
    for _ in 0..ROUNDS {
        let mut started = Command::new(program);
        started.arg(command).arg(log);
        highest = highest.max(process::peak(&mut started, &folder.join("printed"))?);
    }
    Ok(highest)
}
