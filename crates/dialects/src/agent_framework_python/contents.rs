//! The contents of a message.

use super::super::agent_framework::{
    JOINED_NAME, NO_ENCODING, NO_FUNCTION_OF_RESULT, NO_INDEX_OF_CALL, NO_MODEL,
    NO_PLUGIN_OF_RESULT, NO_TOOLS_OF_FILE, each_is,
};
use super::super::media;
use super::super::table::{
    Left, MemberRow, ObjectTable, Rest, Rewrite, Union, ValueShape, constant, derived, lost, row,
    variant,
};
use chatstate_json::{Object, Value};

pub(super) const METADATA: MemberRow =
    row("additional_properties", "metadata", ValueShape::Object).or_written("{}");
const CITATIONS: ValueShape = ValueShape::Each(&ValueShape::Of(&CITATION));
const ANNOTATIONS: MemberRow = row("annotations", "annotations", CITATIONS);

pub(super) static MEDIA_AMONG_CONTENTS: Rewrite = Rewrite {
    doc: "a content of type `data` or `uri` is one of type `image@`, `audio@` or `binary@` by its media type",
    read: |object| {
        media::name_items(object, &CONTENT_MEMBERS, "type", "media_type");
        Ok(())
    },
    write: |object| {
        media::unname_items(object, &CONTENT_MEMBERS, "type");
        Vec::new()
    },
};

/// The members that hold contents.
const CONTENT_MEMBERS: [&str; 5] = ["@", "contents", "inputs", "outputs", "output@contents"];

