//! The operations of the adapter protocol, done by the library.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::scenario::Scenario;
use chatstate::attach::attach;
use chatstate::compact::{Level, Options, Retain, compact};
use chatstate::dialect::convert_bytes;
use chatstate::encoding::{decode_text, encode_text};
use chatstate::generated::EventStream;
use chatstate::json::{
    Object, Surrogates, Value, WriteJson, canonical, parse, parse_with, text_of, write_string,
};
use chatstate::lineage::lineage;
use chatstate::replay;
use chatstate::seal::{SealKey, seal_text, unseal_text};
use chatstate::verify;
use chatstate::{Class, Rejection, cbor, channel_key_of};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::session;

/// Answers one request.
pub fn run(request: &RunRequest) -> Reply {
    let bytes = match request.document() {
        Ok(bytes) => bytes,
        Err(error) => return Reply::Fault(error.to_string()),
    };
    if request.op == "convert" {
        return reply(request, convert_document(request, &bytes).transpose());
    }
    let text = match text_of(&bytes) {
        Ok(text) => text,
        Err(rejection) => return rejected(&rejection),
    };
    let result = match (request.op.as_str(), request.document_type.as_deref()) {
        ("round-trip", Some(name)) => of_type(name, text, |document| document),
        ("validate", Some(name)) => of_type(name, text, |_| "true".to_owned()),
        ("canonicalize", None) => parse(text).map(|value| canonical(&value)).map(Some),
        // With a type, the document is one of that type, and its deltas may be split.
        ("canonicalize", Some(name)) => match of_type(name, text, |_| String::new()) {
            Ok(Some(_)) => parse_with(text, Surrogates::AllowUnpairedAtEnds)
                .map(|value| canonical(&value))
                .map(Some),
            other => other,
        },
        ("encode", _) => encode_text(text).map(Some),
        ("decode", _) => decode_text(text).map(Some),
        ("seal" | "unseal", _) => match key_bytes_of(request) {
            Some(bytes) => sealing(request, &bytes, text).map(Some),
            None => Ok(None),
        },
        ("to-cbor", _) => to_cbor_text(text).map(Some),
        ("from-cbor", _) => from_cbor_text(text).map(Some),
        ("restore", _) => {
            let answer = Scenario::run_text(text);
            answer.map(|answer| Some(answer.to_json(request.flag("save"))))
        }
        ("channel-key", _) => channel_key_of(text).map(|key| json_string(&key)).map(Some),
        ("verify", _) => verify_text(text, request).map(Some),
        ("replay", _) => replay_text(text, request).map(Some),
        ("compact", _) => match options_of(request) {
            Some(options) => compact_text(text, &options).map(Some),
            None => Ok(None),
        },
        ("attach", _) => attach_text(text).map(Some),
        ("lineage", _) => lineage_text(text).map(Some),
        ("session", _) => session::run(text).map(Some),
        _ => Ok(None),
    };
    reply(request, result)
}

/// The answer to a request that could be made sense of, or not.
fn reply(request: &RunRequest, result: Result<Option<String>, Rejection>) -> Reply {
    match result {
        Ok(Some(text)) => Reply::Ok(text),
        Ok(None) => Reply::Unsupported(unsupported(request)),
        Err(rejection) => rejected(&rejection),
    }
}

/// Reads a document of any definition and answers of what is written again; `None` if there is no such
/// definition.
fn of_type(
    name: &str,
    text: &str,
    answer: impl FnOnce(String) -> String,
) -> Result<Option<String>, Rejection> {
    let written = chatstate::validate::read_and_write(name, text).transpose()?;
    Ok(written.map(answer))
}

/// The CBOR of a document, as Base64 in a text.
fn to_cbor_text(text: &str) -> Result<String, Rejection> {
    let value = parse_with(text, Surrogates::AllowUnpairedAtEnds)?;
    let bytes = cbor::to_cbor(&value)?;
    Ok(json_string(&STANDARD.encode(bytes)))
}

/// The document in CBOR, which is Base64 in a text.
fn from_cbor_text(text: &str) -> Result<String, Rejection> {
    let wrong = |message: &str| Rejection::new(Class::Schema, "base64", message.to_owned());
    let value = parse(text)?;
    let encoded = value.as_str().ok_or_else(|| wrong("must be a text"))?;
    let bytes = STANDARD
        .decode(encoded)
        .map_err(|_| wrong("must be Base64"))?;
    Ok(cbor::from_cbor(&bytes)?.to_json())
}

