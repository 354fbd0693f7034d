//! The programs of this workspace, as cargo builds them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildProfile {
    /// As this program was built.
    OfThis,
    /// As it is published.
    Dist,
}

impl BuildProfile {
    /// The name for cargo, and the folder below `target` that the programs are in.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::OfThis if cfg!(debug_assertions) => ("dev", "debug"),
            Self::OfThis => ("release", "release"),
            Self::Dist => ("dist", "dist"),
        }
    }
}

/// Builds the `chatstate` program, and gives its path.
pub fn build(workspace: &Path, profile: BuildProfile) -> Result<PathBuf, String> {
    let (name, folder) = profile.names();
    let status = Command::new(cargo())
        .args(["build", "--profile", name, "--quiet"])
        .args(["--package", "chatstate-cli"])
        .current_dir(workspace)
        .status()
        .map_err(|error| format!("cannot build `chatstate`: {error}"))?;
    if !status.success() {
        return Err("`chatstate` does not build".to_owned());
    }
    let this =
        std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    // It is in the folder of its own profile, which is beside those of the others.
    let profiles = this.parent().and_then(Path::parent);
    let profiles = profiles.ok_or_else(|| format!("`{}` has no folder", this.display()))?;
    Ok(profiles.join(folder).join("chatstate"))
}

/// The cargo that has started this program.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
