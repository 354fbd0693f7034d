//! The programs of this workspace, as cargo builds them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name for cargo of the profile that this program was built with, and the folder below `target`
/// that its programs are in.
const PROFILE: (&str, &str) = if cfg!(debug_assertions) {
    ("dev", "debug")
} else {
    ("release", "release")
};

/// Builds the `chatstate` program as this one was built, and gives its path.
pub fn build(workspace: &Path) -> Result<PathBuf, String> {
    let (name, folder) = PROFILE;
    let mut command = Command::new(cargo());
    command.args(["build", "--profile", name, "--quiet"]);
    command.args(["--package", "chatstate-cli"]);
    run(command.current_dir(workspace))?;
    let this =
        std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    // It is in the folder of its own profile, which is beside those of the others.
    let profiles = this.parent().and_then(Path::parent);
    let profiles = profiles.ok_or_else(|| format!("`{}` has no folder", this.display()))?;
    Ok(profiles.join(folder).join("chatstate"))
}

/// Runs a command that prints what is wrong if it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status();
    let status = status.map_err(|error| format!("cannot start `{name}`: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("`{name}` failed; see above"))
}

/// The cargo that has started this program.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
