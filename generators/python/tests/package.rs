//! The package of chatstate's own schema, and packages of other schemas.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use chatstate_codegen::{Files, Generator, Overlay, Package, Publication};
use chatstate_generator_python::PythonGenerator;
use chatstate_schema_model::{Ir, ReadOptions, SchemaText, read_with};
use tempfile::TempDir;

/// The canonical schema, then one of everything that is hard to name.
const CANONICAL: &[SchemaText<'_>] = &[
    SchemaText {
        name: "chat-state.schema.json",
        text: include_str!("../../../schema/v1/chat-state.schema.json"),
    },
    SchemaText {
        name: "event.schema.json",
        text: include_str!("../../../schema/v1/event.schema.json"),
    },
    SchemaText {
        name: "session.schema.json",
        text: include_str!("../../../schema/v1/session.schema.json"),
    },
];
const TRAPS: &[SchemaText<'_>] = &[SchemaText {
    name: "traps.schema.json",
    text: include_str!("../../../tests/schemas/traps.schema.json"),
}];

const FORMS: &[SchemaText<'_>] = &[SchemaText {
    name: "forms.schema.json",
    text: include_str!("../../../tests/schemas/forms.schema.json"),
}];

/// Types that are made of each other, without a class between.
const CIRCLES: &[SchemaText<'_>] = &[SchemaText {
    name: "circles.schema.json",
    text: r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Circle",
    "type": "object",
    "properties": {"map": {"$ref": "#/$defs/Map"}, "value": {"$ref": "#/$defs/Value"}, "pair": {"$ref": "#/$defs/Pair"}},
    "$defs": {
        "Value": {"anyOf": [{"$ref": "#/$defs/Map"}, {"$ref": "#/$defs/Items"}, {"type": "string"}]},
        "Map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Value"}},
        "Items": {"type": "array", "items": {"$ref": "#/$defs/Value"}},
        "Pair": {"type": "array", "prefixItems": [{"$ref": "#/$defs/Map"}, {"$ref": "#/$defs/Pair"}], "items": false, "minItems": 2}
    }
}"##,
}];

/// A closed union, a definition that is called as the alias of its variants would be, and members that
/// are called as the reader of a variant and what it is declared with.
const VARIANTS: &[SchemaText<'_>] = &[SchemaText {
    name: "variants.schema.json",
    text: r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Order",
    "type": "object",
    "required": ["paid", "parts"],
    "properties": {
        "paid": {"$ref": "#/$defs/Payment"},
        "refunded": {"$ref": "#/$defs/Payment"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Payment"}},
        "any": {"$ref": "#/$defs/AnyPayment"},
        "note": {"$ref": "#/$defs/Note"}
    },
    "$defs": {
        "Payment": {"oneOf": [{"$ref": "#/$defs/Card"}, {"$ref": "#/$defs/Cash"}]},
        "Card": {
            "type": "object",
            "required": ["by", "number"],
            "properties": {
                "by": {"const": "card"},
                "number": {"type": "string"},
                "bytes": {"type": "integer"},
                "text": {"type": "boolean"},
                "from_json": {"type": "boolean"},
                "classmethod": {"type": "integer"},
                "Self": {"type": "string"}
            }
        },
        "Cash": {"type": "object", "required": ["by"], "properties": {"by": {"const": "cash"}}},
        "AnyPayment": {"type": "object", "properties": {"bytes": {"type": "string"}}},
        "Note": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Rich"}, {"type": "array", "items": {"type": "string"}}]},
        "Rich": {"type": "object", "required": ["markup"], "properties": {"markup": {"type": "string"}}}
    }
}"##,
}];

fn model(schemas: &[SchemaText<'_>]) -> Ir {
    let reading = read_with(schemas, &ReadOptions::default());
    reading.unwrap_or_else(|error| panic!("{error}")).ir
}

fn package(name: &str, schemas: &[SchemaText<'_>], behaviour: bool) -> Files {
    let package = Package {
        name: name.to_owned(),
        behaviour,
        publication: publication(behaviour),
        ..Package::default()
    };
    let files = PythonGenerator.package(&model(schemas), &package);
    files.unwrap_or_else(|error| panic!("{error}"))
}

/// The licence that the package of chatstate has.
fn publication(behaviour: bool) -> Publication {
    Publication {
        license: behaviour.then(|| env!("CARGO_PKG_LICENSE").to_owned()),
        ..Publication::default()
    }
}

/// Writes a package into a folder of its name.
fn written(folder: &TempDir, name: &str, files: &Files) -> PathBuf {
    let folder = folder.path().join(name);
    for (path, text) in files.iter() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        fs::write(path, text).expect("a file is written");
    }
    folder
}

/// A file of the package's folder.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../packages/python")
        .join(path)
}

/// Whether Python is there; without it, the tests say so in one line.
fn python_is_there(test: &str) -> bool {
    let found = Command::new("python3").arg("--version").output();
    let there = found.is_ok_and(|output| output.status.success());
    let required = std::env::var("CHATSTATE_REQUIRE").unwrap_or_default();
    assert!(
        there || !required.contains("python"),
        "`python3` is required"
    );
    if !there {
        println!("SKIPPED LANE python: `python3` is not on this machine, so `{test}` did not run");
    }
    there
}

