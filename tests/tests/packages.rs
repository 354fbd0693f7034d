//! What generators write beside types: dependencies that are those of the workspace, and skeletons
//! of adapters that run as they are.

use std::path::Path;
use std::process::Command;

use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{chatstate, finish};
use chatstate_tests::{report, toolchain, workspace};
use tempfile::TempDir;

/// The cases that a skeleton must pass at least: it reads and writes JSON alone.
const LEAST_PASSED: usize = 80;

#[test]
fn dependencies_of_a_rust_package_are_those_of_the_workspace() {
    let folder = tempfile::tempdir().unwrap();
    generate(&["rust"], folder.path());
    let ours = workspace::toml("Cargo.toml");
    let ours = ours["workspace"]["dependencies"].as_table().unwrap();
    let mut count = 0;
    for manifest in ["Cargo.toml", "json/Cargo.toml"] {
        let manifest = std::fs::read_to_string(folder.path().join(manifest)).unwrap();
        let manifest: toml::Table = toml::from_str(&manifest).unwrap();
        let dependencies = manifest["dependencies"].as_table().unwrap();
        // The crate for exact JSON is in a folder of the package.
        for (name, dependency) in dependencies
            .iter()
            .filter(|(_, it)| it.get("path").is_none())
        {
            let version = dependency.get("version").unwrap_or(dependency);
            let wanted = ours[name].get("version").unwrap_or(&ours[name]);
            assert_eq!(version, wanted, "`{name}`");
            count += 1;
        }
    }
    assert!(count > 12, "only {count} dependencies were compared");
}

/// What the options say is in the manifest of every language, as the language spells it.
#[test]
fn manifests_say_what_the_options_say() {
    let folder = tempfile::tempdir().unwrap();
    let description = "Types \\ of <\"Example\">";
    let repository = "https://example.com/a?b=1&c=2";
    generate(
        &[
            "all",
            "--description",
            description,
            "--license",
            "MIT",
            "--repository",
            repository,
        ],
        folder.path(),
    );
    let text = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    let rust: toml::Table = toml::from_str(&text("rust/Cargo.toml")).unwrap();
    let python: toml::Table = toml::from_str(&text("python/pyproject.toml")).unwrap();
    let npm: serde_json::Value = serde_json::from_str(&text("typescript/package.json")).unwrap();
    let said = |table: &toml::Value| table.as_str().map(str::to_owned);
    let found = [
        ["description", "license", "repository"].map(|name| said(&rust["package"][name])),
        [
            said(&python["project"]["description"]),
            said(&python["project"]["license"]),
            said(&python["project"]["urls"]["Repository"]),
        ],
        ["description", "license", "repository"].map(|name| npm[name].as_str().map(str::to_owned)),
    ];
    let wanted = [description, "MIT", repository].map(|text| Some(text.to_owned()));
    assert_eq!(found, [wanted.clone(), wanted.clone(), wanted]);
    if PYTHON.has_toolchain() {
        let mut version = toolchain::python();
        version.env("PYTHONPATH", folder.path().join("python/src"));
        version.args(["-c", "import chatstate; print(chatstate.__version__)"]);
        let version = toolchain::output(version);
        assert_eq!(
            python["project"]["version"].as_str(),
            Some(version.as_str())
        );
    }
    let project = text("dotnet/Chatstate.csproj");
    for line in [
        "<Description>Types \\ of &lt;\"Example\"&gt;</Description>",
        "<PackageLicenseExpression>MIT</PackageLicenseExpression>",
        "<RepositoryUrl>https://example.com/a?b=1&amp;c=2</RepositoryUrl>",
    ] {
        assert!(project.contains(line), "{line} is not in\n{project}");
    }
    let lines = [
        "generate",
        "rust",
        "--description",
        "two\nlines",
        "--out",
        "x",
    ];
    let rejected = chatstate(&lines, b"");
    assert_eq!(rejected.code, 2, "{}", rejected.stderr);
    assert!(
        rejected.stderr.contains("write it in one line"),
        "{}",
        rejected.stderr
    );
}

#[test]
fn the_skeleton_in_rust_runs() {
    check_skeleton(
        &RUST,
        &["cargo", "build", "--quiet"],
        &["target/debug/adapter"],
    );
}

#[test]
fn the_skeleton_in_python_runs() {
    check_skeleton(&PYTHON, &[], &["python3", "adapter.py"]);
}

#[test]
fn the_skeleton_in_typescript_runs() {
    check_skeleton(&TYPESCRIPT, &[], &["node", "adapter.mjs"]);
}

#[test]
fn the_skeleton_in_dotnet_runs() {
    let build = ["dotnet", "build", "-c", "Release", "-o", "out"];
    check_skeleton(&DOTNET, &build, &["dotnet", "exec", "out/Adapter.dll"]);
}

/// The skeleton shakes hands, survives the canaries, and keeps what JSON keeps.
fn check_skeleton(package: &LanguagePackage, build: &[&str], start: &[&str]) {
    if !package.has_toolchain() {
        return;
    }
    let folder = skeleton(package.language);
    if let Some((program, arguments)) = build.split_first() {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path());
        let finished = finish(command, b"");
        assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
    }
    let words = start.iter().map(|word| {
        let path = folder.path().join(word);
        let is_file = path.is_file();
        if is_file {
            path.display().to_string()
        } else {
            (*word).to_owned()
        }
    });
    let mut arguments = vec![
        "--suite".to_owned(),
        "round-trip".to_owned(),
        "--".to_owned(),
    ];
    arguments.extend(words);
    let run = report::test(arguments);
    let verdicts = run.verdicts();
    let passed = verdicts
        .values()
        .filter(|verdict| **verdict == "pass")
        .count();
    assert!(
        passed >= LEAST_PASSED,
        "only {passed} cases pass\n{}{}",
        run.finished.stdout,
        run.finished.stderr
    );
}

/// A folder with the skeleton in a language, and the versions that this workspace uses.
fn skeleton(language: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    generate(&["adapter", language], folder.path());
    if language == RUST.language {
        let lock = workspace::path("Cargo.lock");
        std::fs::copy(lock, folder.path().join("Cargo.lock")).unwrap();
    }
    folder
}

fn generate(words: &[&str], folder: &Path) {
    let out = folder.display().to_string();
    let arguments = [&["generate"], words, &["--out", &out]].concat();
    let finished = chatstate(&arguments, b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
}
