//! The package of the canonical schema is what the generator makes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chatstate_codegen::{Files, Generator, Package, compare};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_ir::{SchemaText, read};

/// The schema files of chatstate's own package.
const SCHEMAS: [&str; 3] = [
    "chat-state.schema.json",
    "event.schema.json",
    "session.schema.json",
];

#[test]
fn the_package_is_as_generated() {
    let folder = workspace().join("generators/dotnet/package");
    let drift = compare(&package(), &existing(&folder, &folder));
    assert!(drift.is_empty(), "{}", drift.report("cargo xtask codegen"));
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn package() -> Files {
    let texts = SCHEMAS.map(|name| {
        let path = workspace().join("schema/v1").join(name);
        std::fs::read_to_string(path).unwrap()
    });
    let files: Vec<_> = SCHEMAS
        .iter()
        .zip(&texts)
        .map(|(name, text)| SchemaText { name, text })
        .collect();
    let package = Package {
        name: "chatstate".to_owned(),
        chat_state: true,
    };
    DotnetGenerator
        .package(&read(&files).unwrap(), &package)
        .unwrap()
}

/// The texts below a folder by their paths from `root`; what a build leaves is none of them.
fn existing(folder: &Path, root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap();
        if matches!(name, "bin" | "obj") {
            continue;
        }
        if path.is_dir() {
            found.extend(existing(&path, root));
        } else {
            found.insert(name.to_owned(), std::fs::read_to_string(&path).unwrap());
        }
    }
    found
}
