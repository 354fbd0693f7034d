//! `cargo xtask bench`: how fast the kit is, each figure beside a yardstick of the same run.

mod codegen;
mod compaction;
mod figure;
mod measure;
mod packages;
mod page;
mod peer;
mod process;
pub mod program;
mod runner;
mod stream;
#[cfg(test)]
mod tests;
mod validation;

use std::path::Path;
use std::process::Command;

use figure::{HEAD, Outcome, Table, grouped};
use measure::Row;
use page::{Bench, Content};

/// The benches that have a section of the page, in its order.
const BENCHES: [&Bench; 5] = [
    &compaction::BENCH,
    &validation::BENCH,
    &codegen::BENCH,
    &runner::BENCH,
    &packages::BENCH,
];

pub use runner::serve as serve_echo;

/// What the benches are called on the command line.
pub fn names() -> Vec<&'static str> {
    BENCHES.iter().map(|bench| bench.name).collect()
}

/// Measures the kit itself, or what has a name, and prints one table. Built without optimisation it
/// runs itself again with.
pub fn run(workspace: &Path, name: Option<&str>, events: Option<usize>) -> Result<(), String> {
    if cfg!(debug_assertions) {
        return run_optimised(workspace, name, events);
    }
    let Some(bench) = BENCHES.iter().find(|bench| Some(bench.name) == name) else {
        return kit(workspace);
    };
    measure(workspace, bench, events)
}

/// Measures against goals. The page is written by a full run alone; a missed floor is a failure.
fn measure(workspace: &Path, bench: &Bench, events: Option<usize>) -> Result<(), String> {
    let count = events.unwrap_or(bench.events);
    if count < bench.least_events {
        let least = grouped(bench.least_events);
        return Err(format!("`{}` needs at least {least} events", bench.name));
    }
    let Outcome { figures, machine } = (bench.measure)(workspace, count)?;
    let table = Table::new(bench.goals, &figures, count)?;
    println!("{machine}\n");
    for line in HEAD
        .iter()
        .copied()
        .chain(table.rows.iter().map(String::as_str))
    {
        println!("{line}");
    }
    let Table { rows, missed } = table;
    if events.is_none() {
        page::write(workspace, &BENCHES, bench.name, &Content { machine, rows })?;
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("below the floor: {}", missed.join("; ")))
}

/// What the kit itself costs.
fn kit(workspace: &Path) -> Result<(), String> {
    let program = program::build(workspace)?;
    print(&[
        program::start(&program)?,
        program::corpus(&program)?,
        program::large_document(&program)?,
    ]);
    Ok(())
}

fn run_optimised(
    workspace: &Path,
    name: Option<&str>,
    events: Option<usize>,
) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "run",
        "--release",
        "--quiet",
        "--package",
        "xtask",
        "--",
        "bench",
    ]);
    command.args(name);
    if let Some(events) = events {
        command.arg("--events").arg(events.to_string());
    }
    let status = command
        .current_dir(workspace)
        .status()
        .map_err(|error| format!("cannot run the optimised build: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the measurements failed; see above".to_owned())
    }
}

fn print(rows: &[Row]) {
    println!("| what | measured | yardstick of the same run | ratio |");
    println!("|---|---|---|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {:.2} |",
            row.what, row.measured, row.yardstick, row.ratio
        );
    }
}
