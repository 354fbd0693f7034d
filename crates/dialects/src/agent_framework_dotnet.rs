//! The Agent Framework for .NET: what `SerializeSessionAsync` gives, and messages as
//! `System.Text.Json` writes them with the SDK's options.

mod approvals;
mod contents;
mod tools;

use super::HISTORY_ENTRY;
use super::agent_framework::{
    NO_ENCODING, NO_FINISH_REASON, NO_MIME, NO_MODEL, NO_PARTICIPANTS, NO_STATUS, each_is,
    has_kept, is_empty,
};
use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::checks::TIME;
use super::loss::ConversionLoss;
use super::table::{
    Dialect, DialectDocument, FunctionsOfResults, Left, ObjectTable, Rest, Rewrite, ValueShape,
    implied, row,
};
use approvals::PENDING_REQUESTS;
use chatstate_json::{Object, Value};
use contents::{CONTENT, MEDIA_AMONG_CONTENTS, METADATA};

const NAME: &str = "agent-framework-dotnet";

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: NAME,
    title: "Agent Framework for .NET",
    doc: "What `SerializeSessionAsync` gives, and messages as `System.Text.Json` writes them with \
           the options of the SDK. Null and absent say the same, but for the entries of the state \
           bag and of `additionalProperties`, and so do a result that is null and none. The SDK reads \
           the names of members in any case, but for `$type`, the keys of the bag and the names of \
           arguments; here they are in camel case, as it writes them. It gives a `uri` without \
           `mediaType` the media type of its ending. It reads no document of more than 64 levels. \
           The order of members does not matter here, although the \
           SDK reads a content only when `$type` comes first; it is written first.",
    allows_byte_order_mark: true,
    allows_lines: false,
    reads_camel_case: false,
    max_depth: Some(64),
    functions_of_results: FunctionsOfResults::InCalls,
    documents: &[
        DialectDocument {
            name: "session",
            canonical: "AgentSession",
            doc: "The session of an agent, of any kind: the SDK does not write which.",
            matches: is_session,
            accepts: |_| true,
            shape: ValueShape::Of(&SESSION),
        },
        DialectDocument {
            name: "history",
            canonical: "ChatState",
            doc: "A list of messages.",
            matches: |document| each_is(document, is_message),
            accepts: |document| !has_kept(document, NAME),
            shape: ValueShape::Whole(&HISTORY),
        },
        DialectDocument {
            name: "response",
            canonical: "ChatState",
            doc: "An `AgentResponse`: the messages of one run, and what the agent says of the run.",
            matches: |document| {
                let is_response = OF_RESPONSES.iter().any(|name| document.get(name).is_some());
                is_response && is_state(document)
            },
            accepts: |_| false,
            shape: ValueShape::Of(&PROVIDER_STATE),
        },
        DialectDocument {
            name: "state",
            canonical: "ChatState",
            doc: "The state of a provider that keeps a history: an object with `messages`.",
            matches: is_state,
            accepts: |document| has_kept(document, NAME),
            shape: ValueShape::Of(&PROVIDER_STATE),
        },
        DialectDocument {
            name: "sessions",
            canonical: "SessionList",
            doc: "A list of sessions.",
            matches: |document| each_is(document, is_session),
            accepts: |_| true,
            shape: ValueShape::Each(&ValueShape::Of(&SESSION)),
        },
        DialectDocument {
            name: "message",
            canonical: "ChatMessage",
            doc: "A `ChatMessage` alone.",
            matches: is_message,
            accepts: |_| true,
            shape: ValueShape::Of(&MESSAGE),
        },
        DialectDocument {
            name: "contents",
            canonical: "ChatMessage",
            doc: "A list of contents, which is read as a message of the assistant.",
            matches: |document| {
                !is_empty(document) && each_is(document, |item| item.get("$type").is_some())
            },
            accepts: |_| false,
            shape: ValueShape::Whole(&CONTENT_LIST),
        },
    ],
};

/// A canonical session has this member too: from the outside the two look alike.
fn is_session(value: &Value) -> bool {
    value.get("stateBag").is_some()
}

/// Members of an `AgentResponse` and of its updates that no message has.
const OF_RESPONSES: [&str; 3] = ["agentId", "responseId", "continuationToken"];

fn is_state(document: &Value) -> bool {
    let messages = document.get("messages");
    messages.is_some_and(|it| !is_empty(it) && each_is(it, is_message))
}

/// The SDK reads a message without a role and without contents too. One of the Agent Framework for
/// Python differs by the names of members and of the tag of contents.
fn is_message(value: &Value) -> bool {
    let Some(members) = value.as_object() else {
        return false;
    };
    let Some(contents) = members.get("contents").and_then(Value::as_array) else {
        return members.contains_key("authorName");
    };
    let others = ["type", "author_name", "message_id", "additional_properties"];
    let is_foreign = others
        .iter()
        .chain(&OF_RESPONSES)
        .any(|name| members.contains_key(name));
    !is_foreign && contents.iter().all(|item| item.get("type").is_none())
}

static SESSION: ObjectTable = ObjectTable {
    name: "session",
    rows: &[
        row("conversationId", "conversationId", ValueShape::Filled),
        row("sessionId", "sessionId", ValueShape::Text),
        row("stateBag", "stateBag", ValueShape::Of(&STATE)).required(),
        row("@kind", "sessionType", ValueShape::Text)
            .doc("Told by the members that only one kind of session has."),
        SCHEMA_VERSION,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&KIND_OF_SESSION),
};

