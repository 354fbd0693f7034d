//! Semantic Kernel for .NET: what `AgentChatSerializer` writes, and a `ChatHistory`.

mod items;

use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::table::{
    Dialect, DialectDocument, FunctionsOfResults, MemberRow, ObjectTable, OpaqueValue, Rest,
    Rewrite, ShapeChoice, ValueShape, implied, lost, row,
};
use chatstate_json::Rejection;
use chatstate_json::{Object, Value, parse};
use items::ITEM;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "semantic-kernel-dotnet",
    title: "Semantic Kernel for .NET",
    doc: "What `AgentChatSerializer` writes, and a `ChatHistory` that `System.Text.Json` writes. \
           Names of members are in Pascal case, or in camel case where the serializer was told so; \
           they are written in Pascal case. Null and absent say the same, and the order of members \
           does not matter here, although the SDK itself reads an item only when `$type` comes \
           first; it is written first. The SDK reads no document of more than 64 levels, and none \
           with an item of a type that is not listed: such an item comes back as it was, for an \
           application that knows it. An `Exception` keeps its type alone when the SDK reads it.",
    allows_byte_order_mark: true,
    allows_lines: false,
    reads_camel_case: true,
    max_depth: Some(64),
    functions_of_results: FunctionsOfResults::InSome,
    documents: &[
        DialectDocument {
            name: "chat",
            canonical: "ChatState",
            doc: "An `AgentChat`: participants, history and channels. The state of a channel \
                   that keeps messages for the SDK is converted, and any other kept as it is.",
            matches: |document| {
                let names = ["Participants", "History", "Channels"];
                names.iter().any(|name| document.get(name).is_some())
                    || is_chat_in_camel_case(document)
            },
            accepts: |document| {
                let channels = document.get("channels").and_then(Value::as_array);
                document.get("participants").is_some() || channels.is_some_and(|it| !it.is_empty())
            },
            shape: ValueShape::Of(&CHAT),
        },
        DialectDocument {
            name: "history",
            canonical: "ChatState",
            doc: "A `ChatHistory`: the array of the messages. A chat state without channels that \
                   does not say who took part is written so.",
            matches: |document| {
                document
                    .as_array()
                    .is_some_and(|items| items.iter().all(is_message))
            },
            accepts: |_| true,
            shape: ValueShape::Whole(&HISTORY),
        },
        DialectDocument {
            name: "message",
            canonical: "ChatMessage",
            doc: "A `ChatMessageContent` alone.",
            matches: is_message,
            accepts: |_| true,
            shape: ValueShape::Of(&MESSAGE),
        },
        DialectDocument {
            name: "item",
            canonical: "ChatMessage",
            doc: "A `KernelContent` alone, which is read as a message of the assistant.",
            matches: |document| document.get("$type").is_some(),
            accepts: |_| false,
            shape: ValueShape::Whole(&ITEM_ALONE),
        },
    ],
};

/// A part of a message that is streamed is none.
fn is_message(value: &Value) -> bool {
    if value.get("ChoiceIndex").is_some() {
        return false;
    }
    let label = value.get("role").and_then(|role| role.get("label"));
    value.get("Role").is_some() || value.get("Items").is_some() || label.is_some()
}

/// Whether a document is a chat whose outer names, at least, are in camel case. The canonical form
/// has other names in messages and channels.
fn is_chat_in_camel_case(document: &Value) -> bool {
    let first = |name| document.get(name).and_then(Value::as_array)?.first();
    let is_channel = |channel: &Value| channel.get("channelKey").is_some();
    first("history").is_some_and(is_message) || first("channels").is_some_and(is_channel)
}

static CHAT: ObjectTable = ObjectTable {
    name: "chat",
    rows: &[
        row(
            "Participants",
            "participants",
            ValueShape::Each(&ValueShape::Of(&PARTICIPANT)),
        )
        .or_reads("[]"),
        row(
            "History",
            "history",
            ValueShape::Each(&ValueShape::Of(&REFERENCE)),
        )
        .required(),
        row(
            "Channels",
            "channels",
            ValueShape::Each(&ValueShape::Of(&CHANNEL)),
        )
        .required(),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&EMBEDDED_HISTORY),
};

/// The SDK reads the history also as text that holds it.
static EMBEDDED_HISTORY: Rewrite = Rewrite {
    doc: "a `History` that is text is the JSON in it",
    read: |object| {
        if let Some(text) = object.get("History").and_then(Value::as_str) {
            let history = parse(text).map_err(|rejection| Rejection {
                at: "/History".to_owned(),
                ..rejection
            })?;
            object.insert("History", history);
        }
        Ok(())
    },
    write: |_| Vec::new(),
};

