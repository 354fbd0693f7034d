//! The items of messages, by their `$type`.

use super::super::checks::{
    BASE64, DISTINCT_NAMES, INTEGER_OF_32_BITS, is_absolute_address, is_base64, is_data_uri,
};
use super::super::loss::ConversionLoss;
use super::super::media;
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
    untagged: None,
    closed: false,
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
        row("Data", "data", ValueShape::Checked(&BASE64)),
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
        check_address(object)?;
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
        let mut left = write_address(object);
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

/// The SDK rejects a whole document for an address that is relative or holds the bytes.
fn check_address(object: &Object) -> Result<(), Rejection> {
    let address = object.get("Uri").and_then(Value::as_str);
    let message = match address {
        Some(text) if is_data_uri(text) => {
            "the SDK rejects a data URI as `Uri`; put its bytes into `Data`"
        }
        Some(text) if !is_absolute_address(text) => {
            "the SDK rejects an address that is not absolute; write all of it"
        }
        _ => return Ok(()),
    };
    Err(Rejection::schema("pattern", message).within("Uri"))
}

/// Takes an address away that the SDK rejects. The bytes of a data URI become those of the item.
fn write_address(object: &mut Object) -> Vec<Left> {
    let Some(Value::String(address)) = object.get("Uri").cloned() else {
        return Vec::new();
    };
    if is_absolute_address(&address) {
        return Vec::new();
    }
    object.remove("Uri");
    let parts = media::parts_of_any(&address).filter(|(_, _, data)| is_base64(data));
    let has_data = object.contains_key("Data");
    let (class, why) = match parts {
        Some((mime, parameters, data)) if !has_data => {
            put_new(object, "MimeType", mime);
            if !parameters.is_empty() && !object.contains_key("Metadata@params") {
                object.insert("Metadata@params", parameters);
            }
            object.insert("Data", data);
            let why = "the SDK has no data URI as an address; its bytes are those of the item";
            (ConversionLoss::Form, why)
        }
        _ => {
            let why = "the SDK rejects an address that is relative or a data URI";
            (ConversionLoss::Value, why)
        }
    };
    let part = "Uri";
    vec![Left { part, class, why }]
}

fn put_new(object: &mut Object, name: &str, text: String) {
    if !object.contains_key(name) && !text.is_empty() {
        object.insert(name, text);
    }
}

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
        .required_or_unset("\"citation\""),
        row("Label", "label", ValueShape::Filled).required(),
        row("ReferenceId@file", "ref/file", ValueShape::Text),
        row("ReferenceId@url", "ref/url", ValueShape::Text),
        row("ReferenceId@id", "ref/id", ValueShape::Text),
        row("Title", "title", ValueShape::Text),
        row(
            "StartIndex",
            "start",
            ValueShape::Checked(&INTEGER_OF_32_BITS),
        ),
        row("EndIndex", "end", ValueShape::Checked(&INTEGER_OF_32_BITS)),
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
    folds_case: true,
};

/// The part of `ReferenceId` that an annotation of a kind has.
fn part_of_kind(object: &Object) -> &'static str {
    let kind = object.get("Kind").and_then(|kind| kind.get("Label"));
    let kind = kind.and_then(Value::as_str).unwrap_or_default();
    match kind.to_ascii_lowercase().as_str() {
        "filecitation" => "ReferenceId@file",
        "urlcitation" => "ReferenceId@url",
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
        row(
            "Arguments",
            "arguments",
            ValueShape::Checked(&DISTINCT_NAMES),
        ),
        row("Arguments", "arguments_text", ValueShape::ParsedObject),
        row("Exception", "error", ValueShape::Object),
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
        row("Text", "text", ValueShape::Text).or_reads("\"\""),
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
