//! `cargo xtask dist`: the `chatstate` program as it is published.
//!
//! It is built twice. The first program counts how often each of its parts is run while
//! `bench/src/train.rs` has it do its usual work. The second one is what the compiler makes of the
//! counts (profile-guided optimisation): what is run often is inlined and stands together.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::program::{self, cargo};

/// Builds the program as it is published, and gives its path.
pub fn build(workspace: &Path) -> Result<PathBuf, String> {
    let tool = profile_tool()?;
    let target = workspace.join("target");
    let (counting, published) = (target.join("counting"), target.join("published"));
    let (counts, profile) = (target.join("counts"), target.join("counts.profdata"));
    let program = build_with(workspace, &counting, "-Cprofile-generate=", &counts)?;
    if modified(&profile)? <= modified(&program)? {
        // Cargo would not build dependencies again for other counts.
        remove(&published)?;
        remove(&counts)?;
        program::run(measurements(workspace).arg("train").arg(program))?;
        merge(&tool, &counts, &profile)?;
    }
    build_with(workspace, &published, "-Cprofile-use=", &profile)
}

/// The program of `bench`, which measures and trains.
pub fn measurements(workspace: &Path) -> Command {
    let mut command = Command::new(cargo());
    command.args(["run", "--profile", "dist", "--quiet"]);
    command.args(["--package", "chatstate-bench", "--"]);
    command.current_dir(workspace);
    command
}

/// Builds the program into a folder with an option of the compiler.
fn build_with(
    workspace: &Path,
    target: &Path,
    option: &str,
    path: &Path,
) -> Result<PathBuf, String> {
    let host = rustc(&["--print", "host-tuple"])?;
    let mut command = Command::new(cargo());
    command.args(["build", "--profile", "dist", "--quiet"]);
    command.args(["--package", "chatstate-cli"]);
    // With a target, build scripts and macros are built without the option.
    command
        .args(["--target", &host, "--target-dir"])
        .arg(target);
    // This variable is not split at blanks, which a path may have.
    command.env(
        "CARGO_ENCODED_RUSTFLAGS",
        format!("{option}{}", path.display()),
    );
    program::run(command.current_dir(workspace))?;
    Ok(target.join(host).join("dist/chatstate"))
}

/// Puts the counts of all runs into one file, as the compiler reads them.
fn merge(tool: &Path, counts: &Path, profile: &Path) -> Result<(), String> {
    let mut command = Command::new(tool);
    command.arg("merge").arg("-o").arg(profile).arg(counts);
    program::run(&mut command).map_err(|error| format!("{error}; {TOOL_HINT}"))
}

/// Where `llvm-profdata` of the version of the compiler comes from.
const TOOL_HINT: &str = "`rustup component add llvm-tools` installs the one that fits the compiler";

/// `llvm-profdata` of the toolchain, else the one on the path. It is started once, since the counting
/// program takes minutes to build.
fn profile_tool() -> Result<PathBuf, String> {
    let libraries = PathBuf::from(rustc(&["--print", "target-libdir"])?);
    let of_toolchain = libraries.with_file_name("bin").join("llvm-profdata");
    let tool = if of_toolchain.is_file() {
        of_toolchain
    } else {
        "llvm-profdata".into()
    };
    let mut command = Command::new(&tool);
    command.arg("--version").stdout(Stdio::null());
    program::run(&mut command).map_err(|error| format!("{error}; {TOOL_HINT}"))?;
    Ok(tool)
}

/// What the compiler answers.
fn rustc(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("rustc").args(arguments).output();
    let output = output.map_err(|error| format!("cannot start `rustc`: {error}"))?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() {
        return Ok(answer);
    }
    Err(format!("`rustc {}` failed", arguments.join(" ")))
}

/// When a file was changed; none that is not there.
fn modified(path: &Path) -> Result<Option<SystemTime>, String> {
    match fs::metadata(path).and_then(|metadata| metadata.modified()) {
        Ok(time) => Ok(Some(time)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot look at `{}`: {error}", path.display())),
    }
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove `{}`: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}
