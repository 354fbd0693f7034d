//! One run of a program: how long it took and how much memory it had.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// What one run took.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// From the start of the process to its end.
    pub wall: Duration,
    /// The most memory that it had at once, in bytes. A process begins with the pages of the one
    /// that starts it, so it is never below what this program has had.
    pub peak: u64,
}

/// Runs a program to its end with its output in a file.
pub fn run(command: &mut Command, output: &Path) -> Result<Run, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let file = File::create(output)
        .map_err(|error| format!("cannot write `{}`: {error}", output.display()))?;
    command.stdin(Stdio::null()).stdout(file);
    let start = Instant::now();
    let child = command
        .spawn()
        .map_err(|error| format!("cannot start `{name}`: {error}"))?;
    let used = child
        .wait4()
        .map_err(|error| format!("cannot wait for `{name}`: {error}"))?;
    let wall = start.elapsed();
    if !used.status.success() {
        return Err(format!("`{name}` failed: {}", used.status));
    }
    Ok(Run {
        wall,
        peak: used.rusage.maxrss,
    })
}
