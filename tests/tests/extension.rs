//! Does an extension of the schema keep what packages do with its documents? New events are verified,
//! replayed, stored and compacted by their roles alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::program::{FinishedProgram, chatstate, finish};
use chatstate_tests::{toolchain, workspace};
use serde_json::{Value, json};

/// Where the programs are that use the packages.
const FOLDER: &str = "tests/extension";

/// The schema files, the one with the events first.
const SCHEMAS: [&str; 3] = [
    "event.schema.json",
    "chat-state.schema.json",
    "session.schema.json",
];

/// A change of a schema file.
type Change = fn(&mut Value);

#[test]
fn an_extension_compiles_in_rust() {
    compiled(&RUST);
}

#[test]
fn an_extension_compiles_in_dotnet() {
    compiled(&DOTNET);
}

#[test]
fn an_extension_behaves_in_python() {
    behaves(&PYTHON, |package| {
        let mut command = toolchain::python();
        command.env("PYTHONPATH", package.join("src"));
        command.arg(workspace::path(&format!("{FOLDER}/use.py")));
        command
    });
}

#[test]
fn an_extension_behaves_in_typescript() {
    behaves(&TYPESCRIPT, |package| {
        toolchain::compile_typescript([package].into_iter());
        let mut command = Command::new("node");
        command.arg(workspace::path(&format!("{FOLDER}/use.mjs")));
        command.arg(package);
        command
    });
}

/// A schema that lacks something, or has what is not learned from a schema, is told what, and its
/// packages have types alone.
#[test]
fn what_is_no_extension_has_types_alone() {
    let cases: [(&str, Change, &str); 7] = [
        (
            "event.schema.json",
            |schema| {
                let role = &mut schema["$defs"]["StepFinishedEvent"]["x-event"];
                role.as_object_mut().unwrap().shift_remove("closes");
            },
            "the event `STEP_FINISHED` does something else",
        ),
        (
            "event.schema.json",
            |schema| {
                let required = schema["$defs"]["CustomEvent"]["required"].as_array_mut();
                required.unwrap().push(json!("rawEvent"));
            },
            "the member `rawEvent` of `CustomEvent` is another",
        ),
        (
            "chat-state.schema.json",
            |schema| {
                let properties = schema["$defs"]["ChatState"]["properties"].as_object_mut();
                properties.unwrap().shift_remove("participants");
            },
            "`ChatState` has no member `participants`",
        ),
        (
            "event.schema.json",
            |schema| add_messages(schema, &json!({"changes": "messages"}), &STREAMED),
            "the item `aside` has more than a `key`",
        ),
        (
            "event.schema.json",
            |schema| add_messages(schema, &json!({"changes": "messages"}), &WITHOUT_TEXT),
            "the item `aside` has more than a `key`",
        ),
        (
            "event.schema.json",
            |schema| add_messages(schema, &json!({"owners": "message"}), &WITHOUT_TEXT),
            "the item `aside` has more than a `key`",
        ),
        (
            "event.schema.json",
            |schema| {
                let event = schema["$defs"]["ToolCallResultEvent"].clone();
                add_event(schema, "ImageResultEvent", "IMAGE_RESULT", event);
            },
            "the event `IMAGE_RESULT` does `add`",
        ),
    ];
    for (file, change, departure) in cases {
        let folder = tempfile::tempdir().unwrap();
        let schemas = schemas(folder.path(), |name, schema| {
            if name == file {
                change(schema);
            }
        });
        let out = folder.path().join("out");
        let generated = generate(&PYTHON, &schemas, &out);
        assert_eq!(generated.code, 0, "{}", generated.stderr);
        let note = format!("in this one {departure}");
        assert!(generated.stderr.contains(&note), "{}", generated.stderr);
        assert!(out.join("src/extension/generated/models.py").exists());
        assert!(!out.join("src/extension/streams").exists(), "{departure}");
    }
}

/// The package of the extension, compiled or checked.
fn compiled(language: &LanguagePackage) {
    if !language.has_toolchain() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("extension");
    let generated = generate(language, &schemas(folder.path(), extend), &out);
    assert_eq!(generated.code, 0, "{}", generated.stderr);
    let mut command = Command::new(workspace::path(language.check));
    command.arg(&out);
    let _ = toolchain::output(command);
}

/// The package does with the new events what their roles say.
fn behaves(language: &LanguagePackage, program: impl Fn(&Path) -> Command) {
    if !language.has_toolchain() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("extension");
    let generated = generate(language, &schemas(folder.path(), extend), &out);
    assert_eq!(generated.code, 0, "{}", generated.stderr);
    assert!(generated.stderr.is_empty(), "{}", generated.stderr);
    let mut check = Command::new(workspace::path(language.check));
    check.arg(&out);
    let _ = toolchain::output(check);
    let cases = cases();
    let lines: Vec<String> = cases.iter().map(|(log, _)| log.to_string()).collect();
    let finished = finish(program(&out), (lines.join("\n") + "\n").as_bytes());
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let answers = finished.stdout.lines();
    let answers: Vec<Value> = answers
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let others = json!({
        "chat": {"history": [], "channels": []},
        "session": {"id": "s", "stateBag": {}},
    });
    let expected = cases.into_iter().map(|(_, answer)| answer);
    let expected: Vec<Value> = expected.chain([others]).collect();
    assert_eq!(answers, expected);
}

