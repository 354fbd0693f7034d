//! `chatstate generate`: what it writes, what it leaves alone, what it rejects, and that an unrelated
//! change of a schema changes nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chatstate_tests::program::{FinishedProgram, chatstate};
use chatstate_tests::workspace;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The languages, each with the file that its package managers look for.
const LANGUAGES: &[(&str, &str)] = &[
    ("dotnet", "Chatstate.csproj"),
    ("python", "pyproject.toml"),
    ("rust", "Cargo.toml"),
    ("typescript", "package.json"),
];

const TRAPS: &str = "tests/schemas/traps.schema.json";

/// A small protocol, as another one would write it.
const PROTOCOL: &str = r##"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Small protocol",
  "definitions": {
    "Frame": {"anyOf": [{"$ref": "#/definitions/Open"}, {"$ref": "#/definitions/Close"}]},
    "Open": {"type": "object", "properties": {"op": {"const": "open"}, "options": {"type": "object", "properties": {"depth": {"type": "integer"}}}}, "required": ["op"]},
    "Close": {"type": "object", "properties": {"op": {"const": "close"}, "reason": {"type": "string"}}, "required": ["op"]}
  }
}
"##;

/// A folder for one test, and what is in it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// Generates into `out` from a schema file; without one, from chatstate's own schema.
    fn generate(&self, language: &str, schema: Option<&str>, more: &[&str]) -> FinishedProgram {
        let out = self.path("out").display().to_string();
        let mut arguments = vec!["generate", language, "--out", &out];
        if let Some(schema) = schema {
            arguments.extend(["--schema", schema]);
        }
        arguments.extend(more);
        chatstate(&arguments, b"")
    }

    /// All files below `out`.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        collect(&self.path("out"), "", &mut files);
        files
    }
}

fn collect(folder: &Path, below: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

fn good(finished: &FinishedProgram) {
    assert_eq!(finished.code, 0, "{}", finished.stderr);
}

/// It ends with this code and says all of this.
fn rejected(finished: &FinishedProgram, code: i32, words: &[&str]) {
    assert_eq!(
        finished.code, code,
        "{}{}",
        finished.stdout, finished.stderr
    );
    for word in words {
        assert!(
            finished.stderr.contains(word),
            "`{word}` in: {}",
            finished.stderr
        );
    }
}

#[test]
fn all_languages_are_written_and_a_second_run_changes_nothing() {
    let place = Place::new();
    let first = place.generate("all", None, &[]);
    good(&first);
    let files = place.files();
    let count = files.len();
    assert!(
        first
            .stdout
            .contains(&format!("{count} of {count} files written")),
        "{}",
        first.stdout
    );
    for (language, manifest) in LANGUAGES {
        let manifest = format!("{language}/{manifest}");
        assert!(
            files.contains_key(&manifest),
            "`{manifest}` in {:?}",
            files.keys()
        );
    }
    assert!(files.contains_key("chatstate.lock"));
    let second = place.generate("all", None, &[]);
    assert!(second.stdout.contains("0 of"), "{}", second.stdout);
    assert_eq!(place.files(), files);
    good(&place.generate("all", None, &["--check"]));
}

#[test]
fn one_language_is_what_all_would_write() {
    let all = Place::new();
    good(&all.generate("all", Some(TRAPS), &[]));
    for (language, _) in LANGUAGES {
        let one = Place::new();
        good(&one.generate(language, Some(TRAPS), &[]));
        let below = format!("{language}/");
        let all = all.files();
        let expected: BTreeMap<_, _> = all
            .iter()
            .filter_map(|(path, text)| Some((path.strip_prefix(&below)?, text.as_str())))
            .collect();
        let mut found = one.files();
        found.remove("chatstate.lock");
        let found: BTreeMap<_, _> = found
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>()
        );
        assert_eq!(found, expected, "{language}");
    }
}

