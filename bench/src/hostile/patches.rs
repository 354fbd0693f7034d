//! Logs of patches that cost more than they say.

use serde_json::{Map, Value, json};

use super::log::HostileLog;
use super::rows::HostileInput;

/// How often an activity doubles its content.
const DOUBLINGS: usize = 19;

/// A finished run that sets the state and changes it.
fn changes(snapshot: &Value, patches: impl Iterator<Item = Value>) -> HostileInput {
    HostileInput::Log(HostileLog::of_one_run(|log| {
        log.push(&json!({"type": "STATE_SNAPSHOT", "snapshot": snapshot}));
        patches.for_each(|patch| log.state_delta(&patch));
    }))
}

/// Patches that copy the whole state, and then fail or write over the copy.
pub fn copies_in_vain(count: usize) -> HostileInput {
    let items: Vec<_> = (0..count)
        .map(|index| json!({"id": index, "done": false}))
        .collect();
    let copy = json!({"op": "copy", "from": "/items", "path": "/copy"});
    let patches = (0..count).map(|index| {
        let then = if index.is_multiple_of(2) {
            json!({"op": "test", "path": "/none", "value": 1})
        } else {
            json!({"op": "replace", "path": "/copy", "value": 0})
        };
        json!([copy, then])
    });
    changes(&json!({"items": items}), patches)
}

/// Patches that each move a member of an object to its front.
pub fn moves_to_the_front(count: usize) -> HostileInput {
    let mut snapshot = Map::from_iter([("front".to_owned(), json!(0))]);
    snapshot.extend((0..count).map(|index| (format!("k{index}"), json!(index))));
    let patches = (0..count)
        .map(|index| json!([{"op": "move", "from": format!("/k{index}"), "path": "/front"}]));
    changes(&Value::Object(snapshot), patches)
}

/// Copies of a document into itself, each of which doubles it.
fn doublings(count: usize) -> Value {
    (0..count)
        .map(|index| json!({"op": "copy", "from": "", "path": format!("/k{index}")}))
        .collect()
}

/// One patch whose copies each double the state.
pub fn doubling_copies(count: usize) -> HostileInput {
    changes(&json!({"text": "a"}), std::iter::once(doublings(count)))
}

/// Activities that each double their content as often as the limit for one document lets them.
pub fn activities_that_double(count: usize) -> HostileInput {
    let patch = doublings(DOUBLINGS);
    HostileInput::Log(HostileLog::of_one_run(|log| {
        for index in 0..count {
            let name = format!("m{index}");
            log.push(&json!({
                "type": "ACTIVITY_SNAPSHOT", "messageId": name, "activityType": "PLAN", "content": {"text": "a"},
            }));
            log.push(&json!({
                "type": "ACTIVITY_DELTA", "messageId": name, "activityType": "PLAN", "patch": patch,
            }));
        }
    }))
}
