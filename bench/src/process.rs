//! One run of a program: how long it took and how much memory it had.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// How often the memory of a process is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// What one run took.
#[derive(Debug, Clone, Copy)]
pub struct ProcessRun {
    /// From the start of the process to its end.
    pub wall: Duration,
    /// The most memory that it had at once, in bytes. A process begins with the pages of the one
    /// that starts it, so it is never below what this program has had.
    pub peak: u64,
}

/// Runs a program to its end with its output in a file.
pub fn run(command: &mut Command, output: &Path) -> Result<ProcessRun, String> {
    let name = name(command);
    let start = Instant::now();
    let used = spawn(command, output)?.wait4();
    let wall = start.elapsed();
    let used = used.map_err(|error| format!("cannot wait for `{name}`: {error}"))?;
    succeeded(&name, used.status)?;
    Ok(ProcessRun {
        wall,
        peak: used.rusage.maxrss,
    })
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    /// With the status that says so.
    Succeeded,
    /// With another status.
    Failed(i32),
    /// By a signal, such as that of a bound.
    Stopped,
}

/// What one run within bounds took.
#[derive(Debug, Clone, Copy)]
pub struct BoundedRun {
    /// The processor time of the process and of those that it waited for.
    pub time: Duration,
    /// How it ended.
    pub end: ProcessEnd,
}

/// Bounds of a process, set by the shell that it takes the place of: 60 seconds of processor time
/// and, where the system can, 12 GB of memory.
const BOUNDS: &str = r#"ulimit -t 60; ulimit -v 12000000 2>/dev/null; exec "$0" "$@""#;

/// Runs a program to its end or to its bounds, with its output and its errors in files.
pub fn bounded(
    program: &Path,
    arguments: &[PathBuf],
    output: &Path,
    errors: &Path,
) -> Result<BoundedRun, String> {
    let name = program.to_string_lossy();
    let mut command = Command::new("sh");
    command.args(["-c", BOUNDS]).arg(program).args(arguments);
    command.stderr(file(errors)?);
    let used = spawn(&mut command, output)?.wait4();
    let used = used.map_err(|error| format!("cannot wait for `{name}`: {error}"))?;
    Ok(BoundedRun {
        time: used.rusage.utime + used.rusage.stime,
        end: match used.status.code() {
            Some(0) => ProcessEnd::Succeeded,
            Some(status) => ProcessEnd::Failed(status),
            None => ProcessEnd::Stopped,
        },
    })
}

/// The most memory that a program has at once, in bytes, its own pages alone: the mark that the
/// kernel keeps, which only rises, looked at until the program ends.
pub fn peak(command: &mut Command, output: &Path) -> Result<u64, String> {
    let (peak, status) = watched(command, output)?;
    succeeded(&name(command), status)?;
    Ok(peak)
}

/// The same of a program that may end with any status, and whose errors are not shown.
pub fn peak_at_any_end(command: &mut Command, output: &Path) -> Result<u64, String> {
    Ok(watched(command.stderr(Stdio::null()), output)?.0)
}

fn watched(command: &mut Command, output: &Path) -> Result<(u64, ExitStatus), String> {
    let name = name(command);
    let mut child = spawn(command, output)?;
    let file = format!("/proc/{}/status", child.id());
    let mut peak = None;
    let status = loop {
        peak = high_water_mark(&file).or(peak);
        match child.try_wait() {
            Ok(None) => std::thread::sleep(LOOK),
            Ok(Some(status)) => break status,
            Err(error) => return Err(format!("cannot wait for `{name}`: {error}")),
        }
    };
    let peak =
        peak.ok_or_else(|| "this system keeps no mark of the memory of a process".to_owned())?;
    Ok((peak, status))
}

fn spawn(command: &mut Command, output: &Path) -> Result<Child, String> {
    let child = command.stdin(Stdio::null()).stdout(file(output)?).spawn();
    child.map_err(|error| format!("cannot start `{}`: {error}", name(command)))
}

fn file(path: &Path) -> Result<File, String> {
    File::create(path).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Removes a file that an earlier run has written, if there is one.
pub fn remove(path: &Path) -> Result<(), String> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove `{}`: {error}", path.display()))
        }
        _ => Ok(()),
    }
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn succeeded(name: &str, status: ExitStatus) -> Result<(), String> {
    if status.success() {
        return Ok(());
    }
    Err(format!("`{name}` failed: {status}"))
}

/// The mark in bytes, while the process lives.
fn high_water_mark(file: &str) -> Option<u64> {
    let status = std::fs::read_to_string(file).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}
