//! Semantic Kernel for Python: what `ChatHistory.serialize()` writes.

use super::canonical::{ENCODING, SCHEMA_VERSION, SEAL};
use super::checks::{BASE64, is_base64};
use super::loss::ConversionLoss;
use super::media;
use super::table::{
    Dialect, DialectDocument, FunctionsOfResults, Left, NamePair, ObjectTable, Rest, Rewrite,
    Union, ValueShape, constant, derived, implied, lost, row, variant,
};
use chatstate_json::{Object, Value};

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "semantic-kernel-python",
    title: "Semantic Kernel for Python",
    doc: "What `ChatHistory.serialize()` and `model_dump_json()` write. Null and absent say the \
           same, and so do an absent member and the value that the SDK writes for nothing.",
    allows_byte_order_mark: false,
    allows_lines: false,
    reads_camel_case: false,
    max_depth: None,
    functions_of_results: FunctionsOfResults::InEach,
    documents: &[
        DialectDocument {
            name: "history",
            canonical: "ChatState",
            doc: "A `ChatHistory`: an object whose `messages` are the history.",
            matches: |document| document.get("messages").is_some_and(is_messages),
            accepts: |_| true,
            shape: ValueShape::Of(&HISTORY),
        },
        DialectDocument {
            name: "message",
            canonical: "ChatMessage",
            doc: "A `ChatMessageContent` alone.",
            matches: |document| document.get("content_type") == Some(&"message".into()),
            accepts: |_| true,
            shape: ValueShape::Of(&MESSAGE),
        },
    ],
};

/// Whether a list is one of messages as this SDK writes them.
fn is_messages(value: &Value) -> bool {
    let Some(items) = value.as_array() else {
        return !matches!(value, Value::Object(_));
    };
    let theirs = |item: &Value| item.get("content_type").is_some() || item.get("items").is_some();
    items.first().is_none_or(theirs)
}

static HISTORY: ObjectTable = ObjectTable {
    name: "history",
    rows: &[
        row(
            "messages",
            "history",
            ValueShape::Each(&ValueShape::Of(&MESSAGE)),
        )
        .required(),
        implied("channels", "[]"),
        lost(
            "participants",
            "a history of this SDK knows no participants",
        ),
        SCHEMA_VERSION,
        ENCODING,
        SEAL,
    ],
    rest: Rest::Ext,
    rewrite: Some(&NO_SYSTEM_MESSAGE),
};

/// The SDK puts the system message among the messages and then writes null for it.
static NO_SYSTEM_MESSAGE: Rewrite = Rewrite {
    doc: "a `system_message` that is null is none",
    read: |object| {
        if object.get("system_message") == Some(&Value::Null) {
            object.remove("system_message");
        }
        Ok(())
    },
    write: |_| Vec::new(),
};

static MESSAGE: ObjectTable = ObjectTable {
    name: "message",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        constant("content_type", "\"message\""),
        row("role", "role", ValueShape::Name(&ROLES))
            .required()
            .instead("\"assistant\"")
            .doc(
                "A role that the SDK does not have becomes the one that may not instruct the model.",
            ),
        row("name", "name", ValueShape::Text),
        row(
            "items",
            "items",
            ValueShape::Each(&ValueShape::OneOf(&ITEMS)),
        )
        .required(),
        row("encoding", "encoding", ValueShape::Text),
        row(
            "finish_reason",
            "finish_reason",
            ValueShape::Name(&FINISH_REASONS),
        ),
        row("status", "status", ValueShape::Name(&STATUSES)),
        lost("mime", "a message of this SDK has no media type"),
        lost("id", "a message of this SDK has no identity"),
        lost(
            "created_at",
            "a message of this SDK does not say when it was made",
        ),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static ROLES: NamePair = NamePair {
    pairs: &[
        ("system", "system"),
        ("developer", "developer"),
        ("user", "user"),
        ("assistant", "assistant"),
        ("tool", "tool"),
    ],
    open: false,
    folds_case: false,
};

static FINISH_REASONS: NamePair = NamePair {
    pairs: &[
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "tool_calls"),
        ("function_call", "function_call"),
    ],
    open: false,
    folds_case: false,
};

static STATUSES: NamePair = NamePair {
    pairs: &[
        ("completed", "completed"),
        ("failed", "failed"),
        ("in_progress", "in_progress"),
        ("incomplete", "incomplete"),
    ],
    open: false,
    folds_case: false,
};

