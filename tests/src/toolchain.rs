//! Programs that use generated packages: what runs them, and what compiles the packages before.

use std::path::Path;
use std::process::Command;

use crate::program::finish;
use crate::workspace;

/// The output of a command that ends well.
///
/// # Panics
///
/// When it does not.
#[must_use]
pub fn output(command: Command) -> String {
    let finished = finish(command, b"");
    assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
    finished.stdout.trim().to_owned()
}

/// Python with what generated packages need.
#[must_use]
pub fn python() -> Command {
    let mut environment = Command::new(workspace::path("packages/python/tools/environment"));
    environment.arg(workspace::path(
        "packages/python/tools/requirements-check.txt",
    ));
    Command::new(format!("{}/bin/python", output(environment)))
}

/// Compiles generated packages for TypeScript, each into its `dist`.
pub fn compile_typescript<'p>(packages: impl Iterator<Item = &'p Path>) {
    let mut compilers = Command::new(workspace::path("packages/typescript/tools/toolchain"));
    compilers.arg("compilers");
    let compiler = format!("{}/node_modules/typescript/bin/tsc", output(compilers));
    for package in packages {
        let mut compile = Command::new("node");
        compile.args([&compiler, "-p"]).arg(package);
        let _ = output(compile);
    }
}
