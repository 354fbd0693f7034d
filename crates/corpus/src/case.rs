//! One case: what a file of the corpus says. Its JSON Schema is `schema/kit/case.schema.json`.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::lint::Vocabulary;

/// One case. Its id is where it lies: `corpus/<suite>/<slug>.json` is `<suite>/<slug>`.
///
/// Exactly one of `input`, `inputText` and `inputBase64` is there.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(title = "Case")]
pub struct Case {
    /// The id, which comes from the path and never from the file.
    #[serde(skip)]
    pub id: String,
    /// What must be true, as one sentence without a final dot. No two cases share a title.
    pub title: String,
    /// The requirements of SPEC.md that this case tests.
    #[schemars(length(min = 1))]
    pub requirements: Vec<String>,
    /// The capabilities an implementation must declare for this case to apply, beside its `op`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Why it matters to the people whose chats these are.
    pub why: String,
    /// The operation under test.
    pub op: String,
    /// The type of the document, for operations that need it.
    #[serde(rename = "type", default)]
    pub document_type: Option<String>,
    /// Further arguments of the operation, sent beside the input.
    #[serde(default)]
    pub args: serde_json::Map<String, serde_json::Value>,
    /// The document, sent as exactly this text.
    #[serde(default, deserialize_with = "raw_value")]
    #[schemars(with = "Option<serde_json::Value>", extend("description" = "The document, sent as exactly this text."))]
    pub input: Option<Box<RawValue>>,
    /// The document as a string, for what is not JSON at all.
    #[serde(default)]
    pub input_text: Option<String>,
    /// The document as Base64 of its bytes, for what is not even text.
    #[serde(default)]
    pub input_base64: Option<Base64Bytes>,
    /// What the answer must be. Absent on `round-trip`, where the answer must equal the input.
    #[serde(default)]
    pub expect: Option<Expect>,
    /// The mutants of the reference that this case must find out.
    #[serde(default)]
    pub kills: Vec<String>,
    /// The version of the corpus that brought the case.
    pub since: String,
    /// Earlier ids of this case; expected failures and patterns may still use them.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Where the case comes from, when it has a source outside this project.
    #[serde(default)]
    pub source: Option<String>,
    /// Set when the case binds the reference alone.
    #[serde(default)]
    pub profile: Option<Profile>,
}

/// Reads any JSON value as its raw text. Without this, `null` would be the same as absent.
fn raw_value<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(reader).map(Some)
}

/// What the answer to a case must be.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Expect {
    /// The operation succeeds with this value.
    Ok(#[schemars(with = "serde_json::Value")] Box<RawValue>),
    /// The operation succeeds with a value that has at least these members, and lists of these lengths.
    /// Only fixtures say so; a case of the corpus says all of its answer.
    #[serde(skip)]
    Contains(Box<RawValue>),
    /// The operation succeeds, and the events that were delivered are as these members of a fixture say.
    #[serde(skip)]
    Delivers(Box<RawValue>),
    /// The document is rejected, for this reason.
    Rejected(RejectedExpectation),
    /// Any of these answers is right, because the specification leaves a choice.
    AnyOf(Vec<Alternative>),
    /// Any answer is recorded and none is scored, for this reason.
    Either(String),
    /// The answer keeps these laws. Only for `compact` and `attach`, whose answers may differ and
    /// all be right.
    Laws(#[schemars(length(min = 1))] Vec<Law>),
}

/// The rejection that a case expects. A rejection for another reason fails.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectedExpectation {
    /// The class of the rejection.
    pub class: String,
    /// A JSON pointer to what is wrong; compared when the answer gives one, too.
    #[serde(default)]
    pub at: Option<String>,
    /// The rule that is broken; compared when the answer gives one, too.
    #[serde(default)]
    pub rule: Option<String>,
}

/// One of several right answers: `ok` or `rejected`, and a note that says when it is right.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// The operation succeeds with this value.
    #[serde(default, deserialize_with = "raw_value")]
    #[schemars(with = "Option<serde_json::Value>", extend("description" = "The operation succeeds with this value."))]
    pub ok: Option<Box<RawValue>>,
    /// The document is rejected, for this reason.
    #[serde(default)]
    pub rejected: Option<RejectedExpectation>,
    /// What makes this answer a right one.
    pub note: String,
}

/// A law that the answer to a `compact` or an `attach` case keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Compacting again changes nothing.
    Idempotent,
    /// The compacted events replay to the same chat.
    Replay,
    /// The compacted events verify.
    Closed,
    /// No event leaves its run.
    Contained,
    /// Compacting a beginning, and then that together with the rest, gives what compacting at once
    /// gives, wherever the log is cut.
    Incremental,
    /// The result is never larger than the input.
    NeverLarger,
    /// The input of a run loses only messages that the log holds at that point.
    MinimalInput,
    /// What can be compacted is compacted.
    Effective,
    /// The prelude and the events that follow it mean what the whole log means, wherever it is cut.
    Attach,
}

