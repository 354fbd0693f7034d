//! The messages of the protocol as types; their JSON Schema is `schema/kit/adapter.schema.json`.
//!
//! Members that this version does not know are ignored on both sides, so that members can be
//! added without a new protocol version.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::vocabulary;

/// One line from the runner to the adapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Request {
    /// The first line: asks the adapter who it is and what it supports.
    Start(Start),
    /// One operation on one document.
    Run(RunRequest),
    /// The last line: the adapter ends.
    Stop,
}

/// Asks the adapter to introduce itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// The protocol version that the runner supports.
    pub protocol: u32,
}

/// The adapter's answer to `start`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartReply {
    /// The protocol version that the adapter supports; it is the one that was asked for.
    pub protocol: u32,
    /// The SDK under test.
    pub implementation: ImplementationName,
    /// What the SDK supports: operations and features. Anything else is skipped, never failed.
    #[schemars(extend("items" = { "type": "string", "examples": capability_words() }))]
    pub capabilities: Vec<String>,
    /// The dialect of the documents that a `round-trip` brings and takes, where it is not the canonical
    /// form: the runner converts both ways, and the adapter sees its SDK's own format alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = ["semantic-kernel-python", "agent-framework-python"]))]
    pub dialect: Option<String>,
    /// How many requests may be under way at once. Absent means one at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_in_flight: Option<u32>,
}

/// Who the SDK under test is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImplementationName {
    /// The name of the SDK, as its package registry spells it.
    pub name: String,
    /// The version of the SDK under test.
    pub version: String,
    /// The language the SDK is written in, in lower case.
    pub language: String,
}

/// The answer to `start` of an adapter that does not support the version asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProtocolError {
    /// Always 0, which is no protocol version.
    pub protocol: u32,
    /// What the adapter supports instead.
    pub error: String,
}

/// One operation on one document. Neither case ids nor expectations are sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Run")]
pub struct RunRequest {
    /// The number that the answer repeats; no two requests of a process share it.
    pub seq: u64,
    /// The operation.
    #[schemars(extend("examples" = vocabulary::OPERATIONS))]
    pub op: String,
    /// The type of the document, for operations that need it.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = type_names()))]
    pub document_type: Option<String>,
    /// The document as text. Absent when `inputBase64` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The document as Base64 of its bytes, when these are not UTF-8.
    #[serde(
        rename = "inputBase64",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub input_base64: Option<String>,
    /// The further arguments of the operation: `key` and `keyId` of `seal` and `unseal`; `save` of
    /// `restore`; `complete` of `verify`; `run` and `lenient` of `replay`; `level`, `retain`,
    /// `partial` and `lenient` of `compact`; `from`, `to` and `document` of `convert`.
    #[serde(flatten)]
    pub arguments: serde_json::Map<String, serde_json::Value>,
}

impl RunRequest {
    /// Gives the document's bytes, whichever way they came.
    ///
    /// # Errors
    ///
    /// When neither or both members are there, or `inputBase64` is not padded Base64.
    pub fn document(&self) -> Result<Vec<u8>, DocumentError> {
        match (&self.input, &self.input_base64) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(encoded)) => STANDARD
                .decode(encoded)
                .map_err(|problem| DocumentError::NotBase64(problem.to_string())),
            (None, None) => Err(DocumentError::Missing),
            (Some(_), Some(_)) => Err(DocumentError::Both),
        }
    }

    /// Gives one further argument when it is there and a string.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    /// Tells whether one further argument is there and true.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.arguments.get(name) == Some(&serde_json::Value::Bool(true))
    }
}

/// Why the document of a request cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The request has no document.
    #[error("the request has neither `input` nor `inputBase64`")]
    Missing,
    /// The request has two documents.
    #[error("the request has both `input` and `inputBase64`; only one is allowed")]
    Both,
    /// The bytes are not encoded as RFC 4648 section 4 says.
    #[error("`inputBase64` is not Base64: {0}")]
    NotBase64(String),
}

