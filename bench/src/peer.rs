//! The packages of npm that are measured beside ours, each with a short script of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The folder of the scripts and of the lock of their packages, from the root of the workspace.
const SCRIPTS: &str = "bench/peer";

/// The memory that a script may have, in megabytes: its own default is too little for large logs.
const HEAP: &str = "--max-old-space-size=8192";

/// The installed packages.
pub struct PeerPackages {
    scripts: PathBuf,
    packages: PathBuf,
}

impl PeerPackages {
    /// Installs the packages of the lock file into a folder below `target`, if they are not there.
    pub fn install(workspace: &Path) -> Result<Self, String> {
        let scripts = workspace.join(SCRIPTS);
        let folder = workspace.join("target/bench/peer");
        let copy = |name: &str| std::fs::copy(scripts.join(name), folder.join(name));
        let lock = |folder: &Path| std::fs::read(folder.join("package-lock.json")).ok();
        let packages = folder.join("node_modules");
        if !packages.is_dir() || lock(&folder) != lock(&scripts) {
            std::fs::create_dir_all(&folder)
                .and_then(|()| copy("package.json"))
                .and_then(|_| copy("package-lock.json"))
                .map_err(|error| format!("cannot write into `{}`: {error}", folder.display()))?;
            install_into(&folder)?;
        }
        Ok(Self { scripts, packages })
    }

    /// What runs a script.
    pub fn command(&self, script: &str, arguments: &[&Path]) -> Command {
        let mut command = Command::new("node");
        command
            .arg(HEAP)
            .arg(self.scripts.join(script))
            .args(arguments);
        command.env("NODE_PATH", &self.packages);
        command
    }

    /// What runs the program that a package brings along.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.packages.join(".bin").join(name))
    }

    /// Runs a script and reads the JSON that it prints.
    pub fn answer(&self, script: &str, arguments: &[&Path]) -> Result<Value, String> {
        let mut command = self.command(script, arguments);
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output();
        let output = output.map_err(|error| format!("cannot start `node`: {error}"))?;
        if !output.status.success() {
            return Err(format!("`{script}` failed: {}", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("`{script}` printed no JSON: {error}"))
    }

    /// The version of an installed package.
    pub fn version(&self, package: &str) -> String {
        let manifest = std::fs::read(self.packages.join(package).join("package.json"));
        let manifest: Option<Value> = manifest
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        let version = manifest
            .as_ref()
            .and_then(|manifest| manifest["version"].as_str());
        version.unwrap_or("of an unknown version").to_owned()
    }
}

fn install_into(folder: &Path) -> Result<(), String> {
    eprintln!("installing the packages that are measured beside ours");
    let mut command = Command::new("npm");
    command.args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    let status = command
        .arg("--prefix")
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`npm ci` failed: {status}")),
        Err(error) => Err(format!("cannot start `npm`: {error}")),
    }
}
