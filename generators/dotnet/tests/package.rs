//! The package of the canonical schema is what the generator makes, and what it makes of others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chatstate_codegen::{CodegenError, Files, Generator, Package, Publication, compare};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_schema_model::{Ir, ReadOptions, SchemaText, read, read_with};
use serde_json::json;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema files of chatstate's own package.
const SCHEMAS: [&str; 3] = [
    "chat-state.schema.json",
    "event.schema.json",
    "session.schema.json",
];

/// The folder of chatstate's own package.
fn own() -> PathBuf {
    workspace().join("packages/dotnet/src/Chatstate")
}

/// Each file of the package is made or embedded: a folder that is not embedded would be missing in
/// what `generate` writes.
#[test]
fn the_package_is_as_generated() {
    let files = generated(&canonical(), "chatstate", true).unwrap();
    let found = existing(&own(), &own());
    let drift = compare(&files, &found);
    assert!(drift.is_empty(), "{}", drift.report("cargo xtask codegen"));
}

#[test]
fn other_packages_have_a_name_of_their_own_and_no_saved_chats() {
    let files = generated(&canonical(), "agent-protocol", false).unwrap();
    assert!(files.get("AgentProtocol.csproj").is_some());
    for (path, text) in files.iter() {
        let is_ours = path.starts_with("Runtime/") || path.starts_with("Generated/");
        assert!(
            is_ours || !path.contains('/'),
            "`{path}` is about saved chats"
        );
        assert!(!text.contains("Chatstate"), "`{path}` has another's name");
    }
}

#[test]
fn what_csharp_cannot_say_is_rejected() {
    let cases = [
        (
            json!({"a-b": {"type": "string"}, "a_b": {"type": "string"}}),
            "`a-b` and `a_b` both become `AB`, in definition `Thing`",
        ),
        (
            json!({"date": {"type": "string", "format": "date"}, "date_as_DateOnly": {}}),
            "`date_as_DateOnly` and `date` both become `DateAsDateOnly`, in definition `Thing`",
        ),
        (
            json!({"name": {"type": "array", "items": {"type": "string", "pattern": "\\p{Greek}"}}}),
            "the pattern `\\p{Greek}` has `\\p{Greek}`, which .NET does not know, in definition `Thing`",
        ),
    ];
    for (members, expected) in cases {
        let thing = json!({"type": "object", "properties": members});
        let schema = json!({"$schema": DIALECT, "$defs": {"Thing": thing}}).to_string();
        let file = SchemaText {
            name: "thing.schema.json",
            text: &schema,
        };
        let ir = read_with(&[file], &ReadOptions::default()).unwrap().ir;
        let error = generated(&ir, "things", false).unwrap_err().to_string();
        assert_eq!(error.lines().next(), Some(expected), "{error}");
        assert!(error.contains("\n  help: "), "{error}");
    }
}

#[test]
fn a_namespace_is_no_type() {
    let names = |name: &str| {
        let thing = json!({"title": "Thing", "type": "object", "properties": {}});
        let schema = json!({"$schema": DIALECT, "$defs": {"Thing": thing}}).to_string();
        let file = SchemaText {
            name: "thing.schema.json",
            text: &schema,
        };
        let ir = read_with(&[file], &ReadOptions::default()).unwrap().ir;
        generated(&ir, name, false)
    };
    let files = names("thing").unwrap();
    let text = files.get("Generated/Thing/ThingType.cs").unwrap();
    assert!(text.contains("namespace Thing;"));
    assert!(text.contains("public sealed partial class ThingType "));
    let error = names("json-number").unwrap_err().to_string();
    assert!(
        error.contains("`JsonNumber` has the name of a type that is in it"),
        "{error}"
    );
    assert!(error.contains("`--name`"), "{error}");
}

/// The list of them is that of the runtime.
#[test]
fn the_public_types_are_known() {
    for entry in std::fs::read_dir(own().join("Runtime")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with("public ")) {
            let words: Vec<&str> = line.split([' ', '<', '(', ':']).collect();
            let kinds = ["class", "struct", "interface", "enum", "record"];
            let kind = words.iter().rposition(|word| kinds.contains(word));
            let Some(name) = kind.and_then(|kind| words.get(kind + 1)) else {
                continue;
            };
            let error = DotnetGenerator.package(&canonical(), &package(name));
            let error = matches!(error, Err(CodegenError::Inexpressible { .. }));
            assert!(error, "`{name}` is not in `PUBLIC_TYPES`");
        }
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn canonical() -> Ir {
    let texts = SCHEMAS.map(|name| {
        let path = workspace().join("schema/v1").join(name);
        std::fs::read_to_string(path).unwrap()
    });
    let files: Vec<_> = SCHEMAS
        .iter()
        .zip(&texts)
        .map(|(name, text)| SchemaText { name, text })
        .collect();
    read(&files).unwrap()
}

fn generated(ir: &Ir, name: &str, behaviour: bool) -> Result<Files, CodegenError> {
    let package = Package {
        behaviour,
        publication: publication(behaviour),
        ..package(name)
    };
    DotnetGenerator.package(ir, &package)
}

fn package(name: &str) -> Package {
    Package {
        name: name.to_owned(),
        ..Package::default()
    }
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

/// The licence that the package of chatstate has.
fn publication(behaviour: bool) -> Publication {
    Publication {
        license: behaviour.then(|| env!("CARGO_PKG_LICENSE").to_owned()),
        ..Publication::default()
    }
}
