//! Do other validators give the verdicts to which generated code is held? `foreign_documents.rs` holds the
//! code of all languages to the crate `jsonschema`; here `jsonschema` of `PyPI` and `ajv` of npm judge the
//! same documents.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::foreign_documents::{JudgedDocument, SUBJECTS, all_questions};
use chatstate_tests::program::finish;
use chatstate_tests::protocols::{FOLDER, fetched};
use chatstate_tests::workspace;
use serde_json::{Map, Value};

/// How many documents are judged at least that are changes of documents of published formats, by their
/// schemas as they are.
const AT_LEAST: usize = 20_000;

#[test]
fn the_validator_of_python_agrees() {
    check(|packages, schemas| {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", packages.join("python"));
        command.arg(program("validate.py")).arg(schemas);
        command
    });
}

#[test]
fn the_validator_of_node_agrees() {
    check(|packages, schemas| {
        let mut command = Command::new("node");
        command.arg(program("validate.mjs"));
        command.arg(packages).arg(schemas);
        command
    });
}

fn program(name: &str) -> PathBuf {
    workspace::path(&format!("{FOLDER}/validators/{name}"))
}

/// Asks a validator, which gets the packages and a file with the schemas.
fn check(validator: impl Fn(&Path, &Path) -> Command) {
    let Some(packages) = fetched() else {
        return;
    };
    let questions = all_questions(&packages);
    let published = questions
        .iter()
        .filter(|question| is_published(question))
        .count();
    assert!(published >= AT_LEAST, "only {published} documents");
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().join("schemas.json");
    fs::write(&schemas, all_schemas(&packages).to_string()).unwrap();
    let verdicts = verdicts(questions, validator(&packages, &schemas));
    let both = questions.iter().zip(&verdicts);
    let differences: Vec<String> = both
        .filter(|(question, verdict)| verdict.is_some_and(|verdict| question.is_valid != verdict))
        .map(|(question, _)| told(question, !question.is_valid))
        .collect();
    assert!(
        differences.is_empty(),
        "{} of {} verdicts differ:\n{}",
        differences.len(),
        questions.len(),
        differences[..differences.len().min(40)].join("\n")
    );
}

/// Whether a document is a change, to be judged by a schema that others publish.
fn is_published(question: &JudgedDocument) -> bool {
    let subject = SUBJECTS.iter().find(|it| it.name == question.subject);
    let subject = subject.expect("a subject");
    let is_ours = subject.schema.starts_with("tests/");
    question.changed.is_some() && !subject.keeps_unknown && !is_ours
}

/// The schemas by the names of their subjects.
fn all_schemas(packages: &Path) -> Value {
    let schemas = SUBJECTS.iter().map(|subject| {
        let schema = subject.validated_schema(packages);
        (subject.name.to_owned(), schema)
    });
    schemas.collect::<Map<String, Value>>().into()
}

/// What the validator says; nothing of documents whose schema is of a dialect that it does not know.
fn verdicts(questions: &[JudgedDocument], command: Command) -> Vec<Option<bool>> {
    let mut lines = String::new();
    for question in questions {
        writeln!(lines, "{}\t{}", question.subject, question.document).unwrap();
    }
    let finished = finish(command, lines.as_bytes());
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let verdicts = finished.stdout.lines();
    let verdicts = verdicts.map(|line| (line != "none").then(|| line.parse().unwrap()));
    let verdicts: Vec<Option<bool>> = verdicts.collect();
    assert_eq!(verdicts.len(), questions.len());
    verdicts
}

/// A difference, in one line.
fn told(question: &JudgedDocument, is_valid: bool) -> String {
    let JudgedDocument {
        subject, document, ..
    } = question;
    let verdict = if is_valid { "accepted" } else { "rejected" };
    let place = question.changed.as_deref().unwrap_or_default();
    format!("{subject}: {document} is {verdict}, changed at `{place}`")
}