static ITEMS: Union = Union {
    name: "item",
    tag: "content_type",
    untagged: None,
    closed: false,
    variants: &[
        variant("text", "text", &TEXT),
        variant("image", "image", &MEDIA),
        variant("audio", "audio", &MEDIA),
        variant("binary", "binary", &MEDIA),
        variant("file_reference", "file", &FILE),
        variant("streaming_file_reference", "stream_file", &FILE),
        variant("annotation", "annotation", &ANNOTATION),
        variant("streaming_annotation", "stream_annotation", &ANNOTATION),
        variant("function_call", "call", &CALL),
        variant("function_result", "result", &RESULT),
        variant("reasoning", "reasoning", &REASONING),
    ],
};

static TEXT: ObjectTable = ObjectTable {
    name: "text",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("text", "text", ValueShape::Text)
            .required()
            .instead("\"\""),
        row("encoding", "encoding", ValueShape::Text),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MEDIA: ObjectTable = ObjectTable {
    name: "image, audio, binary",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("uri", "uri", ValueShape::Text),
        row("data_uri@mime", "mime", ValueShape::Text),
        row("data_uri@params", "params", ValueShape::Object),
        row("data_uri@data", "data", ValueShape::Checked(&BASE64)),
        derived("data_uri", |_| Some("".into())).doc("An item without data has an empty one."),
    ],
    rest: Rest::Ext,
    rewrite: Some(&DATA_URI),
};

/// The parts of a data URI. One that is not in Base64 stays as it is.
static DATA_URI: Rewrite = Rewrite {
    doc: "`data_uri` is taken apart: the media type, the parameters and the Base64 text. The SDK reads \
           no media type that is more than letters, `/`, letters and `-`, and no parameter that is more \
           than letters and digits or stands without a media type; such are left out",
    read: |object| {
        let parts = object
            .get("data_uri")
            .and_then(Value::as_str)
            .and_then(media::parts)
            .filter(|(_, _, data)| is_base64(data));
        if let Some((mime, params, data)) = parts {
            object.remove("data_uri");
            if !mime.is_empty() {
                object.insert("data_uri@mime", mime);
            }
            if !params.is_empty() {
                object.insert("data_uri@params", params);
            }
            object.insert("data_uri@data", data);
        }
        Ok(())
    },
    write: write_data_uri,
};

fn write_data_uri(object: &mut Object) -> Vec<Left> {
    let mut take = |name| object.remove(name).map(|(_, value)| value);
    let (mime, params) = (take("data_uri@mime"), take("data_uri@params"));
    let mut left = Vec::new();
    let mut lose = |part, class, why| left.push(Left { part, class, why });
    let Some(data) = take("data_uri@data") else {
        let why = "only an item with data has a media type here";
        let parts = [("data_uri@mime", mime), ("data_uri@params", params)];
        let there = parts.into_iter().filter(|(_, value)| value.is_some());
        there.for_each(|(part, _)| lose(part, ConversionLoss::Member, why));
        return left;
    };
    let said = mime.as_ref().and_then(Value::as_str).unwrap_or_default();
    let is_read = said.is_empty() || is_media_type_of_letters(said);
    if !is_read {
        let why = "the SDK rejects a media type that is more than letters, `/`, letters and `-`; it is left out";
        lose("data_uri@mime", ConversionLoss::Value, why);
    }
    let mime = if is_read { said } else { "" };
    let mut params = params.unwrap_or_default();
    if let Value::Object(params) = &mut params {
        let all = params.len();
        params.retain(|name, value| !mime.is_empty() && is_parameter(name, value));
        if params.len() < all {
            let why = "the SDK rejects a parameter that is more than letters and digits or stands without a media type; it is left out";
            lose("data_uri@params", ConversionLoss::Value, why);
        }
    }
    let data = data.as_str().unwrap_or_default();
    let uri = media::uri_of(mime, params.as_object(), data);
    object.insert("data_uri", uri);
    left
}

fn is_media_type_of_letters(text: &str) -> bool {
    let all = |word: &str, is: fn(char) -> bool| !word.is_empty() && word.chars().all(is);
    text.split_once('/').is_some_and(|(kind, part)| {
        all(kind, |it| it.is_ascii_alphabetic())
            && all(part, |it| it.is_ascii_alphabetic() || it == '-')
    })
}

