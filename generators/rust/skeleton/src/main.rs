//! Lets chatstate test an SDK.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// Who is tested.
const NAME: &str = "my-sdk";

/// What the SDK promises. A case that needs something else is skipped.
const CAPABILITIES: [&str; 5] = [
    "round-trip",
    "chat",
    "sessions",
    "events",
    "unknown-members",
];

/// Reads a document and writes it again. Put here the calls with which your users load and save
/// a document of the type `document_type`, such as `ChatState` or `Event`.
fn read_and_write(document_type: &str, text: &str) -> Result<String, Value> {
    let _ = document_type;
    let document: Value = serde_json::from_str(text).map_err(|error| rejected("syntax", &error))?;
    Ok(document.to_string())
}

/// A rejection. Its class is `syntax` for what is not JSON, `schema` for a value that breaks the
/// schema; add `"at"`, a JSON Pointer, if the SDK says where.
fn rejected(class: &str, error: &dyn std::error::Error) -> Value {
    json!({"rejected": {"class": class, "message": error.to_string()}})
}

/// Answers the handshake.
fn start(request: &Value) -> Value {
    if request["protocol"] != 1 {
        return json!({"protocol": 0, "error": "this adapter supports protocol 1"});
    }
    let implementation = json!({"name": NAME, "version": "0.1.0", "language": "rust"});
    json!({"protocol": 1, "implementation": implementation, "capabilities": CAPABILITIES})
}

/// Answers one request: what the SDK makes of one document.
fn run(request: &Value) -> Value {
    let document_type = request["type"].as_str().unwrap_or_default();
    let mut answer = match (request["op"].as_str(), request["input"].as_str()) {
        (Some("round-trip"), Some(text)) => match read_and_write(document_type, text) {
            Ok(text) => json!({"ok": text}),
            Err(rejection) => rejection,
        },
        // Documents that are not UTF-8 arrive as `inputBase64`; no text type of Rust can hold one.
        (Some("round-trip"), None) => {
            json!({"rejected": {"class": "syntax", "message": "the document is not UTF-8"}})
        }
        _ => json!({"unsupported": "only `round-trip` is there"}),
    };
    answer["seq"] = request["seq"].clone();
    answer
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answer = match request["cmd"].as_str() {
            Some("stop") => break,
            Some("start") => start(&request),
            _ => run(&request),
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}
