//! `cargo xtask bench hostile`: input that is made to be slow, and what twice as much of it costs.

mod documents;
mod items;
mod log;
mod measure;
mod patches;
mod rows;
mod runs;
#[cfg(test)]
mod tests;

use std::io;

use super::BenchSubject;
use super::figure::{BenchResult, Goal};
use super::page::{self, Bench};
use rows::ROWS;

pub use runs::with_messages as runs_with_messages;

/// The section of the page.
pub const BENCH: Bench = Bench {
    name: "hostile",
    title: "Hostile input",
    method: "Logs and documents that are small and made to be slow, each in two sizes, the second twice the first. A
figure is what the larger one costs over what the smaller one does: processor time of the `chatstate` process, the
fastest of three runs in turn or a single one that takes more than three seconds, and where it says so the bytes of the
output or the peak of the memory. Of several commands the worst counts, and the row names it. An error that names a limit is a right end; then the figure is what it
takes until there. A run that takes more than 60 seconds of processor time is stopped, and the figure is infinite.",
    goals: &GOALS,
    events: 10_000_000,
    least_events: 16,
    measure,
};

/// The goals of all rows.
const GOALS: [Goal; ROWS.len()] = {
    let mut goals = [ROWS[0].goal; ROWS.len()];
    let mut index = 1;
    while index < goals.len() {
        goals[index] = ROWS[index].goal;
        index += 1;
    }
    goals
};

/// The figures of all rows; no input has more items than `most`.
fn measure(subject: BenchSubject<'_>, most: usize) -> Result<BenchResult, String> {
    let BenchSubject { workspace, program } = subject;
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let figures = ROWS
        .iter()
        .map(|row| {
            eprintln!("{}", row.goal.name);
            measure::row(program, folder.path(), row, most)
        })
        .collect::<Result<_, _>>()?;
    let machine = format!("{}; Rust {}", page::machine(), page::version_of("rustc"));
    Ok(BenchResult { figures, machine })
}

/// Answers the requests of the runner as an adapter whose answers have so many values.
pub fn flood(values: usize) -> io::Result<()> {
    documents::flood(io::stdin().lock(), io::stdout().lock(), values)
}