#[test]
fn a_check_shows_what_differs_and_writes_nothing() {
    let place = Place::new();
    let schema = place.write("small.json", PROTOCOL);
    rejected(
        &place.generate("rust", Some(&schema), &["--check"]),
        1,
        &["`Cargo.toml` is missing"],
    );
    assert!(place.files().is_empty());
    good(&place.generate("rust", Some(&schema), &[]));
    let types = "out/src/generated/small.rs";
    let text = fs::read_to_string(place.path(types)).unwrap();
    place.write(types, &text.replace("Close", "Closed"));
    let before = place.files();
    let check = place.generate("rust", Some(&schema), &["--check"]);
    let words = [
        "-pub struct Closed",
        "+pub struct Close",
        "help: run `chatstate generate rust --out",
        "--schema",
    ];
    rejected(&check, 1, &words);
    assert_eq!(place.files(), before);
    good(&place.generate("rust", Some(&schema), &[]));
    good(&place.generate("rust", Some(&schema), &["--check"]));
}

#[test]
fn files_that_are_not_ours_are_left_alone() {
    let place = Place::new();
    let schema = place.write("small.json", PROTOCOL);
    place.write("out/notes.txt", "mine\n");
    place.write("out/Cargo.toml", "[package]\n");
    let finished = place.generate("rust", Some(&schema), &[]);
    rejected(
        &finished,
        2,
        &[
            "Cargo.toml` is not from an earlier run",
            "nothing was written",
        ],
    );
    assert_eq!(place.files().len(), 2);
    fs::remove_file(place.path("out/Cargo.toml")).unwrap();
    good(&place.generate("rust", Some(&schema), &[]));
    assert_eq!(place.files()["notes.txt"], "mine\n");
}

/// A link may lead out of the folder, where nothing is ours to write or remove.
#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    let place = Place::new();
    let schema = place.write("small.json", PROTOCOL);
    let victim = place.write("victim/id_rsa", "secret\n");
    good(&place.generate("rust", Some(&schema), &[]));
    let lock = fs::read_to_string(place.path("out/chatstate.lock")).unwrap();
    let listed = lock.replacen(r#""files": ["#, r#""files": ["v/id_rsa","#, 1);
    assert_ne!(lock, listed);
    place.write("out/chatstate.lock", &listed);
    std::os::unix::fs::symlink(place.path("victim"), place.path("out/v")).unwrap();
    let finished = place.generate("rust", Some(&schema), &[]);
    rejected(
        &finished,
        2,
        &["out/v` is a symbolic link", "nothing was written"],
    );
    assert_eq!(fs::read_to_string(&victim).unwrap(), "secret\n");

    place.write("out/chatstate.lock", &lock);
    fs::rename(place.path("out/src"), place.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.path("elsewhere"), place.path("out/src")).unwrap();
    let finished = place.generate("rust", Some(&schema), &[]);
    rejected(&finished, 2, &["out/src` is a symbolic link"]);
}

#[test]
fn files_that_are_no_longer_generated_are_removed() {
    let place = Place::new();
    let schema = place.write("small.json", PROTOCOL);
    good(&place.generate("rust", Some(&schema), &[]));
    assert!(place.path("out/src/generated/small.rs").is_file());
    let renamed = place.write("large.json", PROTOCOL);
    let check = place.generate("rust", Some(&renamed), &["--check"]);
    rejected(
        &check,
        1,
        &["`src/generated/small.rs` is no longer generated"],
    );
    let finished = place.generate("rust", Some(&renamed), &[]);
    good(&finished);
    assert!(finished.stdout.contains("1 removed"), "{}", finished.stdout);
    assert!(!place.path("out/src/generated/small.rs").exists());
}

