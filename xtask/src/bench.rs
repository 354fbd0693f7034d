//! `cargo xtask bench`: starts the measurements, built with optimisation, on a program that is built so.

use std::path::Path;
use std::process::Command;

use crate::program::{self, BuildProfile};

/// Measures the kit itself, or what has a name.
pub fn run(workspace: &Path, name: Option<&str>, events: Option<usize>) -> Result<(), String> {
    let program = program::build(workspace, BuildProfile::Release)?;
    let mut command = Command::new(program::cargo());
    command.args(["run", "--release", "--quiet"]);
    command.args(["--package", "chatstate-bench", "--", "measure"]);
    command.args(name).arg("--program").arg(program);
    if let Some(events) = events {
        command.arg("--events").arg(events.to_string());
    }
    let status = command
        .current_dir(workspace)
        .status()
        .map_err(|error| format!("cannot start the measurements: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err("the measurements failed; see above".to_owned())
}
