//! `cargo xtask bench`: starts the measurements of the program as it is published.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{self, BuildProfile};

/// Measures the kit itself, or what has a name.
pub fn run(
    workspace: &Path,
    name: Option<&str>,
    events: Option<usize>,
    logs: &[PathBuf],
) -> Result<(), String> {
    let program = program::build(workspace, BuildProfile::Dist)?;
    let mut command = Command::new(program::cargo());
    command.args(["run", "--profile", "dist", "--quiet"]);
    command.args(["--package", "chatstate-bench", "--", "measure"]);
    command.args(name).arg("--program").arg(program);
    if let Some(events) = events {
        command.arg("--events").arg(events.to_string());
    }
    for log in logs {
        // The measurements start in the folder of the workspace.
        let log = std::path::absolute(log)
            .map_err(|error| format!("cannot find `{}`: {error}", log.display()))?;
        command.arg("--log").arg(log);
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