impl Law {
    /// Every law.
    pub const ALL: [Self; 9] = [
        Self::Idempotent,
        Self::Replay,
        Self::Closed,
        Self::Contained,
        Self::Incremental,
        Self::NeverLarger,
        Self::MinimalInput,
        Self::Effective,
        Self::Attach,
    ];

    /// The law as cases and reports spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idempotent => "idempotent",
            Self::Replay => "replay",
            Self::Closed => "closed",
            Self::Contained => "contained",
            Self::Incremental => "incremental",
            Self::NeverLarger => "never-larger",
            Self::MinimalInput => "minimal-input",
            Self::Effective => "effective",
            Self::Attach => "attach",
        }
    }

    /// The operation whose answers the law judges.
    #[must_use]
    pub fn operation(self) -> &'static str {
        match self {
            Self::Attach => "attach",
            _ => "compact",
        }
    }
}

/// Whom a case binds, when not everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The reference alone.
    Reference,
}

/// Bytes that are in the file as padded Base64 (RFC 4648 section 4).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct Base64Bytes(
    #[schemars(with = "String", extend("contentEncoding" = "base64"))] pub Vec<u8>,
);

impl TryFrom<String> for Base64Bytes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let decoded = STANDARD.decode(text);
        decoded
            .map(Self)
            .map_err(|problem| format!("this is not padded Base64: {problem}"))
    }
}

/// The bytes of a case's document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputBytes<'a> {
    /// The bytes, as they are to be sent.
    pub bytes: Cow<'a, [u8]>,
    /// Whether they are UTF-8 and so can travel as text.
    pub utf8: bool,
}

impl Case {
    /// The suite, which is the folder that the case lies in.
    #[must_use]
    pub fn suite(&self) -> &str {
        self.id.split_once('/').map_or("", |(suite, _)| suite)
    }

    /// The path of the case inside the corpus.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}.json", self.id)
    }

    /// Gives the bytes of the document, whichever member holds it.
    #[must_use]
    pub fn input_bytes(&self) -> InputBytes<'_> {
        let bytes = match (&self.input, &self.input_text, &self.input_base64) {
            (Some(raw), _, _) => raw.get().as_bytes(),
            (None, Some(text), _) => text.as_bytes(),
            (None, None, Some(bytes)) => &bytes.0,
            (None, None, None) => &[],
        };
        InputBytes {
            bytes: Cow::Borrowed(bytes),
            utf8: std::str::from_utf8(bytes).is_ok(),
        }
    }

    /// The document as text; what is not UTF-8 in it is made readable.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match (&self.input, &self.input_text, &self.input_base64) {
            (Some(raw), _, _) => Cow::Borrowed(raw.get()),
            (None, Some(text), _) => Cow::Borrowed(text),
            (None, None, Some(bytes)) => String::from_utf8_lossy(&bytes.0),
            (None, None, None) => Cow::Borrowed(""),
        }
    }

    /// Everything an implementation must declare for the case to apply: its `op` and its `needs`.
    pub fn capabilities(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.op.as_str()).chain(self.needs.iter().map(String::as_str))
    }

    /// Whether the case binds the reference alone.
    #[must_use]
    pub fn reference_only(&self) -> bool {
        self.profile == Some(Profile::Reference)
    }
}

/// Gives the JSON Schema of a case, with the words of `vocabulary` filled in where it takes a word.
#[must_use]
pub fn schema(vocabulary: &Vocabulary) -> serde_json::Value {
    let mut schema = schemars::schema_for!(Case).to_value();
    let words = [
        ("/properties/op", vocabulary.operations.clone()),
        ("/properties/type", vocabulary.type_names()),
        ("/properties/needs/items", vocabulary.capabilities.clone()),
        (
            "/$defs/RejectedExpectation/properties/class",
            vocabulary.classes.clone(),
        ),
    ];
    for (pointer, words) in words {
        if let Some(serde_json::Value::Object(place)) = schema.pointer_mut(pointer) {
            place.insert("enum".to_owned(), serde_json::Value::from(words));
        }
    }
    exactly_one_input(&mut schema);
    schema
}

/// Says in the schema what loading checks: one of the three inputs, not none and not two.
fn exactly_one_input(schema: &mut serde_json::Value) {
    let inputs = ["input", "inputText", "inputBase64"];
    let arms = inputs.map(|name| serde_json::json!({ "required": [name] }));
    if let Some(members) = schema.as_object_mut() {
        members.insert("oneOf".to_owned(), serde_json::Value::from(arms.to_vec()));
    }
}
