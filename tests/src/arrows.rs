//! Who may use whom: the arrows of ARCHITECTURE.md, which point from the right to the left here.

/// One package of this workspace.
pub struct WorkspacePackage {
    /// Its name.
    pub name: &'static str,
    /// Its folder.
    pub folder: &'static str,
    /// The packages of this workspace that it uses.
    pub uses: &'static [&'static str],
    /// The packages that its own tests use beside these.
    pub tests_use: &'static [&'static str],
    /// Whether it computes and nothing else: no files, no processes, no network.
    pub pure: bool,
}

/// All of them but those that nothing uses.
pub const PACKAGES: &[WorkspacePackage] = &[
    WorkspacePackage {
        name: "chatstate-json",
        folder: "crates/json",
        uses: &[],
        tests_use: &["chatstate-arbitrary"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-types",
        folder: "crates/types",
        uses: &["chatstate-json"],
        tests_use: &["chatstate-arbitrary"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-streams",
        folder: "crates/streams",
        uses: &["chatstate-json", "chatstate-types"],
        tests_use: &["chatstate-arbitrary"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-chats",
        folder: "crates/chats",
        uses: &["chatstate-json", "chatstate-types"],
        tests_use: &["chatstate-arbitrary"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-dialects",
        folder: "crates/dialects",
        uses: &["chatstate-json", "chatstate-types"],
        tests_use: &["chatstate-streams"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate",
        folder: "crates/chatstate",
        uses: &[
            "chatstate-chats",
            "chatstate-dialects",
            "chatstate-json",
            "chatstate-streams",
            "chatstate-types",
        ],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-laws",
        folder: "crates/laws",
        uses: &["chatstate-json", "chatstate-streams", "chatstate-types"],
        tests_use: &["chatstate-arbitrary"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-arbitrary",
        folder: "crates/arbitrary",
        uses: &["chatstate-json", "chatstate-streams", "chatstate-types"],
        tests_use: &[],
        // Tests take their settings from the environment through it.
        pure: false,
    },
    WorkspacePackage {
        name: "chatstate-protocol",
        folder: "crates/protocol",
        uses: &[],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-corpus",
        folder: "crates/corpus",
        uses: &["chatstate-json", "chatstate-streams", "chatstate-types"],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-runner",
        folder: "crates/runner",
        uses: &[
            "chatstate-corpus",
            "chatstate-dialects",
            "chatstate-json",
            "chatstate-laws",
            "chatstate-protocol",
            "chatstate-streams",
            "chatstate-types",
        ],
        tests_use: &[],
        pure: false,
    },
    WorkspacePackage {
        name: "chatstate-fuzz",
        folder: "crates/fuzz",
        uses: &[
            "chatstate-arbitrary",
            "chatstate-corpus",
            "chatstate-json",
            "chatstate-protocol",
            "chatstate-runner",
            "chatstate-streams",
            "chatstate-types",
        ],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-reference",
        folder: "crates/reference",
        uses: &["chatstate", "chatstate-corpus", "chatstate-protocol"],
        tests_use: &[],
        // As a process of its own it speaks on stdin and stdout.
        pure: false,
    },
    WorkspacePackage {
        name: "chatstate-schema-model",
        folder: "crates/schema-model",
        uses: &[],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-codegen",
        folder: "crates/codegen",
        uses: &["chatstate-schema-model"],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-generator-dotnet",
        folder: "generators/dotnet",
        uses: &["chatstate-codegen", "chatstate-schema-model"],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-generator-python",
        folder: "generators/python",
        uses: &["chatstate-codegen", "chatstate-schema-model"],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-generator-rust",
        folder: "generators/rust",
        uses: &["chatstate-codegen", "chatstate-schema-model"],
        // What it writes is compiled against the libraries that it is written for.
        tests_use: &["chatstate-json", "chatstate-types"],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-generator-typescript",
        folder: "generators/typescript",
        uses: &["chatstate-codegen", "chatstate-schema-model"],
        tests_use: &[],
        pure: true,
    },
    WorkspacePackage {
        name: "chatstate-cli",
        folder: "crates/cli",
        uses: &[
            "chatstate",
            "chatstate-codegen",
            "chatstate-corpus",
            "chatstate-fuzz",
            "chatstate-generator-dotnet",
            "chatstate-generator-python",
            "chatstate-generator-rust",
            "chatstate-generator-typescript",
            "chatstate-protocol",
            "chatstate-reference",
            "chatstate-runner",
            "chatstate-schema-model",
        ],
        tests_use: &[],
        pure: false,
    },
];

/// The packages that use whatever they like, because nothing uses them.
pub const USERS_OF_EVERYTHING: [&str; 3] = ["bench", "tests", "xtask"];
