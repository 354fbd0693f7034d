//! The test programs of the workspace: cargo builds them, and as many run at once as there are processors.
//! Many of them wait for other programs most of the time; one after another, they leave processors idle.

use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use serde::Deserialize;

use crate::program::cargo;

/// What the examples in the documentation are called among the failures.
const EXAMPLES: &str = "the examples in the documentation";

/// One program with tests.
struct TestProgram {
    /// Its package and its target, as `cargo test` takes them.
    name: String,
    /// The folder of its package, in which it runs.
    folder: PathBuf,
    executable: PathBuf,
}

/// A message of cargo, which says what it has built.
#[derive(Deserialize)]
struct CargoMessage {
    /// The program, if it is one.
    executable: Option<PathBuf>,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    target: Option<CargoTarget>,
    profile: Option<CargoProfile>,
}

#[derive(Deserialize)]
struct CargoTarget {
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct CargoProfile {
    test: bool,
}

/// Builds all test programs and runs them with these variables, and then the examples in the
/// documentation. One that fails does not stop the others. Gives the names of those that have failed.
pub fn run(workspace: &Path, variables: &[(&str, String)]) -> Result<Vec<String>, String> {
    let mut failed = failures(&build(workspace)?, variables);
    let mut examples = cargo_test(workspace);
    examples.args(["--doc", "--no-fail-fast"]);
    examples.envs(variables.iter().cloned());
    let status = examples.status().map_err(|error| not_run(&error))?;
    if !status.success() {
        failed.push(EXAMPLES.to_owned());
    }
    Ok(failed)
}

/// Runs all programs, and gives the names of those that have failed.
fn failures(programs: &[TestProgram], variables: &[(&str, String)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let run_those_left = || {
        let left = iter::from_fn(|| programs.get(next.fetch_add(1, Ordering::Relaxed)));
        let failed = left.filter(|program| !program.passes(variables));
        failed.map(|program| program.name.clone()).collect()
    };
    let at_once = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(run_those_left)).collect();
        let join = |thread: ScopedJoinHandle<'_, Vec<String>>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    })
}

/// The test programs, built.
fn build(workspace: &Path) -> Result<Vec<TestProgram>, String> {
    let mut build = cargo_test(workspace);
    build.args(["--no-run", "--message-format", "json-render-diagnostics"]);
    let output = build
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| not_run(&error))?;
    if !output.status.success() {
        return Err("the tests do not build; see above".to_owned());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: CargoMessage = serde_json::from_str(line)
            .map_err(|error| format!("cannot read what cargo says it has built: {error}"))?;
        programs.extend(message.test_program());
    }
    Ok(programs)
}

fn cargo_test(workspace: &Path) -> Command {
    let mut command = Command::new(cargo());
    command.args(["test", "--workspace", "--all-features"]);
    command.current_dir(workspace);
    command
}

fn not_run(error: &std::io::Error) -> String {
    format!("cannot run `cargo test`: {error}")
}

impl CargoMessage {
    /// The test program that has been built, if it is one.
    fn test_program(self) -> Option<TestProgram> {
        let executable = self.executable?;
        let folder = self.manifest_path?.parent()?.to_owned();
        // It ends in the name and the version, or in the version alone where the folder has the name:
        // `path+file:///crates/json#chatstate-json@0.1.0`, `path+file:///xtask#0.1.0`.
        let package = self.package_id?;
        let package = match package.rsplit('#').next()?.split_once('@') {
            Some((name, _)) => name.into(),
            None => folder.file_name()?.to_string_lossy(),
        };
        let name = format!("-p {package} {}", self.target?.option());
        self.profile?.test.then_some(TestProgram {
            name,
            folder,
            executable,
        })
    }
}

impl CargoTarget {
    /// The option of `cargo test` that asks for this target alone.
    fn option(&self) -> String {
        match self.kind.first().map(String::as_str) {
            Some(kind @ ("bin" | "test" | "example" | "bench")) => {
                format!("--{kind} {}", self.name)
            }
            _ => "--lib".to_owned(),
        }
    }
}

impl TestProgram {
    /// Whether all its tests pass. Prints how it ended, and all that it printed if one failed.
    fn passes(&self, variables: &[(&str, String)]) -> bool {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command.envs(variables.iter().cloned());
        let start = Instant::now();
        let (passed, printed) = match command.output() {
            Ok(output) => (output.status.success(), printed(&output)),
            Err(error) => (false, format!("cannot be started: {error}\n")),
        };
        let seconds = start.elapsed().as_secs();
        let verdict = if passed { "passed" } else { "FAILED" };
        eprint!("{verdict} in {seconds} s: {}\n{printed}", self.name);
        passed
    }
}

/// What a program printed that is worth reading: all of it when a test failed, and the errors it
/// printed past the harness when all passed, such as a lane that was skipped.
fn printed(output: &Output) -> String {
    let mut printed = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        printed.insert_str(0, &String::from_utf8_lossy(&output.stdout));
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_fail_that_end_with_an_error_or_are_not_there() {
        let program = |name: &str| TestProgram {
            name: name.to_owned(),
            folder: "/".into(),
            executable: name.into(),
        };
        let programs = ["true", "false", "true", "no-such-program"].map(program);
        let mut failed = failures(&programs, &[]);
        failed.sort_unstable();
        assert_eq!(failed, ["false", "no-such-program"]);
    }

    #[test]
    fn of_what_cargo_builds_programs_with_tests_run() {
        let name = |message: &str| {
            let message: CargoMessage = serde_json::from_str(message).unwrap();
            message.test_program().map(|program| program.name)
        };
        let built = |kind: &str, executable: &str, test: bool| {
            let version = if kind == "bin" {
                "0.1.0"
            } else {
                "chatstate-laws@0.1.0"
            };
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///w/crates/laws#{version}","manifest_path":"/w/crates/laws/Cargo.toml","target":{{"kind":["{kind}"],"name":"keep"}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let check = |kind: &str, expected: &str| {
            let message = built(kind, r#""/w/keep""#, true);
            assert_eq!(name(&message).as_deref(), Some(expected));
        };
        check("test", "-p chatstate-laws --test keep");
        check("bin", "-p laws --bin keep");
        check("lib", "-p chatstate-laws --lib");
        check("proc-macro", "-p chatstate-laws --lib");
        assert_eq!(name(&built("test", r#""/w/keep""#, false)), None);
        assert_eq!(name(&built("test", "null", true)), None);
        assert_eq!(name(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
