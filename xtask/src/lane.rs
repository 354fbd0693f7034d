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
    /// A program that prints the path of an assembly of .NET that it fetches, and the variable by which tests find that.
    assembly: Option<(&'static str, &'static str)>,
    /// The adapters of its package and its SDKs, from the root of the workspace.
    pub adapters: &'static [&'static str],
}

/// Every lane.
pub const LANES: [TestLane; 7] = [
    // For the page of reports.
    TestLane {
        name: "browser",
        programs: &["chromium"],
        fetch: None,
        assembly: None,
        adapters: &[],
    },
    TestLane {
        name: "dotnet",
        programs: &["dotnet"],
        fetch: None,
        assembly: None,
        adapters: &["packages/dotnet/conformance/run"],
    },
    // For one of the ways to save. No package here depends on this assembly.
    TestLane {
        name: "newtonsoft",
        programs: &["dotnet", "node", "npm"],
        fetch: None,
        assembly: Some(("packages/dotnet/tools/newtonsoft", "CHATSTATE_NEWTONSOFT")),
        adapters: &[],
    },
    TestLane {
        name: "python",
        programs: &["python3"],
        fetch: None,
        assembly: None,
        adapters: &[
            "packages/python/conformance/run",
            "tests/sdks/ag-ui-python/run",
            "tests/sdks/agent-framework-python/run",
            "tests/sdks/semantic-kernel-python/run",
        ],
    },
    // For the layout of what is generated. No package here depends on this assembly.
    TestLane {
        name: "roslyn",
        programs: &["dotnet", "node", "npm"],
        fetch: None,
        assembly: Some(("packages/dotnet/tools/roslyn", "CHATSTATE_ROSLYN")),
        adapters: &[],
    },
    TestLane {
        name: "rust",
        programs: &["cargo"],
        fetch: Some((
            "tests/sdks/ag-ui-rust",
            &["cargo", "fetch", "--locked", "--quiet"],
        )),
        assembly: None,
        adapters: &["tests/sdks/ag-ui-rust/run"],
    },
    TestLane {
        name: "typescript",
        programs: &["node", "npm"],
        fetch: None,
        assembly: None,
        adapters: &[
            "packages/typescript/conformance/run",
            "tests/sdks/ag-ui-typescript/run",
        ],
    },
];

impl TestLane {
    /// Finds what it needs on this machine, and gives the variable with the path of its assembly, if it has one.
    /// An error says why it cannot run.
    pub fn find(&self, workspace: &Path) -> Result<Option<(&'static str, String)>, String> {
        self.missing(workspace).map_or(Ok(()), Err)?;
        let Some((program, variable)) = self.assembly else {
            return Ok(None);
        };
        let path = path_of_assembly(&workspace.join(program));
        let path = path.ok_or_else(|| format!("`{program}` failed"))?;
        Ok(Some((variable, path)))
    }

    fn missing(&self, workspace: &Path) -> Option<String> {
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

/// The path that a program prints; none when it fails.
fn path_of_assembly(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| printed.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assembly_is_where_its_program_says() {
        let found = path_of_assembly(Path::new("pwd"));
        assert!(found.is_some_and(|path| Path::new(&path).is_dir()));
        assert_eq!(path_of_assembly(Path::new("false")), None);
        assert_eq!(path_of_assembly(Path::new("no-such-program")), None);
    }
}