static PARTICIPANT: ObjectTable = ObjectTable {
    name: "participant",
    rows: &[
        row("Id", "id", ValueShape::Text).or_reads("\"\""),
        row("Name", "name", ValueShape::Text),
        row("Type", "type", ValueShape::Text).or_reads("\"\""),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CHANNEL: ObjectTable = ObjectTable {
    name: "channel",
    rows: &[
        row("ChannelKey", "channelkey", ValueShape::Text).required(),
        row("ChannelType", "channeltype", ValueShape::Text),
        row("ChannelState", "channelstate", ValueShape::Chosen(&STATES))
            .or_means("null")
            .doc(
                "A state that is text stays text, also when it looks like JSON. The SDK leaves out \
                 a state that is null and gives the agent an empty text for it, and it gives the \
                 agent the same for text that is JSON and for the JSON itself; a text such as \
                 `[draft]` is read and cannot be saved again by it.",
            ),
    ],
    rest: Rest::Ext,
    rewrite: Some(&TEXT_STATES),
};

/// The channels of the SDK itself whose states hold messages.
static STATES: ShapeChoice = ShapeChoice {
    foreign: "ChannelType",
    canonical: "channeltype",
    shapes: &[
        (
            "ChatHistoryChannel",
            ValueShape::Each(&ValueShape::Of(&REFERENCE)),
        ),
        ("AggregatorChannel", ValueShape::Of(&CHAT)),
    ],
    otherwise: ValueShape::Opaque(&OpaqueValue { has_messages }),
};

/// Whether a value holds messages of this SDK: a list of them, or a chat.
fn has_messages(value: &Value) -> bool {
    let messages = value
        .as_array()
        .or_else(|| value.get("History")?.as_array());
    messages.is_some_and(|it| !it.is_empty() && it.iter().all(is_message))
}

/// What the SDK makes of states before an agent gets them.
static TEXT_STATES: Rewrite = Rewrite {
    doc: "a state that is a number, true or false is the text of it, as the SDK gives it to the agent; \
           the text of a `ChatHistoryChannel` or an `AggregatorChannel` is the JSON in it",
    read: |object| {
        let state = match object.get("ChannelState") {
            Some(state @ (Value::Number(_) | Value::Bool(_))) => state.to_json().into(),
            Some(Value::String(text)) if is_of_sdk(object) => match parse(text) {
                Ok(state @ (Value::Array(_) | Value::Object(_))) => state,
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        object.insert("ChannelState", state);
        Ok(())
    },
    write: |_| Vec::new(),
};

/// Whether a channel is one whose state the tables know.
fn is_of_sdk(channel: &Object) -> bool {
    let name = channel.get("ChannelType").and_then(Value::as_str);
    let name = name.and_then(|name| name.rsplit('.').next());
    STATES.shapes.iter().any(|(known, _)| Some(*known) == name)
}

static HISTORY: ObjectTable = ObjectTable {
    name: "history",
    rows: &[
        row("@", "history", ValueShape::Each(&ValueShape::Of(&MESSAGE))).required(),
        implied("channels", "[]"),
        lost("participants", "a `ChatHistory` knows no participants"),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const AUTHOR_NAME: MemberRow =
    row("AuthorName", "name", ValueShape::Filled).doc("A blank name is none.");
const ROLE: MemberRow = row(
    "Role",
    "role",
    ValueShape::Wrapped("Label", &ValueShape::Filled),
)
.required_or_unset("\"assistant\"")
.doc("The SDK writes a label that is null for a message without a role, and rejects it.");
const MIME_TYPE: MemberRow = row("MimeType", "mime", ValueShape::Text);
const MODEL_ID: MemberRow = row("ModelId", "model", ValueShape::Text);
const METADATA: MemberRow = row("Metadata", "metadata", ValueShape::Object);
const NO_ENCODING: MemberRow = lost(
    "encoding",
    "the SDK always writes UTF-8 and does not say so",
);
const NO_ID: MemberRow = lost("id", "a message of this SDK has no identity");
const NO_TIME: MemberRow = lost(
    "created_at",
    "a message of this SDK does not say when it was made",
);
const NO_FINISH_REASON: MemberRow = lost(
    "finish_reason",
    "the SDK keeps it in the metadata of some connectors and nowhere else",
);
const NO_STATUS: MemberRow = lost("status", "a message of this SDK has no status");

/// A message of a `ChatHistory`.
static MESSAGE: ObjectTable = ObjectTable {
    name: "message",
    rows: &[
        AUTHOR_NAME,
        ROLE,
        row("Items", "items", ValueShape::Each(&ITEM)).or_reads("[]"),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        NO_ENCODING,
        NO_ID,
        NO_TIME,
        NO_FINISH_REASON,
        NO_STATUS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&NO_BLANK_NAME),
};

/// A message of an `AgentChat`.
static REFERENCE: ObjectTable = ObjectTable {
    name: "message of a chat",
    rows: &[
        row("AuthorName", "name", ValueShape::Filled)
            .or_written("null")
            .doc("A blank name is none."),
        ROLE,
        row("Items", "items", ValueShape::Each(&ITEM)).or_reads("[]"),
        MODEL_ID,
        MIME_TYPE,
        lost(
            "metadata",
            "a chat of this SDK drops the metadata of messages",
        ),
        NO_ENCODING,
        NO_ID,
        NO_TIME,
        NO_FINISH_REASON,
        NO_STATUS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&NO_BLANK_NAME),
};

static ITEM_ALONE: ObjectTable = ObjectTable {
    name: "item alone",
    rows: &[
        row("@", "items", ValueShape::Single(&ITEM)).required(),
        implied("role", "\"assistant\""),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static NO_BLANK_NAME: Rewrite = Rewrite {
    doc: "a blank `AuthorName` is none",
    read: |object| {
        let name = object.get("AuthorName").and_then(Value::as_str);
        if name.is_some_and(|name| name.trim().is_empty()) {
            object.remove("AuthorName");
        }
        Ok(())
    },
    write: |_| Vec::new(),
};
