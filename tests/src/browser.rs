//! A real browser without a window.

use std::path::Path;
use std::process::Command;

use crate::lane::Needs;
use crate::program::finish;

/// The lane, as `CHATSTATE_REQUIRE` spells it.
const LANE: &str = "browser";

/// What the program is called.
const PROGRAM: &str = "chromium";

/// What it may not do: reach for the network, or ask for a sandbox that containers do not have.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--dump-dom",
    "--virtual-time-budget=5000",
    // In milliseconds: a page whose script never ends is given as it is then.
    "--timeout=60000",
];

/// A browser.
#[derive(Debug, Clone, Copy)]
pub struct Browser(());

impl Browser {
    /// The browser of this machine. If there is none, says loudly that its lane is skipped.
    ///
    /// # Panics
    ///
    /// When there is none although the environment requires the lane.
    #[must_use]
    pub fn find() -> Option<Self> {
        let needs = Needs {
            lane: LANE,
            programs: &[PROGRAM],
            fetch: (Path::new(""), &[]),
        };
        needs.are_met().then_some(Self(()))
    }

    /// Opens a file, waits until its scripts are done, and gives the document as it is then.
    ///
    /// # Panics
    ///
    /// When the browser cannot open it.
    #[must_use]
    pub fn open(self, path: &str) -> String {
        let profile = tempfile::tempdir().expect("there is room for a temporary folder");
        let mut command = Command::new(PROGRAM);
        command.args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("file://{path}"));
        let finished = finish(command, b"");
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        finished.stdout
    }
}
