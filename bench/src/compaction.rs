//! `cargo xtask bench compaction`: compaction and replay beside `@ag-ui/client`.

mod given;
mod goals;
mod library;
mod programs;
mod snapshots;

use std::path::PathBuf;

use super::BenchSubject;
use super::figure::BenchResult;
use super::page::{self, Bench};
use super::peer::PeerPackages;

/// The section of the page.
pub const BENCH: Bench = Bench {
    name: "compaction",
    title: "Compaction and replay",
    method: "`chatstate compact` beside `compactEvents` of `@ag-ui/client`, each a process that reads a log, compacts
it and writes the result; ours verifies the log as well. The logs are made by `bench/src/stream`: one thread of
many runs, each with a window of messages in its input and a `STATE_SNAPSHOT`. The wall time of the peer includes the
start of Node and the import of the package, which the first row shows alone. `sonic-rs` builds a value of each line
and does nothing with it. Replay is measured inside of each process, from the text to messages and state. The rows of
level `snapshot` compare the least processor times on runs with a message each in the input and in the run. With
`--log FILE`, which may be given several times, the wall time and the peak memory of each command that reads a log are
measured on these logs instead and printed, and this page stays as it is.",
    goals: goals::GOALS,
    events: 1_000_000,
    least_events: 10_000,
    measure,
};

/// Measures logs of others, and prints a table of them.
pub fn measure_given(subject: BenchSubject<'_>, logs: &[PathBuf]) -> Result<(), String> {
    let table = given::table(subject.workspace, subject.program, logs)?;
    println!("{}\n", page::machine());
    for line in table {
        println!("{line}");
    }
    Ok(())
}

/// The figures of one run. The programs come first, while this one is small: a process begins with
/// the memory of the one that starts it.
fn measure(subject: BenchSubject<'_>, events: usize) -> Result<BenchResult, String> {
    let BenchSubject { workspace, program } = subject;
    let peer = PeerPackages::install(workspace)?;
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let logs = programs::Logs::write(folder.path(), events)?;
    let mut figures = programs::figures(program, &peer, &logs)?;
    figures.extend(library::figures(&peer, &logs)?);
    let machine = format!(
        "{}; Node.js {}, `@ag-ui/client` {}, `sonic-rs` 0.5, Rust {}",
        page::machine(),
        page::version_of("node"),
        peer.version("@ag-ui/client"),
        page::version_of("rustc"),
    );
    Ok(BenchResult { figures, machine })
}
