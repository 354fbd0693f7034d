//! What cannot be represented is rejected, with the place and what to do about it.

use chatstate_schema_model::{SchemaText, read};
use serde_json::{Value, json};

mod definitions;
mod items;
mod members;
mod ordinary;
mod planted_roles;
mod roles;
mod unions;

/// A schema file around definitions; every one of them is a root unless `roots` says otherwise.
fn file(definitions: &Value, roots: Option<&Value>) -> Value {
    let names: Vec<&String> = definitions
        .as_object()
        .expect("definitions")
        .keys()
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.test/schema.json",
        "title": "Test",
        "description": "A schema of a test.",
        "x-roots": roots.unwrap_or(&json!(names)),
        "$defs": definitions,
    })
}

/// Reading the file is rejected at `pointer` with a message and a help that hold these words.
fn check(schema: &Value, pointer: &str, message: &str, help: &str) {
    let text = schema.to_string();
    let error = read(&[SchemaText {
        name: "test.schema.json",
        text: &text,
    }])
    .expect_err(&format!("{message}: {text}"));
    assert_eq!(error.file, "test.schema.json");
    assert_eq!(error.pointer, pointer, "{error}");
    assert!(error.message.contains(message), "`{message}` in: {error}");
    assert!(error.help.contains(help), "`{help}` in: {error}");
}

#[test]
fn files_that_cannot_be_read() {
    let text = json!({"description": "A text.", "type": "string"});
    let good = json!({"A": text});
    let with = |name: &str, value: Value| {
        let mut file = file(&good, None);
        file[name] = value;
        file
    };
    for (schema, pointer, message, help) in [
        (json!([]), "", "expected an object", "schema object"),
        (
            with("$schema", json!("http://json-schema.org/draft-07/schema#")),
            "/$schema",
            "unknown dialect",
            "2020-12",
        ),
        (
            with("definitions", json!({})),
            "/definitions",
            "keyword `definitions`",
            "knows `$schema`",
        ),
        (
            with("x-roots", json!(["B"])),
            "/x-roots/0",
            "no definition `B`",
            "under `$defs`",
        ),
        (
            file(&json!({"A": text, "B": text}), Some(&json!(["A"]))),
            "/$defs/B",
            "no root needs definition `B`",
            "list it in `x-roots`",
        ),
        (
            file(&json!({"a-b": text}), None),
            "/$defs/a-b",
            "`a-b` is not a type name",
            "capital letter",
        ),
        (
            file(&json!({"A~/": text}), None),
            "/$defs/A~0~1",
            "is not a type name",
            "letters and digits",
        ),
    ] {
        check(&schema, pointer, message, help);
    }
}

#[test]
fn two_files_may_not_define_one_name() {
    let text = file(
        &json!({"A": {"description": "A text.", "type": "string"}}),
        None,
    )
    .to_string();
    let files = ["one.schema.json", "two.schema.json"].map(|name| SchemaText { name, text: &text });
    let error = read(&files).expect_err("`A` is in both");
    assert_eq!(
        (error.file.as_str(), error.pointer.as_str()),
        ("two.schema.json", "/$defs/A")
    );
    assert!(
        error.message.contains("is also in `one.schema.json`"),
        "{error}"
    );
}

#[test]
fn an_error_says_where_what_and_what_to_do() {
    let error = read(&[SchemaText {
        name: "x.schema.json",
        text: "{",
    }])
    .expect_err("not JSON");
    let text = error.to_string();
    assert!(text.starts_with("not JSON: "), "{text}");
    assert!(
        text.contains("in `x.schema.json` at ``\n  help: correct the text"),
        "{text}"
    );
}
