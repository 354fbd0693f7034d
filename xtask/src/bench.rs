//! `cargo xtask bench`: starts the measurements of the program as it is published.

use std::path::{Path, PathBuf};

use crate::{dist, program};

/// Measures the kit itself, or what has a name.
pub fn run(
    workspace: &Path,
    name: Option<&str>,
    events: Option<usize>,
    logs: &[PathBuf],
) -> Result<(), String> {
    let program = dist::build(workspace)?;
    let mut command = dist::measurements(workspace);
    command.arg("measure").args(name);
    command.arg("--program").arg(program);
    if let Some(events) = events {
        command.arg("--events").arg(events.to_string());
    }
    for log in logs {
        // The measurements start in the folder of the workspace.
        let log = std::path::absolute(log)
            .map_err(|error| format!("cannot find `{}`: {error}", log.display()))?;
        command.arg("--log").arg(log);
    }
    program::run(&mut command).map_err(|_| "the measurements failed; see above".to_owned())
}