/// No file is left when something is wrong.
#[test]
fn bad_schemas_are_rejected_and_leave_nothing_behind() {
    let rows: &[(&str, &[&str])] = &[
        ("{", &["not JSON", "`bad.json`"]),
        ("[]", &["expected an object"]),
        (
            "{\"type\": \"object\", \"$defs\": {}}",
            &["defines nothing"],
        ),
        (
            r#"{"$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "https://example.test/b.json"}}}}}"#,
            &[
                "`https://example.test/b.json`, which is not among the schema files",
                "`/$defs/A/properties/b/$ref`",
                "nothing is fetched",
            ],
        ),
        (
            r##"{"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}"##,
            &["made of itself and nothing else", "break the circle"],
        ),
        (
            r##"{"$defs": {"A": {"oneOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}], "discriminator": {"propertyName": "t", "mapping": {"c": "#/$defs/B"}}},
                "B": {"type": "object", "properties": {"t": {"const": "b"}}, "required": ["t"]},
                "C": {"type": "object", "properties": {"t": {"const": "c"}}, "required": ["t"]}}}"##,
            &[
                "`c` is mapped to `B`, but it is the constant of `C`",
                "/discriminator/mapping/c",
            ],
        ),
        (
            r##"{"$defs": {"A": {"type": "object", "dependentSchemas": {"a": {"not": {"anyOf": [{"$ref": "#/$defs/A"}]}}}}}}"##,
            &[
                "a condition that is made of itself and nothing else",
                "`/$defs/A`",
            ],
        ),
        (
            r#"{"$defs": {"A": {"type": "object", "properties": {"userId": {}, "user_id": {}}}}}"#,
            &["`userId` and `user_id` both become"],
        ),
    ];
    for (text, words) in rows {
        let place = Place::new();
        let schema = place.write("bad.json", text);
        rejected(
            &place.generate("all", Some(&schema), &["--name", "bad"]),
            1,
            words,
        );
        assert!(!place.path("out").exists(), "{text}");
    }
}