/// Logs, and what packages say of each.
fn cases() -> Vec<(Value, Value)> {
    let start = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"});
    let end = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"});
    let open = json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"});
    let close = json!({"type": "TEXT_MESSAGE_END", "messageId": "m"});
    let content =
        |delta: &str| json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": delta});
    let said = |type_: &str| json!({"type": type_, "phaseName": "plan"});
    let (begun, ended) = (said("PHASE_STARTED"), said("PHASE_FINISHED"));
    let staged = |type_: &str| json!({"type": type_, "stageName": "plan"});
    let (staged, unstaged) = (staged("STAGE_STARTED"), staged("STAGE_FINISHED"));
    let of_subagent = |event: &Value| {
        let mut event = event.clone();
        event["subagentRunId"] = json!("s");
        event
    };
    let subagent = json!({"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "writer"});
    let subagent_end = json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "s"});
    let message = json!({"id": "m", "role": "assistant", "content": "Hello"});
    let snapshot = json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]});
    let state = json!({"type": "STATE_SNAPSHOT", "snapshot": {}});
    vec![
        (
            json!([
                start,
                begun,
                open,
                content("He"),
                content("llo"),
                close,
                ended,
                end
            ]),
            json!({
                "errors": [],
                "warnings": [],
                "messages": [message],
                "stream": [start, begun, open, content("Hello"), close, ended, end],
                "snapshot": [start, begun, ended, snapshot, state, end],
            }),
        ),
        (
            json!([start, begun, begun, ended, ended, begun, end]),
            json!({
                "errors": [
                    ["phase.already-open", 2],
                    ["phase.not-open", 4],
                    ["run.open-item", 6],
                ],
                "warnings": [],
            }),
        ),
        (
            json!([
                start,
                subagent,
                staged,
                of_subagent(&staged),
                staged,
                unstaged,
                unstaged,
                of_subagent(&unstaged),
                subagent_end,
                end
            ]),
            json!({
                "errors": [["stage.already-open", 4], ["stage.not-open", 6]],
                "warnings": [],
            }),
        ),
    ]
}

/// Two new kinds of items: open ones of the second are distinguished by their owners too.
fn extend(name: &str, schema: &mut Value) {
    if name != SCHEMAS[0] {
        return;
    }
    add_item(schema, "phase", "id");
    add_item(schema, "stage", "id-and-owner");
}

/// An item with a name, which two events begin and end.
fn add_item(schema: &mut Value, item: &str, key: &str) {
    schema["x-items"][item] = json!({"description": "A part of the work.", "key": key});
    let name = format!("{item}Name");
    for (does, word) in [("begin", "Started"), ("end", "Finished")] {
        let mut event = schema["$defs"]["StepStartedEvent"].clone();
        event["x-event"] = json!({"does": does, "item": item, "id": name, "owner": "subagentRunId", "closes": "lane"});
        let properties = event["properties"].as_object_mut().unwrap();
        let text = properties.shift_remove("stepName").unwrap();
        properties.insert(name.clone(), text);
        event["required"] = json!(["type", name]);
        let (initial, rest) = item.split_at(1);
        let definition = format!("{}{rest}{word}Event", initial.to_uppercase());
        let tag = format!("{item}_{word}").to_uppercase();
        add_event(schema, &definition, &tag, event);
    }
}

/// The events of text messages of which a second kind has its own.
const STREAMED: [&str; 3] = ["Start", "Content", "End"];

const WITHOUT_TEXT: [&str; 2] = ["Start", "End"];

/// A second kind of text message, with events of its own.
fn add_messages(schema: &mut Value, facts: &Value, parts: &[&str]) {
    let mut item = json!({"description": "A remark beside the answer.", "key": "id"});
    let more = facts.as_object().unwrap().clone();
    item.as_object_mut().unwrap().extend(more);
    schema["x-items"]["aside"] = item;
    for part in parts {
        let mut event = schema["$defs"][format!("TextMessage{part}Event")].clone();
        event["x-event"]["item"] = json!("aside");
        let tag = format!("ASIDE_{}", part.to_uppercase());
        add_event(schema, &format!("Aside{part}Event"), &tag, event);
    }
}

/// One event more.
fn add_event(schema: &mut Value, definition: &str, tag: &str, mut event: Value) {
    event["properties"]["type"]["const"] = json!(tag);
    let definitions = schema["$defs"].as_object_mut().unwrap();
    definitions.insert(definition.to_owned(), event);
    let arms = definitions["Event"]["oneOf"].as_array_mut().unwrap();
    let reference = json!({"$ref": format!("#/$defs/{definition}")});
    arms.insert(arms.len() - 1, reference);
    let known = &mut definitions["UnknownEvent"]["properties"]["type"]["not"]["enum"];
    known.as_array_mut().unwrap().push(json!(tag));
}

/// Copies of the schema files in a folder, changed.
fn schemas(folder: &Path, change: impl Fn(&str, &mut Value)) -> Vec<PathBuf> {
    let copies = SCHEMAS.iter().map(|name| {
        let text = workspace::text(&format!("schema/v1/{name}"));
        let mut schema: Value = serde_json::from_str(&text).unwrap();
        change(name, &mut schema);
        let path = folder.join(name);
        fs::write(&path, schema.to_string()).unwrap();
        path
    });
    copies.collect()
}

fn generate(language: &LanguagePackage, schemas: &[PathBuf], out: &Path) -> FinishedProgram {
    let mut arguments = vec!["generate", language.language, "--name", "extension"];
    for schema in schemas {
        arguments.extend(["--schema", schema.to_str().unwrap()]);
    }
    arguments.extend(["--out", out.to_str().unwrap()]);
    chatstate(&arguments, b"")
}
