//! The package of chatstate's own schema, and packages of other schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use chatstate_codegen::{Files, Generator, Package, Publication, compare};
use chatstate_generator_typescript::TypeScriptGenerator;
use chatstate_schema_model::{Ir, ReadOptions, SchemaText, read, read_with};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn canonical() -> Ir {
    let names = ["chat-state", "event", "session"].map(|name| format!("{name}.schema.json"));
    let texts = names.map(|name| {
        let path = root().join("schema/v1").join(&name);
        (name, fs::read_to_string(path).unwrap())
    });
    let files = texts
        .each_ref()
        .map(|(name, text)| SchemaText { name, text });
    read(&files).unwrap()
}

fn generated(ir: &Ir, name: &str, behaviour: bool) -> Files {
    let package = Package {
        name: name.to_owned(),
        behaviour,
        publication: publication(behaviour),
        ..Package::default()
    };
    TypeScriptGenerator.package(ir, &package).unwrap()
}

/// The folder of chatstate's own package.
fn own() -> PathBuf {
    root().join("packages/typescript")
}

/// The paths of all files in a folder of the package and below it.
fn paths(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(own().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            paths(&name, found);
        } else {
            found.push(name);
        }
    }
}

#[test]
fn the_package_is_up_to_date() {
    let made = generated(&canonical(), "chatstate", true);
    let names = made.iter().map(|(name, _)| name.to_owned());
    let mut found = BTreeMap::new();
    for name in names {
        let text = fs::read_to_string(own().join(&name)).unwrap_or_default();
        found.insert(name, text);
    }
    let drift = compare(&made, &found);
    assert!(drift.is_empty(), "{}", drift.report("cargo xtask codegen"));
}

/// A folder that is not embedded would be missing in what `generate` writes.
#[test]
fn every_source_of_the_package_is_in_it() {
    let made = generated(&canonical(), "chatstate", true);
    let mut found = Vec::new();
    paths("src", &mut found);
    for name in found {
        assert!(
            made.get(&name).is_some(),
            "`{name}` is in no folder that `src/written.rs` embeds"
        );
    }
}

#[test]
fn two_runs_give_equal_files() {
    let ir = canonical();
    assert_eq!(generated(&ir, "a", false), generated(&ir, "a", false));
}

#[test]
fn other_packages_have_no_saved_chats() {
    let files = generated(&canonical(), "agent-protocol", false);
    let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
    for path in [
        "src/chats/encoding.ts",
        "src/chats/rules.ts",
        "src/streams/index.ts",
    ] {
        assert!(!paths.contains(&path), "`{path}` is about saved chats");
    }
    let index = files.get("src/index.ts").unwrap();
    assert!(!index.contains("encod"), "{index}");
    let documents = files.get("src/generated/index.ts").unwrap();
    assert!(!documents.contains("rules.js"));
}

/// A name that the package exports itself would hide a type of the schema, and no compiler would say so.
#[test]
fn no_type_is_hidden_by_what_the_package_exports() {
    let index = generated(&canonical(), "chatstate", true);
    let index = index.get("src/index.ts").unwrap();
    let words = index.split(|character: char| !character.is_ascii_alphanumeric());
    let names: BTreeSet<&str> = words
        .filter(|word| word.starts_with(|first: char| first.is_ascii_uppercase()))
        .collect();
    assert!(names.contains("Rejection"), "{names:?}");
    let definitions: Vec<String> = names
        .iter()
        .map(|name| format!("\"{name}\":{{\"type\":\"object\"}}"))
        .collect();
    let text = format!(
        "{{\"title\":\"Names\",\"$defs\":{{{}}}}}",
        definitions.join(",")
    );
    let file = SchemaText {
        name: "names.schema.json",
        text: &text,
    };
    let ir = read_with(&[file], &ReadOptions::default()).unwrap().ir;
    let files = generated(&ir, "names", false);
    let types = files.get("src/generated/types.ts").unwrap();
    for name in names {
        assert!(types.contains(&format!("export type {name}_ = ")), "{name}");
    }
}

/// The licence that the package of chatstate has.
fn publication(behaviour: bool) -> Publication {
    Publication {
        license: behaviour.then(|| env!("CARGO_PKG_LICENSE").to_owned()),
        ..Publication::default()
    }
}
