//! Logs of one run with many items.

use serde_json::{Map, json};

use super::log::{HostileLog, calling, user};
use super::rows::HostileInput;

fn of_one_run(events: impl FnOnce(&mut HostileLog)) -> HostileInput {
    HostileInput::Log(HostileLog::of_one_run(events))
}

/// Names of messages.
fn names(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|index| format!("m{index}"))
}

/// A snapshot of messages with the same tool call, then as many results of it.
pub fn results_of_one_call(count: usize) -> HostileInput {
    let messages: Vec<_> = names(count).map(|name| calling(&name, "call")).collect();
    of_one_run(|log| {
        log.messages(&messages);
        for index in 0..count {
            let result = format!("result{index}");
            log.push(&json!({
                "type": "TOOL_CALL_RESULT", "messageId": result, "toolCallId": "call", "content": "found",
            }));
        }
    })
}

/// Text messages that are all open at once, with a delta each in turn.
pub fn open_texts(count: usize) -> HostileInput {
    of_one_run(|log| {
        names(count).for_each(|name| log.begin_text(&name));
        names(count).for_each(|name| log.text_delta(&name));
        names(count).for_each(|name| log.end_text(&name));
    })
}

/// Text messages that are all open with half a character at their ends, and then get the other half.
pub fn half_characters(count: usize) -> HostileInput {
    of_one_run(|log| {
        for name in names(count) {
            log.begin_text(&name);
            log.spelled_text_delta(&name, r#""\ud83d""#);
        }
        for name in names(count) {
            log.spelled_text_delta(&name, r#""\ude00""#);
            log.end_text(&name);
        }
    })
}

/// Text messages that are all begun, and then all ended.
pub fn opened_then_closed(count: usize) -> HostileInput {
    of_one_run(|log| {
        names(count).for_each(|name| log.begin_text(&name));
        names(count).for_each(|name| log.end_text(&name));
    })
}

/// Text messages that stay open, with a snapshot of the messages after each.
pub fn open_texts_with_barriers(count: usize) -> HostileInput {
    of_one_run(|log| {
        for name in names(count) {
            log.begin_text(&name);
            log.text_delta(&name);
            log.messages(&[user("u")]);
        }
        names(count).for_each(|name| log.end_text(&name));
    })
}

/// Tool calls that are all open at once.
pub fn open_calls(count: usize) -> HostileInput {
    of_one_run(|log| {
        names(count).for_each(|name| log.begin_call(&name));
        names(count).for_each(|name| log.end_call(&name));
    })
}

/// Subagents that send chunks in turn.
pub fn chunk_lanes(count: usize) -> HostileInput {
    of_one_run(|log| {
        for _ in 0..2 {
            for name in names(count) {
                let subagent = format!("of-{name}");
                log.push(&json!({
                    "type": "TEXT_MESSAGE_CHUNK", "messageId": name, "delta": "a word ", "subagentRunId": subagent,
                }));
            }
        }
    })
}

/// Activities, then as many small snapshots of the messages.
pub fn activities_then_snapshots(count: usize) -> HostileInput {
    of_one_run(|log| {
        for name in names(count) {
            log.push(&json!({
                "type": "ACTIVITY_SNAPSHOT", "messageId": name, "activityType": "PLAN", "content": {"step": 1},
            }));
        }
        for _ in 0..count {
            log.messages(&[user("u")]);
        }
    })
}

/// One message whose deltas each carry metadata under a new key, and that then is begun again and
/// again with yet another key.
pub fn metadata_keys(count: usize) -> HostileInput {
    of_one_run(|log| {
        log.begin_text("m");
        for index in 0..count {
            let metadata = Map::from_iter([(format!("delta{index}"), json!(index))]);
            log.push(&json!({
                "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a", "metadata": metadata,
            }));
        }
        log.end_text("m");
        for index in 0..count {
            let metadata = Map::from_iter([(format!("start{index}"), json!(index))]);
            log.push(&json!({
                "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", "metadata": metadata,
            }));
            log.end_text("m");
        }
    })
}
