//! The contents of a message.

use super::super::loss::LossClass;
use super::super::media;
use super::super::table::{
    Left, Rest, Rewrite, Row, Shape, Table, Union, constant, lost, row, variant,
};
use chatstate_json::{Object, Value};

pub(super) const NO_MODEL: Row = lost("model", "the SDK does not keep which model answered");
pub(super) const METADATA: Row = row("additionalProperties", "metadata", Shape::Object);
const CITATIONS: Shape = Shape::Each(&Shape::Of(&CITATION));
const ANNOTATIONS: Row = row("annotations", "annotations", CITATIONS);
const CALL_ID: Row = row("callId", "id", Shape::Text);

pub(super) static MEDIA_AMONG_CONTENTS: Rewrite = Rewrite {
    says: "a content of type `data` or `uri` is one of type `image@`, `audio@` or `binary@` by its media type",
    read: |object| {
        media::name_items(object, &CONTENT_MEMBERS, "$type", "mediaType");
        Ok(())
    },
    write: |object| {
        media::unname_items(object, &CONTENT_MEMBERS, "$type");
        Vec::new()
    },
};

/// The members that hold contents.
const CONTENT_MEMBERS: [&str; 4] = ["@", "contents", "inputs", "outputs"];

pub(super) static CONTENT: Union = Union {
    name: "content",
    tag: "$type",
    variants: &[
        variant("text", "text", &TEXT),
        variant("reasoning", "reasoning", &REASONING),
        variant("image@", "image", &IMAGE),
        variant("audio@", "audio", &AUDIO),
        variant("binary@", "binary", &BINARY),
        variant("hostedFile", "file", &FILE),
        variant("hostedVectorStore", "vector_store", &VECTOR_STORE),
        variant("functionCall", "call", &CALL),
        variant("functionResult", "result", &RESULT),
        variant("error", "error", &ERROR),
        variant("usage", "usage", &USAGE),
        variant("mcpServerToolCall", "mcp_call", &MCP_CALL),
        variant("mcpServerToolResult", "mcp_result", &OUTPUTS),
        variant("codeInterpreterToolCall", "code_call", &INPUTS),
        variant("codeInterpreterToolResult", "code_result", &OUTPUTS),
        variant("imageGenerationToolCall", "image_call", &IMAGE_CALL),
        variant("imageGenerationToolResult", "image_result", &OUTPUTS),
        variant("toolApprovalRequest", "approval_request", &APPROVAL_REQUEST),
        variant(
            "toolApprovalResponse",
            "approval_response",
            &APPROVAL_RESPONSE,
        ),
    ],
};

