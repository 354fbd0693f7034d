//! Wrong roles: each part of each role of the canonical schema, changed alone.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use chatstate_schema_model::{ReadOptions, SchemaText, read_with};
use serde_json::{Map, Value, json};

const EVENTS: &str = include_str!("../../../../schema/v1/event.schema.json");

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");

/// What the model takes, and the case of the corpus that finds it in every language. Which chunks an event
/// closes, and who owns a subagent, follows from nothing else.
const FOUND_BY_CASES: [(&str, &str, &str); 25] = [
    (
        "STEP_STARTED",
        "no `closes`",
        "verify/chunk-closed-by-step-start",
    ),
    (
        "STEP_FINISHED",
        "no `closes`",
        "verify/chunk-closed-by-step-end",
    ),
    (
        "TEXT_MESSAGE_START",
        "no `closes`",
        "verify/chunk-closed-by-text-start",
    ),
    (
        "TEXT_MESSAGE_CONTENT",
        "no `closes`",
        "verify/chunk-closed-by-text-content",
    ),
    (
        "TEXT_MESSAGE_END",
        "no `closes`",
        "verify/chunk-closed-by-text-end",
    ),
    (
        "TOOL_CALL_START",
        "no `closes`",
        "verify/chunk-closed-by-call-start",
    ),
    (
        "TOOL_CALL_ARGS",
        "no `closes`",
        "verify/chunk-closed-by-call-args",
    ),
    (
        "TOOL_CALL_END",
        "no `closes`",
        "verify/chunk-closed-by-call-end",
    ),
    (
        "TOOL_CALL_RESULT",
        "no `closes`",
        "verify/chunk-closed-by-call-result",
    ),
    (
        "STATE_SNAPSHOT",
        "no `closes`",
        "replay/chunks-closed-by-state",
    ),
    (
        "STATE_DELTA",
        "no `closes`",
        "verify/chunk-closed-by-state-delta",
    ),
    (
        "MESSAGES_SNAPSHOT",
        "no `closes`",
        "verify/chunk-closed-by-messages-snapshot",
    ),
    (
        "ACTIVITY_SNAPSHOT",
        "`closes` is `lane`",
        "compact/chunks-not-closed",
    ),
    (
        "ACTIVITY_DELTA",
        "`closes` is `lane`",
        "compact/chunk-beside-delta-of-parent",
    ),
    (
        "REASONING_START",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-start",
    ),
    (
        "REASONING_MESSAGE_START",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-message-start",
    ),
    (
        "REASONING_MESSAGE_CONTENT",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-message-content",
    ),
    (
        "REASONING_MESSAGE_END",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-message-end",
    ),
    (
        "REASONING_END",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-end",
    ),
    (
        "REASONING_ENCRYPTED_VALUE",
        "`closes` is `lane`",
        "compact/chunks-not-closed",
    ),
    (
        "SUBAGENT_STARTED",
        "no `owner`",
        "verify/subagent-unknown-parent",
    ),
    (
        "SUBAGENT_FINISHED",
        "no `closes`",
        "replay/chunks-closed-by-subagent-end",
    ),
    (
        "SUBAGENT_ERROR",
        "no `closes`",
        "replay/chunks-closed-by-subagent-error",
    ),
    ("RAW", "`closes` is `lane`", "attach/chunks"),
    ("CUSTOM", "no `closes`", "replay/chunks-closed-by-custom"),
];

/// A wrong role is rejected, or a case finds it.
#[test]
fn every_wrong_role_is_found() {
    let taken = taken_of(&wrong_roles());
    let expected = FOUND_BY_CASES.map(|(event, change, _)| (event.to_owned(), change.to_owned()));
    assert_eq!(taken, expected);
    for (.., case) in FOUND_BY_CASES {
        let path = Path::new(CORPUS).join(format!("{case}.json"));
        assert!(path.exists(), "there is no case `{case}`");
    }
}

/// The role of one event with one part changed.
struct WrongRole {
    event: String,
    change: String,
    definition: String,
    role: Map<String, Value>,
}

fn wrong_roles() -> Vec<WrongRole> {
    let schema = canonical();
    let definitions = schema["$defs"].as_object().expect("an object");
    let roles = definitions.iter().filter_map(|(name, definition)| {
        let tag = definition.pointer("/properties/type/const")?.as_str()?;
        Some((name, tag, definition.get("x-event")?.as_object()?))
    });
    let roles: Vec<_> = roles.collect();
    let words = |part: &str| -> BTreeSet<&str> {
        let said = roles
            .iter()
            .filter_map(|(_, _, role)| role.get(part)?.as_str());
        said.collect()
    };
    let words = ["does", "item", "closes"].map(|part| (part, words(part)));
    let wrong = roles.iter().flat_map(|(definition, tag, role)| {
        let changed = changes(role, &words).into_iter();
        changed.map(|(change, role)| WrongRole {
            event: (*tag).to_owned(),
            change,
            definition: (*definition).clone(),
            role,
        })
    });
    wrong.collect()
}

/// The role with each of its parts left out, each of these words that it does not say, and each member left out that it
/// opens with.
fn changes(
    role: &Map<String, Value>,
    words: &[(&str, BTreeSet<&str>)],
) -> Vec<(String, Map<String, Value>)> {
    let mut changes = Vec::new();
    let mut change = |what: String, part: &str, value: Option<Value>| {
        let mut role = role.clone();
        match value {
            Some(value) => role.insert(part.to_owned(), value),
            None => role.shift_remove(part),
        };
        changes.push((what, role));
    };
    for part in role.keys() {
        change(format!("no `{part}`"), part, None);
    }
    for (part, words) in words {
        let others = words
            .iter()
            .filter(|word| role.get(*part) != Some(&json!(word)));
        others.for_each(|word| change(format!("`{part}` is `{word}`"), part, Some(json!(word))));
    }
    let opens = role.get("opens").and_then(Value::as_array);
    for left_out in opens.into_iter().flatten() {
        let rest = opens.into_iter().flatten().filter(|name| *name != left_out);
        change(
            format!("without {left_out}"),
            "opens",
            Some(rest.cloned().collect()),
        );
    }
    changes
}

/// Those of the wrong roles that the model takes. Each is read with the whole schema, so the processors share them.
fn taken_of(wrong: &[WrongRole]) -> Vec<(String, String)> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let parts = wrong.chunks(wrong.len().div_ceil(threads));
        let read: Vec<_> = parts
            .map(|part| scope.spawn(move || taken_in(part)))
            .collect();
        let taken = read
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        taken.flatten().collect()
    })
}

fn taken_in(wrong: &[WrongRole]) -> Vec<(String, String)> {
    let taken = wrong.iter().filter(|wrong| is_taken(wrong));
    taken
        .map(|wrong| (wrong.event.clone(), wrong.change.clone()))
        .collect()
}

/// Whether the model takes the canonical schema with this role.
fn is_taken(wrong: &WrongRole) -> bool {
    let mut schema = canonical();
    schema["$defs"][&wrong.definition]["x-event"] = Value::Object(wrong.role.clone());
    let text = schema.to_string();
    let file = SchemaText {
        name: "event.schema.json",
        text: &text,
    };
    read_with(&[file], &ReadOptions::default()).is_ok()
}

fn canonical() -> Value {
    serde_json::from_str(EVENTS).expect("JSON")
}
