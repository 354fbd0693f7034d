//! The programs of the workspace, built once and run like a user runs them.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;

use crate::workspace;

/// What a program came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedProgram {
    /// The exit code; -1 when a signal ended the program.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said beside.
    pub stderr: String,
}

/// The variable by which `cargo xtask test` says that cargo has built the programs beside the tests.
const BUILT: &str = "CHATSTATE_BUILT";

/// The path of `chatstate`, which the first call builds.
///
/// # Panics
///
/// When it cannot be built.
#[must_use]
pub fn chatstate_program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| built("chatstate-cli", "chatstate"));
    &PROGRAM
}

/// The path of `xtask`, which the first call builds.
///
/// # Panics
///
/// When it cannot be built.
#[must_use]
pub fn xtask_program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| built("xtask", "xtask"));
    &PROGRAM
}

/// Runs `chatstate` with these arguments and this stdin, in the root of the workspace.
///
/// # Panics
///
/// When it cannot be built or started.
pub fn chatstate<A: AsRef<OsStr>>(arguments: &[A], stdin: &[u8]) -> FinishedProgram {
    let mut command = Command::new(chatstate_program());
    command.args(arguments).current_dir(workspace::root());
    finish(command, stdin)
}

/// Runs a command to its end. It may stop reading its stdin early.
///
/// # Panics
///
/// When it cannot be started.
#[must_use]
pub fn finish(mut command: Command, stdin: &[u8]) -> FinishedProgram {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let pipe = child.stdin.take();
    let output = thread::scope(|scope| {
        scope.spawn(move || pipe.map(|mut pipe| pipe.write_all(stdin)));
        child.wait_with_output()
    });
    let output = output.unwrap_or_else(|error| panic!("cannot follow {command:?}: {error}"));
    FinishedProgram {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Builds a program of the workspace with the profile that this test was built with, and gives its
/// path. It lies beside the folder of the running test.
fn built(package: &str, program: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running test knows its own path");
    let profile_folder = test
        .ancestors()
        .find(|folder| folder.file_name() == Some(OsStr::new("deps")))
        .and_then(Path::parent)
        .expect("a test lies in `deps` of its profile");
    let path = profile_folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    if std::env::var_os(BUILT).is_some() && path.exists() {
        return path;
    }
    let target = profile_folder.parent().unwrap_or(profile_folder);
    let profile = match profile_folder.file_name().and_then(OsStr::to_str) {
        None | Some("debug") => "dev",
        Some(profile) => profile,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "build",
            "--quiet",
            "--package",
            package,
            "--profile",
            profile,
        ])
        .arg("--target-dir")
        .arg(target)
        .current_dir(workspace::root());
    let finished = finish(command, b"");
    assert_eq!(
        finished.code, 0,
        "cannot build `{package}`:\n{}",
        finished.stderr
    );
    path
}