static TEXT: Table = Table {
    name: "text",
    rows: &[
        row("text", "text", Shape::Text)
            .or_reads("\"\"")
            .instead("\"\""),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REASONING: Table = Table {
    name: "reasoning",
    rows: &[
        row("text", "text", Shape::Text),
        row("protectedData", "protected", Shape::Text),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const MEDIA_ROWS: &[Row] = &[
    row("uri@mime", "mime", Shape::Text),
    row("uri@params", "params", Shape::Object),
    row("uri@data", "data", Shape::Text),
    row("uri", "uri", Shape::Text),
    row("name", "name", Shape::Text).says("Only bytes in the document have a name."),
    ANNOTATIONS,
    METADATA,
    NO_MODEL,
];

const fn media_table(name: &'static str, rewrite: &'static Rewrite) -> Table {
    Table {
        name,
        rows: MEDIA_ROWS,
        rest: Rest::Ext,
        rewrite: Some(rewrite),
    }
}

const fn media_rewrite(write: fn(&mut Object) -> Vec<Left>) -> Rewrite {
    Rewrite {
        says: "a data URI is taken apart: the media type, the parameters and the Base64 text; the \
               `mediaType` of another `uri` is `uri@mime`",
        read: |object| {
            media::read(object, "mediaType");
            Ok(())
        },
        write,
    }
}

/// Puts the parts together. Where bytes are elsewhere, their media type is always said.
fn write_media(object: &mut Object, kind: &str) -> Vec<Left> {
    let mut left = media::write(object, kind, "mediaType");
    let uri = object.get("uri").and_then(Value::as_str);
    let is_elsewhere = uri.is_some_and(|uri| !uri.starts_with("data:"));
    if is_elsewhere && !object.contains_key("mediaType") {
        object.insert("mediaType", "application/octet-stream");
        left.push(Left {
            part: "uri@mime",
            class: LossClass::MadeUp,
            why: "the SDK always says a media type; `application/octet-stream` is written",
        });
    }
    left
}

static IMAGE_PARTS: Rewrite = media_rewrite(|object| write_media(object, "image"));
static AUDIO_PARTS: Rewrite = media_rewrite(|object| write_media(object, "audio"));
static BINARY_PARTS: Rewrite = media_rewrite(|object| write_media(object, "binary"));
static IMAGE: Table = media_table("data, uri: a picture", &IMAGE_PARTS);
static AUDIO: Table = media_table("data, uri: sound", &AUDIO_PARTS);
static BINARY: Table = media_table("data, uri: other bytes", &BINARY_PARTS);

static FILE: Table = Table {
    name: "hostedFile",
    rows: &[
        row("fileId", "file_id", Shape::Filled).required(),
        row("mediaType", "mime", Shape::Text),
        row("name", "name", Shape::Text),
        lost("tools", "the SDK does not keep which tools may use a file"),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static VECTOR_STORE: Table = Table {
    name: "hostedVectorStore",
    rows: &[
        row("vectorStoreId", "vector_store_id", Shape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CALL: Table = Table {
    name: "functionCall",
    rows: &[
        row("name@plugin", "plugin", Shape::Text),
        row("name", "function", Shape::Filled).required(),
        row("arguments", "arguments", Shape::Object),
        row("arguments", "arguments_text", Shape::ParsedObject),
        row("informationalOnly", "informational_only", Shape::Flag).or_written("false"),
        CALL_ID.required().instead("\"\""),
        lost(
            "error",
            "the SDK does not keep why a call could not be made",
        ),
        lost("index", "the SDK does not keep the place of a call"),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&JOINED_NAME),
};

static JOINED_NAME: Rewrite = Rewrite {
    says: "a plugin and a function are written as one name, with `-` between them",
    read: |_| Ok(()),
    write: |object| {
        let plugin = object.remove("name@plugin").map(|(_, value)| value);
        let name = object.get("name").and_then(Value::as_str);
        let (Some(Value::String(plugin)), Some(name)) = (plugin, name) else {
            return Vec::new();
        };
        let joined = format!("{plugin}-{name}");
        object.insert("name", joined);
        vec![Left {
            part: "name@plugin",
            class: LossClass::Form,
            why: "the SDK has no plugins; the name of the plugin stands before that of the function",
        }]
    },
};

static RESULT: Table = Table {
    name: "functionResult",
    rows: &[
        row("result", "result", Shape::Any),
        CALL_ID.required().instead("\"\""),
        lost(
            "plugin",
            "a result of this SDK names its call and no function",
        ),
        lost(
            "function",
            "a result of this SDK names its call and no function",
        ),
        lost(
            "encoding",
            "the SDK always writes UTF-8 and does not say so",
        ),
        lost("error", "the SDK does not keep why a call failed"),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static ERROR: Table = Table {
    name: "error",
    rows: &[
        row("message", "message", Shape::Text),
        row("errorCode", "code", Shape::Text),
        row("details", "details", Shape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE: Table = Table {
    name: "usage",
    rows: &[
        row("details", "details", Shape::Of(&USAGE_DETAILS)),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE_DETAILS: Table = Table {
    name: "usage details",
    rows: &[
        row("inputTokenCount", "input_tokens", Shape::Integer),
        row("outputTokenCount", "output_tokens", Shape::Integer),
        row("totalTokenCount", "total_tokens", Shape::Integer),
        row(
            "cachedInputTokenCount",
            "cached_input_tokens",
            Shape::Integer,
        ),
        row("reasoningTokenCount", "reasoning_tokens", Shape::Integer),
        row("inputAudioTokenCount", "input_audio_tokens", Shape::Integer),
        row("inputTextTokenCount", "input_text_tokens", Shape::Integer),
        row(
            "outputAudioTokenCount",
            "output_audio_tokens",
            Shape::Integer,
        ),
        row("outputTextTokenCount", "output_text_tokens", Shape::Integer),
    ],
    rest: Rest::Same,
    rewrite: Some(&ADDITIONAL_COUNTS),
};

/// The counts that the SDK has members for.
const COUNTS: [&str; 9] = [
    "inputTokenCount",
    "outputTokenCount",
    "totalTokenCount",
    "cachedInputTokenCount",
    "reasoningTokenCount",
    "inputAudioTokenCount",
    "inputTextTokenCount",
    "outputAudioTokenCount",
    "outputTextTokenCount",
];

static ADDITIONAL_COUNTS: Rewrite = Rewrite {
    says: "the entries of `additionalCounts` stand beside the other counts",
    read: |object| {
        let Some((_, Value::Object(counts))) = object.remove("additionalCounts") else {
            return Ok(());
        };
        let (taken, free): (Vec<_>, Vec<_>) = counts
            .into_iter()
            .partition(|(name, _)| object.contains_key(name) || COUNTS.contains(&name.as_str()));
        object.extend(free);
        if !taken.is_empty() {
            object.insert("additionalCounts", taken.into_iter().collect::<Object>());
        }
        Ok(())
    },
    write: |object| {
        let mut counts = match object.remove("additionalCounts") {
            Some((_, Value::Object(counts))) => counts,
            _ => Object::new(),
        };
        let others = object
            .keys()
            .filter(|name| !COUNTS.contains(&name.as_str()));
        let others: Vec<_> = others.cloned().collect();
        for name in others {
            if let Some((_, count)) = object.remove(&name) {
                counts.insert(name, count);
            }
        }
        if !counts.is_empty() {
            object.insert("additionalCounts", counts);
        }
        Vec::new()
    },
};

static MCP_CALL: Table = Table {
    name: "mcpServerToolCall",
    rows: &[
        row("name", "function", Shape::Text),
        row("serverName", "server", Shape::Text),
        row("arguments", "arguments", Shape::Object),
        row("arguments", "arguments_text", Shape::ParsedObject),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static INPUTS: Table = Table {
    name: "codeInterpreterToolCall",
    rows: &[
        row("inputs", "inputs", Shape::Each(&Shape::OneOf(&CONTENT))),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static OUTPUTS: Table = Table {
    name: "mcpServerToolResult, codeInterpreterToolResult, imageGenerationToolResult",
    rows: &[
        row("outputs", "outputs", Shape::Each(&Shape::OneOf(&CONTENT))),
        row("outputs@one", "output", Shape::OneOf(&CONTENT))
            .says("A single output of another SDK."),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: Some(&OUTPUT_LIST),
};

static OUTPUT_LIST: Rewrite = Rewrite {
    says: "a single output is written as a list; media among the outputs are named by their media type",
    read: MEDIA_AMONG_CONTENTS.read,
    write: |object| {
        let mut left = Vec::new();
        if let Some((_, output)) = object.remove("outputs@one")
            && !object.contains_key("outputs")
        {
            object.insert("outputs", vec![output]);
            left.push(Left {
                part: "outputs@one",
                class: LossClass::Form,
                why: "the SDK has a list of outputs",
            });
        }
        left.extend((MEDIA_AMONG_CONTENTS.write)(object));
        left
    },
};

static IMAGE_CALL: Table = Table {
    name: "imageGenerationToolCall",
    rows: &[CALL_ID, ANNOTATIONS, METADATA],
    rest: Rest::Ext,
    rewrite: None,
};

static APPROVAL_REQUEST: Table = Table {
    name: "toolApprovalRequest",
    rows: &[
        row("toolCall", "call", Shape::OneOf(&CONTENT)),
        row("requiresConfirmation", "requires_confirmation", Shape::Flag).or_written("true"),
        row("requestId", "id", Shape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static APPROVAL_RESPONSE: Table = Table {
    name: "toolApprovalResponse",
    rows: &[
        row("approved", "approved", Shape::Flag),
        row("toolCall", "call", Shape::OneOf(&CONTENT)),
        row("reason", "reason", Shape::Text),
        row("requestId", "id", Shape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CITATION: Table = Table {
    name: "citation",
    rows: &[
        constant("$type", "\"citation\""),
        row("title", "title", Shape::Text),
        row("url", "url", Shape::Text),
        row("fileId", "file", Shape::Text),
        row("toolName", "tool", Shape::Text),
        row("snippet", "snippet", Shape::Text),
        row(
            "annotatedRegions",
            "regions",
            Shape::Each(&Shape::Of(&REGION)),
        ),
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REGION: Table = Table {
    name: "text span",
    rows: &[
        constant("$type", "\"textSpan\""),
        row("start", "start", Shape::Integer),
        row("end", "end", Shape::Integer),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
