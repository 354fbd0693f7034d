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
    Dialect, DialectDocument, FunctionsOfResults, MemberRow, ObjectTable, Rest, Union, ValueShape,
    downgrade, implied, lost, row, variant,
};
use chatstate_json::Value;
use messages::{ALONE, LIST, TOGETHER};
use parts::{ARGUMENTS, OUTPUT, SOURCE};

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "ag-ui",
    title: "AG-UI messages",
    doc: "The messages of AG-UI 1.0, as in a `MESSAGES_SNAPSHOT`. A result, a piece of reasoning \
           and an activity are messages of their own there, and items of a message in the \
           canonical form: a message that holds more than one of these becomes several. Null and \
           absent say the same.",
    allows_byte_order_mark: false,
    allows_lines: false,
    reads_camel_case: false,
    max_depth: None,
    functions_of_results: FunctionsOfResults::InCalls,
    documents: &[
        DialectDocument {
            name: "messages",
            canonical: "ChatState",
            doc: "A list of messages.",
            matches: is_messages,
            accepts: |document| !has_kept(document),
            shape: ValueShape::Whole(&MESSAGES),
        },
        DialectDocument {
            name: "input",
            canonical: "ChatState",
            doc: "An object with `messages`, such as a `RunAgentInput`. Its other members stay as they are; a chat that has kept some is written so.",
            matches: |document| document.get("messages").is_some_and(is_some_messages),
            accepts: has_kept,
            shape: ValueShape::Of(&INPUT),
        },
        DialectDocument {
            name: "message",
            canonical: "ChatMessage",
            doc: "A message alone.",
            matches: is_message,
            accepts: |_| true,
            shape: ValueShape::Of(&MESSAGE_ALONE),
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

static MESSAGES: ObjectTable = ObjectTable {
    name: "messages",
    rows: &[
        row("@", "history", ValueShape::Each(&ValueShape::Of(&MESSAGE))).required(),
        implied("channels", "[]"),
        lost("participants", "a list of messages knows no participants"),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&LIST),
};

static INPUT: ObjectTable = ObjectTable {
    name: "input",
    rows: &[
        row(
            "messages",
            "history",
            ValueShape::Each(&ValueShape::Of(&MESSAGE)),
        )
        .required(),
        implied("channels", "[]"),
        lost("participants", "the input of a run knows no participants"),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&LIST),
};

const ITEMS: ValueShape = ValueShape::Each(&ValueShape::OneOf(&ITEM));
const METADATA: MemberRow = row("metadata", "metadata", ValueShape::Object);
const NO_MODEL: MemberRow = lost("model", "a message does not say which model made it");

const MESSAGE_ROWS: &[MemberRow] = &[
    row("id", "id", ValueShape::Text).doc("A message that has none gets one."),
    row("role", "role", ValueShape::Text).required(),
    row("content@items", "items", ITEMS)
        .or_reads("[]")
        .doc("What the message holds, in order: its content, then its calls."),
    row("name", "name", ValueShape::Text),
    row("encryptedValue", "protected", ValueShape::Text),
    METADATA,
    row("subagentRunId", "subagent_run_id", ValueShape::Text),
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

static MESSAGE: ObjectTable = ObjectTable {
    name: "message",
    rows: MESSAGE_ROWS,
    rest: Rest::Ext,
    rewrite: Some(&TOGETHER),
};

static MESSAGE_ALONE: ObjectTable = ObjectTable {
    name: "message alone",
    rows: MESSAGE_ROWS,
    rest: Rest::Ext,
    rewrite: Some(&ALONE),
};

static ITEM: Union = Union {
    name: "part",
    tag: "type",
    untagged: None,
    closed: false,
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

static TEXT: ObjectTable = ObjectTable {
    name: "text",
    rows: &[
        row("text", "text", ValueShape::Text)
            .required()
            .instead("\"\""),
        row("id", "id", ValueShape::Text),
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MEDIA: ObjectTable = ObjectTable {
    name: "image, audio, video, document",
    rows: &[
        row("id", "id", ValueShape::Text),
        row("source@data", "data", ValueShape::Text),
        row("source@url", "uri", ValueShape::Text),
        row("source@file", "file_id", ValueShape::Text),
        row("source@provider", "provider", ValueShape::Text),
        row("source@mime", "mime", ValueShape::Text),
        row("source@other", "source", ValueShape::Any),
        lost("params", "a source has no parameters"),
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&SOURCE),
};

static REASONING: ObjectTable = ObjectTable {
    name: "message of role reasoning",
    rows: &[
        row("id", "id", ValueShape::Text)
            .doc("Of reasoning beside a content. Alone in a message, it is the identity of that message."),
        row("content", "text", ValueShape::Text),
        row("encryptedValue", "protected", ValueShape::Text),
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CALL: ObjectTable = ObjectTable {
    name: "item of toolCalls",
    rows: &[
        row("id", "id", ValueShape::Text).required().instead("\"\""),
        row("function@plugin", "plugin", ValueShape::Text),
        row("function@name", "function", ValueShape::Text).required(),
        row("function@arguments", "arguments_text", ValueShape::Text),
        row("function@arguments", "arguments", ValueShape::TextOf),
        row("encryptedValue", "protected", ValueShape::Text),
        METADATA,
        lost("error", "a call does not say why it could not be made"),
        lost("index", "calls have their order and no numbers"),
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&ARGUMENTS),
};

static RESULT: ObjectTable = ObjectTable {
    name: "message of role tool",
    rows: &[
        row("toolCallId", "id", ValueShape::Text).required(),
        row("content", "result", ValueShape::TextOf),
        row(
            "content@parts",
            "outputs",
            ValueShape::Each(&ValueShape::OneOf(&ITEM)),
        ),
        row("error", "error", ValueShape::Text),
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

static ACTIVITY: ObjectTable = ObjectTable {
    name: "message of role activity",
    rows: &[
        row("activityType", "activity_type", ValueShape::Text).required(),
        row("content", "content", ValueShape::Object),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
