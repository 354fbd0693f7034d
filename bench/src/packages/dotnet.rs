//! The package for .NET in a program of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::BenchSubject;

/// The folder of the program, from the root of the workspace.
const PROGRAM: &str = "bench/dotnet";

/// The folder of the package.
const PACKAGE: &str = "packages/dotnet/src/Chatstate";

/// The built program.
pub struct Dotnet {
    assembly: PathBuf,
}

impl Dotnet {
    /// Copies the program and the package below `target`, generates plain declarations beside them and builds it there.
    pub fn build(subject: BenchSubject<'_>) -> Result<Self, String> {
        let workspace = subject.workspace;
        let folder = workspace.join("target/bench/dotnet");
        if folder.exists() {
            std::fs::remove_dir_all(&folder)
                .map_err(|error| format!("cannot remove `{}`: {error}", folder.display()))?;
        }
        copy(&workspace.join(PROGRAM), &folder.join("program"))?;
        copy(&workspace.join(PACKAGE), &folder.join("package"))?;
        let mut generate = Command::new(subject.program);
        generate.args(["generate", "dotnet", "--only", "types", "--name", "plain"]);
        output(generate.arg("--out").arg(folder.join("program/plain")))?;
        let out = folder.join("out");
        let mut command = Command::new("dotnet");
        command.arg("build").arg(folder.join("program"));
        command.args(["-c", "Release", "-o"]).arg(&out);
        output(&mut command)?;
        Ok(Self {
            assembly: out.join("Packages.dll"),
        })
    }

    /// What the program prints with these arguments.
    pub fn answer(&self, arguments: &[&Path]) -> Result<Value, String> {
        let mut command = Command::new("dotnet");
        let printed = output(command.arg("exec").arg(&self.assembly).args(arguments))?;
        serde_json::from_slice(&printed)
            .map_err(|error| format!("the program for .NET printed no JSON: {error}"))
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot copy `{}`: {error}", from.display());
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to)?;
        } else {
            std::fs::copy(&path, &to).map_err(failed)?;
        }
    }
    Ok(())
}

fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command
        .output()
        .map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    Err(format!("{command:?} failed: {}\n{printed}", output.status))
}
