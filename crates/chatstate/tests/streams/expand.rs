//! Chunks spelled out, open ones too: what compaction is measured against.

use chatstate::generated::Event;
use serde_json::{Value, json};

/// An item that chunks keep open.
struct Open {
    prefix: String,
    id: String,
    owner: Option<String>,
}

/// The stream with a START, deltas and an END in place of chunks, without timestamps of chunks.
pub fn expanded(events: &[Event]) -> Vec<Event> {
    let mut open = Vec::new();
    let mut out = Vec::new();
    for event in events {
        let value: Value = match serde_json::from_str(&placeholder(&event.to_json())) {
            Ok(value) => value,
            Err(error) => panic!("{error}: {}", event.to_json()),
        };
        let kind = event.tag();
        if let Some(prefix) = kind.strip_suffix("_CHUNK") {
            chunk(prefix, value, &mut open, &mut out);
        } else {
            close(&mut open, &mut out, |item| closes(&value, item));
            out.push(value);
        }
    }
    out.iter().map(event).collect()
}

/// Halves of surrogate pairs, which this JSON library does not take, as other characters.
fn placeholder(text: &str) -> String {
    text.replace("\\ud83d", "\u{e000}")
        .replace("\\ude00", "\u{e001}")
}

fn event(value: &Value) -> Event {
    let text = value
        .to_string()
        .replace('\u{e000}', "\\ud83d")
        .replace('\u{e001}', "\\ude00");
    Event::from_json(&text).unwrap_or_else(|rejection| panic!("{text}: {rejection}"))
}

fn chunk(prefix: &str, mut value: Value, open: &mut Vec<Open>, out: &mut Vec<Value>) {
    let name = id_member(prefix);
    let owner = value["subagentRunId"].as_str().map(str::to_owned);
    let id = value[name].as_str().map(str::to_owned);
    let named = |item: &Open| item.prefix == prefix && id.as_ref().is_none_or(|id| *id == item.id);
    let in_lane = open
        .iter()
        .position(|item| named(item) && item.owner == owner);
    let place = in_lane.or_else(|| open.iter().position(|item| named(item) && owner.is_none()));
    let (owner, id, opens) = match place {
        Some(place) => (open[place].owner.clone(), open[place].id.clone(), false),
        None => (owner, id.unwrap_or_default(), true),
    };
    let members = value
        .as_object_mut()
        .map(std::mem::take)
        .unwrap_or_default();
    let mut delta = json!({"type": delta_type(prefix), name: id, "delta": ""});
    let mut start = json!({"type": format!("{prefix}_START"), name: id});
    if prefix == "REASONING_MESSAGE" {
        start["role"] = json!("reasoning");
    }
    let mut carries = members.contains_key("delta") || members.contains_key("rawEvent");
    carries |= !opens && members.contains_key("metadata");
    for (member, value) in members {
        match member.as_str() {
            "type" | "timestamp" | "subagentRunId" | "messageId" | "toolCallId" => {}
            "role" | "name" | "toolCallName" | "parentMessageId" => start[member] = value,
            _ if carries => delta[member] = value,
            _ => start[member] = value,
        }
    }
    if opens {
        close(open, out, |item| item.owner == owner);
        out.push(owned(start, owner.as_ref()));
        open.push(Open {
            prefix: prefix.to_owned(),
            id,
            owner: owner.clone(),
        });
    }
    if carries {
        out.push(owned(delta, owner.as_ref()));
    }
}

fn close(open: &mut Vec<Open>, out: &mut Vec<Value>, closes: impl Fn(&Open) -> bool) {
    let (ended, left): (Vec<Open>, Vec<Open>) = std::mem::take(open)
        .into_iter()
        .partition(|item| closes(item));
    *open = left;
    for item in ended {
        let end = json!({"type": format!("{}_END", item.prefix), id_member(&item.prefix): item.id});
        out.push(owned(end, item.owner.as_ref()));
    }
}

fn closes(event: &Value, item: &Open) -> bool {
    match event["type"].as_str().unwrap_or_default() {
        "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" | "MESSAGES_SNAPSHOT" => true,
        "RAW"
        | "ACTIVITY_SNAPSHOT"
        | "ACTIVITY_DELTA"
        | "REASONING_ENCRYPTED_VALUE"
        | "SUBAGENT_STARTED"
        | "FUTURE_EVENT" => false,
        _ => event["subagentRunId"].as_str() == item.owner.as_deref(),
    }
}

fn owned(mut event: Value, owner: Option<&String>) -> Value {
    if let Some(owner) = owner {
        event["subagentRunId"] = json!(owner);
    }
    event
}

fn id_member(prefix: &str) -> &'static str {
    if prefix == "TOOL_CALL" {
        "toolCallId"
    } else {
        "messageId"
    }
}

fn delta_type(prefix: &str) -> String {
    let suffix = if prefix == "TOOL_CALL" {
        "ARGS"
    } else {
        "CONTENT"
    };
    format!("{prefix}_{suffix}")
}
