//! Faults of conversion: changes of the document that it writes and of the losses that it reports.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate::json::{Number, Object, Value, parse, text_of};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;

/// How conversion is broken.
#[derive(Debug, Clone, Copy)]
pub enum ConversionFault {
    /// Each value of the document that is written is changed, outer values first.
    Document(fn(&mut Value)),
    /// The losses are changed; the document that is written is at hand.
    Losses(fn(&mut Vec<Value>)),
    /// The whole answer is changed.
    Answer(fn(Reply) -> Reply),
}

/// The faults of conversion by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "convert-drops-extension",
        Defect::Convert(ConversionFault::Document(drop_extension)),
    ),
    (
        "convert-drops-unknown-item",
        Defect::Convert(ConversionFault::Document(drop_unknown_items)),
    ),
    (
        "convert-parses-text",
        Defect::Convert(ConversionFault::Document(parse_text)),
    ),
    (
        "convert-decodes-base64",
        Defect::Convert(ConversionFault::Document(decode_base64)),
    ),
    (
        "convert-keeps-escapes",
        Defect::Convert(ConversionFault::Document(escape_data)),
    ),
    (
        "convert-rounds-numbers",
        Defect::Convert(ConversionFault::Document(round_numbers)),
    ),
    (
        "convert-drops-nulls",
        Defect::Convert(ConversionFault::Document(drop_nulls)),
    ),
    (
        "convert-drops-data",
        Defect::Convert(ConversionFault::Document(drop_data)),
    ),
    (
        "convert-swaps-ids",
        Defect::Convert(ConversionFault::Document(swap_ids)),
    ),
    (
        "convert-hides-losses",
        Defect::Convert(ConversionFault::Losses(Vec::clear)),
    ),
    (
        "convert-invents-losses",
        Defect::Convert(ConversionFault::Losses(invent_loss)),
    ),
    (
        "convert-calls-all-members",
        Defect::Convert(ConversionFault::Losses(|losses| {
            set_all(losses, "class", "member");
        })),
    ),
    (
        "convert-forgets-places",
        Defect::Convert(ConversionFault::Losses(|losses| set_all(losses, "at", ""))),
    ),
    (
        "convert-shuffles-losses",
        Defect::Convert(ConversionFault::Losses(|losses| losses.reverse())),
    ),
    (
        "convert-reads-empty-chat",
        Defect::Convert(ConversionFault::Answer(read_empty_chat)),
    ),
    ("convert-refuses-lines", Defect::Answered(reject_lines)),
    (
        "convert-escalates-role",
        Defect::Convert(ConversionFault::Answer(escalate_role)),
    ),
];

impl ConversionFault {
    /// Answers one request in the broken way.
    pub fn run(self, request: &RunRequest) -> Reply {
        let reply = operation::run(request);
        if request.op != "convert" {
            return reply;
        }
        if let Self::Answer(change) = self {
            return change(reply);
        }
        let Some(mut answer) = answer_of(&reply) else {
            return reply;
        };
        match (self, answer.get_mut("document")) {
            (Self::Document(change), Some(document)) => each(document, change),
            (Self::Losses(change), _) => {
                if let Some(Value::Array(losses)) = answer.get_mut("losses") {
                    change(losses);
                }
            }
            _ => {}
        }
        Reply::Ok(Value::Object(answer).to_json())
    }
}

fn answer_of(reply: &Reply) -> Option<Object> {
    match reply {
        Reply::Ok(text) => match parse(text) {
            Ok(Value::Object(answer)) => Some(answer),
            _ => None,
        },
        _ => None,
    }
}

/// Changes a value and everything in it.
fn each(value: &mut Value, change: fn(&mut Value)) {
    change(value);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        Value::Object(object) => object.iter_mut().for_each(|(_, value)| each(value, change)),
        _ => {}
    }
}

fn drop_extension(value: &mut Value) {
    if let Value::Object(object) = value {
        object.remove("ext");
    }
}

/// Leaves out the items whose tag is in no table.
fn drop_unknown_items(value: &mut Value) {
    if let Value::Array(items) = value {
        let tags = ["type", "content_type", "$type"];
        let tag = |item: &Value| {
            let tag = tags.iter().find_map(|name| item.get(name));
            tag.and_then(Value::as_str)
                .unwrap_or_default()
                .to_lowercase()
        };
        items.retain(|item| !tag(item).starts_with("video"));
    }
}

