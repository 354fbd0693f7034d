//! Do packages of a schema that wants to deceive or to stop its readers show what they are, and warn?

use std::fs;
use std::path::PathBuf;

use chatstate_tests::program::chatstate;
use tempfile::TempDir;

/// Marks that turn the direction of text would show other code than what is compiled.
#[test]
fn no_file_has_a_direction_mark_of_the_schema() {
    const MARKS: [char; 4] = ['\u{202e}', '\u{2066}', '\u{200f}', '\u{61c}'];
    for mark in MARKS {
        let said = |text: &str| format!("{text}{mark}{text}\n```\n{mark}\n```");
        let schema = serde_json::json!({
            "title": "Turned", "description": said("whole"), "type": "object",
            "properties": {
                "a": {"type": "string", "description": said("a"), "default": said("b"), "pattern": format!("^{mark}$")},
                (format!("b{mark}")): {"enum": [format!("x{mark}"), "y"]},
                "c": {"oneOf": [{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Two"}]},
            },
            "$defs": {
                "One": {"type": "object", "description": said("one"), "properties": {"t": {"const": format!("1{mark}")}}, "required": ["t"]},
                "Two": {"type": "object", "properties": {"t": {"const": "2"}}, "required": ["t"]},
            },
        });
        let folder = TempDir::new().unwrap();
        generate("all", &schema.to_string(), &folder);
        assert_none_has(mark, folder.path().join("out"));
    }
}

#[test]
fn a_pattern_that_repeats_a_repetition_is_warned_of_in_typescript() {
    let schema = r#"{"title": "Slow", "type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}"#;
    for (language, warned) in [("typescript", true), ("all", true), ("python", false)] {
        let said = generate(language, schema, &TempDir::new().unwrap());
        let warning = "the pattern `^(a+)+$`, in definition `Slow`, repeats a repetition";
        assert_eq!(said.contains(warning), warned, "{language}");
    }
}

/// Generates into `out` of a folder, and gives what is said.
fn generate(language: &str, schema: &str, folder: &TempDir) -> String {
    let (file, out) = (folder.path().join("a.json"), folder.path().join("out"));
    fs::write(&file, schema).unwrap();
    let paths = [out, file].map(|path| path.display().to_string());
    let arguments = [
        "generate", language, "--out", &paths[0], "--schema", &paths[1],
    ];
    let finished = chatstate(&arguments, b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    finished.stderr
}

fn assert_none_has(mark: char, path: PathBuf) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries.for_each(|entry| assert_none_has(mark, entry.unwrap().path()));
    }
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().find(|line| line.contains(mark));
    assert!(line.is_none(), "{}: {line:?}", path.display());
}
