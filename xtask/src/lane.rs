//! Lanes: the tests of SDKs in other languages, which need a toolchain that may not be there.

use std::path::Path;
use std::process::{Command, Stdio};

/// The tests of the SDKs of one language.
pub struct Lane {
    /// The name, as `CHATSTATE_REQUIRE` spells it.
    pub name: &'static str,
    /// The programs it needs.
    programs: &'static [&'static str],
    /// The adapters of its SDKs, from the root of the workspace.
    adapters: &'static [&'static str],
}

/// Every lane.
pub const LANES: [Lane; 2] = [
    Lane {
        name: "python",
        programs: &["python3"],
        adapters: &["tests/sdks/ag-ui-python/run"],
    },
    Lane {
        name: "typescript",
        programs: &["node", "npm"],
        adapters: &["tests/sdks/ag-ui-typescript/run"],
    },
];

impl Lane {
    /// The first program that is not on this machine.
    pub fn missing_program(&self) -> Option<&'static str> {
        let is_there = |program: &str| {
            let mut command = Command::new(program);
            command.arg("--version").stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        self.programs
            .iter()
            .copied()
            .find(|program| !is_there(program))
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
