//! `chatstate generate` with a schema that cannot be represented: what it says, and what it does with
//! the places that the caller names.

use std::fs;

use chatstate_tests::program::{FinishedProgram, chatstate};
use tempfile::TempDir;

const SCHEMA: &str = r#"{
  "title": "Orders",
  "type": "object",
  "properties": {
    "labels": {"type": "array", "contains": {"pattern": "^(?!x)"}},
    "size": {"enum": [1.5, 2.5]}
  }
}
"#;

/// Runs `generate python` in a folder with the schema.
fn generate(folder: &TempDir, more: &[&str]) -> FinishedProgram {
    let (schema, out) = (folder.path().join("orders.json"), folder.path().join("out"));
    fs::write(&schema, SCHEMA).unwrap();
    let paths = [schema, out].map(|path| path.display().to_string());
    let mut arguments = vec![
        "generate", "python", "--schema", &paths[0], "--out", &paths[1],
    ];
    arguments.extend(more);
    chatstate(&arguments, b"")
}

/// It ends with this code, says all of this, and has written nothing unless it ends well.
fn check(more: &[&str], code: i32, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let finished = generate(&folder, more);
    assert_eq!(finished.code, code, "{more:?}: {}", finished.stderr);
    for word in words {
        assert!(
            finished.stderr.contains(word),
            "`{word}` in: {}",
            finished.stderr
        );
    }
    assert_eq!(folder.path().join("out").exists(), code == 0, "{more:?}");
}

#[test]
fn all_obstacles_are_told_and_each_can_be_passed_over() {
    let labels = "`/properties/labels` in `orders.json`";
    let size = "`/properties/size` in `orders.json`";
    check(
        &[],
        1,
        &[
            "2 places cannot be represented",
            labels,
            size,
            "`--opaque all`",
        ],
    );
    check(
        &["--opaque", "/properties/size"],
        1,
        &[
            "in `orders.json` at `/properties/labels/contains/pattern`",
            "`--opaque /properties/labels`",
        ],
    );
    let warned = |place: &str| format!("warning: {place} is read as any JSON value: ");
    let warnings = [warned(labels), warned(size)];
    let warnings: Vec<&str> = warnings.iter().map(String::as_str).collect();
    check(&["--opaque", "all"], 0, &warnings);
    check(
        &[
            "--opaque",
            "/properties/size",
            "--opaque",
            "/properties/labels",
        ],
        0,
        &warnings,
    );
}

#[test]
fn pointers_that_name_nothing_are_rejected() {
    check(
        &["--opaque", "all", "--opaque", "/properties/colour"],
        1,
        &["there is no such place, in `orders.json` at `/properties/colour`"],
    );
    check(
        &["--opaque", "all", "--opaque", "/properties"],
        1,
        &[
            "can be represented",
            "`/properties/labels`, `/properties/size`",
        ],
    );
    check(
        &["--at", "/components/schemas"],
        1,
        &["there is no such place, in `orders.json` at `/components/schemas`"],
    );
}

#[test]
fn the_lock_has_the_places_and_a_check_finds_others() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(generate(&folder, &["--opaque", "all"]).code, 0);
    let lock = fs::read_to_string(folder.path().join("out/chatstate.lock")).unwrap();
    let lock: serde_json::Value = serde_json::from_str(&lock).unwrap();
    let places = [
        "orders.json#/properties/labels",
        "orders.json#/properties/size",
    ];
    assert_eq!(lock["opaque"], serde_json::json!(places));
    let check = generate(&folder, &["--opaque", "all", "--check"]);
    assert_eq!(check.code, 0, "{}", check.stderr);
    let without = generate(&folder, &["--check"]);
    assert_eq!(without.code, 1);
    assert!(without.stderr.contains("2 places"), "{}", without.stderr);
    fs::write(folder.path().join("out/pyproject.toml"), "").unwrap();
    let changed = generate(&folder, &["--opaque", "all", "--check"]);
    assert_eq!(changed.code, 1);
    assert!(
        changed.stderr.contains("--opaque all"),
        "{}",
        changed.stderr
    );
}
