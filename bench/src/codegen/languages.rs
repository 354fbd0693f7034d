//! The packages of TypeScript and Python as their users have them, beside the packages of others.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::peer::PeerPackages;

/// The lock file of the packages of Python that are measured beside ours.
const PYTHON_LOCK: &str = "tests/sdks/ag-ui-python/requirements.txt";

/// The script that measures the package of Python.
const PYTHON_SCRIPT: &str = "bench/peer/round_trip.py";

/// The script that measures compaction in Python.
const STREAMS_SCRIPT: &str = "bench/peer/streams.py";

/// What each language measures.
pub struct Languages {
    peer: PeerPackages,
    /// The folder with the built package of TypeScript.
    typescript: PathBuf,
    /// The interpreter that has the packages of Python.
    python: PathBuf,
    workspace: PathBuf,
}

impl Languages {
    /// Builds and installs what is measured, below `target`.
    pub fn set_up(workspace: &Path) -> Result<Self, String> {
        Ok(Self {
            peer: PeerPackages::install(workspace)?,
            typescript: typescript(workspace)?,
            python: python(workspace)?,
            workspace: workspace.to_owned(),
        })
    }

    /// The seconds and results of the package of TypeScript and of zod.
    pub fn typescript(&self, log: &Path) -> Result<Value, String> {
        self.peer.answer("round-trip.mjs", &[log, &self.typescript])
    }

    /// The seconds and results of the package of TypeScript and of `@ag-ui/client` on three logs.
    pub fn typescript_streams(&self, logs: &[&Path; 3]) -> Result<Value, String> {
        let [tenth, hundredth, all] = logs;
        let arguments = [self.typescript.as_path(), tenth, hundredth, all];
        self.peer.answer("streams.mjs", &arguments)
    }

    /// The seconds of the package of Python and of pydantic.
    pub fn python(&self, log: &Path) -> Result<Value, String> {
        self.python_answer(PYTHON_SCRIPT, log)
    }

    /// The seconds of the package of Python and of `json.loads`.
    pub fn python_streams(&self, log: &Path) -> Result<Value, String> {
        self.python_answer(STREAMS_SCRIPT, log)
    }

    fn python_answer(&self, script: &str, log: &Path) -> Result<Value, String> {
        let mut command = Command::new(&self.python);
        command.arg(self.workspace.join(script)).arg(log);
        let sources = self.workspace.join("packages/python/src");
        let output = command
            .env("PYTHONPATH", sources)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output();
        let output = output.map_err(|error| format!("cannot start `python3`: {error}"))?;
        if !output.status.success() {
            return Err(format!("`{script}` failed: {}", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("`{script}` printed no JSON: {error}"))
    }
}

/// The package as its adapter builds it.
fn typescript(workspace: &Path) -> Result<PathBuf, String> {
    let script = workspace.join("packages/typescript/tools/build");
    let folder = printed(&mut Command::new(script))?;
    Ok(Path::new(folder.trim()).join("node_modules/chatstate"))
}

/// An environment with the packages of the lock file.
fn python(workspace: &Path) -> Result<PathBuf, String> {
    let folder = workspace.join("target/bench/python");
    let interpreter = folder.join("bin/python");
    if !interpreter.is_file() {
        printed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let mut install = Command::new(&interpreter);
    install.args(["-m", "pip", "install", "--quiet", "--require-hashes"]);
    install.args(["--disable-pip-version-check", "--requirement"]);
    printed(install.arg(workspace.join(PYTHON_LOCK)))?;
    Ok(interpreter)
}

/// What a command prints; it fails if the command does.
fn printed(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
