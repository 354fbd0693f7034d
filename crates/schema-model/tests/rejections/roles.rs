//! Roles of events: each row breaks the roles of the canonical schema in one way.

use serde_json::{Value, json};

const EVENTS: &str = include_str!("../../../../schema/v1/event.schema.json");

/// The canonical schema with `value` at a place, or without the place, is rejected at `at`.
pub(crate) fn check(place: &str, value: Value, at: &str, message: &str, help: &str) {
    let mut schema: Value = serde_json::from_str(EVENTS).expect("JSON");
    let (parent, name) = place.rsplit_once('/').expect("a pointer");
    let parent = schema.pointer_mut(parent).expect("the place is there");
    let parent = parent.as_object_mut().expect("an object");
    match value {
        Value::Null => parent.shift_remove(name),
        value => parent.insert(name.to_owned(), value),
    };
    crate::check(&schema, at, message, help);
}

fn role(definition: &str, part: &str) -> String {
    format!("/$defs/{definition}/x-event{part}")
}

/// A role that is rejected where it was broken.
fn check_role(definition: &str, part: &str, value: Value, message: &str, help: &str) {
    let place = role(definition, part);
    check(&place, value, &place, message, help);
}

/// A role that lacks a part is rejected as a whole.
fn check_missing(definition: &str, part: &str, message: &str, help: &str) {
    let place = role(definition, part);
    check(&place, Value::Null, &role(definition, ""), message, help);
}

#[test]
fn every_event_has_a_role() {
    let message = "the event `CustomEvent` has no role";
    let place = role("CustomEvent", "");
    check(
        &place,
        Value::Null,
        "/$defs/CustomEvent",
        message,
        "may be `none`",
    );
    check_missing("CustomEvent", "/does", "`does` is missing", "add `does`");
    let stray = json!({"does": "none"});
    let message = "`UnknownEvent` has a role, but it is no arm of `Event`";
    check_role("UnknownEvent", "", stray, message, "remove it");
    let message = "a role without items";
    check(
        "/x-items",
        Value::Null,
        &role("RunStartedEvent", ""),
        message,
        "`x-items`",
    );
}

#[test]
fn words_are_known() {
    for (definition, part, value, message, help) in [
        (
            "RawEvent",
            "/does",
            json!("nothing"),
            "`nothing` is no word for `does`",
            "`begin`",
        ),
        (
            "RawEvent",
            "/closes",
            json!("some"),
            "`some` is no word for `closes`",
            "`lane`, `all`",
        ),
        (
            "RawEvent",
            "/lane",
            json!("all"),
            "`lane` means nothing here",
            "`closes`",
        ),
        (
            "RawEvent",
            "/does",
            json!(1),
            "expected a string",
            "write a string",
        ),
    ] {
        check_role(definition, part, value, message, help);
    }
    let key = "/x-items/text/key";
    check(
        key,
        json!("name"),
        key,
        "`name` is no word for `key`",
        "`id-and-owner`",
    );
    let item = "/x-items/text/colour";
    check(
        item,
        json!("red"),
        item,
        "`colour` means nothing here",
        "`owners`",
    );
}

#[test]
fn named_members_are_there_and_hold_what_is_needed() {
    for (definition, part, value, message, help) in [
        (
            "TextMessageEndEvent",
            "/id",
            json!("textId"),
            "has no member `textId`",
            "`messageId`",
        ),
        (
            "TextMessageEndEvent",
            "/owner",
            json!("by"),
            "has no member `by`",
            "`subagentRunId`",
        ),
        (
            "StateSnapshotEvent",
            "/owner",
            json!("snapshot"),
            "does not hold a text",
            "a text",
        ),
        (
            "TextMessageContentEvent",
            "/text",
            json!("messageId"),
            "text that may be cut",
            "cut",
        ),
        (
            "StateDeltaEvent",
            "/patch",
            json!("subagentRunId"),
            "a list of operations",
            "a list",
        ),
    ] {
        check_role(definition, part, value, message, help);
    }
    let opens = json!(["role", "title"]);
    let at = role("TextMessageStartEvent", "/opens/1");
    let place = role("TextMessageStartEvent", "/opens");
    check(&place, opens, &at, "has no member `title`", "name one of");
    let place = role("TextMessageStartEvent", "/id");
    check(
        &place,
        json!("name"),
        &place,
        "may lack its id `name`",
        "required",
    );
}

#[test]
fn an_event_is_in_the_lane_that_it_names() {
    for definition in ["TextMessageEndEvent", "StateDeltaEvent", "RawEvent"] {
        let message = "which is neither its `id` nor its `owner`";
        check_missing(definition, "/owner", message, "as the `owner`");
    }
}

