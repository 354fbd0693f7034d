//! Code from the schemas of foreign protocols: it compiles in every language, or the error names what
//! cannot be represented. The packages with the schemas are fetched from npm, with pinned versions and
//! hashes: the schemas have licences of their own, and a copy here would become out of date.

use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::lane::Needs;
use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{FinishedProgram, chatstate, finish};
use chatstate_tests::workspace;

/// Where the packages are fetched to.
const FOLDER: &str = "tests/protocols";

/// The page that says what comes of each.
const PAGE: &str = "docs/generators.md";

/// The schema of a protocol.
struct Protocol {
    /// What the generated packages are called.
    name: &'static str,
    /// The package of npm that ships it, and the file in there.
    package: &'static str,
    file: &'static str,
    /// What the error says; nothing where code is generated.
    rejected: &'static [&'static str],
}

const PROTOCOLS: &[Protocol] = &[
    Protocol {
        name: "agent-client-protocol",
        package: "@agentclientprotocol/sdk",
        file: "schema/v1/schema.json",
        rejected: &[],
    },
    Protocol {
        name: "early-agent-client-protocol",
        package: "@zed-industries/agent-client-protocol",
        file: "schema/schema.json",
        rejected: &[],
    },
    Protocol {
        name: "language-server-meta-model",
        package: "vscode-languageserver-protocol",
        file: "metaModel.schema.json",
        rejected: &[],
    },
    Protocol {
        name: "next-agent-client-protocol",
        package: "@agentclientprotocol/sdk",
        file: "schema/v2/schema.json",
        rejected: &[
            "`null` alone cannot be represented",
            "`/$defs/IdleStateUpdate/anyOf/7/properties/stopReason`",
            "help: say what the value is when it is not `null`",
        ],
    },
];

#[test]
fn protocols_compile_in_rust() {
    check(&RUST);
}

#[test]
fn protocols_compile_in_python() {
    check(&PYTHON);
}

#[test]
fn protocols_compile_in_typescript() {
    check(&TYPESCRIPT);
}

#[test]
fn protocols_compile_in_dotnet() {
    check(&DOTNET);
}

/// Generates what can be generated in a language, and lets its compilers and checkers judge.
fn check(language: &LanguagePackage) {
    let Some(packages) = fetched() else {
        return;
    };
    if !language.has_toolchain() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    for protocol in PROTOCOLS
        .iter()
        .filter(|protocol| protocol.rejected.is_empty())
    {
        let out = folder.path().join(protocol.name);
        let generated = generate(protocol, &packages, language.language, &out);
        assert_eq!(generated.code, 0, "{}: {}", protocol.name, generated.stderr);
        outputs.push(out);
    }
    let mut command = Command::new(workspace::path(language.check));
    command.args(&outputs);
    let checked = finish(command, b"");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn what_cannot_be_represented_is_named() {
    let Some(packages) = fetched() else {
        return;
    };
    for protocol in PROTOCOLS
        .iter()
        .filter(|protocol| !protocol.rejected.is_empty())
    {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(protocol.name);
        let rejected = generate(protocol, &packages, "all", &out);
        assert_eq!(rejected.code, 1, "{}{}", rejected.stdout, rejected.stderr);
        for words in protocol.rejected {
            assert!(
                rejected.stderr.contains(words),
                "`{words}` in: {}",
                rejected.stderr
            );
        }
        assert!(!out.exists(), "{} has left something", protocol.name);
    }
}

/// The page has a row for each with its version and what comes of it.
#[test]
fn the_page_says_what_comes_of_each() {
    let versions = workspace::text(&format!("{FOLDER}/package.json"));
    let versions: serde_json::Value = serde_json::from_str(&versions).unwrap();
    let page = workspace::text(PAGE);
    for Protocol {
        package,
        file,
        rejected,
        ..
    } in PROTOCOLS
    {
        let version = versions["dependencies"][package].as_str().unwrap();
        let outcome = if rejected.is_empty() {
            "compiles in all four"
        } else {
            rejected[0]
        };
        let row = format!("| `{package}/{file}` {version} | {outcome} |");
        assert!(page.contains(&row), "`{PAGE}` has no row `{row}`");
    }
}

fn generate(protocol: &Protocol, packages: &Path, language: &str, out: &Path) -> FinishedProgram {
    let schema = packages.join(protocol.package).join(protocol.file);
    let (schema, out) = (schema.display().to_string(), out.display().to_string());
    chatstate(
        &[
            "generate",
            language,
            "--schema",
            &schema,
            "--name",
            protocol.name,
            "--out",
            &out,
        ],
        b"",
    )
}

/// The folder of the packages; nothing where npm is missing, which is said.
fn fetched() -> Option<PathBuf> {
    let needs = Needs {
        lane: "typescript",
        programs: &["node", "npm"],
        fetch: (Path::new(FOLDER), &[]),
    };
    if !needs.are_met() {
        return None;
    }
    let command = Command::new(workspace::path(&format!("{FOLDER}/fetch")));
    let finished = finish(command, b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    Some(PathBuf::from(finished.stdout.trim()))
}
