//! The contents of a message.

use super::super::loss::LossClass;
use super::super::media;
use super::super::table::{
    Left, Rest, Rewrite, Row, Shape, Table, Union, constant, derived, lost, row, variant,
};
use super::each_is;
use chatstate_json::{Object, Value};

pub(super) const NO_MODEL: Row = lost("model", "the SDK does not keep which model answered");
pub(super) const METADATA: Row =
    row("additional_properties", "metadata", Shape::Object).or_written("{}");
const CITATIONS: Shape = Shape::Each(&Shape::Of(&CITATION));
const ANNOTATIONS: Row = row("annotations", "annotations", CITATIONS);

pub(super) static MEDIA_AMONG_CONTENTS: Rewrite = Rewrite {
    says: "a content of type `data` or `uri` is one of type `image@`, `audio@` or `binary@` by its media type",
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

static TEXT: Table = Table {
    name: "text",
    rows: &[
        row("text", "text", Shape::Text)
            .or_reads("\"\"")
            .instead("\"\""),
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REASONING: Table = Table {
    name: "text_reasoning",
    rows: &[
        row("text", "text", Shape::Text),
        row("protected_data", "protected", Shape::Text),
        row("id", "id", Shape::Text),
        row("status", "status", Shape::Text),
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

const MEDIA_ROWS: &[Row] = &[
    derived("media_type", media::media_type).says("The media type in the data URI."),
    row("uri@mime", "mime", Shape::Text),
    row("uri@params", "params", Shape::Object),
    row("uri@data", "data", Shape::Text),
    row("uri", "uri", Shape::Text),
    METADATA,
    ANNOTATIONS,
    NO_MODEL,
];

const MEDIA_SAYS: &str = "a data URI is taken apart: the media type, the parameters and the Base64 \
                          text; the `media_type` of another `uri` is `uri@mime`";

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
        says: MEDIA_SAYS,
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
static IMAGE: Table = media_table("data, uri: a picture", &IMAGE_PARTS);
static AUDIO: Table = media_table("data, uri: sound", &AUDIO_PARTS);
static BINARY: Table = media_table("data, uri: other bytes", &BINARY_PARTS);

static FILE: Table = Table {
    name: "hosted_file",
    rows: &[
        row("file_id", "file_id", Shape::Text).required(),
        row("media_type", "mime", Shape::Text),
        row("name", "name", Shape::Text),
        lost("tools", "the SDK does not keep which tools may use a file"),
        METADATA,
        ANNOTATIONS,
        NO_MODEL,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static VECTOR_STORE: Table = Table {
    name: "hosted_vector_store",
    rows: &[
        row("vector_store_id", "vector_store_id", Shape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CALL: Table = Table {
    name: "function_call",
    rows: &[
        row("call_id", "id", Shape::Text),
        row("id", "alt_id", Shape::Text),
        row("name@plugin", "plugin", Shape::Text),
        row("name", "function", Shape::Text).required(),
        row("arguments", "arguments", Shape::Object),
        row("arguments", "arguments_text", Shape::Text),
        row("exception", "error", Shape::Text).says("The SDK hides what went wrong."),
        row("informational_only", "informational_only", Shape::Flag),
        row("server_name", "server", Shape::Text),
        row("hosted", "hosted", Shape::Flag).or_written("false"),
        row("status", "status", Shape::Text),
        lost("index", "the SDK does not keep the place of a call"),
        METADATA,
        ANNOTATIONS,
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
    name: "function_result",
    rows: &[
        derived("items", items_of_result).says("The result as contents: here one text."),
        row("call_id", "id", Shape::Text),
        row("id", "alt_id", Shape::Text),
        row("result", "result", Shape::TextOf),
        row("exception", "error", Shape::Text).says("The SDK hides what went wrong."),
        row("status", "status", Shape::Text),
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

static ERROR: Table = Table {
    name: "error",
    rows: &[
        row("message", "message", Shape::Text),
        row("error_code", "code", Shape::Text),
        row("error_details", "details", Shape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE: Table = Table {
    name: "usage",
    rows: &[
        row("usage_details", "details", Shape::Of(&USAGE_DETAILS)),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static USAGE_DETAILS: Table = Table {
    name: "usage_details",
    rows: &[
        row("input_token_count", "input_tokens", Shape::Integer),
        row("output_token_count", "output_tokens", Shape::Integer),
        row("total_token_count", "total_tokens", Shape::Integer),
        row(
            "cache_creation_input_token_count",
            "cache_write_input_tokens",
            Shape::Integer,
        ),
        row(
            "cache_read_input_token_count",
            "cached_input_tokens",
            Shape::Integer,
        ),
        row(
            "reasoning_output_token_count",
            "reasoning_tokens",
            Shape::Integer,
        ),
    ],
    rest: Rest::Same,
    rewrite: None,
};

static MCP_CALL: Table = Table {
    name: "mcp_server_tool_call",
    rows: &[
        row("call_id", "id", Shape::Text),
        row("tool_name", "function", Shape::Text),
        row("server_name", "server", Shape::Text),
        row("arguments", "arguments", Shape::Object),
        row("arguments", "arguments_text", Shape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MCP_RESULT: Table = Table {
    name: "mcp_server_tool_result",
    rows: &[
        row("call_id", "id", Shape::Text),
        row(
            "output@contents",
            "outputs",
            Shape::Each(&Shape::OneOf(&CONTENT)),
        ),
        row("output", "output", Shape::Any),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MCP_OUTPUT),
};

static MCP_OUTPUT: Rewrite = Rewrite {
    says: "an `output` that is a list of contents is `output@contents`; media among them are named by their media type",
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

static CODE_CALL: Table = Table {
    name: "code_interpreter_tool_call",
    rows: &[
        row("call_id", "id", Shape::Text),
        row("inputs", "inputs", Shape::Each(&Shape::OneOf(&CONTENT))),
        row("status", "status", Shape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static CODE_RESULT: Table = Table {
    name: "code_interpreter_tool_result",
    rows: &[
        row("call_id", "id", Shape::Text),
        row("outputs", "outputs", Shape::Each(&Shape::OneOf(&CONTENT))),
        row("status", "status", Shape::Text),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static IMAGE_CALL: Table = Table {
    name: "image_generation_tool_call",
    rows: &[row("image_id", "id", Shape::Text), METADATA, ANNOTATIONS],
    rest: Rest::Ext,
    rewrite: None,
};

static IMAGE_RESULT: Table = Table {
    name: "image_generation_tool_result",
    rows: &[
        row("image_id", "id", Shape::Text),
        row("outputs", "outputs", Shape::Each(&Shape::OneOf(&CONTENT))),
        row("outputs", "output", Shape::OneOf(&CONTENT)).says("One content in place of a list."),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

static APPROVAL_REQUEST: Table = Table {
    name: "function_approval_request",
    rows: &[
        row("id", "id", Shape::Text),
        row("function_call", "call", Shape::OneOf(&CONTENT)),
        row("user_input_request", "user_input_request", Shape::Flag).or_written("true"),
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

static APPROVAL_RESPONSE: Table = Table {
    name: "function_approval_response",
    rows: &[
        row("id", "id", Shape::Text),
        row("function_call", "call", Shape::OneOf(&CONTENT)),
        row("approved", "approved", Shape::Flag),
        lost("reason", "the SDK does not keep why a call was refused"),
        METADATA,
        ANNOTATIONS,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CITATION: Table = Table {
    name: "citation",
    rows: &[
        constant("type", "\"citation\""),
        row("title", "title", Shape::Text),
        row("url", "url", Shape::Text),
        row("file_id", "file", Shape::Text),
        row("tool_name", "tool", Shape::Text),
        row("snippet", "snippet", Shape::Text),
        row(
            "annotated_regions",
            "regions",
            Shape::Each(&Shape::Of(&REGION)),
        ),
        row("additional_properties", "metadata", Shape::Object),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static REGION: Table = Table {
    name: "text_span",
    rows: &[
        constant("type", "\"text_span\""),
        row("start_index", "start", Shape::Integer),
        row("end_index", "end", Shape::Integer),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
