//! The model between schema and languages: printed and read back it gives the same packages, and one
//! change of a schema changes the code of one definition.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chatstate_tests::program::{FinishedProgram, chatstate};
use chatstate_tests::workspace;
use serde_json::{Value, json};
use tempfile::TempDir;

const LANGUAGES: [&str; 4] = ["dotnet", "python", "rust", "typescript"];

fn run(arguments: &[&str]) -> FinishedProgram {
    let mut words = vec!["generate"];
    words.extend(arguments);
    chatstate(&words, b"")
}

/// The texts of all files below a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(path.clone(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// What all languages are from these arguments, by paths below the folder.
fn packages(arguments: &[&str]) -> BTreeMap<PathBuf, String> {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let mut words = vec!["all", "--out", out.to_str().unwrap()];
    words.extend(arguments);
    let finished = run(&words);
    assert_eq!(finished.code, 0, "{arguments:?}: {}", finished.stderr);
    let files = files(&out).into_iter();
    files
        .map(|(path, text)| (path.strip_prefix(&out).unwrap().to_owned(), text))
        .collect()
}

#[test]
fn a_printed_model_gives_the_same_packages() {
    let traps = workspace::path("tests/schemas/traps.schema.json");
    let traps = traps.to_str().unwrap();
    for arguments in [
        vec![],
        vec!["--schema", traps],
        vec!["--schema", traps, "--unknown", "keep"],
    ] {
        let folder = TempDir::new().unwrap();
        let model = folder.path().join("model.json");
        let mut words = vec!["--emit", "ir"];
        words.extend(&arguments);
        let printed = run(&words);
        assert_eq!(printed.code, 0, "{}", printed.stderr);
        fs::write(&model, &printed.stdout).unwrap();
        let back = packages(&["--ir", model.to_str().unwrap()]);
        let expected = packages(&arguments);
        let paths = |files: &BTreeMap<PathBuf, String>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(paths(&back), paths(&expected), "{arguments:?}");
        for (path, text) in &expected {
            assert!(
                back[path] == *text,
                "{arguments:?}: {} differs",
                path.display()
            );
        }
    }
}

#[test]
fn models_that_do_not_hold_together_are_rejected() {
    let printed = run(&["--emit", "ir"]);
    let model: Value = serde_json::from_str(&printed.stdout).unwrap();
    let changed = |pointer: &str, value: Value| {
        let mut model = model.clone();
        *model.pointer_mut(pointer).expect(pointer) = value;
        model.to_string()
    };
    let union = "/definitions/Event/kind/union";
    for (text, code, words) in [
        (
            "{".to_owned(),
            2,
            ["is not a model", "`chatstate generate --emit ir`"],
        ),
        (
            changed("/definitions/Event/name", json!("Other")),
            1,
            ["called `Other`", "`/definitions/Event`"],
        ),
        (
            changed("/schemas/0/roots/0", json!("Nobody")),
            1,
            ["no definition `Nobody`", "`/schemas/0/roots`"],
        ),
        (
            changed(&format!("{union}/arms/0/tag"), json!("OTHER")),
            1,
            [
                "no required constant `type` with the value `OTHER`",
                "`/definitions/Event`",
            ],
        ),
        (
            changed(&format!("{union}/unknown"), json!("RunStartedEvent")),
            1,
            ["no unknown tag `type`", "`/definitions/Event`"],
        ),
        (
            changed("/definitions/Event/kind", json!({"alternatives": []})),
            1,
            ["one variant at least", "`/definitions/Event`"],
        ),
        (
            changed("/definitions/Event/kind", json!({"invented": []})),
            2,
            ["is not a model", "unknown variant `invented`"],
        ),
        (
            changed("/definitions", json!({})),
            1,
            ["there is no definition", "--emit ir"],
        ),
    ] {
        let folder = TempDir::new().unwrap();
        let (file, out) = (folder.path().join("model.json"), folder.path().join("out"));
        fs::write(&file, text).unwrap();
        let paths = [file.to_str().unwrap(), out.to_str().unwrap()];
        let finished = run(&["all", "--ir", paths[0], "--out", paths[1]]);
        assert_eq!(finished.code, code, "{words:?}: {}", finished.stderr);
        for word in words {
            assert!(
                finished.stderr.contains(word),
                "`{word}` in: {}",
                finished.stderr
            );
        }
        assert!(!out.exists(), "{words:?}");
    }
}

