//! The packages of all languages, each with an adapter of its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::lane::Needs;
use crate::program::chatstate_program;
use crate::workspace;

/// The package of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguagePackage {
    /// The language, which is also its lane.
    pub language: &'static str,
    /// Its folder, from the root of the workspace; none for the reference.
    folder: &'static str,
    /// What starts its adapter, in that folder; none for the reference, which is built with the tests.
    adapter: &'static str,
    /// What compiles or checks generated packages of the language, from the root of the workspace.
    pub check: &'static str,
    /// What compiles or checks plain declarations, from the root of the workspace.
    pub check_types: &'static str,
    /// The programs it needs; none for the reference, which is built with the tests.
    programs: &'static [&'static str],
    /// What its adapter does not declare, because the language cannot: a README beside the adapter
    /// has the proof.
    pub undeclared: &'static [&'static str],
}

/// The reference, which is the Rust package of the canonical schema.
pub const RUST: LanguagePackage = LanguagePackage {
    language: "rust",
    folder: "",
    adapter: "",
    check: "generators/rust/check",
    check_types: "generators/rust/check-types",
    programs: &[],
    undeclared: &[],
};

/// The package for pydantic.
pub const PYTHON: LanguagePackage = LanguagePackage {
    language: "python",
    folder: "packages/python",
    adapter: "conformance/run",
    check: "packages/python/tools/check",
    check_types: "packages/python/tools/check-types",
    programs: &["python3"],
    undeclared: &[],
};

/// The package for Node.js and browsers.
pub const TYPESCRIPT: LanguagePackage = LanguagePackage {
    language: "typescript",
    folder: "packages/typescript",
    adapter: "conformance/run",
    check: "packages/typescript/tools/check",
    check_types: "packages/typescript/tools/check-types",
    programs: &["node", "npm"],
    undeclared: &[],
};

/// The package for .NET.
pub const DOTNET: LanguagePackage = LanguagePackage {
    language: "dotnet",
    folder: "packages/dotnet",
    adapter: "conformance/run",
    check: "packages/dotnet/tools/check",
    check_types: "packages/dotnet/tools/check-types",
    programs: &["dotnet"],
    undeclared: &[],
};

/// All of them.
pub const PACKAGES: [LanguagePackage; 4] = [RUST, PYTHON, TYPESCRIPT, DOTNET];

impl LanguagePackage {
    /// Whether its toolchain is on this machine, and its adapter built. If not, says loudly that its
    /// lane is skipped.
    ///
    /// # Panics
    ///
    /// When something is missing although the environment requires the lane, or the adapter cannot
    /// be built.
    #[must_use]
    pub fn can_run(&self) -> bool {
        self.has_toolchain() && self.is_set_up()
    }

    /// Whether its toolchain is on this machine. If not, says loudly that its lane is skipped.
    ///
    /// # Panics
    ///
    /// When something is missing although the environment requires the lane.
    #[must_use]
    pub fn has_toolchain(&self) -> bool {
        let needs = Needs {
            lane: self.language,
            programs: self.programs,
            fetch: (Path::new(""), &[]),
        };
        needs.are_met()
    }

    /// Starts the adapter once without input, so that it builds itself before a test waits for it.
    fn is_set_up(&self) -> bool {
        static READY: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
        if self.programs.is_empty() || ready.contains(self.language) {
            return true;
        }
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let status = command.status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the adapter of the package for {} does not set itself up",
            self.language
        );
        ready.insert(self.language)
    }

    /// A file of its folder, from the root of the workspace.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    /// What starts its adapter, from the root of the workspace.
    #[must_use]
    pub fn adapter_path(&self) -> String {
        self.file(self.adapter)
    }

    /// The words that start its adapter.
    #[must_use]
    pub fn adapter(&self) -> Vec<String> {
        let path = |path: &Path| path.display().to_string();
        if *self == RUST {
            return vec![path(chatstate_program()), "adapter".to_owned()];
        }
        vec![path(&workspace::path(&self.adapter_path()))]
    }

    /// The command that starts its adapter.
    ///
    /// # Panics
    ///
    /// When there are no words for it.
    #[must_use]
    pub fn command(&self) -> Command {
        let words = self.adapter();
        let (program, arguments) = words.split_first().expect("an adapter has a program");
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }
}
