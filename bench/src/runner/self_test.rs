//! The self-test as a user runs it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::figure::Measured;

/// How long one run takes.
pub fn measure(program: &Path) -> Result<Measured, String> {
    let start = Instant::now();
    let output = Command::new(program)
        .arg("selftest")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start `chatstate selftest`: {error}"))?;
    let time = start.elapsed();
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("`chatstate selftest` failed: {said}"));
    }
    let total = said.lines().find(|line| line.contains("mutants killed"));
    Ok(Measured {
        id: "selftest",
        value: time.as_secs_f64(),
        peer: total.unwrap_or_default().to_owned(),
    })
}
