//! Semantic Kernel for .NET: what `AgentChatSerializer` writes, and a `ChatHistory`.

mod items;

use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::table::{
    Dialect, DialectDocument, FunctionsOfResults, MemberRow, ObjectTable, Rest, Rewrite,
    ValueShape, implied, lost, row,
};
use chatstate_json::Rejection;
use chatstate_json::{Value, parse};
use items::ITEM;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "semantic-kernel-dotnet",
    title: "Semantic Kernel for .NET",
    doc: "What `AgentChatSerializer` writes, and a `ChatHistory` that `System.Text.Json` writes. \
           Names of members are in Pascal case and compared exactly. Null and absent say the same, \
           and the order of members does not matter here, although the SDK itself reads an item \
           only when `$type` comes first; it is written first.",
    allows_byte_order_mark: true,
    allows_lines: false,
    functions_of_results: FunctionsOfResults::InSome,
    documents: &[
        DialectDocument {
            name: "chat",
            canonical: "ChatState",
            doc: "An `AgentChat`: participants, history and channels. The state of a channel is \
                   kept as it is.",
            matches: |document| {
                let names = ["Participants", "History", "Channels"];
                names.iter().any(|name| document.get(name).is_some())
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
    ],
};

fn is_message(value: &Value) -> bool {
    value.get("Role").is_some() || value.get("Items").is_some()
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
        row("ChannelState", "channelstate", ValueShape::Any)
            .or_means("null")
            .doc("A state that is text stays text, also when it looks like JSON."),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

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
.required();
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
        row("Items", "items", ValueShape::Each(&ITEM)).required(),
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
        row("Items", "items", ValueShape::Each(&ITEM)).required(),
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
