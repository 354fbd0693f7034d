//! Faults of replay: a change of the events that are replayed, or of their result.
//!
//! Names many events: a fault is about certain events, and must not follow the roles that the
//! reference follows.

use chatstate::json::{Object, Surrogates, Value, parse_with};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::compact::lose_last_delta;
use super::order::{asked, drop_events, drop_member};
use super::streams::{Events, read, tag, text, written};

const REPLAY: &str = "replay";

/// The faults of replay by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "replay-appends-to-last-message",
        asked(REPLAY, append_to_last),
    ),
    ("replay-loses-last-delta", asked(REPLAY, lose_last_delta)),
    (
        "replay-drops-names",
        asked(REPLAY, |it| drop_member(it, "TEXT_MESSAGE_START", "name")),
    ),
    ("replay-drops-owners", asked(REPLAY, drop_owners)),
    ("replay-drops-metadata", asked(REPLAY, drop_metadata)),
    ("replay-defaults-to-user", asked(REPLAY, default_to_user)),
    ("replay-begins-anew", asked(REPLAY, begin_anew)),
    (
        "replay-ignores-parent-message",
        asked(REPLAY, |it| {
            drop_member(it, "TOOL_CALL_START", "parentMessageId");
        }),
    ),
    (
        "replay-repeats-calls",
        Defect::Answered(|it| answered(it, repeat_calls)),
    ),
    (
        "replay-appends-results",
        Defect::Answered(|it| answered(it, append_results)),
    ),
    (
        "replay-drops-results",
        asked(REPLAY, |it| drop_events(it, "TOOL_CALL_RESULT")),
    ),
    (
        "replay-sorts-messages",
        Defect::Answered(|it| answered(it, sort_messages)),
    ),
    (
        "replay-drops-reasoning",
        Defect::Answered(|it| answered(it, |answer| drop_role(answer, "reasoning"))),
    ),
    (
        "replay-drops-encrypted",
        asked(REPLAY, |it| drop_events(it, "REASONING_ENCRYPTED_VALUE")),
    ),
    (
        "replay-drops-activities",
        Defect::Answered(|it| answered(it, |answer| drop_role(answer, "activity"))),
    ),
    ("replay-keeps-activities", asked(REPLAY, keep_activities)),
    (
        "replay-replaces-activities",
        asked(REPLAY, |it| drop_member(it, "ACTIVITY_SNAPSHOT", "replace")),
    ),
    (
        "replay-ignores-activity-delta",
        asked(REPLAY, |it| drop_events(it, "ACTIVITY_DELTA")),
    ),
    (
        "replay-ignores-snapshots",
        asked(REPLAY, |it| drop_events(it, "MESSAGES_SNAPSHOT")),
    ),
    (
        "replay-takes-snapshot-for-all",
        Defect::Answered(take_snapshot_for_all),
    ),
    ("replay-reads-raw", asked(REPLAY, read_raw)),
    (
        "replay-begins-with-null",
        Defect::Answered(|it| answered(it, begin_with_null)),
    ),
    (
        "replay-ignores-input-state",
        asked(REPLAY, ignore_input_state),
    ),
    (
        "replay-ignores-state-snapshot",
        asked(REPLAY, |it| drop_events(it, "STATE_SNAPSHOT")),
    ),
    (
        "replay-ignores-state-delta",
        asked(REPLAY, |it| drop_events(it, "STATE_DELTA")),
    ),
    ("replay-applies-half-a-patch", asked(REPLAY, split_patches)),
    (
        "replay-skips-patch-with-unknown-operation",
        asked(REPLAY, skip_unknown_patches),
    ),
    (
        "replay-sets-unknown-subtype",
        asked(REPLAY, take_subtypes_for_messages),
    ),
    (
        "replay-finishes-all-runs",
        Defect::Answered(|it| answered(it, finish_all)),
    ),
    (
        "replay-drops-run-values",
        Defect::Answered(|it| answered(it, drop_run_values)),
    ),
    (
        "replay-forgets-late-error",
        asked(REPLAY, forget_late_error),
    ),
    (
        "replay-forgets-error-first",
        Defect::Answered(|it| answered(it, forget_nameless_runs)),
    ),
    (
        "replay-forgets-interrupts",
        Defect::Answered(|it| answered(it, |answer| clear(answer, "interrupts"))),
    ),
    (
        "replay-forgets-open-items",
        Defect::Answered(|it| answered(it, |answer| clear(answer, "open"))),
    ),
    ("replay-ignores-run", Defect::Answered(ignore_run)),
    (
        "replay-drops-chunks",
        asked(REPLAY, |it| it.retain(|event| !is_chunk(event))),
    ),
    (
        "replay-drops-chunks-without-id",
        asked(REPLAY, |it| {
            it.retain(|event| !is_chunk(event) || has_id(event));
        }),
    ),
    ("replay-mixes-chunks", asked(REPLAY, mix_chunks)),
    (
        "replay-closes-chunks-at-raw",
        asked(REPLAY, close_chunks_at_raw),
    ),
    ("replay-repairs-halves", Defect::Answered(repair_halves)),
];