fn is_parameter(name: &str, value: &Value) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|it| it.is_ascii_alphanumeric());
    is_word(name) && value.as_str().is_some_and(is_word)
}

static FILE: ObjectTable = ObjectTable {
    name: "file_reference, streaming_file_reference",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("file_id", "file_id", ValueShape::Text).or_means("\"\""),
        row("tools", "tools", ValueShape::Array).or_written("[]"),
        row("data_source", "data_source", ValueShape::Any),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static ANNOTATION: ObjectTable = ObjectTable {
    name: "annotation, streaming_annotation",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("citation_type", "kind", ValueShape::Name(&CITATION_TYPES))
            .or_means("\"citation\"")
            .doc("An annotation that does not say its kind is a `citation`."),
        row("file_id", "ref/file", ValueShape::Text),
        row("url", "ref/url", ValueShape::Text),
        row("quote", "label", ValueShape::Text),
        row("title", "title", ValueShape::Text),
        row("start_index", "start", ValueShape::Integer),
        row("end_index", "end", ValueShape::Integer),
        row("container_id", "container", ValueShape::Text),
        row("filename", "filename", ValueShape::Text),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static CITATION_TYPES: NamePair = NamePair {
    pairs: &[
        ("url_citation", "url_citation"),
        ("file_path", "file_path"),
        ("file_citation", "file_citation"),
        ("container_file_citation", "container_file_citation"),
    ],
    open: false,
    folds_case: false,
};

static CALL: ObjectTable = ObjectTable {
    name: "function_call",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("id", "id", ValueShape::Text),
        row("call_id", "alt_id", ValueShape::Text),
        row("index", "index", ValueShape::Integer),
        derived("name", joined_name).doc("The plugin and the function, joined by `-`."),
        row("function_name", "function", ValueShape::Text).required(),
        row("plugin_name", "plugin", ValueShape::Text),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::Text),
        lost(
            "error",
            "a call of this SDK does not say why it could not be made",
        ),
    ],
    rest: Rest::Ext,
    rewrite: Some(&SPLIT_NAME),
};

static RESULT: ObjectTable = ObjectTable {
    name: "function_result",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("id", "id", ValueShape::Text),
        row("call_id", "alt_id", ValueShape::Text),
        row("result", "result", ValueShape::TextOf),
        derived("name", joined_name).doc("The plugin and the function, joined by `-`."),
        row("function_name", "function", ValueShape::Text)
            .required()
            .instead("\"\"")
            .doc("That of the call where a result does not say it."),
        row("plugin_name", "plugin", ValueShape::Text),
        row("encoding", "encoding", ValueShape::Text),
        lost(
            "result_is_repr",
            "the SDK writes every result as text and does not say of which kind it was",
        ),
    ],
    rest: Rest::Ext,
    rewrite: Some(&SPLIT_NAME),
};

/// The SDK takes a name apart that comes alone, at the first `-`.
static SPLIT_NAME: Rewrite = Rewrite {
    doc: "a `name` without `function_name` is taken apart at its first `-`",
    read: |object| {
        if object.contains_key("function_name") {
            return Ok(());
        }
        if let Some(name) = object
            .get("name")
            .and_then(Value::as_str)
            .map(str::to_owned)
        {
            match name.split_once('-') {
                Some((plugin, function)) => {
                    object.insert("plugin_name", plugin);
                    object.insert("function_name", function);
                }
                None => drop(object.insert("function_name", name)),
            }
        }
        Ok(())
    },
    write: |_| Vec::new(),
};

fn joined_name(object: &Object) -> Option<Value> {
    let function = object.get("function_name").and_then(Value::as_str)?;
    let plugin = object.get("plugin_name").and_then(Value::as_str);
    Some(plugin.map_or(function.into(), |plugin| {
        format!("{plugin}-{function}").into()
    }))
}

static REASONING: ObjectTable = ObjectTable {
    name: "reasoning",
    rows: &[
        row("ai_model_id", "model", ValueShape::Text),
        row("metadata", "metadata", ValueShape::Object).or_written("{}"),
        row("text", "text", ValueShape::Text),
    ],
    rest: Rest::Ext,
    rewrite: None,
};
