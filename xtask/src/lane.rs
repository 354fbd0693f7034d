//! Lanes: the tests of packages and SDKs in other languages and of pages, which need a toolchain that may not be there.

use std::path::Path;
use std::process::{Command, Stdio};

/// The tests of the packages and SDKs of one language.
pub struct TestLane {
    /// The name, as `CHATSTATE_REQUIRE` spells it.
    pub name: &'static str,
    /// The programs it needs.
    programs: &'static [&'static str],
    /// A folder, and a command to run in it that fails when the packages there cannot be had; none
    /// where the first start of an adapter installs them.
    fetch: Option<(&'static str, &'static [&'static str])>,
    /// The adapters of its package and its SDKs, from the root of the workspace.
    pub adapters: &'static [&'static str],
}

/// Every lane.
pub const LANES: [TestLane; 5] = [
    // For the page of reports.
    TestLane {
        name: "browser",
        programs: &["chromium"],
        fetch: None,
        adapters: &[],
    },
    TestLane {
        name: "dotnet",
        programs: &["dotnet"],
        fetch: None,
        adapters: &["packages/dotnet/conformance/run"],
    },
    TestLane {
        name: "python",
        programs: &["python3"],
        fetch: None,
        adapters: &[
            "packages/python/conformance/run",
            "tests/sdks/ag-ui-python/run",
            "tests/sdks/agent-framework-python/run",
            "tests/sdks/semantic-kernel-python/run",
        ],
    },
    TestLane {
        name: "rust",
        programs: &["cargo"],
        fetch: Some((
            "tests/sdks/ag-ui-rust",
            &["cargo", "fetch", "--locked", "--quiet"],
        )),
        adapters: &["tests/sdks/ag-ui-rust/run"],
    },
    TestLane {
        name: "typescript",
        programs: &["node", "npm"],
        fetch: None,
        adapters: &[
            "packages/typescript/conformance/run",
            "tests/sdks/ag-ui-typescript/run",
        ],
    },
];

impl TestLane {
    /// Why it cannot run on this machine, if it cannot.
    pub fn missing(&self, workspace: &Path) -> Option<String> {
        let is_there = |program: &str| {
            let mut command = Command::new(program);
            command.arg("--version").stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        if let Some(program) = self.programs.iter().find(|program| !is_there(program)) {
            return Some(format!("`{program}` is not on this machine"));
        }
        let (folder, words) = self.fetch?;
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        command.current_dir(workspace.join(folder));
        let fetched = command.status().is_ok_and(|status| status.success());
        (!fetched).then(|| format!("`{}` failed in `{folder}`", words.join(" ")))
    }

    /// Starts each adapter once without input, so that it installs its SDK now. Gives the adapter
    /// that could not.
    pub fn set_up(&self, workspace: &Path) -> Result<(), String> {
        for adapter in self.adapters {
            let mut command = Command::new(workspace.join(adapter));
            command.stdin(Stdio::null()).stdout(Stdio::null());
            match command.status() {
                Ok(status) if status.success() => {}
                Ok(status) => return Err(format!("`{adapter}` could not set itself up: {status}")),
                Err(error) => return Err(format!("`{adapter}` could not be started: {error}")),
            }
        }
        Ok(())
    }
}
