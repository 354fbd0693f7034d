//! Extensions of the canonical schema that somebody can have: each is read.

use chatstate_schema_model::{EventRole, ReadOptions, SchemaText, read_with};
use serde_json::{Value, json};

const EVENTS: &str = include_str!("../../../schema/v1/event.schema.json");

/// An event of an extension: its definition, the definition that it is a copy of, and its role.
type NewEvent = (&'static str, &'static str, Value);

/// An event about the item `new`.
fn event(
    definition: &'static str,
    of: &'static str,
    does: &str,
    id: &str,
    more: &Value,
) -> NewEvent {
    let role = json!({"does": does, "item": "new", "id": id});
    (definition, of, with(role, more))
}

/// The object with these members more.
fn with(mut object: Value, more: &Value) -> Value {
    let more = more.as_object().expect("an object").clone();
    object.as_object_mut().expect("an object").extend(more);
    object
}

/// The canonical schema with the item `new` and events about it.
fn extended(item: &Value, events: &[NewEvent]) -> Value {
    let mut schema: Value = serde_json::from_str(EVENTS).expect("JSON");
    schema["x-items"]["new"] = item.clone();
    for (definition, of, role) in events {
        let mut event = schema["$defs"][of].clone();
        event["properties"]["type"]["const"] = json!(definition.to_uppercase());
        event["x-event"] = role.clone();
        schema["$defs"][definition] = event;
        let arms = schema["$defs"]["Event"]["oneOf"].as_array_mut();
        let arms = arms.expect("a list");
        let reference = json!({"$ref": format!("#/$defs/{definition}")});
        arms.insert(arms.len() - 1, reference);
        let known = &mut schema["$defs"]["UnknownEvent"]["properties"]["type"]["not"]["enum"];
        let known = known.as_array_mut().expect("a list");
        known.push(json!(definition.to_uppercase()));
    }
    schema
}

/// The schema is read, and the events are about the item.
fn check(what: &str, item: &Value, events: &[NewEvent]) {
    let text = extended(item, events).to_string();
    let file = SchemaText {
        name: "event.schema.json",
        text: &text,
    };
    let read = read_with(&[file], &ReadOptions::default());
    let ir = read.unwrap_or_else(|error| panic!("{what}: {error}")).ir;
    let roles = ir.roles.expect("roles");
    let about = |event: &&EventRole| event.item() == Some("new");
    assert_eq!(
        roles.events.iter().filter(about).count(),
        events.len(),
        "{what}"
    );
}

#[test]
fn an_extension_that_somebody_can_have_is_read() {
    let begin = |opens: Value| {
        let role = json!({"owner": "subagentRunId", "closes": "lane", "opens": opens});
        event(
            "NewStart",
            "TextMessageStartEvent",
            "begin",
            "messageId",
            &role,
        )
    };
    let append = || {
        let role = json!({"owner": "subagentRunId", "closes": "lane", "text": "delta"});
        event(
            "NewContent",
            "TextMessageContentEvent",
            "append",
            "messageId",
            &role,
        )
    };
    let end = || {
        let role = json!({"owner": "subagentRunId", "closes": "lane"});
        event("NewEnd", "TextMessageEndEvent", "end", "messageId", &role)
    };
    for (what, facts, events) in [
        (
            "members that describe an item without text",
            json!({"key": "id"}),
            vec![begin(json!(["role"])), end()],
        ),
        (
            "an item that each owner names for itself",
            json!({"key": "id-and-owner"}),
            vec![begin(json!([])), end()],
        ),
        (
            "a message of another kind",
            json!({"key": "id", "changes": "messages", "owners": "message"}),
            vec![begin(json!(["role"])), append(), end()],
        ),
        (
            "text in a part of a message",
            json!({"key": "id", "changes": "messages", "owners": "remark"}),
            vec![
                event(
                    "NewStart",
                    "ToolCallStartEvent",
                    "begin",
                    "toolCallId",
                    &json!({"owner": "subagentRunId", "parent": "parentMessageId", "closes": "lane", "opens": ["parentMessageId"]}),
                ),
                event(
                    "NewContent",
                    "ToolCallArgsEvent",
                    "append",
                    "toolCallId",
                    &json!({"owner": "subagentRunId", "closes": "lane", "text": "delta"}),
                ),
                event(
                    "NewEnd",
                    "ToolCallEndEvent",
                    "end",
                    "toolCallId",
                    &json!({"owner": "subagentRunId", "closes": "lane"}),
                ),
            ],
        ),
        (
            "one of several states, named by one of a few words",
            json!({"changes": "state"}),
            vec![event(
                "NewValue",
                "ReasoningEncryptedValueEvent",
                "replace",
                "subtype",
                &json!({"owner": "subagentRunId"}),
            )],
        ),
        (
            "ids of messages in an event without a lane",
            json!({"changes": "messages", "owners": "message"}),
            vec![event(
                "NewValue",
                "RunStartedEvent",
                "add",
                "runId",
                &json!({"closes": "all"}),
            )],
        ),
    ] {
        check(
            what,
            &with(json!({"description": "Something new."}), &facts),
            &events,
        );
    }
}
