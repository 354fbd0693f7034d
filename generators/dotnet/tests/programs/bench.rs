//! Where programs are built that use packages, and what is generated for them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use chatstate_codegen::{CodegenError, Files, Generator, Package};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_schema_model::{Ir, ReadOptions, SchemaText, UnknownValues, read_with};
use tempfile::TempDir;

/// A copy of the package's folder, in which programs that use it are built.
pub struct Bench(TempDir);

impl Bench {
    /// None where there is no `dotnet`.
    pub fn new() -> Option<Self> {
        let found = Command::new("dotnet").arg("--version").output();
        if !found.is_ok_and(|found| found.status.success()) {
            assert!(
                !is_required("dotnet"),
                "lane `dotnet` is required, but `dotnet` is not on this machine"
            );
            say("SKIPPED LANE dotnet: `dotnet` is not on this machine");
            return None;
        }
        let bench = Self(TempDir::new().unwrap());
        copy(&workspace().join("packages/dotnet"), bench.0.path());
        Some(bench)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Builds a program and runs it.
    pub fn run(&self, name: &str) -> Output {
        self.run_with(name, &[])
    }

    pub fn run_with(&self, name: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new("dotnet");
        command.args(["run", "--project", name]).args(arguments);
        command.current_dir(self.0.path()).output().unwrap()
    }

    /// What a program prints that ends well.
    pub fn succeed(&self, name: &str, arguments: &[&str]) -> String {
        let ran = self.run_with(name, arguments);
        let said = String::from_utf8_lossy(&ran.stdout);
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}{errors}");
        said.trim().to_owned()
    }
}

/// Whether the environment requires a lane.
pub fn is_required(lane: &str) -> bool {
    let required = std::env::var("CHATSTATE_REQUIRE").unwrap_or_default();
    required.split(',').any(|name| name.trim() == lane)
}

pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn workspace() -> PathBuf {
    home().join("../..")
}

/// Adds the package of an ordinary schema in a folder.
pub fn add_package(bench: &Bench, folder: &str, name: &str, schema: &Path) {
    let files = generated(schema, name, |ir, package| {
        DotnetGenerator.package(ir, package)
    });
    add_files(bench, folder, &files);
}

pub fn add_files(bench: &Bench, folder: &str, files: &Files) {
    for (path, text) in files.iter() {
        write(&bench.path(folder).join(path), text);
    }
}

/// What is generated from an ordinary schema.
pub fn generated(
    schema: &Path,
    name: &str,
    generate: impl Fn(&Ir, &Package) -> Result<Files, CodegenError>,
) -> Files {
    let model = model_of(schema, UnknownValues::AsDescribed);
    generate(&model, &package_named(name)).unwrap()
}

/// The model of an ordinary schema.
pub fn model_of(schema: &Path, unknown: UnknownValues) -> Ir {
    let text = fs::read_to_string(schema).unwrap();
    let file = SchemaText {
        name: schema.file_name().unwrap().to_str().unwrap(),
        text: &text,
    };
    let options = ReadOptions {
        unknown,
        ..ReadOptions::default()
    };
    read_with(&[file], &options).unwrap().ir
}

/// A package of which only its name is known.
pub fn package_named(name: &str) -> Package {
    Package {
        name: name.to_owned(),
        ..Package::default()
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if [".sdk", "bin", "obj"].iter().any(|made| name == *made) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            write(&to.join(name), &fs::read_to_string(&path).unwrap());
        }
    }
}

pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Says a line also when the test passes; what a test prints is hidden then.
pub fn say(line: &str) {
    // Nothing can be reported when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}