#[test]
fn what_is_in_a_lane_closes_nothing_in_others() {
    for definition in ["TextMessageEndEvent", "StateDeltaEvent", "RawEvent"] {
        let (message, help) = ("closes nothing in others", "write `lane`");
        check_role(definition, "/closes", json!("all"), message, help);
    }
}

#[test]
fn what_begins_a_lane_closes_nothing() {
    let (message, help) = ("finds nothing open in it", "leave `closes` out");
    let closes = json!("lane");
    check_role("SubagentStartedEvent", "/closes", closes, message, help);
}

#[test]
fn a_parent_describes_what_is_begun() {
    let (message, help) = ("does not describe the item", "list it under `opens` too");
    let parent = json!("parentSubagentRunId");
    check_role("SubagentStartedEvent", "/parent", parent, message, help);
}

#[test]
fn runs_begin_and_end_with_nothing_open() {
    for definition in ["RunStartedEvent", "RunFinishedEvent", "RunErrorEvent"] {
        let message = "has no `closes`";
        check_role(definition, "/closes", json!("lane"), message, "remove it");
    }
}

#[test]
fn only_what_begins_is_part_of_something() {
    for (definition, parent) in [
        ("RunFinishedEvent", "runId"),
        ("ToolCallResultEvent", "toolCallId"),
        ("ToolCallEndEvent", "toolCallId"),
    ] {
        let message = "has no `parent`";
        check_role(definition, "/parent", json!(parent), message, "remove it");
    }
}

#[test]
fn what_is_patched_is_replaced_too() {
    let owner = "subagentRunId";
    let add = json!({"does": "add", "item": "activity", "id": "messageId", "owner": owner});
    let (place, at) = (
        role("ActivitySnapshotEvent", ""),
        role("ActivityDeltaEvent", ""),
    );
    let message = "no event does `replace` with `activity`";
    check(&place, add, &at, message, "this item");
    let nothing = json!({"does": "none", "owner": owner});
    let (place, at) = (role("StateSnapshotEvent", ""), role("StateDeltaEvent", ""));
    let message = "no event does `replace` with `state`";
    check(&place, nothing, &at, message, "this item");
}

#[test]
fn an_event_with_a_patch_does_it() {
    for (definition, name) in [
        ("StateDeltaEvent", "delta"),
        ("ActivityDeltaEvent", "patch"),
    ] {
        let nothing = json!({"does": "none", "owner": "subagentRunId"});
        let message = format!("`{name}` is a patch, which the event does not do");
        check_role(definition, "", nothing, &message, "write `patch`");
    }
}

#[test]
fn some_event_is_about_every_item() {
    let idle = json!({"description": "What nothing does."});
    let (message, help) = ("no event is about `idle`", "as the `item`");
    check("/x-items/idle", idle, "/x-items/idle", message, help);
}

/// What an event writes to follows from what it does; the schema does not say it again.
#[test]
fn what_is_written_is_not_said() {
    let (message, help) = ("`writes` means nothing here", "remove it");
    check_role("RawEvent", "/writes", json!("all"), message, help);
}

#[test]
fn a_role_has_the_parts_that_its_word_asks_for() {
    for (definition, part, message) in [
        ("TextMessageContentEvent", "/text", "`append` needs `text`"),
        ("StateDeltaEvent", "/patch", "`patch` needs `patch`"),
        ("StateDeltaEvent", "/item", "`patch` needs `item`"),
        ("ToolCallResultEvent", "/id", "`add` needs `id`"),
        ("RunStartedEvent", "/parent", "`start-run` needs `parent`"),
    ] {
        check_missing(definition, part, message, "add `");
    }
    for (definition, part, value, message) in [
        (
            "TextMessageContentEvent",
            "/opens",
            json!(["messageId"]),
            "`append` has no `opens`",
        ),
        (
            "ToolCallChunkEvent",
            "/closes",
            json!("lane"),
            "`chunk` has no `closes`",
        ),
        ("RawEvent", "/item", json!("state"), "`none` has no `item`"),
        ("CustomEvent", "/id", json!("name"), "`none` has no `id`"),
    ] {
        check_role(definition, part, value, message, "remove it");
    }
    let message = "has no `subagentRunId`";
    check_role(
        "MessagesSnapshotEvent",
        "/closes",
        json!("lane"),
        message,
        "write `all`",
    );
}

#[test]
fn items_are_listed_and_fit_what_is_done_with_them() {
    for (definition, value, message, help) in [
        (
            "TextMessageEndEvent",
            "texts",
            "there is no item `texts`",
            "`text`",
        ),
        (
            "TextMessageEndEvent",
            "state",
            "`end` is not about `state`",
            "with a `key`",
        ),
        (
            "StateSnapshotEvent",
            "text",
            "`replace` is not about `text`",
            "with a `key`",
        ),
        (
            "StateSnapshotEvent",
            "run",
            "`replace` is not about `run`",
            "`changes`",
        ),
    ] {
        check_role(definition, "/item", json!(value), message, help);
    }
}