/// The bytes of the key of a request; nothing where it has none.
fn key_bytes_of(request: &RunRequest) -> Option<Vec<u8>> {
    STANDARD.decode(request.argument("key")?).ok()
}

/// The document of a request with a seal, or without it.
fn sealing(request: &RunRequest, bytes: &[u8], text: &str) -> Result<String, Rejection> {
    let mut key = SealKey::new(bytes)?;
    if let Some(id) = request.argument("keyId") {
        key = key.named(id);
    }
    match request.op.as_str() {
        "seal" => seal_text(text, &key),
        _ => unseal_text(text, &key),
    }
}

fn verify_text(text: &str, request: &RunRequest) -> Result<String, Rejection> {
    let stream = EventStream::from_json(text)?;
    let options = verify::VerifyOptions {
        complete: request.flag("complete"),
    };
    let found = verify::verify_with(&stream.0, options);
    match found.errors.first() {
        Some(finding) => Err(finding.into()),
        None if request.flag("warnings") => Ok(warnings_of(&found)),
        None => Ok("true".to_owned()),
    }
}

/// What a verification warns of, without words.
fn warnings_of(found: &verify::Verification) -> String {
    let warnings = found.warnings.iter().map(|warning| {
        let mut row = Object::new();
        row.insert("rule", Value::from(warning.rule.as_ref()));
        row.insert("at", Value::from(warning.pointer()));
        Value::Object(row)
    });
    let mut answer = Object::new();
    answer.insert("warnings", Value::Array(warnings.collect()));
    Value::Object(answer).to_json()
}

fn replay_text(text: &str, request: &RunRequest) -> Result<String, Rejection> {
    let stream = EventStream::from_json(text)?;
    let options = replay::ReplayOptions {
        run: request.argument("run"),
        lenient: request.flag("lenient"),
    };
    let replayed = replay::replay_with(&stream.0, &options)?;
    Ok(written(&replayed.replay))
}

/// How a request wants its events compacted; nothing where that is not known.
fn options_of(request: &RunRequest) -> Option<Options<'static>> {
    let retain = match request.argument("retain") {
        None => Retain::default(),
        Some("tips") => Retain::Tips,
        Some("runs") => Retain::Runs,
        Some(_) => return None,
    };
    let level = match request.argument("level")? {
        "stream" => Level::Stream,
        "snapshot" => Level::Snapshot(retain),
        _ => return None,
    };
    Some(Options {
        partial: request.flag("partial"),
        lenient: request.flag("lenient"),
        ..Options::at(level)
    })
}

fn compact_text(text: &str, options: &Options<'_>) -> Result<String, Rejection> {
    let stream = EventStream::from_json(text)?;
    let compacted = compact(&stream.0, options)?;
    EventStream(compacted).to_json()
}

fn attach_text(text: &str) -> Result<String, Rejection> {
    let stream = EventStream::from_json(text)?;
    EventStream(attach(&stream.0)?).to_json()
}

fn lineage_text(text: &str) -> Result<String, Rejection> {
    let stream = EventStream::from_json(text)?;
    Ok(written(&lineage(&stream.0)))
}

/// The converted document and what was lost; nothing where a dialect is not known. Some dialects
/// begin with a byte order mark, so this takes bytes.
fn convert_document(request: &RunRequest, bytes: &[u8]) -> Option<Result<String, Rejection>> {
    let (from, to) = (request.argument("from")?, request.argument("to")?);
    let converted = convert_bytes(bytes, from, to, request.argument("document"))?;
    Some(converted.map(|conversion| written(&conversion)))
}

fn written(value: &impl WriteJson) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

fn json_string(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

fn unsupported(request: &RunRequest) -> String {
    match &request.document_type {
        Some(name) => format!("`{}` of type `{name}` is not known here", request.op),
        None => format!("`{}` is not known here, or needs a type", request.op),
    }
}

/// A rejection in the words of the protocol.
pub fn rejected(rejection: &Rejection) -> Reply {
    Reply::Rejected(Rejected {
        class: Some(rejection.class.as_str().to_owned()),
        at: Some(rejection.at.clone()),
        rule: Some(rejection.rule.to_string()),
        message: Some(rejection.message.clone()),
    })
}