pub(super) static CONTENT: Union = Union {
    name: "content",
    tag: "type",
    untagged: None,
    closed: false,
    variants: &[
        variant("text", "text", &TEXT),
        variant("text_reasoning", "reasoning", &REASONING),
        variant("image@", "image", &IMAGE),
        variant("audio@", "audio", &AUDIO),
        variant("binary@", "binary", &BINARY),
        variant("hosted_file", "file", &FILE),
        variant("hosted_vector_store", "vector_store", &VECTOR_STORE),
        variant("function_call", "call", &CALL),
        variant("function_result", "result", &RESULT),
        variant("error", "error", &ERROR),
        variant("usage", "usage", &USAGE),
        variant("mcp_server_tool_call", "mcp_call", &MCP_CALL),
        variant("mcp_server_tool_result", "mcp_result", &MCP_RESULT),
        variant("code_interpreter_tool_call", "code_call", &CODE_CALL),
        variant("code_interpreter_tool_result", "code_result", &CODE_RESULT),
        variant("image_generation_tool_call", "image_call", &IMAGE_CALL),
        variant(
            "image_generation_tool_result",
            "image_result",
            &IMAGE_RESULT,
        ),
        variant(
            "function_approval_request",
            "approval_request",
            &APPROVAL_REQUEST,
        ),
        variant(
            "function_approval_response",
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
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REASONING: ObjectTable = ObjectTable {
    name: "text_reasoning",
    rows: &[
        row("text", "text", ValueShape::Text),
        row("protected_data", "protected", ValueShape::Text),
        row("id", "id", ValueShape::Text),
        row("status", "status", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const MEDIA_ROWS: &[MemberRow] = &[
    derived("media_type", media::media_type).doc("The media type in the data URI."),
    row("uri@mime", "mime", ValueShape::Text),
    row("uri@params", "params", ValueShape::Object),
    row("uri@data", "data", ValueShape::Text),
    row("uri", "uri", ValueShape::Text),
    METADATA,
    ANNOTATIONS,
    NO_MODEL,
];

const MEDIA_SAYS: &str = "a data URI is taken apart: the media type, the parameters and the Base64 \
                          text; the `media_type` of another `uri` is `uri@mime`";

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
        doc: MEDIA_SAYS,
        read: |object| {
            media::read(object, "media_type");
            Ok(())
        },
        write,
    }
}

static IMAGE_PARTS: Rewrite = media_rewrite(|object| media::write(object, "image", "media_type"));
static AUDIO_PARTS: Rewrite = media_rewrite(|object| media::write(object, "audio", "media_type"));
static BINARY_PARTS: Rewrite = media_rewrite(|object| media::write(object, "binary", "media_type"));
static IMAGE: ObjectTable = media_table("data, uri: a picture", &IMAGE_PARTS);
static AUDIO: ObjectTable = media_table("data, uri: sound", &AUDIO_PARTS);
static BINARY: ObjectTable = media_table("data, uri: other bytes", &BINARY_PARTS);

static FILE: ObjectTable = ObjectTable {
    name: "hosted_file",
    rows: &[
        row("file_id", "file_id", ValueShape::Text).required(),
        row("media_type", "mime", ValueShape::Text),
        row("name", "name", ValueShape::Text),
        NO_TOOLS_OF_FILE,
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static VECTOR_STORE: ObjectTable = ObjectTable {
    name: "hosted_vector_store",
    rows: &[
        row("vector_store_id", "vector_store_id", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CALL: ObjectTable = ObjectTable {
    name: "function_call",
    rows: &[
        row("call_id", "id", ValueShape::Text),
        row("id", "alt_id", ValueShape::Text),
        row("name@plugin", "plugin", ValueShape::Text),
        row("name", "function", ValueShape::Text).required(),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::Text),
        row("exception", "error", ValueShape::Text).doc("The SDK hides what went wrong."),
        row("informational_only", "informational_only", ValueShape::Flag),
        row("server_name", "server", ValueShape::Text),
        row("hosted", "hosted", ValueShape::Flag)
            .or_default("false")
            .doc("Version 1.0.0 rejects a session that has it."),
        row("status", "status", ValueShape::Text),
        NO_INDEX_OF_CALL,
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&JOINED_NAME),
};

static RESULT: ObjectTable = ObjectTable {
    name: "function_result",
    rows: &[
        derived("items", items_of_result).doc("The result as contents: here one text."),
        row("call_id", "id", ValueShape::Text),
        row("id", "alt_id", ValueShape::Text),
        row("result", "result", ValueShape::TextOf),
        row("exception", "error", ValueShape::Text).doc("The SDK hides what went wrong."),
        row("status", "status", ValueShape::Text),
        NO_PLUGIN_OF_RESULT,
        NO_FUNCTION_OF_RESULT,
        NO_ENCODING,
        lost(
            "result_is_repr",
            "the SDK keeps every result as text and does not say of which kind it was",
        ),
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

/// The contents that say the same as a result that is text.
fn items_of_result(object: &Object) -> Option<Value> {
    let text = object.get("result")?.as_str()?;
    let members: [(&str, Value); 3] = [
        ("type", "text".into()),
        ("text", text.into()),
        ("additional_properties", Object::new().into()),
    ];
    let item = Value::Object(members.into_iter().collect());
    Some(vec![item].into())
}

static ERROR: ObjectTable = ObjectTable {
    name: "error",
    rows: &[
        row("message", "message", ValueShape::Text),
        row("error_code", "code", ValueShape::Text),
        row("error_details", "details", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE: ObjectTable = ObjectTable {
    name: "usage",
    rows: &[
        row("usage_details", "details", ValueShape::Of(&USAGE_DETAILS)),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE_DETAILS: ObjectTable = ObjectTable {
    name: "usage_details",
    rows: &[
        row("input_token_count", "input_tokens", ValueShape::Integer),
        row("output_token_count", "output_tokens", ValueShape::Integer),
        row("total_token_count", "total_tokens", ValueShape::Integer),
        row(
            "cache_creation_input_token_count",
            "cache_write_input_tokens",
            ValueShape::Integer,
        ),
        row(
            "cache_read_input_token_count",
            "cached_input_tokens",
            ValueShape::Integer,
        ),
        row(
            "reasoning_output_token_count",
            "reasoning_tokens",
            ValueShape::Integer,
        ),
    ],
    rest: Rest::Same,
    rewrite: None,
};

static MCP_CALL: ObjectTable = ObjectTable {
    name: "mcp_server_tool_call",
    rows: &[
        row("call_id", "id", ValueShape::Text),
        row("tool_name", "function", ValueShape::Text),
        row("server_name", "server", ValueShape::Text),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MCP_RESULT: ObjectTable = ObjectTable {
    name: "mcp_server_tool_result",
    rows: &[
        row("call_id", "id", ValueShape::Text),
        row(
            "output@contents",
            "outputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        row("output", "output", ValueShape::Any),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MCP_OUTPUT),
};

static MCP_OUTPUT: Rewrite = Rewrite {
    doc: "an `output` that is a list of contents is `output@contents`; media among them are named by their media type",
    read: |object| {
        let has_tag = |item: &Value| item.get("type").is_some_and(|tag| tag.as_str().is_some());
        if object.get("output").is_some_and(|it| each_is(it, has_tag))
            && let Some((_, output)) = object.remove("output")
        {
            object.insert("output@contents", output);
        }
        (MEDIA_AMONG_CONTENTS.read)(object)
    },
    write: |object| {
        let left = (MEDIA_AMONG_CONTENTS.write)(object);
        if let Some((_, output)) = object.remove("output@contents") {
            object.insert("output", output);
        }
        left
    },
};

static CODE_CALL: ObjectTable = ObjectTable {
    name: "code_interpreter_tool_call",
    rows: &[
        row("call_id", "id", ValueShape::Text),
        row(
            "inputs",
            "inputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        row("status", "status", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static CODE_RESULT: ObjectTable = ObjectTable {
    name: "code_interpreter_tool_result",
    rows: &[
        row("call_id", "id", ValueShape::Text),
        row(
            "outputs",
            "outputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        row("status", "status", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static IMAGE_CALL: ObjectTable = ObjectTable {
    name: "image_generation_tool_call",
    rows: &[
        row("image_id", "id", ValueShape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static IMAGE_RESULT: ObjectTable = ObjectTable {
    name: "image_generation_tool_result",
    rows: &[
        row("image_id", "id", ValueShape::Text),
        row(
            "outputs",
            "outputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        row("outputs", "output", ValueShape::OneOf(&CONTENT))
            .doc("One content in place of a list."),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static APPROVAL_REQUEST: ObjectTable = ObjectTable {
    name: "function_approval_request",
    rows: &[
        row("id", "id", ValueShape::Text),
        row("function_call", "call", ValueShape::OneOf(&CONTENT)),
        row("user_input_request", "user_input_request", ValueShape::Flag).or_written("true"),
        lost(
            "requires_confirmation",
            "the SDK always asks for confirmation",
        ),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static APPROVAL_RESPONSE: ObjectTable = ObjectTable {
    name: "function_approval_response",
    rows: &[
        row("id", "id", ValueShape::Text),
        row("function_call", "call", ValueShape::OneOf(&CONTENT)),
        row("approved", "approved", ValueShape::Flag),
        lost("reason", "the SDK does not keep why a call was rejected"),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CITATION: ObjectTable = ObjectTable {
    name: "citation",
    rows: &[
        constant("type", "\"citation\""),
        row("title", "title", ValueShape::Text),
        row("url", "url", ValueShape::Text),
        row("file_id", "file", ValueShape::Text),
        row("tool_name", "tool", ValueShape::Text),
        row("snippet", "snippet", ValueShape::Text),
        row(
            "annotated_regions",
            "regions",
            ValueShape::Each(&ValueShape::Of(&REGION)),
        ),
        row("additional_properties", "metadata", ValueShape::Object),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REGION: ObjectTable = ObjectTable {
    name: "text_span",
    rows: &[
        constant("type", "\"text_span\""),
        row("start_index", "start", ValueShape::Integer),
        row("end_index", "end", ValueShape::Integer),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
