//! Documents, and the answers of an adapter.

use std::io::{self, BufRead, Write};

use chatstate::channel_key;
use chatstate_protocol::PROTOCOL_VERSION;
use serde_json::{Map, Value, json};

use super::rows::HostileInput;

fn agent(index: usize) -> Value {
    let name = format!("agent{index}");
    json!({"id": name, "type": "ChatCompletionAgent", "channelkeys": [name], "channel": "history"})
}

fn agents(count: usize) -> Vec<Value> {
    (0..count).map(agent).collect()
}

/// A saved chat and what it is restored into.
fn restore(state: &Value, target: &Value) -> HostileInput {
    HostileInput::Documents(vec![state.to_string(), target.to_string()])
}

/// Agents that each join a history of as many messages.
pub fn joining_agents(count: usize) -> HostileInput {
    let message = json!({"role": "user", "items": [{"type": "text", "text": "Book it."}]});
    let history = vec![message; count];
    let state = json!({"history": history, "participants": [], "channels": []});
    let first = json!({"agents": [agent(count)]});
    restore(&state, &json!({"target": first, "join": agents(count)}))
}

/// As many channels as agents that claim them.
pub fn channels(count: usize) -> HostileInput {
    let channel = |index: usize| {
        let key = channel_key(&[format!("agent{index}")]);
        json!({"channelkey": key, "channelstate": []})
    };
    let channels: Vec<_> = (0..count).map(channel).collect();
    let state = json!({"history": [], "participants": [], "channels": channels});
    restore(&state, &json!({"target": {"agents": agents(count)}}))
}

fn members(count: usize, value: &str) -> Value {
    let members = (0..count).map(|index| (format!("k{index}"), json!(format!("{value}{index}"))));
    Value::Object(members.collect())
}

/// Two objects of the same names with other values.
pub fn other_values(count: usize) -> HostileInput {
    HostileInput::Documents(
        ["a", "b"]
            .map(|value| members(count, value).to_string())
            .into(),
    )
}

/// Two objects whose members have other names, each other than by its case.
pub fn other_names(count: usize) -> HostileInput {
    let named = |name: &str| {
        let members = (0..count).map(|index| (format!("{name}{index}"), json!(index)));
        Value::Object(members.collect()).to_string()
    };
    HostileInput::Documents(vec![named("a"), named("b")])
}

/// Differences below a name that is as long as all of them together.
pub fn below_long_names(count: usize) -> HostileInput {
    let name = "long".repeat(count * 25);
    let document =
        |value| Value::Object(Map::from_iter([(name.clone(), members(count, value))])).to_string();
    HostileInput::Documents(["a", "b"].map(document).into())
}

/// An array of small objects.
pub fn small_objects(count: usize) -> HostileInput {
    HostileInput::Documents(vec![format!("[{}]", vec![r#"{"a":1}"#; count].join(","))])
}

/// Nothing: an adapter makes what is read.
pub fn nothing(_: usize) -> HostileInput {
    HostileInput::Documents(Vec::new())
}

/// Answers each request with so many small values, as an adapter.
pub fn flood(requests: impl BufRead, mut answers: impl Write, values: usize) -> io::Result<()> {
    let flood = format!("[{}]", vec!["0"; values].join(","));
    for line in requests.lines() {
        let request: Value = serde_json::from_str(&line?)?;
        match request["cmd"].as_str() {
            Some("start") => {
                let implementation = json!({"name": "flood", "version": "1", "language": "rust"});
                let start = json!({
                    "protocol": PROTOCOL_VERSION, "implementation": implementation, "capabilities": [],
                });
                writeln!(answers, "{start}")?;
            }
            Some("run") => writeln!(answers, r#"{{"seq":{},"ok":{flood}}}"#, request["seq"])?,
            _ => break,
        }
        answers.flush()?;
    }
    Ok(())
}
