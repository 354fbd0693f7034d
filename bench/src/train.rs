//! What the program does while its steps are counted, before it is built for publishing.

use std::path::Path;
use std::process::Command;

use crate::process;
use crate::stream::{self, FileFraming};

/// Any number but those of the logs that are measured.
const SEED: u64 = 1;

/// The events of the log: so many that to read it takes about as long as to generate all packages.
const EVENTS: usize = 30_000;

/// Has the program compact and verify a log, and generate all packages.
pub fn train(program: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let folder = folder.path();
    let run = |arguments: &[&str], path: &Path| {
        let mut command = Command::new(program);
        process::run(command.args(arguments).arg(path), &folder.join("printed")).map(drop)
    };
    let log = folder.join("log");
    stream::write(&log, FileFraming::Lines, EVENTS, SEED)?;
    run(&["compact"], &log)?;
    run(&["verify", "--json"], &log)?;
    run(&["generate", "all", "--out"], &folder.join("packages"))
}
