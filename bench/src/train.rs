//! What the program does while its steps are counted, before it is built for publishing.

use std::path::Path;
use std::process::Command;

use crate::process;
use crate::stream::{self, FileFraming};

/// Any number but those of the logs that are measured.
const SEED: u64 = 1;

/// The events of the log.
const EVENTS: usize = 10_000;

/// The commands that read the log, with their options.
const COMMANDS: [&[&str]; 6] = [
    &["compact"],
    &["compact", "--level", "snapshot"],
    &["verify", "--json"],
    &["lineage"],
    &["attach"],
    &["replay"],
];

/// Runs the program on a log in both framings, and has it generate all packages.
pub fn train(program: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let folder = folder.path();
    let run = |arguments: &[&str], path: &Path| {
        let mut command = Command::new(program);
        process::run(command.args(arguments).arg(path), &folder.join("printed")).map(drop)
    };
    for framing in [FileFraming::Lines, FileFraming::Array] {
        let log = folder.join("log");
        stream::write(&log, framing, EVENTS, SEED)?;
        for arguments in COMMANDS {
            run(arguments, &log)?;
        }
    }
    run(&["generate", "all", "--out"], &folder.join("packages"))
}
