//! The tasks of this workspace, run as `cargo xtask TASK`.

mod codegen;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_version_flag = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Writes the generated code and the generated lists of the schema.
    Codegen {
        /// Writes nothing; prints what differs and fails if anything does.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Codegen { check } => codegen::run(&workspace(), check),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace: the parent of this package, which cargo names when it runs a task.
fn workspace() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| "xtask".into(), PathBuf::from);
    package.parent().map_or_else(|| ".".into(), PathBuf::from)
}
