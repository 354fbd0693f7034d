//! The items of messages, by their `$type`.

use super::super::loss::ConversionLoss;
use super::super::table::{
    Left, NamePair, ObjectTable, Rest, Rewrite, Union, ValueShape, downgrade, lost, row, variant,
};
use super::{MESSAGE, METADATA, MIME_TYPE, MODEL_ID, NO_ENCODING};
use chatstate_json::Rejection;
use chatstate_json::{Object, Value};

/// An item of a message.
pub(super) static ITEM: ValueShape = ValueShape::OneOf(&ITEMS);

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

static TEXT: ObjectTable = ObjectTable {
    name: "TextContent",
    rows: &[
        row("Text", "text", ValueShape::Text)
            .nullable()
            .or_means("null"),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        NO_ENCODING,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static MEDIA: ObjectTable = ObjectTable {
    name: "ImageContent, AudioContent, BinaryContent",
    rows: &[
        row("Uri", "uri", ValueShape::Text),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        row("Metadata@params", "params", ValueShape::Object)
            .doc("Each parameter `p` of a data URI is the entry `data-uri-p`."),
        row("Data", "data", ValueShape::Text),
    ],
    rest: Rest::Ext,
    rewrite: Some(&PARAMETERS),
};

/// How the SDK names the parameters of a data URI in the metadata.
const PARAMETER: &str = "data-uri-";

/// The parameters of a data URI, which the SDK keeps in the metadata.
static PARAMETERS: Rewrite = Rewrite {
    doc: "the entries `data-uri-…` of `Metadata` are taken out",
    read: |object| {
        let uri = object.get("Uri").and_then(Value::as_str);
        if uri.is_some_and(|uri| uri.starts_with("data:")) {
            let message = "the SDK rejects a data URI as `Uri`; put its bytes into `Data`";
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
                class: ConversionLoss::Value,
                why: "the SDK rejects a data URI as an address",
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
            ConversionLoss::Value
        } else {
            ConversionLoss::Form
        },
        why: "the SDK has the parameters of a data URI among the metadata",
    })
}

static FILE: ObjectTable = ObjectTable {
    name: "FileReferenceContent",
    rows: &[
        row("FileId", "file_id", ValueShape::Filled).required(),
        row("Tools", "tools", ValueShape::Each(&ValueShape::Text)),
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

static ANNOTATION: ObjectTable = ObjectTable {
    name: "AnnotationContent",
    rows: &[
        row(
            "Kind",
            "kind",
            ValueShape::Wrapped("Label", &ValueShape::Name(&KINDS)),
        )
        .required(),
        row("Label", "label", ValueShape::Filled).required(),
        row("ReferenceId@file", "ref/file", ValueShape::Text),
        row("ReferenceId@url", "ref/url", ValueShape::Text),
        row("ReferenceId@id", "ref/id", ValueShape::Text),
        row("Title", "title", ValueShape::Text),
        row("StartIndex", "start", ValueShape::Integer),
        row("EndIndex", "end", ValueShape::Integer),
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

static KINDS: NamePair = NamePair {
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
    doc: "`ReferenceId` is a file for `filecitation`, a URL for `urlcitation`, and else an identity of another kind",
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
                        class: ConversionLoss::Form,
                        why,
                    });
                }
            } else {
                let why = "an annotation of this SDK has one reference";
                left.push(Left {
                    part,
                    class: ConversionLoss::Value,
                    why,
                });
            }
        }
        if !object.contains_key("ReferenceId") {
            let why = "an annotation of this SDK needs a reference";
            left.push(Left {
                part: "",
                class: ConversionLoss::Item,
                why,
            });
        }
        left
    },
};

static CALL: ObjectTable = ObjectTable {
    name: "FunctionCallContent",
    rows: &[
        row("Id", "id", ValueShape::Text),
        row("PluginName", "plugin", ValueShape::Text),
        row("FunctionName", "function", ValueShape::Text).required(),
        row("Arguments", "arguments", ValueShape::Object),
        row("Arguments", "arguments_text", ValueShape::ParsedObject),
        row("Exception", "error", ValueShape::Any),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
        lost("alt_id", "a call of this SDK has one identity"),
        lost("index", "a call of this SDK does not say its place"),
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static RESULT: ObjectTable = ObjectTable {
    name: "FunctionResultContent",
    rows: &[
        row("CallId", "id", ValueShape::Text),
        row("PluginName", "plugin", ValueShape::Text),
        row("FunctionName", "function", ValueShape::Text),
        row("Result", "result", ValueShape::Any),
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

static REASONING: ObjectTable = ObjectTable {
    name: "ReasoningContent",
    rows: &[
        row("Text", "text", ValueShape::Text),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static ACTION: ObjectTable = ObjectTable {
    name: "ActionContent",
    rows: &[
        row("Text", "text", ValueShape::Filled).required(),
        MIME_TYPE,
        MODEL_ID,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

static NESTED: ObjectTable = ObjectTable {
    name: "ChatMessageContent",
    rows: &[row("@message", "message", ValueShape::Of(&MESSAGE)).required()],
    rest: Rest::Ext,
    rewrite: Some(&NESTED_MESSAGE),
};

/// A message inside a message has the members of the message itself.
static NESTED_MESSAGE: Rewrite = Rewrite {
    doc: "all members of the item are the message inside",
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
