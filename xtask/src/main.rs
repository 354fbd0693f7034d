//! The tasks of this workspace, run as `cargo xtask TASK`.

#[cfg(feature = "kit")]
mod bench;
mod codegen;
#[cfg(feature = "kit")]
mod dist;
#[cfg(feature = "kit")]
mod lane;
#[cfg(feature = "kit")]
mod matrix;
#[cfg(feature = "kit")]
mod new_case;
#[cfg(feature = "kit")]
mod program;
#[cfg(feature = "kit")]
mod test;
#[cfg(feature = "kit")]
mod test_programs;
#[cfg(feature = "kit")]
mod traceability;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_version_flag = true)]
struct TaskArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Writes everything that is generated: types, lists of the schema, kit schemas, traceability.
    Codegen {
        /// Writes nothing; prints what differs and fails if anything does.
        #[arg(long)]
        check: bool,
    },
    /// Sets up what the tests need and runs all of them.
    #[cfg(feature = "kit")]
    Test,
    /// Builds the program as it is published, and prints its path.
    #[cfg(feature = "kit")]
    Dist,
    /// Measures speed; each figure is beside a yardstick of the same run.
    #[cfg(feature = "kit")]
    Bench {
        /// What is measured: `compaction`, `hostile`, `validation`, `codegen`, `runner` or `packages`; without it, the kit itself
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
    },
    /// Runs every SDK and every generated package, and writes the pages with the results.
    #[cfg(feature = "kit")]
    Matrix,
    /// Writes the beginning of a case.
    #[cfg(feature = "kit")]
    NewCase {
        /// Its id, `suite/slug`
        id: String,
        /// Its op
        #[arg(long)]
        op: String,
        /// The type of its input, for ops that take one
        #[arg(long = "type")]
        document_type: Option<String>,
    },
}

fn main() -> ExitCode {
    match run(TaskArguments::parse().task, &workspace()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task, workspace: &Path) -> Result<(), String> {
    match task {
        Task::Codegen { check } => {
            codegen::run(workspace, check).map_err(|error| error.to_string())
        }
        #[cfg(feature = "kit")]
        Task::Test => test::run(workspace),
        #[cfg(feature = "kit")]
        Task::Dist => dist::build(workspace).map(|path| println!("{}", path.display())),
        #[cfg(feature = "kit")]
        Task::Bench { name, events, log } => bench::run(workspace, name.as_deref(), events, &log),
        #[cfg(feature = "kit")]
        Task::Matrix => matrix::run(workspace),
        #[cfg(feature = "kit")]
        Task::NewCase {
            id,
            op,
            document_type,
        } => new_case::run(workspace, &id, &op, document_type.as_deref()),
    }
}

/// The root of the workspace: the parent of this package, which cargo names when it runs a task.
fn workspace() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| "xtask".into(), PathBuf::from);
    package.parent().map_or_else(|| ".".into(), PathBuf::from)
}