/// A schema in which every definition has words that no other has.
fn alphabet() -> Value {
    let arm = |tag: &str, member: &str| {
        json!({
            "description": format!("The {tag}."),
            "type": "object",
            "required": ["op"],
            "properties": {
                "op": {"const": tag},
                (member): {"type": "integer", "minimum": 0, "maximum": 100},
            },
        })
    };
    json!({
        "title": "Alphabet",
        "$defs": {
            "Zulu": {"type": "object", "properties": {
                "zuluFrame": {"$ref": "#/$defs/Yankee"},
                "zuluSize": {"$ref": "#/$defs/Xray"},
                "zuluText": {"$ref": "#/$defs/Whiskey"},
            }},
            "Yankee": {"oneOf": [{"$ref": "#/$defs/Alfa"}, {"$ref": "#/$defs/Bravo"}]},
            "Xray": {"enum": ["xrayOne", "xrayTwo"]},
            "Whiskey": {"type": "string", "minLength": 2, "maxLength": 7},
            "Alfa": arm("alfa", "alfaCount"),
            "Bravo": arm("bravo", "bravoCount"),
        },
    })
}

/// The words of the definitions, as every language spells them when letters are small and lines are
/// left out.
const WORDS: [&str; 6] = ["zulu", "yankee", "xray", "whiskey", "alfa", "bravo"];

/// Lines that are in only one of two texts. A comma at the end is there because of the line after.
fn changed_lines<'t>(before: &'t str, after: &'t str) -> Vec<&'t str> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    let lines = |text: &'t str| text.lines().map(|line| line.trim_end_matches(','));
    lines(before).for_each(|line| *counts.entry(line).or_default() += 1);
    lines(after).for_each(|line| *counts.entry(line).or_default() -= 1);
    let changed = counts.into_iter().filter(|(_, count)| *count != 0);
    changed.map(|(line, _)| line).collect()
}

/// The code of a changed schema differs from before in lines about one definition alone, and in
/// every language.
fn check(own: &[&str], pointer: &str, value: &Value) {
    let generate = |schema: &Value| {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("alphabet.json");
        fs::write(&file, schema.to_string()).unwrap();
        packages(&["--schema", file.to_str().unwrap()])
    };
    let schema = alphabet();
    let mut changed = schema.clone();
    let (around, name) = pointer.rsplit_once('/').unwrap();
    match changed.pointer_mut(around).expect(pointer) {
        Value::Array(items) => items.push(value.clone()),
        place if value.is_null() => {
            place.as_object_mut().unwrap().shift_remove(name).unwrap();
        }
        place => place[name] = value.clone(),
    }
    let (before, after) = (generate(&schema), generate(&changed));
    let digest = |files: &BTreeMap<PathBuf, String>| {
        let lock: Value = serde_json::from_str(&files[Path::new("chatstate.lock")]).unwrap();
        lock["schemas"]["alphabet.json"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let digests = [digest(&before), digest(&after)];
    let mut touched = BTreeMap::new();
    for (path, text) in &after {
        let none = String::new();
        let old = before.get(path).unwrap_or(&none);
        for line in changed_lines(old, text) {
            if digests.iter().any(|digest| line.contains(digest)) {
                continue;
            }
            let small = line.to_lowercase().replace('_', "");
            let foreign = WORDS
                .iter()
                .filter(|word| !own.contains(word) && small.contains(**word));
            // A line that lists all variants is about the union, and so is one for each of them.
            let lists_all = ["alfa", "bravo"].iter().all(|word| small.contains(word));
            let is_variant = line.trim_start().starts_with("| ");
            let is_union = own == ["yankee"] && (lists_all || is_variant);
            let is_own = is_union || own.iter().any(|word| small.contains(word));
            let foreign: Vec<_> = foreign.filter(|_| !is_own).collect();
            assert!(foreign.is_empty(), "{pointer}: {}: {line}", path.display());
            let language = path.components().next().unwrap().as_os_str().to_owned();
            *touched.entry(language).or_insert(0) += 1;
        }
    }
    for language in LANGUAGES {
        let lines = touched.get(std::ffi::OsStr::new(language)).copied();
        assert!(
            lines.unwrap_or(0) > 0,
            "{pointer}: {language} has not changed"
        );
    }
}

#[test]
fn one_change_of_a_schema_changes_one_definition() {
    check(
        &["alfa"],
        "/$defs/Alfa/properties/alfaNote",
        &json!({"type": "string"}),
    );
    check(&["alfa"], "/$defs/Alfa/properties/alfaCount", &json!(null));
    check(&["alfa"], "/$defs/Alfa/required/1", &json!("alfaCount"));
    check(
        &["alfa"],
        "/$defs/Alfa/description",
        &json!("Alfa is described."),
    );
}

#[test]
fn one_changed_limit_changes_one_definition() {
    check(
        &["alfa"],
        "/$defs/Alfa/properties/alfaCount/maximum",
        &json!(90),
    );
    check(&["whiskey"], "/$defs/Whiskey/maxLength", &json!(9));
}

#[test]
fn one_more_value_or_variant_changes_one_definition() {
    check(&["xray"], "/$defs/Xray/enum/2", &json!("xrayThree"));
    let arm = json!({"title": "yankeeMore", "type": "object", "required": ["op"],
        "properties": {"op": {"const": "yankeeMore"}}});
    check(&["yankee"], "/$defs/Yankee/oneOf/2", &arm);
}
