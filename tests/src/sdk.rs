//! The real SDKs of `tests/sdks/`, and the toolchains they need.

use std::path::{Path, PathBuf};

use crate::lane::Needs;
use crate::workspace;

/// One SDK under test.
#[derive(Debug, Clone, Copy)]
pub struct Sdk {
    /// Its folder in `tests/sdks/`.
    pub folder: &'static str,
    /// Its name in `differences.toml`.
    pub name: &'static str,
    /// Its lane, as `CHATSTATE_REQUIRE` spells it.
    pub lane: &'static str,
    /// The programs it needs.
    programs: &'static [&'static str],
    /// A command, run in its folder, that fails when its packages cannot be had; empty where the
    /// first start installs them.
    fetch: &'static [&'static str],
}

/// The SDK from the Python Package Index.
pub const PYTHON: Sdk = Sdk {
    folder: "ag-ui-python",
    name: "python",
    lane: "python",
    programs: &["python3"],
    fetch: &[],
};

/// The SDK from crates.io.
pub const RUST: Sdk = Sdk {
    folder: "ag-ui-rust",
    name: "rust",
    lane: "rust",
    programs: &["cargo"],
    fetch: &["cargo", "fetch", "--locked", "--quiet"],
};

/// The SDK from npm.
pub const TYPESCRIPT: Sdk = Sdk {
    folder: "ag-ui-typescript",
    name: "typescript",
    lane: "typescript",
    programs: &["node", "npm"],
    fetch: &[],
};

/// The Agent Framework for Python, whose format is a dialect.
pub const AGENT_FRAMEWORK: Sdk = Sdk {
    folder: "agent-framework-python",
    name: "agent-framework-python",
    lane: "python",
    programs: &["python3"],
    fetch: &[],
};

/// Semantic Kernel for Python, whose format is a dialect.
pub const SEMANTIC_KERNEL: Sdk = Sdk {
    folder: "semantic-kernel-python",
    name: "semantic-kernel-python",
    lane: "python",
    programs: &["python3"],
    fetch: &[],
};

/// All of them.
pub const SDKS: [Sdk; 5] = [PYTHON, RUST, TYPESCRIPT, AGENT_FRAMEWORK, SEMANTIC_KERNEL];

impl Sdk {
    /// A file of its folder, from the root of the workspace.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        format!("tests/sdks/{}/{name}", self.folder)
    }

    /// The program that starts its adapter.
    #[must_use]
    pub fn adapter(&self) -> PathBuf {
        workspace::path(&self.file("run"))
    }

    /// Whether its toolchain is on this machine and its packages can be had. If not, says loudly
    /// that its lane is skipped.
    ///
    /// # Panics
    ///
    /// When something is missing although the environment requires the lane.
    #[must_use]
    pub fn can_run(&self) -> bool {
        let folder = format!("tests/sdks/{}", self.folder);
        let needs = Needs {
            lane: self.lane,
            programs: self.programs,
            fetch: (Path::new(&folder), self.fetch),
        };
        needs.are_met()
    }
}