/// Takes text that is JSON for JSON.
fn parse_text(value: &mut Value) {
    if let Some(Ok(parsed @ (Value::Object(_) | Value::Array(_)))) = value.as_str().map(parse) {
        *value = parsed;
    }
}

/// Takes text that is padded like Base64 for what it encodes.
fn decode_base64(value: &mut Value) {
    let bytes = value.as_str().filter(|text| text.ends_with('='));
    let bytes = bytes.and_then(|text| STANDARD.decode(text).ok());
    if let Some(bytes) = bytes {
        *value = text_of(&bytes).unwrap_or_default().into();
    }
}

/// Takes text with spaces for its percent-encoded text, where it is the bytes of an item.
fn escape_data(value: &mut Value) {
    let bytes = value.as_str().and_then(|text| STANDARD.decode(text).ok());
    let text = bytes.as_deref().and_then(|bytes| text_of(bytes).ok());
    if let Some(text) = text.filter(|text| text.contains(' ')) {
        *value = STANDARD.encode(text.replace(' ', "%20")).into();
    }
}

fn round_numbers(value: &mut Value) {
    if let Value::Number(number) = value
        && let Ok(rounded) = parse(&Number::canonical_of_nearest(number))
    {
        *value = rounded;
    }
}

fn drop_nulls(value: &mut Value) {
    if let Value::Object(object) = value {
        object.retain(|_, value| *value != Value::Null);
    }
}

fn drop_data(value: &mut Value) {
    if let Value::Object(object) = value {
        object.retain(|name, _| !["data", "Data", "data_uri"].contains(&name));
    }
}

/// Takes the identity of a call for the one that a provider gave it beside.
fn swap_ids(value: &mut Value) {
    let Value::Object(object) = value else {
        return;
    };
    for other in ["alt_id", "call_id"] {
        let Some((_, second)) = object.remove(other) else {
            continue;
        };
        if let Some(first) = object.insert("id", second) {
            object.insert(other, first);
        }
    }
}

fn invent_loss(losses: &mut Vec<Value>) {
    if losses.is_empty() {
        let loss = [
            ("class", "member"),
            ("at", "/schemaVersion"),
            ("why", "it is not said"),
        ];
        losses.push(Value::Object(loss.into_iter().collect()));
    }
}

fn set_all(losses: &mut [Value], name: &str, text: &str) {
    for loss in losses {
        if let Value::Object(loss) = loss {
            loss.insert(name, text);
        }
    }
}

/// Takes what it does not know for a chat of a version that is not supported.
fn read_empty_chat(reply: Reply) -> Reply {
    match &reply {
        Reply::Rejected(rejected) if rejected.rule.as_deref() == Some("convert.dialect") => {
            let answer = r#"{"document":{"history":[],"channels":[]},"losses":[]}"#;
            Reply::Ok(answer.to_owned())
        }
        _ => reply,
    }
}

/// Reads one JSON text and not one for each line.
fn reject_lines(request: &RunRequest) -> Reply {
    let text = request.input.as_deref().unwrap_or_default();
    match operation::run(request) {
        Reply::Ok(_) if parse(text.trim_start_matches('\u{feff}')).is_err() => {
            Reply::Rejected(Rejected {
                class: Some("syntax".to_owned()),
                ..Rejected::default()
            })
        }
        reply => reply,
    }
}

/// Gives a role that the dialect does not have the right to instruct.
fn escalate_role(reply: Reply) -> Reply {
    let Some(mut answer) = answer_of(&reply) else {
        return reply;
    };
    let losses = answer.get("losses").and_then(Value::as_array);
    let is_role = |loss: &Value| {
        let place = loss.get("at").and_then(Value::as_str);
        place.is_some_and(|place| place.to_lowercase().ends_with("/role"))
    };
    if !losses.is_some_and(|losses| losses.iter().any(is_role)) {
        return reply;
    }
    if let Some(document) = answer.get_mut("document") {
        each(document, |value| {
            if let Value::Object(message) = value
                && message.get("role") == Some(&"assistant".into())
            {
                message.insert("role", "system");
            }
        });
    }
    Reply::Ok(Value::Object(answer).to_json())
}
