//! Approvals of calls: requests, answers, and the requests that a session waits for.

use super::super::HISTORY_ENTRY;
use super::super::table::{ObjectTable, Rest, Rewrite, Union, ValueShape, Variant, row, variant};
use super::contents::{ANNOTATIONS, CALL, METADATA};
use super::tools::{CODE_CALL, IMAGE_CALL, MCP_CALL, SEARCH_CALL, TOOL};
use chatstate_json::{Object, Value};

/// The calls that can wait for an approval.
static CALLS: Union = Union {
    name: "call that can be approved",
    tag: "$type",
    untagged: Some(&PLAIN_CALL),
    closed: true,
    variants: &[
        variant("functionCall", "call", &CALL),
        variant("mcpServerToolCall", "mcp_call", &MCP_CALL),
        variant("codeInterpreterToolCall", "code_call", &CODE_CALL),
        variant("imageGenerationToolCall", "image_call", &IMAGE_CALL),
        variant("webSearchToolCall", "search_call", &SEARCH_CALL),
    ],
};

/// A call of none of the kinds, which the SDK writes without a tag inside of an approval.
static PLAIN_CALL: Variant = variant("", "tool_call", &TOOL);

pub(super) static APPROVAL_REQUEST: ObjectTable = ObjectTable {
    name: "toolApprovalRequest",
    rows: &[
        row("toolCall", "call", ValueShape::OneOf(&CALLS)).required(),
        row(
            "requiresConfirmation",
            "requires_confirmation",
            ValueShape::Flag,
        )
        .or_written("true"),
        row("requestId", "id", ValueShape::Filled).required(),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

pub(super) static APPROVAL_RESPONSE: ObjectTable = ObjectTable {
    name: "toolApprovalResponse",
    rows: &[
        row("approved", "approved", ValueShape::Flag).or_reads("false"),
        row("toolCall", "call", ValueShape::OneOf(&CALLS)).required(),
        row("reason", "reason", ValueShape::Text),
        row("requestId", "id", ValueShape::Filled).required(),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

/// The entry without which nobody can answer a request: the SDK throws the answer away.
const PENDING: &str = "_pendingApprovalRequests";

pub(super) static PENDING_REQUESTS: Rewrite = Rewrite {
    doc: "the entry `_pendingApprovalRequests` follows from the requests of the history that nobody \
           has answered; another value stays as it is",
    read: |bag| {
        if bag.get(PENDING).is_some() && bag.get(PENDING) == pending(bag).as_ref() {
            bag.remove(PENDING);
        }
        Ok(())
    },
    write: |bag| {
        if let Some(requests) = pending(bag).filter(|_| !bag.contains_key(PENDING)) {
            bag.insert(PENDING, requests);
        }
        Vec::new()
    },
};

/// The requests of the history that nobody has answered, as the SDK writes them in the entry.
fn pending(bag: &Object) -> Option<Value> {
    let messages = bag.get(HISTORY_ENTRY)?.get("messages")?.as_array()?;
    let contents = messages
        .iter()
        .filter_map(|message| message.get("contents")?.as_array());
    let mut open: Vec<Object> = Vec::new();
    for content in contents.flatten().filter_map(Value::as_object) {
        let request = content.get("requestId");
        match content.get("$type").and_then(Value::as_str) {
            Some("toolApprovalRequest") => {
                let mut request = content.clone();
                request.remove("$type");
                open.push(request);
            }
            Some("toolApprovalResponse") => open.retain(|it| it.get("requestId") != request),
            _ => {}
        }
    }
    let open: Vec<Value> = open.into_iter().map(Value::Object).collect();
    (!open.is_empty()).then(|| open.into())
}
