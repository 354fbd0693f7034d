//! Semantic Kernel for .NET: what `AgentChatSerializer` writes, and a `ChatHistory`.

use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::loss::LossClass;
use super::table::{
    Dialect, Document, FunctionsOfResults, Left, Names, Rest, Rewrite, Row, Shape, Table, Union,
    downgrade, implied, lost, row, variant,
};
use crate::json::{Object, Value, parse};
use crate::rejection::Rejection;

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "semantic-kernel-dotnet",
    title: "Semantic Kernel for .NET",
    says: "What `AgentChatSerializer` writes, and a `ChatHistory` that `System.Text.Json` writes. \
           Names of members are in Pascal case and compared exactly. Null and absent say the same, \
           and the order of members does not matter here, although the SDK itself reads an item \
           only when `$type` comes first; it is written first.",
    allows_byte_order_mark: true,
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

static ITEM: Shape = Shape::OneOf(&ITEMS);

static ITEMS: Union = Union {
    name: "item",
    tag: "$type",
    variants: &[
        variant("TextContent", "text", &TEXT),
        variant("ImageContent", "image", &MEDIA),
        variant("AudioContent", "audio", &MEDIA),
        variant("BinaryContent", "binary", &MEDIA),
        variant("FileReferenceContent", "file", &FILE),
        variant("AnnotationContent", "annotation", &ANNOTATION),
        variant("FunctionCallContent", "call", &CALL),
        variant("FunctionResultContent", "result", &RESULT),
        variant("ReasoningContent", "reasoning", &REASONING),
        variant("ActionContent", "action", &ACTION),
        variant("ChatMessageContent", "message", &NESTED),
        downgrade(
            "AnnotationContent",
            "stream_annotation",
            &ANNOTATION,
            "the SDK keeps no annotation of a stream; it becomes an annotation",
        ),
        downgrade(
            "FileReferenceContent",
            "stream_file",
            &FILE,
            "the SDK keeps no file reference of a stream; it becomes a file reference",
        ),
    ],
};