#[test]
fn a_schema_beyond_all_measure_is_rejected_at_once() {
    let definitions: Vec<String> = (0..100_000)
        .map(|number| format!(r##""D{number}": {{"$ref": "#/$defs/D{}"}}"##, number + 1))
        .collect();
    let place = Place::new();
    let schema = place.write(
        "many.json",
        &format!(r#"{{"$defs": {{{}}}}}"#, definitions.join(",")),
    );
    rejected(
        &place.generate("all", Some(&schema), &["--name", "many"]),
        1,
        &["more than 20000 definitions"],
    );
    assert!(!place.path("out").exists());
}

#[test]
fn wrong_use_is_said() {
    let place = Place::new();
    rejected(&chatstate(&["generate"], b""), 2, &["there is no `--out`"]);
    rejected(
        &chatstate(&["generate", "--out", "x"], b""),
        2,
        &["there is no language", "`rust`"],
    );
    rejected(
        &place.generate("cobol", None, &[]),
        2,
        &["`cobol` is no value of `[LANGUAGE]`", "typescript"],
    );
    rejected(
        &place.generate("rust", None, &["--name", "Not A Name"]),
        2,
        &["`Not A Name` is not the name of a package"],
    );
    rejected(
        &place.generate("rust", Some("nowhere.json"), &[]),
        2,
        &["cannot read `nowhere.json`"],
    );
    place.write("out/chatstate.lock", "[]");
    rejected(
        &place.generate("rust", None, &[]),
        2,
        &["`chatstate.lock` is not a lock file"],
    );
    place.write(
        "out/chatstate.lock",
        r#"{"schemas":{},"types":{},"files":["../mine"]}"#,
    );
    rejected(
        &place.generate("rust", None, &[]),
        2,
        &["`../mine`, which is outside of the folder"],
    );
}

#[test]
fn a_schema_is_read_from_stdin() {
    let (piped, read) = (Place::new(), Place::new());
    let out = piped.path("out").display().to_string();
    let arguments = [
        "generate", "python", "--schema", "-", "--name", "small", "--out", &out,
    ];
    good(&chatstate(&arguments, PROTOCOL.as_bytes()));
    // A file of that name is no different.
    let schema = read.write("stdin", PROTOCOL);
    good(&read.generate("python", Some(&schema), &["--name", "small"]));
    assert_eq!(piped.files(), read.files());
}

#[test]
fn the_model_is_printed() {
    let printed = chatstate(&["generate", "--emit", "ir"], b"");
    good(&printed);
    let ir: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(ir["schemas"][0]["roots"][0], "ChatState");
    assert_eq!(ir["definitions"]["Event"]["kind"]["union"]["tag"], "type");
}

#[test]
fn names_in_the_lock_stay() {
    let place = Place::new();
    let schema = place.write("small.json", PROTOCOL);
    good(&place.generate("rust", Some(&schema), &[]));
    // Another type takes the name that the lock has given to a type without a name.
    let taken = PROTOCOL.replace(
        "\"Frame\"",
        "\"OpenOptions\": {\"type\": \"object\", \"properties\": {\"o\": {}}}, \"Frame\"",
    );
    let schema = place.write("small.json", &taken);
    good(&place.generate("rust", Some(&schema), &[]));
    let lock: Value = serde_json::from_str(&place.files()["chatstate.lock"]).unwrap();
    assert_eq!(
        lock["types"]["small.json#/definitions/Open/properties/options"],
        "OpenOptions"
    );
    assert_eq!(
        lock["types"]["small.json#/definitions/OpenOptions"],
        "SmallOpenOptions"
    );
    // Without the lock, a definition has its name before others.
    fs::remove_dir_all(place.path("out")).unwrap();
    good(&place.generate("rust", Some(&schema), &[]));
    let lock: Value = serde_json::from_str(&place.files()["chatstate.lock"]).unwrap();
    assert_eq!(
        lock["types"]["small.json#/definitions/OpenOptions"],
        "OpenOptions"
    );
}

/// A new variant, in front of all others, with a type of its own that has no name.
#[test]
fn a_change_of_one_variant_changes_lines_about_it_only() {
    let text = workspace::text("schema/v1/event.schema.json");
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut changed = schema.clone();
    let definitions = changed["$defs"].as_object_mut().unwrap();
    // Every event has these members, which languages print once for all.
    let mut event = wind();
    for name in ["timestamp", "rawEvent", "metadata"] {
        event["properties"][name] = definitions["CustomEvent"]["properties"][name].clone();
    }
    definitions.shift_insert(0, "WindChangedEvent".to_owned(), event);
    let arms = definitions["Event"]["oneOf"].as_array_mut().unwrap();
    arms.insert(0, json!({"$ref": "#/$defs/WindChangedEvent"}));
    let list = "/$defs/UnknownEvent/properties/type/not/enum";
    let tags = changed
        .pointer_mut(list)
        .and_then(Value::as_array_mut)
        .unwrap();
    tags.insert(0, json!("WIND_CHANGED"));
    let [before, after] = [schema, changed].map(|schema| {
        let place = Place::new();
        let file = place.write("event.json", &schema.to_string());
        good(&place.generate("all", Some(&file), &["--name", "events"]));
        place.files()
    });
    let lock: Value = serde_json::from_str(&before["chatstate.lock"]).unwrap();
    let digest = lock["schemas"]["event.json"].as_str().unwrap();
    for (path, text) in &before {
        let mut gone = missing(text, &after[path]);
        gone.retain(|line| !line.contains(digest) && !lists_all(line));
        assert!(gone.is_empty(), "`{path}` has lost {gone:#?}");
    }
}

/// Whether a line lists or counts all variants, the new one among them.
fn lists_all(line: &str) -> bool {
    let counts = ["const ALL: [Self; 31]", "static ROLES: [EventRole; 32]"];
    if counts.iter().any(|count| line.contains(count)) {
        return true;
    }
    let has = |words: [&str; 2]| words.iter().all(|word| line.contains(word));
    has(["RUN_STARTED", "SUBAGENT_ERROR"]) || has(["RunStarted", "SubagentError"])
}

fn wind() -> Value {
    json!({
        "description": "The wind has changed.",
        "type": "object",
        "properties": {
            "type": {"const": "WIND_CHANGED"},
            "force": {"enum": ["none", "storm"]},
        },
        "required": ["type"],
        "x-event": {"does": "none"},
    })
}

/// The lines of a text that another one does not have as often. A comma at the end is not looked at: it
/// is there because of the line after.
fn missing<'t>(text: &'t str, other: &str) -> Vec<&'t str> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for line in other.lines() {
        *counts.entry(line.trim_end_matches(',')).or_default() += 1;
    }
    let mut lines = Vec::new();
    for line in text.lines() {
        let count = counts.entry(line.trim_end_matches(',')).or_default();
        *count -= 1;
        if *count < 0 {
            lines.push(line);
        }
    }
    lines
}
