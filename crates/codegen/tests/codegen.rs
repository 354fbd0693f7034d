//! Files, drift and names.

use std::collections::BTreeMap;

use chatstate_codegen::names::{Scope, pascal_case, snake_case};
use chatstate_codegen::{CodegenError, Drift, FileChange, Files, compare};

fn files(texts: &[(&str, &str)]) -> Files {
    let mut files = Files::new();
    for (path, text) in texts {
        files
            .add(*path, (*text).to_owned())
            .unwrap_or_else(|error| panic!("{error}"));
    }
    files
}

fn existing(texts: &[(&str, &str)]) -> BTreeMap<String, String> {
    texts
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

#[test]
fn files_that_may_not_be_written_are_rejected() {
    for (path, text, fault) in [
        ("/a.rs", "x\n", "relative path"),
        ("../a.rs", "x\n", "relative path"),
        ("a/./b.rs", "x\n", "relative path"),
        ("a\\b.rs", "x\n", "relative path"),
        ("C:a.rs", "x\n", "relative path"),
        ("", "x\n", "relative path"),
        ("a.rs", "x\r\n", "carriage return"),
        ("a.rs", "x", "end with a line feed"),
        ("taken.rs", "x\n", "made twice"),
    ] {
        let mut files = files(&[("taken.rs", "x\n")]);
        let error = files.add(path, text).expect_err(path);
        assert!(matches!(error, CodegenError::File { .. }));
        assert!(error.to_string().contains(fault), "{path}: {error}");
    }
}

#[test]
fn files_are_in_the_order_of_their_paths() {
    let files = files(&[("b.rs", "1\n"), ("a/c.rs", "2\n"), ("a.rs", "3\n")]);
    let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["a.rs", "a/c.rs", "b.rs"]);
    assert_eq!(files.get("a/c.rs"), Some("2\n"));
}

#[test]
fn equal_folders_have_no_drift() {
    let (made, found) = (files(&[("a.rs", "1\n")]), existing(&[("a.rs", "1\n")]));
    let drift = compare(&made, &found);
    assert!(drift.is_empty());
    assert_eq!(drift.report("fix"), "");
}

#[test]
fn drift_names_every_file_and_the_command_that_fixes_it() {
    let made = files(&[("a.rs", "1\n2\n3\n"), ("new.rs", "x\n"), ("same.rs", "s\n")]);
    let found = existing(&[
        ("a.rs", "1\nzwei\n3\n"),
        ("old.rs", "x\n"),
        ("same.rs", "s\n"),
    ]);
    let mut drift = Drift::default();
    drift.merge(compare(&made, &found).below("out"));
    let changes: Vec<(&str, FileChange)> = drift.changes().collect();
    assert_eq!(
        changes,
        [
            ("out/a.rs", FileChange::Different),
            ("out/new.rs", FileChange::Missing),
            ("out/old.rs", FileChange::Left)
        ]
    );
    assert_eq!(
        drift.report("cargo xtask codegen"),
        "--- out/a.rs (as it is)\n+++ out/a.rs (as generated)\n@@ -1,3 +1,3 @@\n 1\n-zwei\n+2\n 3\n\
         `out/new.rs` is missing\n`out/old.rs` is no longer generated\n\
         3 generated files are not up to date\n  help: run `cargo xtask codegen` and commit the result\n"
    );
}

#[test]
fn names_come_from_the_schema_alone() {
    for (name, snake, pascal) in [
        ("messageId", "message_id", "MessageId"),
        ("RUN_STARTED", "run_started", "RunStarted"),
        ("content_filter", "content_filter", "ContentFilter"),
        ("tool-call", "tool_call", "ToolCall"),
        ("$type", "dollar_type", "DollarType"),
        ("@id", "at_id", "AtId"),
        ("+1", "plus_1", "Plus1"),
        ("2d", "n2d", "N2d"),
        ("", "empty", "Empty"),
        ("---", "empty", "Empty"),
        ("HTTPServer", "http_server", "HttpServer"),
    ] {
        assert_eq!(snake_case(name), snake, "{name}");
        assert_eq!(pascal_case(name), pascal, "{name}");
    }
}

#[test]
fn a_name_is_taken_once() {
    let mut scope = Scope::new("definition `A`");
    assert_eq!(
        scope.take("foo_bar".to_owned(), "fooBar"),
        Ok("foo_bar".to_owned())
    );
    assert!(scope.has("foo_bar") && !scope.has("fooBar"));
    let error = scope
        .take("foo_bar".to_owned(), "foo_bar")
        .expect_err("taken");
    assert_eq!(
        error.to_string(),
        "`fooBar` and `foo_bar` both become `foo_bar`, in definition `A`\n  help: name one of them otherwise by `x-name` in its schema; \
         a value of an `enum` has one as a `const` of `oneOf`"
    );
}
