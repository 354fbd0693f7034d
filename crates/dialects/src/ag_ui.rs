//! The messages of AG-UI 1.0.
//!
//! In AG-UI a tool result, a piece of reasoning and an activity are messages; in the canonical form they
//! are items of a message. Reading makes one canonical message of each AG-UI message. Writing makes
//! several where it must: reasoning before the message, results after it, with ids that are made up
//! where none exist. Neighbouring messages are not merged, since the way back could not split them.

mod messages;
mod parts;

use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::table::{
    Dialect, Document, FunctionsOfResults, Rest, Row, Shape, Table, Union, downgrade, implied,
    lost, row, variant,
};
use chatstate_json::Value;
use messages::{ALONE, LIST, TOGETHER};
use parts::{ARGUMENTS, OUTPUT, SOURCE};

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "ag-ui",
    title: "AG-UI messages",
    says: "The messages of AG-UI 1.0, as in a `MESSAGES_SNAPSHOT`. A result, a piece of reasoning \
           and an activity are messages of their own there, and items of a message in the \
           canonical form: a message that holds more than one of these becomes several. Null and \
           absent say the same.",
    allows_byte_order_mark: false,
    allows_lines: false,
    functions_of_results: FunctionsOfResults::InCalls,
    documents: &[
        Document {
            name: "messages",
            canonical: "ChatState",
            says: "A list of messages.",
            is: is_messages,
            takes: |document| !has_kept(document),
            shape: Shape::Whole(&MESSAGES),
        },
        Document {
            name: "input",
            canonical: "ChatState",
            says: "An object with `messages`, such as a `RunAgentInput`. Its other members stay as they are; a chat that has kept some is written so.",
            is: |document| document.get("messages").is_some_and(is_some_messages),
            takes: has_kept,
            shape: Shape::Of(&INPUT),
        },
        Document {
            name: "message",
            canonical: "ChatMessage",
            says: "A message alone.",
            is: is_message,
            takes: |_| true,
            shape: Shape::Of(&MESSAGE_ALONE),
        },
    ],
};

fn is_messages(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(is_message))
}

fn is_some_messages(value: &Value) -> bool {
    is_messages(value) && value.as_array().is_some_and(|items| !items.is_empty())
}

fn is_message(value: &Value) -> bool {
    let has = |name| value.get(name).is_some();
    has("id") && has("role") && !["contents", "items", "parts"].into_iter().any(has)
}

/// Whether a canonical document keeps members that only this dialect knows: a list has no place for
/// them.
fn has_kept(document: &Value) -> bool {
    let ext = document.get("ext");
    ext.is_some_and(|ext| ext.get(DIALECT.name).is_some())
}

static MESSAGES: Table = Table {
    name: "messages",
    rows: &[
        row("@", "history", Shape::Each(&Shape::Of(&MESSAGE))).required(),
        implied("channels", "[]"),
        lost("participants", "a list of messages knows no participants"),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&LIST),
};

static INPUT: Table = Table {
    name: "input",
    rows: &[
        row("messages", "history", Shape::Each(&Shape::Of(&MESSAGE))).required(),
        implied("channels", "[]"),
        lost("participants", "the input of a run knows no participants"),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&LIST),
};

const ITEMS: Shape = Shape::Each(&Shape::OneOf(&ITEM));
const METADATA: Row = row("metadata", "metadata", Shape::Object);
const NO_MODEL: Row = lost("model", "a message does not say which model made it");

const MESSAGE_ROWS: &[Row] = &[
    row("id", "id", Shape::Text).says("A message that has none gets one."),
    row("role", "role", Shape::Text).required(),
    row("content@items", "items", ITEMS)
        .or_reads("[]")
        .says("What the message holds, in order: its content, then its calls."),
    row("name", "name", Shape::Text),
    row("encryptedValue", "protected", Shape::Text),
    METADATA,
    row("subagentRunId", "subagent_run_id", Shape::Text),
    NO_MODEL,
    lost("created_at", "a message does not say when it was made"),
    lost(
        "finish_reason",
        "a message does not say why the model stopped",
    ),
    lost("status", "a message does not say how complete it is"),
    lost("mime", "a message has no media type"),
    lost("encoding", "AG-UI is always UTF-8 and does not say so"),
];

static MESSAGE: Table = Table {
    name: "message",
    rows: MESSAGE_ROWS,
    rest: Rest::Ext,
    rewrite: Some(&TOGETHER),
};

static MESSAGE_ALONE: Table = Table {
    name: "message alone",
    rows: MESSAGE_ROWS,
    rest: Rest::Ext,
    rewrite: Some(&ALONE),
};

static ITEM: Union = Union {
    name: "part",
    tag: "type",
    variants: &[
        variant("text", "text", &TEXT),
        variant("image", "image", &MEDIA),
        variant("audio", "audio", &MEDIA),
        variant("video", "video", &MEDIA),
        variant("document", "binary", &MEDIA),
        downgrade("document", "file", &MEDIA, "a file is a document here"),
        variant("reasoning@", "reasoning", &REASONING),
        variant("call@", "call", &CALL),
        variant("result@", "result", &RESULT),
        variant("activity@", "activity", &ACTIVITY),
    ],
};

static TEXT: Table = Table {
    name: "text",
    rows: &[
        row("text", "text", Shape::Text).required().instead("\"\""),
        row("id", "id", Shape::Text),
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MEDIA: Table = Table {
    name: "image, audio, video, document",
    rows: &[
        row("id", "id", Shape::Text),
        row("source@data", "data", Shape::Text),
        row("source@url", "uri", Shape::Text),
        row("source@file", "file_id", Shape::Text),
        row("source@provider", "provider", Shape::Text),
        row("source@mime", "mime", Shape::Text),
        row("source@other", "source", Shape::Any),
        lost("params", "a source has no parameters"),
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&SOURCE),
};

static REASONING: Table = Table {
    name: "message of role reasoning",
    rows: &[
        row("content", "text", Shape::Text),
        row("encryptedValue", "protected", Shape::Text),
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CALL: Table = Table {
    name: "item of toolCalls",
    rows: &[
        row("id", "id", Shape::Text).required().instead("\"\""),
        row("function@plugin", "plugin", Shape::Text),
        row("function@name", "function", Shape::Text).required(),
        row("function@arguments", "arguments_text", Shape::Text),
        row("function@arguments", "arguments", Shape::TextOf),
        row("encryptedValue", "protected", Shape::Text),
        METADATA,
        lost("error", "a call does not say why it could not be made"),
        lost("index", "calls have their order and no numbers"),
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&ARGUMENTS),
};

static RESULT: Table = Table {
    name: "message of role tool",
    rows: &[
        row("toolCallId", "id", Shape::Text).required(),
        row("content", "result", Shape::TextOf),
        row(
            "content@parts",
            "outputs",
            Shape::Each(&Shape::OneOf(&ITEM)),
        ),
        row("error", "error", Shape::Text),
        lost("plugin", "a result names its call and no function"),
        lost("function", "a result names its call and no function"),
        lost(
            "result_is_repr",
            "a result does not say of which kind it was",
        ),
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&OUTPUT),
};

static ACTIVITY: Table = Table {
    name: "message of role activity",
    rows: &[
        row("activityType", "activity_type", Shape::Text).required(),
        row("content", "content", Shape::Object),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