/// The adapter's answer to one `run`: exactly one member beside `seq`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = exactly_one_outcome)]
pub struct Answer {
    /// The number of the request that this answers.
    pub seq: u64,
    /// The result, as JSON text in a string. That of `replay` may have a member `delivered`: the events
    /// that the SDK delivered to application code, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<String>,
    /// The SDK rejected the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Rejected>,
    /// The SDK has no such operation, and why. A failure when the capability was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsupported: Option<String>,
    /// The SDK or the adapter broke: a stack trace or a message. Always a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Answer {
    /// Makes the answer that carries `reply` for request `seq`.
    #[must_use]
    pub fn new(seq: u64, reply: Reply) -> Self {
        let empty = Self {
            seq,
            ..Self::default()
        };
        match reply {
            Reply::Ok(text) => Self {
                ok: Some(text),
                ..empty
            },
            Reply::Rejected(rejected) => Self {
                rejected: Some(rejected),
                ..empty
            },
            Reply::Unsupported(why) => Self {
                unsupported: Some(why),
                ..empty
            },
            Reply::Fault(what) => Self {
                fault: Some(what),
                ..empty
            },
        }
    }

    /// Gives what the answer says.
    ///
    /// # Errors
    ///
    /// When the answer says nothing, or more than one thing.
    pub fn reply(self) -> Result<Reply, AnswerError> {
        let replies = [
            self.ok.map(Reply::Ok),
            self.rejected.map(Reply::Rejected),
            self.unsupported.map(Reply::Unsupported),
            self.fault.map(Reply::Fault),
        ];
        let mut replies = replies.into_iter().flatten();
        match (replies.next(), replies.next()) {
            (Some(reply), None) => Ok(reply),
            (None, _) => Err(AnswerError::Nothing),
            (Some(_), Some(_)) => Err(AnswerError::MoreThanOne),
        }
    }
}

/// Says in the schema what [`Answer::reply`] checks: one outcome, not none and not two.
fn exactly_one_outcome(schema: &mut Schema) {
    let outcomes = ["ok", "rejected", "unsupported", "fault"];
    let arms = outcomes.map(|name| serde_json::json!({ "required": [name] }));
    schema.insert("oneOf".to_owned(), serde_json::Value::from(arms.to_vec()));
}

/// Why an answer says nothing usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// None of the four members is there.
    #[error("the answer has none of `ok`, `rejected`, `unsupported`, `fault`")]
    Nothing,
    /// More than one of the four members is there.
    #[error("the answer has more than one of `ok`, `rejected`, `unsupported`, `fault`")]
    MoreThanOne,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The result, as JSON text.
    Ok(String),
    /// The SDK rejected the document.
    Rejected(Rejected),
    /// The SDK has no such operation, and why.
    Unsupported(String),
    /// The SDK or the adapter broke.
    Fault(String),
}

/// Why the SDK rejected a document. Every member may be absent; without `class` the answer is
/// *unclassified* and never part of a claim.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// The kind of rule that the document breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = vocabulary::CLASSES))]
    pub class: Option<String>,
    /// A JSON pointer to what is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The rule that was broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The SDK's own words, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

fn capability_words() -> Vec<&'static str> {
    vocabulary::capabilities().collect()
}

fn type_names() -> Vec<&'static str> {
    vocabulary::TYPES.iter().map(|(name, _)| *name).collect()
}

/// One line of the adapter protocol, in either direction. Unknown members are ignored.
#[derive(JsonSchema)]
#[schemars(untagged, title = "Adapter protocol, version 1")]
#[allow(dead_code, reason = "only its schema is used")]
enum Line {
    /// A line from the runner to the adapter.
    Request(Request),
    /// The adapter introduces itself.
    StartReply(StartReply),
    /// The adapter does not support the version asked for.
    ProtocolError(ProtocolError),
    /// The adapter answers a request.
    Answer(Answer),
}

/// Gives the JSON Schema of every line of the protocol, as `schema/kit/adapter.schema.json` holds it.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Line).to_value()
}
