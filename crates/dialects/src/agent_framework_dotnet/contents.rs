//! The contents of a message.

use super::super::agent_framework::{
    JOINED_NAME, NO_ENCODING, NO_FUNCTION_OF_RESULT, NO_INDEX_OF_CALL, NO_MODEL,
    NO_PLUGIN_OF_RESULT, NO_TOOLS_OF_FILE,
};
use super::super::checks::{
    BASE64, DISTINCT_NAMES, INTEGER_OF_32_BITS, INTEGER_OF_64_BITS, MEDIA_TYPE, TIME, is_media_type,
};
use super::super::loss::ConversionLoss;
use super::super::media;
use super::super::table::{
    Left, MemberRow, ObjectTable, Rest, Rewrite, Union, ValueShape, Variant, constant, lost, row,
    variant,
};
use super::approvals::{APPROVAL_REQUEST, APPROVAL_RESPONSE};
use super::tools::{CODE_CALL, IMAGE_CALL, MCP_CALL, OUTPUTS, SEARCH_CALL, TOOL};
use chatstate_json::{Object, Value};

pub(super) const METADATA: MemberRow = row(
    "additionalProperties",
    "metadata",
    ValueShape::Checked(&DISTINCT_NAMES),
);
const CITATIONS: ValueShape = ValueShape::Each(&ValueShape::Of(&CITATION));
pub(super) const ANNOTATIONS: MemberRow = row("annotations", "annotations", CITATIONS);
pub(super) const CALL_ID: MemberRow = row("callId", "id", ValueShape::Text)
    .required()
    .instead("\"\"");

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
    untagged: Some(&BARE),
    closed: false,
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
        variant("codeInterpreterToolCall", "code_call", &CODE_CALL),
        variant("codeInterpreterToolResult", "code_result", &OUTPUTS),
        variant("imageGenerationToolCall", "image_call", &IMAGE_CALL),
        variant("imageGenerationToolResult", "image_result", &OUTPUTS),
        variant("webSearchToolCall", "search_call", &SEARCH_CALL),
        variant("webSearchToolResult", "search_result", &OUTPUTS),
        variant("toolCall", "tool_call", &TOOL),
        variant("toolResult", "tool_result", &TOOL),
        variant("toolApprovalRequest", "approval_request", &APPROVAL_REQUEST),
        variant(
            "toolApprovalResponse",
            "approval_response",
            &APPROVAL_RESPONSE,
        ),
    ],
};

/// What the SDK writes for a content that is of none of its kinds.
static BARE: Variant = variant(
    "",
    "content",
    &ObjectTable {
        name: "content without `$type`",
        rows: &[ANNOTATIONS, METADATA],
        rest: Rest::Ext,
        rewrite: None,
    },
);

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
        row("text", "text", ValueShape::Text).or_reads("\"\""),
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
    row("uri@data", "data", ValueShape::Checked(&BASE64)),
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
    let said = object.get("mediaType").and_then(Value::as_str);
    let (class, why) = match said {
        Some(said) if is_media_type(said) => return left,
        Some(_) => (
            ConversionLoss::Value,
            "the SDK rejects a text that is no media type; `application/octet-stream` is written",
        ),
        None => (
            ConversionLoss::MadeUp,
            "the SDK always says a media type; `application/octet-stream` is written",
        ),
    };
    if is_elsewhere {
        object.insert("mediaType", "application/octet-stream");
        let part = "uri@mime";
        left.push(Left { part, class, why });
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
        row("mediaType", "mime", ValueShape::Checked(&MEDIA_TYPE)),
        row("name", "name", ValueShape::Text),
        row(
            "sizeInBytes",
            "size",
            ValueShape::Checked(&INTEGER_OF_64_BITS),
        ),
        row("createdAt", "created_at", ValueShape::Checked(&TIME)),
        row("purpose", "purpose", ValueShape::Text),
        row("scope", "scope", ValueShape::Text),
        NO_TOOLS_OF_FILE,
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
        row("vectorStoreId", "vector_store_id", ValueShape::Filled).required(),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

pub(super) static CALL: ObjectTable = ObjectTable {
    name: "functionCall",
    rows: &[
        row("name@plugin", "plugin", ValueShape::Text),
        row("name", "function", ValueShape::Text).required(),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::ParsedObject),
        row("informationalOnly", "informational_only", ValueShape::Flag).or_written("false"),
        CALL_ID,
        lost(
            "error",
            "the SDK does not keep why a call could not be made",
        ),
        NO_INDEX_OF_CALL,
        ANNOTATIONS,
        METADATA,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&JOINED_NAME),
};

static RESULT: ObjectTable = ObjectTable {
    name: "functionResult",
    rows: &[
        row("result", "result", ValueShape::Any),
        CALL_ID,
        NO_PLUGIN_OF_RESULT,
        NO_FUNCTION_OF_RESULT,
        NO_ENCODING,
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
        row("message", "message", ValueShape::Text).or_reads("\"\""),
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
        row("details", "details", ValueShape::Of(&USAGE_DETAILS))
            .required()
            .instead("{}"),
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const COUNT: ValueShape = ValueShape::Checked(&INTEGER_OF_64_BITS);

static USAGE_DETAILS: ObjectTable = ObjectTable {
    name: "usage details",
    rows: &[
        row("inputTokenCount", "input_tokens", COUNT),
        row("outputTokenCount", "output_tokens", COUNT),
        row("totalTokenCount", "total_tokens", COUNT),
        row("cachedInputTokenCount", "cached_input_tokens", COUNT),
        row("reasoningTokenCount", "reasoning_tokens", COUNT),
        row("inputAudioTokenCount", "input_audio_tokens", COUNT),
        row("inputTextTokenCount", "input_text_tokens", COUNT),
        row("outputAudioTokenCount", "output_audio_tokens", COUNT),
        row("outputTextTokenCount", "output_text_tokens", COUNT),
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
        let mut left = Vec::new();
        for name in others {
            match object.remove(&name) {
                Some((_, count)) if (INTEGER_OF_64_BITS.holds)(&count) => {
                    counts.insert(name, count);
                }
                _ => left.push(Left {
                    part: "",
                    class: ConversionLoss::Value,
                    why: "the SDK counts in integers of 64 bits alone; another count is left out",
                }),
            }
        }
        if !counts.is_empty() {
            object.insert("additionalCounts", counts);
        }
        left
    },
};

const UNTYPED_ROW: MemberRow = row("@untyped", "untyped", ValueShape::Flag);

static UNTYPED: Rewrite = Rewrite {
    doc: "an object without `$type`, which the SDK writes for one of no kind that it knows, is `@untyped`",
    read: |object| {
        if !object.contains_key("$type") {
            object.insert("@untyped", true);
        }
        Ok(())
    },
    write: |object| {
        if object
            .remove("@untyped")
            .is_some_and(|(_, it)| it == true.into())
        {
            object.remove("$type");
        }
        Vec::new()
    },
};

static CITATION: ObjectTable = ObjectTable {
    name: "citation",
    rows: &[
        UNTYPED_ROW,
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
    rewrite: Some(&UNTYPED),
};

static REGION: ObjectTable = ObjectTable {
    name: "text span",
    rows: &[
        UNTYPED_ROW,
        constant("$type", "\"textSpan\""),
        row("start", "start", ValueShape::Checked(&INTEGER_OF_32_BITS)),
        row("end", "end", ValueShape::Checked(&INTEGER_OF_32_BITS)),
    ],
    rest: Rest::Ext,
    rewrite: Some(&UNTYPED),
};