const COPILOT_STUDIO: &str = "CopilotStudioAgentSession";

/// The kinds of sessions that keep an identity of their own.
const WITH_IDENTITY: [&str; 3] = [
    "DurableAgentSession",
    "GitHubCopilotAgentSession",
    "WorkflowSession",
];

static KIND_OF_SESSION: Rewrite = Rewrite {
    doc: "a session with `sessionId` and one of `pendingRequests`, `checkpointManager` and \
           `lastCheckpoint` is a `WorkflowSession`, one with `serviceSessionId` is a `CopilotStudioAgentSession`, one with \
           `contextId` an `A2AAgentSession`, one with `sessionId` a `DurableAgentSession` if that \
           begins with `@dafx-`, else a `GitHubCopilotAgentSession`; `serviceSessionId` is \
           `conversationId`",
    read: |object| {
        if let Some(kind) = kind_of_session(object) {
            object.insert("@kind", kind);
        }
        if !object.contains_key("conversationId")
            && let Some((_, id)) = object.remove("serviceSessionId")
        {
            object.insert("conversationId", id);
        }
        Ok(())
    },
    write: write_kind,
};

fn kind_of_session(object: &Object) -> Option<&'static str> {
    let is_durable = |id: &Value| id.as_str().is_some_and(|id| id.starts_with("@dafx-"));
    let of_workflows = ["pendingRequests", "checkpointManager", "lastCheckpoint"];
    let is_of_workflow = of_workflows.iter().any(|name| object.contains_key(name));
    match object.get("sessionId") {
        Some(_) if is_of_workflow => return Some(WITH_IDENTITY[2]),
        Some(id) if is_durable(id) => return Some(WITH_IDENTITY[0]),
        Some(_) => return Some(WITH_IDENTITY[1]),
        None => {}
    }
    if object.contains_key("serviceSessionId") {
        return Some(COPILOT_STUDIO);
    }
    object
        .contains_key("contextId")
        .then_some("A2AAgentSession")
}

fn write_kind(object: &mut Object) -> Vec<Left> {
    let kind = object.remove("@kind").map(|(_, kind)| kind);
    let kind = kind.as_ref().and_then(Value::as_str);
    let mut left = Vec::new();
    let mut lose = |part, why| {
        let class = ConversionLoss::Member;
        left.push(Left { part, class, why });
    };
    let has_identity = kind.is_some_and(|kind| WITH_IDENTITY.contains(&kind));
    if !has_identity && object.remove("sessionId").is_some() {
        lose(
            "sessionId",
            "the session of a chat client keeps no identity of its own",
        );
    }
    if kind == Some(COPILOT_STUDIO)
        && let Some((_, id)) = object.remove("conversationId")
    {
        object.insert("serviceSessionId", id);
    }
    // What is kept from before comes later: the `contextId` of one, and the checkpoints of the other.
    let is_kept = |kind| ["A2AAgentSession", WITH_IDENTITY[2]].contains(&kind);
    let is_told = kind.is_none_or(|kind| is_kept(kind) || kind_of_session(object) == Some(kind));
    if !is_told {
        lose("@kind", "the SDK does not write of which kind a session is");
    }
    left
}

static STATE: ObjectTable = ObjectTable {
    name: "state bag",
    rows: &[row(
        "InMemoryChatHistoryProvider",
        HISTORY_ENTRY,
        ValueShape::Of(&PROVIDER),
    )
    .nullable()
    .doc("What the provider of that name keeps. All other entries stay as they are.")],
    rest: Rest::Same,
    rewrite: Some(&PENDING_REQUESTS),
};

static PROVIDER: ObjectTable = ObjectTable {
    name: "entry of the history",
    rows: &[row("messages", "messages", MESSAGES)],
    rest: Rest::Same,
    rewrite: None,
};

const MESSAGES: ValueShape = ValueShape::Each(&ValueShape::Of(&MESSAGE));

static HISTORY: ObjectTable = ObjectTable {
    name: "history",
    rows: &[
        row("@", "history", MESSAGES).required(),
        implied("channels", "[]"),
        NO_PARTICIPANTS,
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static PROVIDER_STATE: ObjectTable = ObjectTable {
    name: "state of a history provider",
    rows: &[
        row("messages", "history", MESSAGES).required(),
        implied("channels", "[]"),
        NO_PARTICIPANTS,
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MESSAGE: ObjectTable = ObjectTable {
    name: "message",
    rows: &[
        row("authorName", "name", ValueShape::Filled).doc("A blank name is none."),
        row("createdAt", "created_at", ValueShape::Checked(&TIME)),
        row("role", "role", ValueShape::Filled)
            .or_reads("\"user\"")
            .instead("\"assistant\""),
        row(
            "contents",
            "items",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        )
        .or_reads("[]"),
        row("messageId", "id", ValueShape::Text),
        METADATA,
        NO_MODEL,
        NO_FINISH_REASON,
        NO_STATUS,
        NO_MIME,
        NO_ENCODING,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static CONTENT_LIST: ObjectTable = ObjectTable {
    name: "contents",
    rows: &[
        row("@", "items", ValueShape::Each(&ValueShape::OneOf(&CONTENT))).required(),
        implied("role", "\"assistant\""),
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};
