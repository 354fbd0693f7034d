//! The toolchains of other languages: tests that need one are a lane, which this machine may not have.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::workspace;

/// The variable that names the lanes that must run, with commas between.
const REQUIRE: &str = "CHATSTATE_REQUIRE";

/// What a test needs of its lane.
#[derive(Debug, Clone, Copy)]
pub struct Needs<'a> {
    /// The lane, as `CHATSTATE_REQUIRE` spells it.
    pub lane: &'a str,
    /// The programs.
    pub programs: &'a [&'a str],
    /// A folder from the root of the workspace, and a command to run in it that fails when its
    /// packages cannot be had; no command where the first start installs them.
    pub fetch: (&'a Path, &'a [&'a str]),
}

impl Needs<'_> {
    /// Whether everything is there. If not, says loudly that the lane is skipped.
    ///
    /// # Panics
    ///
    /// When something is missing although the environment requires the lane.
    #[must_use]
    pub fn are_met(&self) -> bool {
        let Some(missing) = self.missing() else {
            return true;
        };
        let lane = self.lane;
        assert!(
            !is_required(lane),
            "lane `{lane}` is required by {REQUIRE}, but {missing}"
        );
        say(&format!("SKIPPED LANE {lane}: {missing}"));
        false
    }

    /// What is missing here, if anything is.
    fn missing(&self) -> Option<String> {
        if let Some(program) = self.programs.iter().find(|program| !is_there(program)) {
            return Some(format!("`{program}` is not on this machine"));
        }
        let (folder, words) = self.fetch;
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        command.current_dir(workspace::root().join(folder));
        let fetched = command.status().is_ok_and(|status| status.success());
        let words = words.join(" ");
        (!fetched).then(|| format!("`{words}` failed in `{}`", folder.display()))
    }
}

/// Says a line also when the test passes; what a test prints is hidden then.
pub fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn is_required(lane: &str) -> bool {
    let names = std::env::var(REQUIRE).unwrap_or_default();
    names.split(',').any(|name| name.trim() == lane)
}
