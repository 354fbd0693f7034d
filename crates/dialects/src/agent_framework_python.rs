//! The Agent Framework for Python: what `AgentSession.to_dict()` and `Message.to_dict()` give.

mod contents;

use super::HISTORY_ENTRY;
use super::agent_framework::{
    NO_ENCODING, NO_FINISH_REASON, NO_MIME, NO_MODEL, NO_PARTICIPANTS, NO_STATUS, each_is,
    has_kept, is_empty,
};
use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::table::{
    Dialect, DialectDocument, FunctionsOfResults, ObjectTable, Rest, Rewrite, ValueShape, constant,
    implied, lost, row,
};
use chatstate_json::Value;
use chatstate_json::{Class, Rejection};
use contents::{CONTENT, MEDIA_AMONG_CONTENTS, METADATA};

const NAME: &str = "agent-framework-python";

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: NAME,
    title: "Agent Framework for Python",
    doc: "What `AgentSession.to_dict()` and `Message.to_dict()` give, and what a \
           `FileSessionStore` saves. Null and absent say the same in messages, and so do an absent \
           member and the value that the SDK writes for nothing. In the state of a session null is \
           a value.",
    allows_byte_order_mark: false,
    allows_lines: true,
    reads_camel_case: false,
    max_depth: None,
    functions_of_results: FunctionsOfResults::InCalls,
    documents: &[
        DialectDocument {
            name: "session",
            canonical: "AgentSession",
            doc: "An `AgentSession`.",
            matches: is_session,
            accepts: |_| true,
            shape: ValueShape::Of(&SESSION),
        },
        DialectDocument {
            name: "history",
            canonical: "ChatState",
            doc: "A list of messages, or a file of a `FileHistoryProvider`: JSON Lines, a message \
                   a line. A list is written.",
            matches: |document| each_is(document, is_message),
            accepts: |document| !has_kept(document, NAME),
            shape: ValueShape::Whole(&HISTORY),
        },
        DialectDocument {
            name: "state",
            canonical: "ChatState",
            doc: "The state of a provider that keeps a history: an object with `messages`.",
            matches: |document| {
                let messages = document.get("messages");
                messages.is_some_and(|it| !is_empty(it) && each_is(it, is_message))
            },
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
            doc: "A `Message` alone.",
            matches: is_message,
            accepts: |_| true,
            shape: ValueShape::Of(&MESSAGE),
        },
        DialectDocument {
            name: "contents",
            canonical: "ChatMessage",
            doc: "A list of contents, which is read as a message of the assistant.",
            matches: |document| !is_empty(document) && each_is(document, is_content),
            accepts: |_| false,
            shape: ValueShape::Whole(&CONTENT_LIST),
        },
    ],
};

fn is_session(value: &Value) -> bool {
    let has_all = ["session_id", "state"].map(|name| value.get(name).is_some());
    value.get("type") == Some(&"session".into()) || has_all == [true, true]
}

fn is_message(value: &Value) -> bool {
    value.get("role").is_some() && value.get("contents").is_some()
}

/// Contents of types that other dialects have too are recognised by members in the style of Python.
fn is_content(value: &Value) -> bool {
    let has_tag = value.get("type").is_some_and(|tag| tag.as_str().is_some());
    has_tag && value.get("additional_properties").is_some() && !is_message(value)
}

static SESSION: ObjectTable = ObjectTable {
    name: "session",
    rows: &[
        constant("type", "\"session\""),
        row("session_id", "sessionId", ValueShape::Text)
            .required()
            .instead("\"session\""),
        row("service_session_id", "conversationId", ValueShape::Any)
            .or_written("null")
            .doc("Text, or an object that only the service understands."),
        row("state", "stateBag", ValueShape::Of(&STATE)).required(),
        lost("sessionType", "the SDK has one kind of session"),
        SCHEMA_VERSION,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&SUPPORTED_VERSION),
};

static SUPPORTED_VERSION: Rewrite = Rewrite {
    doc: "a `version`, which a `FileSessionStore` writes, is `1.0`",
    read: |object| match object.get("version") {
        Some(version) if *version != "1.0".into() => {
            let message =
                "the version of the saved session is not `1.0`, the only one that is read";
            let rejection = Rejection::new(Class::Version, "convert.version", message);
            Err(rejection.within("version"))
        }
        _ => Ok(()),
    },
    write: |_| Vec::new(),
};

static STATE: ObjectTable = ObjectTable {
    name: "state of a session",
    rows: &[row("in_memory", HISTORY_ENTRY, ValueShape::Of(&PROVIDER))
        .nullable()
        .doc("What the `InMemoryHistoryProvider` keeps. All other entries stay as they are.")],
    rest: Rest::Same,
    rewrite: None,
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
        constant("type", "\"message\""),
        row("role", "role", ValueShape::Text).required(),
        row(
            "contents",
            "items",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        )
        .or_reads("[]"),
        row("author_name", "name", ValueShape::Text),
        row("message_id", "id", ValueShape::Text),
        METADATA,
        NO_MODEL,
        lost(
            "created_at",
            "the SDK does not keep when a message was made",
        ),
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
