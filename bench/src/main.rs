//! `cargo xtask bench`: how fast the kit is, each figure beside a yardstick of the same run.

mod codegen;
mod compaction;
mod figure;
mod hostile;
mod measure;
mod packages;
mod page;
mod pass;
mod peer;
mod process;
mod program;
mod runner;
mod stream;
#[cfg(test)]
mod tests;
mod train;
mod validation;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use figure::{BenchResult, FigureTable, HEAD, grouped};
use measure::MeasuredRow;
use page::{Bench, SectionContent};

/// The benches that have a section of the page, in its order.
const BENCHES: [&Bench; 6] = [
    &compaction::BENCH,
    &hostile::BENCH,
    &validation::BENCH,
    &codegen::BENCH,
    &runner::BENCH,
    &packages::BENCH,
];

/// The measurements of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", disable_version_flag = true)]
struct BenchArguments {
    #[command(subcommand)]
    task: Measurement,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    /// Measures speed; each figure is beside a yardstick of the same run.
    Measure {
        /// What is measured; without it, the kit itself
        #[arg(value_parser = names())]
        name: Option<String>,
        /// The events of the largest log, or the cases, for a quick run that leaves the page alone
        #[arg(long, requires = "name")]
        events: Option<usize>,
        /// A log to measure instead, with `compaction`; prints a table and leaves the page alone (repeatable)
        #[arg(
            long,
            value_name = "FILE",
            requires = "name",
            conflicts_with = "events"
        )]
        log: Vec<PathBuf>,
        /// The `chatstate` program that is measured
        #[arg(long)]
        program: PathBuf,
    },
    /// Passes over a log on one thread, to count its instructions: see `docs/ablation.md`.
    Pass {
        /// What is done with the events
        work: pass::Work,
        /// The log, in JSON Lines
        log: PathBuf,
    },
    /// Runs a program on what most users have it do, while its steps are counted: see
    /// `cargo xtask dist`.
    Train {
        /// The `chatstate` program that counts its steps
        program: PathBuf,
    },
    /// Answers each request with its input, as an adapter: what the runner is measured by.
    EchoAdapter,
    /// Answers each request with so many small values, as an adapter: what no runner may choke on.
    FloodingAdapter {
        /// How many values
        values: usize,
    },
}

/// What is measured, and with what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchSubject<'a> {
    /// The root of the workspace.
    pub workspace: &'a Path,
    /// The `chatstate` program.
    pub program: &'a Path,
}

fn main() -> ExitCode {
    match run(BenchArguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// What the benches are called on the command line.
fn names() -> Vec<&'static str> {
    BENCHES.iter().map(|bench| bench.name).collect()
}

fn run(task: Measurement) -> Result<(), String> {
    match task {
        Measurement::Pass { work, log } => {
            pass::pass(work, &log).map_err(|error| error.to_string())
        }
        Measurement::Train { program } => train::train(&program),
        Measurement::EchoAdapter => runner::serve().map_err(|error| error.to_string()),
        Measurement::FloodingAdapter { values } => {
            hostile::flood(values).map_err(|error| error.to_string())
        }
        Measurement::Measure { .. } if cfg!(debug_assertions) => {
            Err("this program is built without optimisation; run `cargo xtask bench`".to_owned())
        }
        Measurement::Measure {
            name,
            events,
            log,
            program,
        } => {
            let workspace = &workspace();
            let program = &program;
            let subject = BenchSubject { workspace, program };
            let mut benches = BENCHES.iter();
            match benches.find(|bench| Some(bench.name) == name.as_deref()) {
                Some(bench) if !log.is_empty() => given(subject, bench, &log),
                Some(bench) => measure(subject, bench, events),
                None => kit(program),
            }
        }
    }
}

/// The root of the workspace: the parent of this package, which cargo names when it runs it.
fn workspace() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| "bench".into(), PathBuf::from);
    package.parent().map_or_else(|| ".".into(), PathBuf::from)
}

/// Measures logs that the command line gives.
fn given(subject: BenchSubject<'_>, bench: &Bench, logs: &[PathBuf]) -> Result<(), String> {
    if bench.name == compaction::BENCH.name {
        return compaction::measure_given(subject, logs);
    }
    let (wanted, name) = (compaction::BENCH.name, bench.name);
    Err(format!("`--log` goes with `{wanted}`, not with `{name}`"))
}

/// Measures against goals. The page is written by a full run alone; a missed floor is a failure.
fn measure(subject: BenchSubject<'_>, bench: &Bench, events: Option<usize>) -> Result<(), String> {
    let count = events.unwrap_or(bench.events);
    if count < bench.least_events {
        let least = grouped(bench.least_events);
        return Err(format!("`{}` needs at least {least} events", bench.name));
    }
    let BenchResult { figures, machine } = (bench.measure)(subject, count)?;
    let table = FigureTable::new(bench.goals, &figures, count)?;
    println!("{machine}\n");
    for line in HEAD
        .iter()
        .copied()
        .chain(table.rows.iter().map(String::as_str))
    {
        println!("{line}");
    }
    let FigureTable { rows, missed } = table;
    if events.is_none() {
        page::write(
            subject.workspace,
            &BENCHES,
            bench.name,
            &SectionContent { machine, rows },
        )?;
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("below the floor: {}", missed.join("; ")))
}

/// What the kit itself costs.
fn kit(program: &Path) -> Result<(), String> {
    print(&[
        program::start(program)?,
        program::corpus(program)?,
        program::large_document(program)?,
    ]);
    Ok(())
}

fn print(rows: &[MeasuredRow]) {
    println!("| what | measured | yardstick of the same run | ratio |");
    println!("|---|---|---|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {:.2} |",
            row.what, row.measured, row.yardstick, row.ratio
        );
    }
}