fn passes(output: &Output) {
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn two_runs_give_equal_files() {
    assert_eq!(package("a", TRAPS, false), package("a", TRAPS, false));
}

/// The page about generators shows this overlay: another header, and a base class of the user's.
#[test]
fn an_overlay_changes_the_header_and_a_base_class() {
    let page = include_str!("../../../docs/generators.md");
    let shown = |file: &str| {
        let text = page.split_once(&format!("`{file}`:")).expect(file).1;
        let (_, text) = text.split_once("```handlebars\n").expect(file);
        text.split_once("```").expect(file).0.to_owned()
    };
    let mut overlay = Overlay::default();
    for file in ["python/header.py.hbs", "python/object.py.hbs"] {
        overlay.add(file, format!("mine/{file}"), shown(file));
    }
    let package = Package {
        name: "a".to_owned(),
        overlay,
        ..Package::default()
    };
    let files = PythonGenerator.package(&model(TRAPS), &package);
    let files = files.unwrap_or_else(|error| panic!("{error}"));
    let models = files.get("src/a/generated/models.py").expect("models");
    assert!(
        models.starts_with("\"\"\"The types of the schema.\n\nCopyright Example, Inc."),
        "{models}"
    );
    assert!(models.contains(", Traced):"), "{models}");
}

/// What is generated is as `ruff format` lays it out in lines of 100 characters, and its usual rules
/// find nothing in it.
#[test]
fn generated_modules_are_as_ruff_has_them() {
    if !python_is_there("generated_modules_are_as_ruff_has_them") {
        return;
    }
    let packages = [
        ("canonical", CANONICAL, true),
        ("traps", TRAPS, false),
        ("forms", FORMS, false),
        ("variants", VARIANTS, false),
    ];
    let folder = TempDir::new().expect("a temporary folder");
    let mut modules = Vec::new();
    for (name, schemas, behaviour) in packages {
        let files = package(name, schemas, behaviour);
        let source = written(&folder, name, &files).join("src").join(name);
        modules.extend([source.join("generated"), source.join("__init__.py")]);
    }
    let environment = Command::new(file("tools/environment"))
        .arg(file("tools/requirements-ruff.txt"))
        .output()
        .expect("an environment");
    passes(&environment);
    let environment = String::from_utf8(environment.stdout).expect("a path");
    let ruff = format!("{}/bin/ruff", environment.trim());
    let runs: [&[&str]; 2] = [
        &["format", "--diff", "--line-length", "100"],
        &["check", "--select", "E4,E7,E9,F"],
    ];
    for arguments in runs {
        let mut command = Command::new(&ruff);
        command.args(arguments).args(["--isolated", "--no-cache"]);
        passes(&command.args(&modules).output().expect("ruff runs"));
    }
}

#[test]
fn the_package_of_chatstate_is_that_of_its_schema() {
    let files = package("chatstate", CANONICAL, true);
    for (path, text) in files.iter() {
        let found = fs::read_to_string(file(path)).unwrap_or_default();
        assert!(
            found == text,
            "`{path}` is not up to date; run `cargo xtask codegen`"
        );
    }
}

#[test]
fn other_packages_have_no_saved_chats() {
    let files = package("agent-protocol", CANONICAL, false);
    let source = "src/agent_protocol";
    for name in [
        "chats/channel_key.py",
        "pytest_plugin.py",
        "streams/replay.py",
    ] {
        assert_eq!(files.get(&format!("{source}/{name}")), None, "{name}");
    }
    let package = files
        .get(&format!("{source}/__init__.py"))
        .expect("a package");
    assert!(!package.contains("encode"), "{package}");
}

/// A folder that is not embedded would be missing in what `generate` writes.
#[test]
fn every_source_of_the_package_is_in_it() {
    let files = package("chatstate", CANONICAL, true);
    let mut folders = vec![file("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(file("")).expect("a file of it");
            let name = name.to_str().expect("text").replace('\\', "/");
            let is_made = name.contains("__pycache__");
            assert!(
                is_made || files.get(&name).is_some(),
                "`{name}` is in no folder that `src/written.rs` embeds"
            );
        }
    }
}

#[test]
fn type_checkers_accept_packages() {
    if !python_is_there("type_checkers_accept_packages") {
        return;
    }
    let mut used = package("chatstate", CANONICAL, true);
    let mut variants = package("variants", VARIANTS, false);
    let usages = [
        (
            &mut used,
            include_str!("../../../packages/python/tests/usage.py"),
        ),
        (
            &mut variants,
            include_str!("../../../packages/python/tests/usage_of_variants.py"),
        ),
    ];
    for (files, usage) in usages {
        files.add("src/usage.py", usage).expect("a file more");
    }
    let folder = TempDir::new().expect("a temporary folder");
    let others = [
        written(&folder, "traps", &package("traps", TRAPS, false)),
        written(&folder, "circles", &package("circles", CIRCLES, false)),
        written(&folder, "forms", &package("forms", FORMS, false)),
        written(&folder, "variants", &variants),
    ];
    // Our own package shows that what all of them have in common is accepted in each version.
    let check = Command::new(file("tools/check"))
        .args(others)
        .env("CHATSTATE_QUICK", "1")
        .output();
    passes(&check.expect("the check is started"));
    let check = Command::new(file("tools/check"))
        .arg(written(&folder, "checked", &used))
        .output();
    passes(&check.expect("the check is started"));
}

#[test]
fn python_programs_that_use_packages() {
    if !python_is_there("python_programs_that_use_packages") {
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let traps = written(&folder, "used", &package("traps", TRAPS, false));
    let tests = Command::new(file("tools/test"))
        .args(["--quiet", "traps"])
        .env("TRAPS", traps.join("src"))
        .output();
    passes(&tests.expect("the tests are started"));
}
