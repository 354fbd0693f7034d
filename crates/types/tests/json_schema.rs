//! The generated types as parts of JSON Schemas of other types (feature `schemars`).

use chatstate_types::generated::{AgentSession, ChatState, Event, EventStream, Message};
use jsonschema::Validator;
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

/// What a foreign program saves.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is of interest")]
struct Saved {
    owner: String,
    chat: ChatState,
    last: Option<Event>,
    log: EventStream,
    session: Option<AgentSession>,
    messages: Vec<Message>,
}

fn validator() -> Validator {
    let schema = schema_for!(Saved).to_value();
    jsonschema::draft202012::new(&schema).unwrap_or_else(|error| panic!("{error}\n{schema:#}"))
}

fn saved() -> Value {
    json!({
        "owner": "me",
        "chat": {"history": [{"role": "user", "items": [{"type": "text", "text": "hello"}]}], "channels": []},
        "log": [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}],
        "messages": [{"id": "m", "role": "user", "content": "hello"}],
    })
}

/// The saved chat with another value at a place.
fn changed(place: &str, value: &Value) -> Value {
    let mut changed = saved();
    *changed.pointer_mut(place).expect(place) = value.clone();
    changed
}

#[test]
fn a_schema_that_holds_the_types_accepts_their_documents() {
    let validator = validator();
    assert!(validator.is_valid(&saved()));
    for (place, value) in [
        ("/chat/history/0/role", json!("a role of tomorrow")),
        ("/log/0/type", json!("AN_EVENT_OF_TOMORROW")),
        ("/chat/history/0/items/0/text", json!("")),
    ] {
        let changed = changed(place, &value);
        assert!(validator.is_valid(&changed), "{changed}");
    }
}

#[test]
fn a_schema_that_holds_the_types_rejects_what_they_reject() {
    let validator = validator();
    for (place, value) in [
        ("/chat/history", json!(null)),
        ("/chat/history/0/items/0/text", json!(1)),
        ("/log/0/runId", json!(1)),
        ("/log/0", json!({})),
        ("/messages/0/content", json!(true)),
    ] {
        let changed = changed(place, &value);
        assert!(!validator.is_valid(&changed), "{changed}");
    }
}

#[test]
fn every_reference_leads_to_a_definition_of_the_schema() {
    let schema = schema_for!(Saved).to_value();
    let text = schema.to_string();
    let references = text.split("\"$ref\":\"#").skip(1);
    let references: Vec<&str> = references
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(references.len() > 50, "{references:?}");
    for reference in references {
        assert!(schema.pointer(reference).is_some(), "{reference}");
    }
}