/// Changes what a replay answers.
fn answered(request: &RunRequest, change: fn(&mut Object)) -> Reply {
    let reply = operation::run(request);
    let Reply::Ok(answer) = &reply else {
        return reply;
    };
    match parse_with(answer, Surrogates::AllowUnpairedAtEnds) {
        Ok(Value::Object(mut answer)) => {
            change(&mut answer);
            Reply::Ok(Value::Object(answer).to_json())
        }
        _ => reply,
    }
}

pub(super) fn list<'o>(answer: &'o mut Object, name: &str) -> Option<&'o mut Vec<Value>> {
    match answer.get_mut(name)? {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

fn role(message: &Value) -> &str {
    let role = message.get("role").and_then(Value::as_str);
    role.unwrap_or_default()
}

/// Sends the text of every message to the one that was begun last.
fn append_to_last(events: &mut Events) {
    let mut last = None;
    for event in events {
        match tag(event) {
            "TEXT_MESSAGE_START" => last = event.get("messageId").cloned(),
            "TEXT_MESSAGE_CONTENT" => {
                if let Some(message_id) = &last {
                    event.insert("messageId", message_id.clone());
                }
            }
            _ => {}
        }
    }
}

/// Does not see roles.
fn drop_owners(events: &mut Events) {
    let streamed = ["TEXT_MESSAGE_", "REASONING_MESSAGE_"];
    for event in events {
        if streamed.iter().any(|kind| tag(event).starts_with(kind)) {
            event.remove("subagentRunId");
        }
    }
}

/// Does not see the metadata of what comes after a beginning.
fn drop_metadata(events: &mut Events) {
    let endings = ["_CONTENT", "_ARGS", "_END", "_CHUNK"];
    for event in events {
        if endings.iter().any(|ending| tag(event).ends_with(ending)) {
            event.remove("metadata");
        }
    }
}

fn default_to_user(events: &mut Events) {
    for event in events {
        if tag(event) == "TEXT_MESSAGE_START" && !event.contains_key("role") {
            event.insert("role", "user");
        }
    }
}

/// Takes a message that is begun again for another one.
fn begin_anew(events: &mut Events) {
    let mut known: Vec<String> = Vec::new();
    let mut again: Option<String> = None;
    for event in events {
        let Some(id) = text(event, "messageId").map(str::to_owned) else {
            continue;
        };
        if tag(event) == "TEXT_MESSAGE_START" {
            again = known.contains(&id).then(|| id.clone());
            known.push(id.clone());
        }
        if tag(event).starts_with("TEXT_MESSAGE") && again.as_ref() == Some(&id) {
            event.insert("messageId", format!("{id}-again"));
        }
    }
}

/// Gives every call of a message twice.
fn repeat_calls(answer: &mut Object) {
    for message in list(answer, "messages").into_iter().flatten() {
        if let Value::Object(message) = message
            && let Some(calls) = list(message, "toolCalls")
        {
            let again = calls.clone();
            calls.extend(again);
        }
    }
}

/// Puts results where they come, which is after all else.
fn append_results(answer: &mut Object) {
    if let Some(messages) = list(answer, "messages") {
        messages.sort_by_key(|message| role(message) == "tool");
    }
}

fn sort_messages(answer: &mut Object) {
    if let Some(messages) = list(answer, "messages") {
        messages.sort_by_key(|message| message.get("id").map(Value::to_json));
    }
}

fn drop_role(answer: &mut Object, kind: &str) {
    if let Some(messages) = list(answer, "messages") {
        messages.retain(|message| role(message) != kind);
    }
}

/// Leaves an activity as it was first.
fn keep_activities(events: &mut Events) {
    for event in events {
        if tag(event) == "ACTIVITY_SNAPSHOT" {
            event.insert("replace", Value::Bool(false));
        }
    }
}

/// Keeps nothing that the last snapshot does not have.
fn take_snapshot_for_all(request: &RunRequest) -> Reply {
    let events = request.input.as_deref().and_then(read);
    let has_snapshot = |events: &Events| events.iter().any(|it| tag(it) == "MESSAGES_SNAPSHOT");
    if !events.is_some_and(|events| has_snapshot(&events)) {
        return operation::run(request);
    }
    answered(request, |answer| {
        drop_role(answer, "activity");
        drop_role(answer, "reasoning");
    })
}

/// Takes what a provider sent for an event of the thread.
fn read_raw(events: &mut Events) {
    for event in events {
        if let Some(Value::Object(sent)) = event.get("event").cloned()
            && sent.contains_key("type")
        {
            *event = sent;
        }
    }
}

fn begin_with_null(answer: &mut Object) {
    let is_empty = |state: &Value| state.as_object().is_some_and(Object::is_empty);
    if answer.get("state").is_some_and(is_empty) {
        answer.insert("state", Value::Null);
    }
}

pub(super) fn ignore_input_state(events: &mut Events) {
    for event in events {
        if let Some(Value::Object(input)) = event.get_mut("input") {
            input.remove("state");
        }
    }
}

/// Applies each operation for itself, so that those before a failure stay.
fn split_patches(events: &mut Events) {
    let alone = |event: Object| -> Vec<Object> {
        let patches = ["STATE_DELTA", "ACTIVITY_DELTA"];
        let name = if tag(&event) == "STATE_DELTA" {
            "delta"
        } else {
            "patch"
        };
        match event.get(name) {
            Some(Value::Array(operations)) if patches.contains(&tag(&event)) => {
                let one = |operation: &Value| {
                    let mut event = event.clone();
                    event.insert(name, vec![operation.clone()]);
                    event
                };
                operations.iter().map(one).collect()
            }
            _ => vec![event],
        }
    };
    *events = std::mem::take(events).into_iter().flat_map(alone).collect();
}

/// Skips a patch with an operation that it does not know.
fn skip_unknown_patches(events: &mut Events) {
    for event in events {
        if let Some(operations) = list(event, "delta")
            && operations.iter().any(is_unknown_operation)
        {
            operations.clear();
        }
    }
}

/// Takes each encrypted value that is not of a tool call for one of a message.
pub(super) fn take_subtypes_for_messages(events: &mut Events) {
    for event in events {
        if let Some(subtype) = event.get_mut("subtype")
            && subtype.as_str() != Some("tool-call")
        {
            *subtype = Value::from("message");
        }
    }
}

/// Whether JSON Patch does not know an operation.
pub(super) fn is_unknown_operation(operation: &Value) -> bool {
    let known = ["add", "remove", "replace", "move", "copy", "test"];
    let op = operation.get("op").and_then(Value::as_str);
    op.is_some_and(|op| !known.contains(&op))
}

fn each_run(answer: &mut Object, change: impl Fn(&mut Object)) {
    for run in list(answer, "runs").into_iter().flatten() {
        if let Value::Object(run) = run {
            change(run);
        }
    }
}

fn finish_all(answer: &mut Object) {
    each_run(answer, |run| {
        run.insert("status", "finished");
    });
}

fn drop_run_values(answer: &mut Object) {
    each_run(answer, |run| {
        run.retain(|name, _| {
            !["outcome", "result", "parentRunId", "error", "usage"].contains(&name)
        });
    });
}

/// Does not look beyond the end of a run.
fn forget_late_error(events: &mut Events) {
    let mut finished = false;
    events.retain(|event| {
        let is_late = finished && tag(event) == "RUN_ERROR";
        finished = tag(event) == "RUN_FINISHED";
        !is_late
    });
}

fn forget_nameless_runs(answer: &mut Object) {
    if let Some(runs) = list(answer, "runs") {
        runs.retain(|run| run.get("runId") != Some(&Value::Null));
    }
}

fn clear(answer: &mut Object, name: &str) {
    if let Some(items) = list(answer, name) {
        items.clear();
    }
}

/// Replays to the end, whatever run is asked for.
fn ignore_run(request: &RunRequest) -> Reply {
    let mut request = request.clone();
    request.arguments.remove("run");
    operation::run(&request)
}

fn is_chunk(event: &Object) -> bool {
    tag(event).ends_with("_CHUNK")
}

fn has_id(event: &Object) -> bool {
    event.contains_key("messageId") || event.contains_key("toolCallId")
}

/// Assembles the chunks of all subagents together.
fn mix_chunks(events: &mut Events) {
    for event in events.iter_mut().filter(|event| is_chunk(event)) {
        event.remove("subagentRunId");
    }
}

/// Ends what chunks opened where a provider's own event comes.
fn close_chunks_at_raw(events: &mut Events) {
    let closing = [
        "RAW",
        "ACTIVITY_SNAPSHOT",
        "ACTIVITY_DELTA",
        "REASONING_ENCRYPTED_VALUE",
    ];
    for event in events {
        if closing.contains(&tag(event)) {
            let mut custom = Object::new();
            custom.insert("type", "CUSTOM");
            custom.insert("name", "ignored");
            custom.insert("value", Value::Null);
            *event = custom;
        }
    }
}

/// Replaces unpaired surrogates by the replacement character.
fn repair_halves(request: &RunRequest) -> Reply {
    let events = request.input.as_deref().and_then(read);
    let Some(events) = events else {
        return operation::run(request);
    };
    let reply = operation::run(&RunRequest {
        input: Some(written(events)),
        ..request.clone()
    });
    match reply {
        Reply::Ok(text) => Reply::Ok(without_halves(&text)),
        reply => reply,
    }
}

/// The text with the replacement character for each escape of an unpaired surrogate.
fn without_halves(text: &str) -> String {
    let mut parts = text.split("\\ud");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push('\u{fffd}');
        out.push_str(part.get(3..).unwrap_or_default());
    }
    out
}
