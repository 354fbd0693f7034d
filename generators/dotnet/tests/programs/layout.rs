//! The formatter of Roslyn, by which `dotnet format` lays out files, changes none of ours.
//!
//! This needs the formatter, too; without it, one loud line says so.

use std::env;
use std::fs;
use std::path::PathBuf;

use chatstate_codegen::Generator;
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_schema_model::UnknownValues;
use serde_json::{Value, json};

use crate::DIALECT;
use crate::bench::{
    Bench, add_files, home, is_required, model_of, package_named, say, workspace, write,
};

/// The program that has the formatter lay out files.
const PROGRAM: &str = "tests/Chatstate.Layout";

/// The variable by which the program finds the formatter.
const FORMATTER: &str = "CHATSTATE_ROSLYN";

/// What people wrote beside the package.
const BESIDE: [&str; 2] = ["bench/dotnet", "tests/protocols/drivers"];

/// It is asked about the package, about packages and declarations of other schemas, the skeleton of an adapter, and what is beside.
#[test]
fn the_formatter_of_roslyn_changes_nothing() {
    let Some(bench) = Bench::new() else { return };
    if env::var_os(FORMATTER).is_none() {
        let missing =
            format!("`{FORMATTER}` is not set to what `packages/dotnet/tools/roslyn` prints");
        assert!(
            !is_required("roslyn"),
            "lane `roslyn` is required, but {missing}"
        );
        say(&format!("SKIPPED LANE roslyn: {missing}"));
        return;
    }
    add_generated(&bench, &schemas(&bench));
    let skeleton = DotnetGenerator.adapter_skeleton().unwrap();
    add_files(&bench, "skeleton", &skeleton);
    let beside = BESIDE.map(|folder| workspace().join(folder).display().to_string());
    say(&bench.succeed(PROGRAM, &["--", ".", &beside[0], &beside[1]]));
}

/// Schemas that use every line of the templates together.
fn schemas(bench: &Bench) -> Vec<PathBuf> {
    let folder = fs::read_dir(workspace().join("tests/schemas")).unwrap();
    let mut schemas: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    schemas.push(home().join("tests/unusual.schema.json"));
    let rest = bench.path("rest.schema.json");
    write(&rest, &rest_of_the_lines().to_string());
    schemas.push(rest);
    schemas
}

/// A schema that uses the lines which no other does: values that are looked up in a set, and an unknown variant
/// that says of which type its other members are.
fn rest_of_the_lines() -> Value {
    let values: Vec<String> = (0..300).map(|value| format!("value-{value}")).collect();
    let variant = |kind: &Value| json!({"type": "object", "required": ["kind"], "properties": {"kind": kind}, "additionalProperties": {"type": "integer"}});
    let known = variant(&json!({"const": "known"}));
    let unknown = variant(&json!({"type": "string", "not": {"enum": ["known"]}}));
    json!({"$schema": DIALECT, "$defs": {
        "Many": {"type": "string", "enum": values},
        "Counted": {"oneOf": [known, unknown]},
    }})
}

/// Adds packages of each schema without their runtime, which is the same in all, and plain declarations.
fn add_generated(bench: &Bench, schemas: &[PathBuf]) {
    let package = package_named("others");
    let written = DotnetGenerator.written();
    let templates = written.templates(DotnetGenerator.name(), &package).unwrap();
    for schema in schemas {
        let name = schema.file_stem().unwrap().to_str().unwrap();
        for (unknown, form) in [
            (UnknownValues::AsDescribed, "refuse"),
            (UnknownValues::Kept, "keep"),
        ] {
            let model = model_of(schema, unknown);
            let generated = DotnetGenerator.views(&model, &package).unwrap();
            let declared = DotnetGenerator.declaration_views(&model, &package).unwrap();
            for (kind, views) in [("generated", generated), ("declared", declared)] {
                let files = templates.files(views).unwrap();
                add_files(bench, &format!("{kind}/{name}-{form}"), &files);
            }
        }
    }
}
