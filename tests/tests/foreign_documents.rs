//! Real documents of foreign formats, read and written by generated code: they come home in every
//! language, and what is made of them by changes is rejected exactly where a validator of JSON Schema
//! rejects it, in all languages alike.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::foreign_documents::{
    DocumentedSchema, JudgedDocument, SUBJECTS, all_questions,
};
use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{chatstate, finish};
use chatstate_tests::protocols::{FOLDER, fetched};
use chatstate_tests::{toolchain, workspace};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

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

fn check(language: &LanguagePackage) {
    let Some(fetched) = fetched() else {
        return;
    };
    if !language.has_toolchain() {
        return;
    }
    let questions = all_questions(&fetched);
    let folder = TempDir::new().unwrap();
    for subject in SUBJECTS {
        generate(subject, &fetched, language, folder.path());
    }
    let command = driver(language, folder.path());
    let mut lines = String::new();
    for question in questions {
        writeln!(lines, "{}\t{}", question.subject, question.document).unwrap();
    }
    let told = told_documents();
    for (document, _) in &told {
        writeln!(lines, "schema-conditions\t{document}").unwrap();
    }
    let finished = finish(command, lines.as_bytes());
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let answers: Vec<Value> = finished
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len() + told.len());
    for ((document, said), answer) in told.iter().zip(&answers[questions.len()..]) {
        match said {
            None => assert_eq!(answer["text"], *document.as_str()),
            Some((rule, said)) => {
                let message = answer["message"].as_str().unwrap_or_default();
                assert!(message.contains(said), "{answer}");
                assert_eq!(answer["rule"], *rule, "{answer}");
            }
        }
    }
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

/// Documents that conditions which hold themselves follow to the end, one that is too deep for them, and
/// some that break one, each with the rule of its rejection and what that says.
fn told_documents() -> [(String, Option<(&'static str, &'static str)>); 5] {
    let nested = |before: &str, after: &str, inner: &str, levels: usize| {
        before.repeat(levels) + inner + &after.repeat(levels)
    };
    let rule = nested("{\"not\":", "}", "true", 500);
    let rule = format!("{{\"rule\":{{\"kind\":\"rule\",\"value\":{rule}}}}}");
    let nest = |levels| {
        let list = nested("[", "]", "1", levels);
        format!("{{\"nest\":{{\"list\":{list}}}}}")
    };
    let too_deep = "the document is nested too deeply for a condition";
    let tags = "as the schema asks at `/properties/tags/if`";
    let matrix = "as the schema asks at `/properties/matrix/additionalProperties/items/contains`";
    [
        (rule, None),
        (nest(339), None),
        (nest(340), Some(("depth", too_deep))),
        (
            r#"{"tags":{"strict":1,"n":"1"}}"#.to_owned(),
            Some(("if", tags)),
        ),
        (
            r#"{"matrix":{"a":[[0],[1]]}}"#.to_owned(),
            Some(("contains", matrix)),
        ),
    ]
}

/// What is wrong with an answer.
fn fault(question: &JudgedDocument, answer: &Value) -> Option<String> {
    let JudgedDocument {
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

fn generate(subject: &DocumentedSchema, fetched: &Path, language: &LanguagePackage, folder: &Path) {
    let schema = subject.schema_file(fetched).display().to_string();
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
    command.args(SUBJECTS.iter().map(|DocumentedSchema { name, root, .. }| {
        format!("{name}={}:{root}", name.replace('-', "_"))
    }));
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
    for DocumentedSchema { name, root, .. } in SUBJECTS {
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
    for DocumentedSchema { name, root, .. } in SUBJECTS {
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
    for DocumentedSchema { name, root, .. } in SUBJECTS {
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
