//! A replay as people read a conversation.

use std::fmt::Write;

use chatstate::json::{Object, Value, WriteJson, visible_lines};
use chatstate::replay::{Replay, Run};

use crate::layout::lay_out;

/// The messages by role, with tool calls and their results, then the state, the runs and what is open.
pub fn conversation(replay: &Replay) -> String {
    let mut out = String::new();
    for message in &replay.messages {
        write_message(&mut out, message);
    }
    heading(&mut out, "state");
    indented(&mut out, &lay_out(&replay.state.to_json()));
    if !replay.runs.is_empty() {
        heading(&mut out, "runs");
    }
    for run in &replay.runs {
        indented(&mut out, &run_line(run));
    }
    if !replay.open.is_empty() {
        heading(&mut out, "begun and not ended");
    }
    for item in &replay.open {
        let mut text = String::new();
        item.write(&mut text);
        indented(&mut out, &text);
    }
    if !replay.interrupts.is_empty() {
        heading(&mut out, "waits for answers to");
    }
    for interrupt in &replay.interrupts {
        indented(&mut out, &interrupt.to_json());
    }
    out
}

fn heading(out: &mut String, text: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&visible_lines(text));
    out.push('\n');
}

fn indented(out: &mut String, text: &str) {
    for line in visible_lines(text).lines() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {line}");
    }
}

/// The members that are told in words; the others stand below as they are.
const TOLD: [&str; 8] = [
    "id",
    "role",
    "name",
    "content",
    "toolCalls",
    "toolCallId",
    "activityType",
    "error",
];

fn write_message(out: &mut String, message: &Object) {
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let mut title = text("role").unwrap_or("message without a role").to_owned();
    for (name, words) in [("name", ""), ("activityType", "")] {
        let _ = text(name).map(|it| write!(title, " {words}{it}"));
    }
    let id = text("id").unwrap_or_default();
    let _ = match text("toolCallId") {
        Some(call) => write!(title, " ({id}, of the call {call})"),
        None => write!(title, " ({id})"),
    };
    heading(out, &title);
    if let Some(content) = message.get("content") {
        write_content(out, content);
    }
    if let Some(error) = text("error") {
        indented(out, &format!("error: {error}"));
    }
    let calls = message.get("toolCalls").and_then(Value::as_array);
    for call in calls.unwrap_or_default() {
        write_call(out, call);
    }
    for (name, value) in message
        .iter()
        .filter(|(name, _)| !TOLD.contains(&name.as_str()))
    {
        indented(out, &format!("{name}: {}", value.to_json()));
    }
}

/// Text as it is, the parts of a list one after the other, and other values as JSON.
fn write_content(out: &mut String, content: &Value) {
    match content {
        Value::String(text) => indented(out, text),
        Value::Array(parts) => {
            for part in parts {
                match part.get("text").and_then(Value::as_str) {
                    Some(text) => indented(out, text),
                    None => indented(out, &part.to_json()),
                }
            }
        }
        other => indented(out, &lay_out(&other.to_json())),
    }
}

fn write_call(out: &mut String, call: &Value) {
    let function = call.get("function");
    let part = |name: &str| function.and_then(|it| it.get(name)).and_then(Value::as_str);
    match (part("name"), part("arguments")) {
        (Some(name), Some(arguments)) => {
            let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
            indented(out, &format!("calls {name} {arguments} ({id})"));
        }
        _ => indented(out, &format!("calls {}", call.to_json())),
    }
}

fn run_line(run: &Run) -> String {
    let id = run.run_id.as_deref().unwrap_or("before any run");
    let mut line = format!("{id}: {}", run.status.as_str());
    // Writing to a string cannot fail.
    let _ = run
        .parent_run_id
        .as_ref()
        .map(|parent| write!(line, ", continues {parent}"));
    let _ = run
        .error
        .as_ref()
        .map(|error| write!(line, ", {}", error.message));
    let _ = run
        .result
        .as_ref()
        .map(|result| write!(line, ", result {}", result.to_json()));
    line
}