static TEXT: Table = Table {
    name: "TextContent",
    rows: &[
        row("Text", "text", Shape::Text).nullable().or_means("null"),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        NO_ENCODING,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MEDIA: Table = Table {
    name: "ImageContent, AudioContent, BinaryContent",
    rows: &[
        row("Uri", "uri", Shape::Text),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        row("Metadata@params", "params", Shape::Object)
            .says("Each parameter `p` of a data URI is the entry `data-uri-p`."),
        row("Data", "data", Shape::Text),
    ],
    rest: Rest::Ext,
    rewrite: Some(&PARAMETERS),
};

/// How the SDK names the parameters of a data URI in the metadata.
const PARAMETER: &str = "data-uri-";

/// The parameters of a data URI, which the SDK keeps in the metadata.
static PARAMETERS: Rewrite = Rewrite {
    says: "the entries `data-uri-…` of `Metadata` are taken out",
    read: |object| {
        let uri = object.get("Uri").and_then(Value::as_str);
        if uri.is_some_and(|uri| uri.starts_with("data:")) {
            let message = "the SDK refuses a data URI as `Uri`; put its bytes into `Data`";
            return Err(Rejection::schema("pattern", message).within("Uri"));
        }
        let Some(Value::Object(metadata)) = object.get_mut("Metadata") else {
            return Ok(());
        };
        let mut parameters = Object::new();
        metadata.retain(|name, value| match (name.strip_prefix(PARAMETER), &value) {
            (Some(name), Value::String(_)) => {
                parameters.insert(name, std::mem::take(value));
                false
            }
            _ => true,
        });
        if !parameters.is_empty() {
            object.insert("Metadata@params", parameters);
        }
        Ok(())
    },
    write: |object| {
        let mut left = Vec::new();
        let uri = object.get("Uri").and_then(Value::as_str);
        if uri.is_some_and(|uri| uri.starts_with("data:")) {
            object.remove("Uri");
            left.push(Left {
                part: "Uri",
                class: LossClass::Value,
                why: "the SDK refuses a data URI as an address",
            });
        }
        let parameters = match object.remove("Metadata@params") {
            Some((_, Value::Object(parameters))) => parameters,
            _ => Object::new(),
        };
        left.extend(read_as_parameters(object, &parameters));
        if !parameters.is_empty() && !object.contains_key("Metadata") {
            object.insert("Metadata", Object::new());
        }
        if let Some(Value::Object(metadata)) = object.get_mut("Metadata") {
            for (name, value) in parameters {
                metadata.insert(format!("{PARAMETER}{name}"), value);
            }
        }
        left
    },
};

/// Metadata that the SDK reads as parameters.
fn read_as_parameters(object: &Object, parameters: &Object) -> Option<Left> {
    let metadata = object.get("Metadata").and_then(Value::as_object)?;
    let read = metadata
        .iter()
        .filter(|(_, value)| value.as_str().is_some());
    let mut names = read.filter_map(|(name, _)| name.strip_prefix(PARAMETER));
    let first = names.next()?;
    let is_taken = std::iter::once(first)
        .chain(names)
        .any(|name| parameters.contains_key(name));
    Some(Left {
        part: "Metadata",
        class: if is_taken {
            LossClass::Value
        } else {
            LossClass::Form
        },
        why: "the SDK has the parameters of a data URI among the metadata",
    })
}

static FILE: Table = Table {
    name: "FileReferenceContent",
    rows: &[
        row("FileId", "file_id", Shape::Filled).required(),
        row("Tools", "tools", Shape::Each(&Shape::Text)),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        lost(
            "data_source",
            "the SDK does not say where the provider has the file from",
        ),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static ANNOTATION: Table = Table {
    name: "AnnotationContent",
    rows: &[
        row(
            "Kind",
            "kind",
            Shape::Wrapped("Label", &Shape::Name(&KINDS)),
        )
        .required(),
        row("Label", "label", Shape::Filled).required(),
        row("ReferenceId@file", "ref/file", Shape::Text),
        row("ReferenceId@url", "ref/url", Shape::Text),
        row("ReferenceId@id", "ref/id", Shape::Text),
        row("Title", "title", Shape::Text),
        row("StartIndex", "start", Shape::Integer),
        row("EndIndex", "end", Shape::Integer),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        lost(
            "container",
            "the SDK does not say which container holds the file",
        ),
        lost("filename", "the SDK does not say the name of the file"),
    ],
    rest: Rest::Ext,
    rewrite: Some(&REFERENCE_BY_KIND),
};

static KINDS: Names = Names {
    pairs: &[
        ("filecitation", "file_citation"),
        ("urlcitation", "url_citation"),
        ("textcitation", "text_citation"),
    ],
    open: true,
};

/// The part of `ReferenceId` that an annotation of a kind has.
fn part_of_kind(object: &Object) -> &'static str {
    let kind = object.get("Kind").and_then(|kind| kind.get("Label"));
    match kind.and_then(Value::as_str) {
        Some("filecitation") => "ReferenceId@file",
        Some("urlcitation") => "ReferenceId@url",
        _ => "ReferenceId@id",
    }
}

/// What is referred to, which the SDK says by the kind of the annotation.
static REFERENCE_BY_KIND: Rewrite = Rewrite {
    says: "`ReferenceId` is a file for `filecitation`, a URL for `urlcitation`, and else an identity of another kind",
    read: |object| match object.get("ReferenceId") {
        Some(Value::String(text)) if !text.trim().is_empty() => {
            let part = part_of_kind(object);
            if let Some((_, value)) = object.remove("ReferenceId") {
                object.insert(part, value);
            }
            Ok(())
        }
        _ => {
            let message = "an annotation needs a `ReferenceId` that is not blank; give it one";
            Err(Rejection::schema("required", message).within("ReferenceId"))
        }
    },
    write: |object| {
        let expected = part_of_kind(object);
        let parts = ["ReferenceId@file", "ReferenceId@url", "ReferenceId@id"];
        let mut order: Vec<_> = parts
            .into_iter()
            .filter(|part| object.contains_key(part))
            .collect();
        order.sort_by_key(|part| *part != expected);
        let mut left = Vec::new();
        for (index, part) in order.into_iter().enumerate() {
            let value = object
                .remove(part)
                .map(|(_, value)| value)
                .unwrap_or_default();
            if index == 0 {
                object.insert("ReferenceId", value);
                if part != expected {
                    let why = "the SDK tells by the kind what a reference is, and this kind tells something else";
                    left.push(Left {
                        part,
                        class: LossClass::Form,
                        why,
                    });
                }
            } else {
                let why = "an annotation of this SDK has one reference";
                left.push(Left {
                    part,
                    class: LossClass::Value,
                    why,
                });
            }
        }
        if !object.contains_key("ReferenceId") {
            let why = "an annotation of this SDK needs a reference";
            left.push(Left {
                part: "",
                class: LossClass::Item,
                why,
            });
        }
        left
    },
};

static CALL: Table = Table {
    name: "FunctionCallContent",
    rows: &[
        row("Id", "id", Shape::Text),
        row("PluginName", "plugin", Shape::Text),
        row("FunctionName", "function", Shape::Text).required(),
        row("Arguments", "arguments", Shape::Object),
        row("Arguments", "arguments_text", Shape::ParsedObject),
        row("Exception", "error", Shape::Any),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        lost("alt_id", "a call of this SDK has one identity"),
        lost("index", "a call of this SDK does not say its place"),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static RESULT: Table = Table {
    name: "FunctionResultContent",
    rows: &[
        row("CallId", "id", Shape::Text),
        row("PluginName", "plugin", Shape::Text),
        row("FunctionName", "function", Shape::Text),
        row("Result", "result", Shape::Any),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        lost("alt_id", "a result of this SDK has one identity"),
        lost(
            "result_is_repr",
            "the SDK does not say whether a text was made of another value",
        ),
        NO_ENCODING,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REASONING: Table = Table {
    name: "ReasoningContent",
    rows: &[
        row("Text", "text", Shape::Text),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static ACTION: Table = Table {
    name: "ActionContent",
    rows: &[
        row("Text", "text", Shape::Filled).required(),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static NESTED: Table = Table {
    name: "ChatMessageContent",
    rows: &[row("@message", "message", Shape::Of(&MESSAGE)).required()],
    rest: Rest::Ext,
    rewrite: Some(&NESTED_MESSAGE),
};

/// A message inside a message has the members of the message itself.
static NESTED_MESSAGE: Rewrite = Rewrite {
    says: "all members of the item are the message inside",
    read: |object| {
        let message = std::mem::take(object);
        object.insert("@message", message);
        Ok(())
    },
    write: |object| {
        if let Some((_, Value::Object(message))) = object.remove("@message") {
            object.extend(message);
        }
        Vec::new()
    },
};
