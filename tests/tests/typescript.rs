//! The packages that the TypeScript generator writes, as their users have them: what users write with
//! them compiles with both compilers, and does what it says; the behavior of our own keeps the laws,
//! answers as the reference does, and comes with what npm installs.

use std::path::Path;
use std::process::Command;

use chatstate_codegen::{Generator, Package};
use chatstate_generator_typescript::TypeScriptGenerator;
use chatstate_schema_model::{ReadOptions, SchemaText, read_with};
use chatstate_tests::browser::Browser;
use chatstate_tests::package::TYPESCRIPT;
use chatstate_tests::program::chatstate_program;
use chatstate_tests::workspace;
use serde_json::{Map, json};
use tempfile::TempDir;

/// What a package exports beside the types, and what generated code takes from the language.
const TAKEN_NAMES: &[&str] = &[
    "Array",
    "Check",
    "Exact",
    "ExactList",
    "ExactNumber",
    "Exclude",
    "Found",
    "JsonNumber",
    "Members",
    "NonNullable",
    "Number",
    "Object",
    "Parser",
    "ReadOptions",
    "ReadonlySet",
    "Rejection",
    "RejectionClass",
    "Set",
    "StandardResult",
    "StandardSchema",
    "String",
    "Symbol",
    "UnknownTag",
    "Validator",
    "WithExtras",
    "Writer",
];

#[test]
fn what_users_write_with_the_package_compiles_and_runs() {
    check("tools/test", &[]);
}

#[test]
fn the_behavior_keeps_the_laws_and_answers_as_the_reference() {
    check("test/run", &[chatstate_program(), Path::new("adapter")]);
}

/// Packed as npm publishes it, installed into an empty folder, and bundled for a browser.
#[test]
fn what_npm_installs_runs_in_node_and_in_a_browser() {
    let folder = TempDir::new().unwrap();
    check("test/install/install", &[folder.path()]);
    let page = folder.path().join("page.html");
    if !page.exists() {
        return;
    }
    if let Some(browser) = Browser::find() {
        let document = browser.open(page.to_str().unwrap());
        assert!(
            document.contains("<body>5 events, Hello, 1 message"),
            "{document}"
        );
    }
}

#[test]
fn what_users_write_with_the_traps_compiles_and_runs() {
    let schema = workspace::text("tests/schemas/traps.schema.json");
    let package = package_of("traps", &schema);
    let usage = workspace::path("packages/typescript/test/traps");
    check("tools/test", &[package.path(), &usage]);
}

#[test]
fn types_may_have_the_names_of_the_runtime() {
    let any = json!({"description": "Any value but null.", "type": ["string", "object"]});
    let record =
        json!({"type": "object", "properties": {"any": any, "next": {"$ref": "#/$defs/Set"}}});
    let definitions: Map<_, _> = TAKEN_NAMES
        .iter()
        .map(|name| ((*name).to_owned(), record.clone()))
        .collect();
    let schema = json!({"title": "Names", "$defs": definitions}).to_string();
    check("tools/check", &[package_of("names", &schema).path()]);
}

/// Two alternatives of which each holds both: without care, each level takes twice as long as the one inside.
#[test]
fn alternatives_that_hold_themselves_are_judged_once() {
    let chain = json!({"anyOf": [{"$ref": "#/$defs/Closed"}, {"$ref": "#/$defs/Open"}]});
    let next = json!({"next": {"$ref": "#/$defs/Chain"}});
    let open = json!({"type": "object", "properties": next});
    let mut closed = open.clone();
    closed["properties"]["end"] = json!({"type": "string"});
    closed["required"] = json!(["end"]);
    let definitions = json!({"Chain": chain, "Closed": closed, "Open": open});
    let schema = json!({"title": "Chain", "$defs": definitions}).to_string();
    let usage = workspace::path("packages/typescript/test/alternatives");
    check("tools/test", &[package_of("chain", &schema).path(), &usage]);
}

#[test]
fn documents_of_other_schemas_come_home_with_all_digits() {
    let schema = json!({"title": "Doc", "type": "object", "properties": {
        "id": {"type": "integer"},
        "share": {"type": "number", "minimum": 0},
        "level": {"enum": [1, 2, 9_007_199_254_740_993_i64]},
        "prices": {"type": "array", "items": {"type": "number"}},
    }});
    let usage = workspace::path("packages/typescript/test/foreign");
    let package = package_of("doc", &schema.to_string());
    check("tools/test", &[package.path(), &usage]);
}

/// A package of a schema, in a folder of its own.
fn package_of(name: &str, schema: &str) -> TempDir {
    let files = [SchemaText {
        name: "schema.json",
        text: schema,
    }];
    let ir = read_with(&files, &ReadOptions::default()).unwrap().ir;
    let package = Package {
        name: name.to_owned(),
        ..Package::default()
    };
    let folder = TempDir::new().unwrap();
    for (path, text) in TypeScriptGenerator.package(&ir, &package).unwrap().iter() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// A program of the package's folder finds nothing wrong.
fn check(program: &str, arguments: &[&Path]) {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let mut command = Command::new(workspace::path(&TYPESCRIPT.file(program)));
    let output = command.args(arguments).output().unwrap();
    let (said, complained) = (&output.stdout, &output.stderr);
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(said),
        String::from_utf8_lossy(complained)
    );
}
