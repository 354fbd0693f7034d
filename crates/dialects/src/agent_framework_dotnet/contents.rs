//! The contents of a message.

use super::super::loss::ConversionLoss;
use super::super::media;
use super::super::table::{
    Left, MemberRow, ObjectTable, Rest, Rewrite, Union, ValueShape, constant, lost, row, variant,
};
use chatstate_json::{Object, Value};

pub(super) const NO_MODEL: MemberRow = lost("model", "the SDK does not keep which model answered");
pub(super) const METADATA: MemberRow = row("additionalProperties", "metadata", ValueShape::Object);
const CITATIONS: ValueShape = ValueShape::Each(&ValueShape::Of(&CITATION));
const ANNOTATIONS: MemberRow = row("annotations", "annotations", CITATIONS);
const CALL_ID: MemberRow = row("callId", "id", ValueShape::Text);

pub(super) static MEDIA_AMONG_CONTENTS: Rewrite = Rewrite {
    doc: "a content of type `data` or `uri` is one of type `image@`, `audio@` or `binary@` by its media type",
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

static TEXT: ObjectTable = ObjectTable {
    name: "text",
    rows: &[
        row("text", "text", ValueShape::Text)
            .or_reads("\"\"")
            .instead("\"\""),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REASONING: ObjectTable = ObjectTable {
    name: "reasoning",
    rows: &[
        row("text", "text", ValueShape::Text),
        row("protectedData", "protected", ValueShape::Text),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const MEDIA_ROWS: &[MemberRow] = &[
    row("uri@mime", "mime", ValueShape::Text),
    row("uri@params", "params", ValueShape::Object),
    row("uri@data", "data", ValueShape::Text),
    row("uri", "uri", ValueShape::Text),
    row("name", "name", ValueShape::Text).doc("Only bytes in the document have a name."),
    ANNOTATIONS,
    METADATA,
    NO_MODEL,
];

const fn media_table(name: &'static str, rewrite: &'static Rewrite) -> ObjectTable {
    ObjectTable {
        name,
        rows: MEDIA_ROWS,
        rest: Rest::Ext,
        rewrite: Some(rewrite),
    }
}

const fn media_rewrite(write: fn(&mut Object) -> Vec<Left>) -> Rewrite {
    Rewrite {
        doc: "a data URI is taken apart: the media type, the parameters and the Base64 text; the \
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
            class: ConversionLoss::MadeUp,
            why: "the SDK always says a media type; `application/octet-stream` is written",
        });
    }
    left
}

static IMAGE_PARTS: Rewrite = media_rewrite(|object| write_media(object, "image"));
static AUDIO_PARTS: Rewrite = media_rewrite(|object| write_media(object, "audio"));
static BINARY_PARTS: Rewrite = media_rewrite(|object| write_media(object, "binary"));
static IMAGE: ObjectTable = media_table("data, uri: a picture", &IMAGE_PARTS);
static AUDIO: ObjectTable = media_table("data, uri: sound", &AUDIO_PARTS);
static BINARY: ObjectTable = media_table("data, uri: other bytes", &BINARY_PARTS);

static FILE: ObjectTable = ObjectTable {
    name: "hostedFile",
    rows: &[
        row("fileId", "file_id", ValueShape::Filled).required(),
        row("mediaType", "mime", ValueShape::Text),
        row("name", "name", ValueShape::Text),
        lost("tools", "the SDK does not keep which tools may use a file"),
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static VECTOR_STORE: ObjectTable = ObjectTable {
    name: "hostedVectorStore",
    rows: &[
        row("vectorStoreId", "vector_store_id", ValueShape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CALL: ObjectTable = ObjectTable {
    name: "functionCall",
    rows: &[
        row("name@plugin", "plugin", ValueShape::Text),
        row("name", "function", ValueShape::Filled).required(),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::ParsedObject),
        row("informationalOnly", "informational_only", ValueShape::Flag).or_written("false"),
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
    doc: "a plugin and a function are written as one name, with `-` between them",
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
            class: ConversionLoss::Form,
            why: "the SDK has no plugins; the name of the plugin is put before that of the function",
        }]
    },
};

static RESULT: ObjectTable = ObjectTable {
    name: "functionResult",
    rows: &[
        row("result", "result", ValueShape::Any),
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

static ERROR: ObjectTable = ObjectTable {
    name: "error",
    rows: &[
        row("message", "message", ValueShape::Text),
        row("errorCode", "code", ValueShape::Text),
        row("details", "details", ValueShape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE: ObjectTable = ObjectTable {
    name: "usage",
    rows: &[
        row("details", "details", ValueShape::Of(&USAGE_DETAILS)),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE_DETAILS: ObjectTable = ObjectTable {
    name: "usage details",
    rows: &[
        row("inputTokenCount", "input_tokens", ValueShape::Integer),
        row("outputTokenCount", "output_tokens", ValueShape::Integer),
        row("totalTokenCount", "total_tokens", ValueShape::Integer),
        row(
            "cachedInputTokenCount",
            "cached_input_tokens",
            ValueShape::Integer,
        ),
        row(
            "reasoningTokenCount",
            "reasoning_tokens",
            ValueShape::Integer,
        ),
        row(
            "inputAudioTokenCount",
            "input_audio_tokens",
            ValueShape::Integer,
        ),
        row(
            "inputTextTokenCount",
            "input_text_tokens",
            ValueShape::Integer,
        ),
        row(
            "outputAudioTokenCount",
            "output_audio_tokens",
            ValueShape::Integer,
        ),
        row(
            "outputTextTokenCount",
            "output_text_tokens",
            ValueShape::Integer,
        ),
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
    doc: "the entries of `additionalCounts` are beside the other counts",
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

static MCP_CALL: ObjectTable = ObjectTable {
    name: "mcpServerToolCall",
    rows: &[
        row("name", "function", ValueShape::Text),
        row("serverName", "server", ValueShape::Text),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::ParsedObject),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static INPUTS: ObjectTable = ObjectTable {
    name: "codeInterpreterToolCall",
    rows: &[
        row(
            "inputs",
            "inputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static OUTPUTS: ObjectTable = ObjectTable {
    name: "mcpServerToolResult, codeInterpreterToolResult, imageGenerationToolResult",
    rows: &[
        row(
            "outputs",
            "outputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        row("outputs@one", "output", ValueShape::OneOf(&CONTENT))
            .doc("A single output of another SDK."),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: Some(&OUTPUT_LIST),
};

static OUTPUT_LIST: Rewrite = Rewrite {
    doc: "a single output is written as a list; media among the outputs are named by their media type",
    read: MEDIA_AMONG_CONTENTS.read,
    write: |object| {
        let mut left = Vec::new();
        if let Some((_, output)) = object.remove("outputs@one")
            && !object.contains_key("outputs")
        {
            object.insert("outputs", vec![output]);
            left.push(Left {
                part: "outputs@one",
                class: ConversionLoss::Form,
                why: "the SDK has a list of outputs",
            });
        }
        left.extend((MEDIA_AMONG_CONTENTS.write)(object));
        left
    },
};

static IMAGE_CALL: ObjectTable = ObjectTable {
    name: "imageGenerationToolCall",
    rows: &[CALL_ID, ANNOTATIONS, METADATA],
    rest: Rest::Ext,
    rewrite: None,
};

static APPROVAL_REQUEST: ObjectTable = ObjectTable {
    name: "toolApprovalRequest",
    rows: &[
        row("toolCall", "call", ValueShape::OneOf(&CONTENT)),
        row(
            "requiresConfirmation",
            "requires_confirmation",
            ValueShape::Flag,
        )
        .or_written("true"),
        row("requestId", "id", ValueShape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static APPROVAL_RESPONSE: ObjectTable = ObjectTable {
    name: "toolApprovalResponse",
    rows: &[
        row("approved", "approved", ValueShape::Flag),
        row("toolCall", "call", ValueShape::OneOf(&CONTENT)),
        row("reason", "reason", ValueShape::Text),
        row("requestId", "id", ValueShape::Text),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CITATION: ObjectTable = ObjectTable {
    name: "citation",
    rows: &[
        constant("$type", "\"citation\""),
        row("title", "title", ValueShape::Text),
        row("url", "url", ValueShape::Text),
        row("fileId", "file", ValueShape::Text),
        row("toolName", "tool", ValueShape::Text),
        row("snippet", "snippet", ValueShape::Text),
        row(
            "annotatedRegions",
            "regions",
            ValueShape::Each(&ValueShape::Of(&REGION)),
        ),
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REGION: ObjectTable = ObjectTable {
    name: "text span",
    rows: &[
        constant("$type", "\"textSpan\""),
        row("start", "start", ValueShape::Integer),
        row("end", "end", ValueShape::Integer),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
