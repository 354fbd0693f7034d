//! Semantic Kernel for .NET: what `AgentChatSerializer` writes, and a `ChatHistory`.

mod items;

use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::table::{
    Dialect, Document, FunctionsOfResults, Rest, Rewrite, Row, Shape, Table, implied, lost, row,
};
use chatstate_json::Rejection;
use chatstate_json::{Value, parse};
use items::ITEM;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "semantic-kernel-dotnet",
    title: "Semantic Kernel for .NET",
    says: "What `AgentChatSerializer` writes, and a `ChatHistory` that `System.Text.Json` writes. \
           Names of members are in Pascal case and compared exactly. Null and absent say the same, \
           and the order of members does not matter here, although the SDK itself reads an item \
           only when `$type` comes first; it is written first.",
    allows_byte_order_mark: true,
    allows_lines: false,
    functions_of_results: FunctionsOfResults::InSome,
    documents: &[
        Document {
            name: "chat",
            canonical: "ChatState",
            says: "An `AgentChat`: participants, history and channels. The state of a channel is \
                   kept as it is.",
            is: |document| {
                let names = ["Participants", "History", "Channels"];
                names.iter().any(|name| document.get(name).is_some())
            },
            takes: |document| {
                let channels = document.get("channels").and_then(Value::as_array);
                document.get("participants").is_some() || channels.is_some_and(|it| !it.is_empty())
            },
            shape: Shape::Of(&CHAT),
        },
        Document {
            name: "history",
            canonical: "ChatState",
            says: "A `ChatHistory`: the array of the messages. A chat state without channels that \
                   does not say who took part is written so.",
            is: |document| {
                document
                    .as_array()
                    .is_some_and(|items| items.iter().all(is_message))
            },
            takes: |_| true,
            shape: Shape::Whole(&HISTORY),
        },
        Document {
            name: "message",
            canonical: "ChatMessage",
            says: "A `ChatMessageContent` alone.",
            is: is_message,
            takes: |_| true,
            shape: Shape::Of(&MESSAGE),
        },
    ],
};

fn is_message(value: &Value) -> bool {
    value.get("Role").is_some() || value.get("Items").is_some()
}

static CHAT: Table = Table {
    name: "chat",
    rows: &[
        row(
            "Participants",
            "participants",
            Shape::Each(&Shape::Of(&PARTICIPANT)),
        )
        .or_reads("[]"),
        row("History", "history", Shape::Each(&Shape::Of(&REFERENCE))).required(),
        row("Channels", "channels", Shape::Each(&Shape::Of(&CHANNEL))).required(),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&EMBEDDED_HISTORY),
};

/// The SDK reads the history also as text that holds it.
static EMBEDDED_HISTORY: Rewrite = Rewrite {
    says: "a `History` that is text is the JSON in it",
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

static PARTICIPANT: Table = Table {
    name: "participant",
    rows: &[
        row("Id", "id", Shape::Text).or_reads("\"\""),
        row("Name", "name", Shape::Text),
        row("Type", "type", Shape::Text).or_reads("\"\""),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CHANNEL: Table = Table {
    name: "channel",
    rows: &[
        row("ChannelKey", "channelkey", Shape::Text).required(),
        row("ChannelType", "channeltype", Shape::Text),
        row("ChannelState", "channelstate", Shape::Any)
            .or_means("null")
            .says("A state that is text stays text, also when it looks like JSON."),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static HISTORY: Table = Table {
    name: "history",
    rows: &[
        row("@", "history", Shape::Each(&Shape::Of(&MESSAGE))).required(),
        implied("channels", "[]"),
        lost("participants", "a `ChatHistory` knows no participants"),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const AUTHOR_NAME: Row = row("AuthorName", "name", Shape::Filled).says("A blank name is none.");
const ROLE: Row = row("Role", "role", Shape::Wrapped("Label", &Shape::Filled)).required();
const MIME_TYPE: Row = row("MimeType", "mime", Shape::Text);
const MODEL_ID: Row = row("ModelId", "model", Shape::Text);
const METADATA: Row = row("Metadata", "metadata", Shape::Object);
const NO_ENCODING: Row = lost(
    "encoding",
    "the SDK always writes UTF-8 and does not say so",
);
const NO_ID: Row = lost("id", "a message of this SDK has no identity");
const NO_TIME: Row = lost(
    "created_at",
    "a message of this SDK does not say when it was made",
);
const NO_FINISH_REASON: Row = lost(
    "finish_reason",
    "the SDK keeps it in the metadata of some connectors and nowhere else",
);
const NO_STATUS: Row = lost("status", "a message of this SDK has no status");

/// A message of a `ChatHistory`.
static MESSAGE: Table = Table {
    name: "message",
    rows: &[
        AUTHOR_NAME,
        ROLE,
        row("Items", "items", Shape::Each(&ITEM)).required(),
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
static REFERENCE: Table = Table {
    name: "message of a chat",
    rows: &[
        row("AuthorName", "name", Shape::Filled)
            .or_written("null")
            .says("A blank name is none."),
        ROLE,
        row("Items", "items", Shape::Each(&ITEM)).required(),
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

static NO_BLANK_NAME: Rewrite = Rewrite {
    says: "a blank `AuthorName` is none",
    read: |object| {
        let name = object.get("AuthorName").and_then(Value::as_str);
        if name.is_some_and(|name| name.trim().is_empty()) {
            object.remove("AuthorName");
        }
        Ok(())
    },
    write: |_| Vec::new(),
};