#[test]
fn the_events_of_an_item_fit_each_other() {
    let whole = |definition: &str| role(definition, "");
    let item = |definition: &str| role(definition, "/item");
    for (place, value, at, message) in [
        (
            item("ReasoningEndEvent"),
            json!("reasoning"),
            whole("ReasoningStartEvent"),
            "no event does `end` with `reasoning-span`",
        ),
        (
            item("StepStartedEvent"),
            json!("subagent"),
            whole("StepFinishedEvent"),
            "no event does `begin` with `step`",
        ),
        (
            item("ReasoningMessageContentEvent"),
            json!("text"),
            whole("ReasoningMessageContentEvent"),
            "`TEXT_MESSAGE_CONTENT` does `append` with `text` too",
        ),
        (
            role("ToolCallChunkEvent", "/opens"),
            json!(["parentMessageId"]),
            role("ToolCallChunkEvent", "/opens"),
            "`opens` is not that of `TOOL_CALL_START`",
        ),
    ] {
        let help = "";
        check(&place, value, &at, message, help);
    }
}

#[test]
fn the_events_of_an_item_name_it_by_the_same_members() {
    let whole = |definition: &str| role(definition, "");
    let id = |definition: &str| role(definition, "/id");
    let item = |definition: &str| role(definition, "/item");
    for (place, value, at, message, help) in [
        (
            item("SubagentErrorEvent"),
            json!("step"),
            id("SubagentErrorEvent"),
            "the `id` is not that of `STEP_STARTED`",
            "in both",
        ),
        (
            id("ActivityDeltaEvent"),
            Value::Null,
            whole("ActivityDeltaEvent"),
            "the `id` is not that of `ACTIVITY_SNAPSHOT`",
            "in both",
        ),
        (
            id("ActivitySnapshotEvent"),
            Value::Null,
            id("ActivityDeltaEvent"),
            "the `id` is not that of `ACTIVITY_SNAPSHOT`",
            "in both",
        ),
        (
            item("StateDeltaEvent"),
            json!("messages"),
            role("StateDeltaEvent", "/owner"),
            "the `owner` is not that of `MESSAGES_SNAPSHOT`",
            "in both",
        ),
        (
            id("RunFinishedEvent"),
            Value::Null,
            whole("RunFinishedEvent"),
            "the event has a `runId`, which is not its `id`",
            "as the `id`",
        ),
        (
            role("ToolCallResultEvent", "/does"),
            json!("replace"),
            role("ToolCallResultEvent", "/does"),
            "`message` has no ids of its own: `text` shares them",
            "write `add`",
        ),
    ] {
        check(&place, value, &at, message, help);
    }
}

#[test]
fn annotations_of_other_schemas_mean_nothing() {
    let mut schema: Value = serde_json::from_str(EVENTS).expect("JSON");
    let members = schema.as_object_mut().expect("an object");
    members.shift_remove("x-items");
    schema["$defs"]["RawEvent"]["x-event"] = json!("mine");
    let text = schema.to_string();
    let file = chatstate_schema_model::SchemaText {
        name: "event.schema.json",
        text: &text,
    };
    let reading =
        chatstate_schema_model::read_with(&[file], &chatstate_schema_model::ReadOptions::default());
    assert_eq!(reading.expect("a model").ir.roles, None);
}

#[test]
fn an_owner_is_that_of_a_lane() {
    for (definition, part, value, message, help) in [
        (
            "RunFinishedEvent",
            "/owner",
            json!("threadId"),
            "the event has no owner, since it has no `subagentRunId`",
            "remove it",
        ),
        (
            "SubagentErrorEvent",
            "/owner",
            json!("code"),
            "the event that begins a subagent says whose it is",
            "remove it",
        ),
        (
            "SubagentStartedEvent",
            "/owner",
            json!("subagentRunId"),
            "a subagent does not own itself",
            "or remove it",
        ),
        (
            "RunErrorEvent",
            "/id",
            json!("code"),
            "the event has no member that names the run",
            "remove it",
        ),
        (
            "RunStartedEvent",
            "/parent",
            json!("threadId"),
            "an event must have `threadId`, but a run may go on from none",
            "may lack",
        ),
    ] {
        check_role(definition, part, value, message, help);
    }
}

/// What describes an item when it is begun is said of it once.
#[test]
fn an_id_or_an_owner_describes_nothing() {
    for (name, message) in [
        ("stepName", "`stepName` is the `id` of the item already"),
        (
            "subagentRunId",
            "`subagentRunId` is the `owner` of the item already",
        ),
    ] {
        let place = role("StepStartedEvent", "/opens");
        let at = format!("{place}/0");
        check(&place, json!([name]), &at, message, "remove it");
    }
}
