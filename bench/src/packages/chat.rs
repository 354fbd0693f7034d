//! A saved chat to measure with: users who ask, agents that call tools and answer.

use std::path::Path;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::stream::words::{chance, id, one_of, words};

/// The names of the agents that take part.
const AGENTS: [&str; 3] = ["Planner", "Researcher", "Writer"];

/// Writes a chat of about so many bytes; equal seeds give equal chats.
pub fn write(path: &Path, bytes: usize, seed: u64) -> Result<(), String> {
    std::fs::write(path, chat(bytes, seed).to_string())
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn chat(bytes: usize, seed: u64) -> Value {
    let mut random = Rng::with_seed(seed);
    let mut history = Vec::new();
    let mut written = 0;
    while written < bytes {
        for message in turn(&mut random) {
            written += message.to_string().len() + 1;
            history.push(message);
        }
    }
    let participants = AGENTS.map(
        |name| json!({"id": id(&mut random, "agent"), "name": name, "type": "ChatCompletionAgent"}),
    );
    json!({
        "schemaVersion": "1", "history": history, "participants": participants,
        "channels": [{"channelkey": id(&mut random, "key"), "channeltype": "HistoryChannel", "channelstate": []}],
    })
}

/// A question and its answer, most often with a tool that was called in between.
fn turn(random: &mut Rng) -> Vec<Value> {
    let question = words(random, 10, 200);
    let asked = text(&question);
    let mut messages = vec![json!({"role": "user", "id": id(random, "msg"), "items": [asked]})];
    if chance(random, 0.6) {
        messages.extend(call(random));
    }
    let answer = words(random, 100, 1500);
    let name = one_of(random, &AGENTS);
    messages.push(json!({
        "role": "assistant", "name": name, "id": id(random, "msg"), "items": [text(&answer)],
        "model": "model-1", "created_at": "2026-05-04T10:20:30Z", "finish_reason": "stop",
        "metadata": {"usage": {"inputTokens": random.u32(..9999), "outputTokens": random.u32(..999)}},
    }));
    messages
}

fn call(random: &mut Rng) -> [Value; 2] {
    let call = id(random, "call");
    let arguments = json!({"query": words(random, 5, 60), "limit": random.u32(1..=50)});
    let results: Vec<_> = (0..random.usize(1..=5))
        .map(|_| json!({"title": words(random, 5, 40), "score": f64::from(random.u32(..1000)) / 1000.0}))
        .collect();
    let called = json!({"type": "call", "id": call, "plugin": "web", "function": "search", "arguments": arguments});
    let result = json!({"type": "result", "id": call, "plugin": "web", "function": "search", "result": results});
    let name = one_of(random, &AGENTS);
    [
        json!({"role": "assistant", "name": name, "id": id(random, "msg"), "items": [called]}),
        json!({"role": "tool", "id": id(random, "msg"), "items": [result]}),
    ]
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[cfg(test)]
mod tests {
    use chatstate::generated::ChatState;

    use super::chat;

    #[test]
    fn a_chat_is_valid_and_of_its_size() {
        let text = chat(50_000, 1).to_string();
        assert_eq!(text, chat(50_000, 1).to_string());
        assert!((50_000..55_000).contains(&text.len()), "{}", text.len());
        let read = ChatState::from_json(&text).expect("it is a chat");
        assert!(read.history.len() > 50);
    }
}
