//! Requests with a known answer, made before anything is scored.
//!
//! An adapter that skips all, echoes all, accepts all or rejects all would pass a good part of any
//! corpus, and one that mixes requests up fails it for no reason that a case could show. The
//! canaries find each out by name, so that it never gets a score.

use chatstate_json as json;
use chatstate_protocol::{StartReply, vocabulary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::dialect::{self, Prepared};
use crate::outcome::Outcome;

/// The operation whose answer is its input.
const ROUND_TRIP: &str = "round-trip";

/// What no JSON reader takes.
const NOT_JSON: &str = "this is not JSON";

/// What is wrong with an adapter as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CanaryVerdict {
    /// It declares no operation together with a kind of document, or answers `unsupported` to everything.
    SkipsAll,
    /// It answers a request with what belongs to another one.
    MixesUp,
    /// It gives back what it got, even what is not JSON.
    EchoesAll,
    /// It takes what is not JSON, or what plainly breaks the schema.
    AcceptsAll,
    /// It rejects a valid document.
    #[serde(rename = "refuses-all")]
    RejectsAll,
    /// It crashes, hangs or breaks the protocol on a plain request.
    Broken,
}

/// A canary that failed. Nothing is scored then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CanaryFailure {
    /// What the adapter does.
    pub verdict: CanaryVerdict,
    /// The operation that was asked for, unless there is none to ask for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// The type of the document, where the operation takes one.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub document_type: Option<String>,
    /// The document that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What the adapter answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Outcome>,
}

impl CanaryFailure {
    /// Whether the adapter was asked for something that is not JSON.
    pub(crate) fn is_about_no_json(&self) -> bool {
        self.input.as_deref() == Some(NOT_JSON)
    }
}

/// What the right answer to a canary is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    NotJson,
    Valid,
    /// Valid, too, and asked only to see whose answer comes back.
    Other,
    Violation,
}

/// One request with a known answer.
#[derive(Debug, Clone)]
pub(crate) struct Canary {
    nature: Nature,
    pub(crate) call: Call<'static>,
}

/// The documents of one area.
struct Area {
    capability: &'static str,
    type_name: &'static str,
    valid: &'static str,
    /// Another one, which says whether answers belong to their requests.
    other: &'static str,
    violation: &'static str,
}

/// The ids of events are UUIDs here and below: to reject all others is a defect that cases show one by
/// one, and no reason to give no score.
const AREAS: [Area; 3] = [
    Area {
        capability: "chat",
        type_name: "ChatState",
        valid: r#"{"history":[],"participants":[],"channels":[]}"#,
        other: r#"{"history":[{"role":"user","items":[{"type":"text","text":"canary"}]}],"participants":[],"channels":[]}"#,
        violation: r#"{"history":"none","participants":[],"channels":[]}"#,
    },
    Area {
        capability: "sessions",
        type_name: "AgentSession",
        valid: r#"{"sessionId":"session-1","stateBag":{}}"#,
        other: r#"{"sessionId":"session-2","stateBag":{}}"#,
        violation: r#"{"sessionId":"session-1","stateBag":"none"}"#,
    },
    Area {
        capability: "events",
        type_name: "Event",
        valid: r#"{"type":"RUN_STARTED","threadId":"5f3c7a10-0000-4000-8000-000000000001","runId":"5f3c7a10-0000-4000-8000-000000000002"}"#,
        other: r#"{"type":"RUN_STARTED","threadId":"5f3c7a10-0000-4000-8000-000000000001","runId":"5f3c7a10-0000-4000-8000-000000000004"}"#,
        violation: r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"5f3c7a10-0000-4000-8000-000000000003"}"#,
    },
];

/// The key of the canaries about seals, in Base64.
const SEAL_KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZg==";

/// Valid documents of operations that take no type.
const UNTYPED: [(&str, &str); 7] = [
    ("canonicalize", r#"{"a":[1,true,null]}"#),
    (
        "encode",
        r#"{"history":[],"participants":[],"channels":[]}"#,
    ),
    (
        "decode",
        r#"{"encoding":"base64","history":"W10=","participants":[],"channels":[]}"#,
    ),
    ("seal", r#"{"history":[],"participants":[],"channels":[]}"#),
    ("channel-key", r#"["key"]"#),
    (
        "restore",
        r#"{"state":{"history":[],"participants":[],"channels":[]},"target":{"agents":[{"id":"a","type":"b","channelkeys":["key"]}],"history":[],"channels":[]},"join":[]}"#,
    ),
    (
        "replay",
        r#"[{"type":"RUN_STARTED","threadId":"5f3c7a10-0000-4000-8000-000000000001","runId":"5f3c7a10-0000-4000-8000-000000000002"},{"type":"RUN_FINISHED","threadId":"5f3c7a10-0000-4000-8000-000000000001","runId":"5f3c7a10-0000-4000-8000-000000000002"}]"#,
    ),
];

/// The canaries for what an adapter declares; none when it declares no operation.
pub(crate) fn canaries(introduction: &StartReply) -> Vec<Canary> {
    let declared = |word: &str| introduction.capabilities.iter().any(|it| it == word);
    let mut canaries = Vec::new();
    for op in vocabulary::OPERATIONS.iter().filter(|op| declared(op)) {
        if vocabulary::takes_type(op) {
            let areas = AREAS.iter().filter(|area| declared(area.capability));
            canaries.extend(areas.flat_map(|area| of_area(op, area, &introduction.capabilities)));
        } else {
            canaries.push(canary(Nature::NotJson, op, None, NOT_JSON));
        }
    }
    let untyped = UNTYPED.iter().filter(|(op, _)| declared(op));
    canaries.extend(untyped.map(|(op, input)| canary(Nature::Valid, op, None, input)));
    let name = introduction.dialect.as_deref();
    let prepared = canaries.into_iter().filter_map(|it| in_dialect(it, name));
    prepared.collect()
}

/// The canary as an adapter with a dialect of its own understands it; none where it would not. What
/// is not JSON is that in every dialect.
fn in_dialect(canary: Canary, name: Option<&str>) -> Option<Canary> {
    if canary.nature == Nature::NotJson {
        return Some(canary);
    }
    match dialect::prepare(name, canary.call.clone()) {
        Prepared::Ask(call) => Some(Canary { call, ..canary }),
        Prepared::Known(_) | Prepared::NotApplicable(_) => None,
    }
}

/// The canaries of an area; where its type is none that the adapter has, what is not JSON as one of
/// those that it has.
fn of_area(op: &str, area: &Area, declared: &[String]) -> Vec<Canary> {
    if vocabulary::has_type(declared, area.type_name) {
        return typed(op, area);
    }
    let mut types = vocabulary::TYPES.iter();
    let own = types.find(|(name, capability)| {
        *capability == area.capability && vocabulary::has_type(declared, name)
    });
    let not_json = own.map(|(name, _)| canary(Nature::NotJson, op, Some(name), NOT_JSON));
    not_json.into_iter().collect()
}

fn typed(op: &str, area: &Area) -> Vec<Canary> {
    let canary = |nature, input| canary(nature, op, Some(area.type_name), input);
    let mut canaries = vec![
        canary(Nature::NotJson, NOT_JSON),
        canary(Nature::Valid, area.valid),
    ];
    if op == "validate" {
        canaries.push(canary(Nature::Violation, area.violation));
    } else {
        canaries.push(canary(Nature::Other, area.other));
    }
    canaries
}

fn canary(nature: Nature, op: &str, document_type: Option<&str>, input: &str) -> Canary {
    let mut arguments = serde_json::Map::new();
    let required = match op {
        "compact" => Some(("level", "stream")),
        "seal" | "unseal" => Some(("key", SEAL_KEY)),
        _ => None,
    };
    if let Some((name, value)) = required {
        arguments.insert(name.to_owned(), value.into());
    }
    Canary {
        nature,
        call: Call {
            op: op.to_owned(),
            document_type: document_type.map(str::to_owned),
            input: input.as_bytes().to_vec().into(),
            arguments,
        },
    }
}

/// Judges the answers to the canaries; a missing answer means that the adapter broke before. Where
/// nothing could be asked, nothing of what is declared can be tested.
pub(crate) fn judge(canaries: &[Canary], outcomes: &[Option<Outcome>]) -> Option<CanaryFailure> {
    if canaries.is_empty() {
        return Some(CanaryFailure {
            verdict: CanaryVerdict::SkipsAll,
            op: None,
            document_type: None,
            input: None,
            got: None,
        });
    }
    let answered: Vec<_> = canaries
        .iter()
        .zip(outcomes)
        .filter_map(|(canary, outcome)| Some((canary, outcome.as_ref()?)))
        .collect();
    let skips_all = !answered.is_empty()
        && answered
            .iter()
            .all(|(_, outcome)| matches!(outcome, Outcome::Unsupported(_)));
    let failed = |&(canary, outcome): &(&Canary, &Outcome)| {
        let verdict = match verdict(canary, outcome) {
            None if skips_all => Some(CanaryVerdict::SkipsAll),
            None | Some(CanaryVerdict::RejectsAll) if mixed_up(canary, outcome, &answered) => {
                Some(CanaryVerdict::MixesUp)
            }
            verdict => verdict,
        };
        verdict.map(|verdict| failure(verdict, canary, outcome))
    };
    let failures = answered.iter().filter_map(failed);
    failures.min_by_key(|failure| rank(failure.verdict))
}

/// A broken adapter explains everything else, and one that mixes requests up the rest of it; one that
/// echoes also accepts.
fn rank(verdict: CanaryVerdict) -> u8 {
    match verdict {
        CanaryVerdict::Broken => 0,
        CanaryVerdict::SkipsAll => 1,
        CanaryVerdict::MixesUp => 2,
        CanaryVerdict::EchoesAll => 3,
        CanaryVerdict::AcceptsAll => 4,
        CanaryVerdict::RejectsAll => 5,
    }
}

fn verdict(canary: &Canary, outcome: &Outcome) -> Option<CanaryVerdict> {
    match (canary.nature, outcome) {
        (_, outcome) if outcome.is_broken() => Some(CanaryVerdict::Broken),
        (Nature::NotJson, Outcome::Ok(text)) if text == NOT_JSON => Some(CanaryVerdict::EchoesAll),
        (Nature::NotJson | Nature::Violation, Outcome::Ok(_)) => Some(CanaryVerdict::AcceptsAll),
        (Nature::Valid, Outcome::Rejected(_)) => Some(CanaryVerdict::RejectsAll),
        _ => None,
    }
}

/// Whether a valid document was answered with the document of another canary, or was itself the answer
/// to what is no document. A round trip alone shows that: what others answer is no input.
fn mixed_up(canary: &Canary, outcome: &Outcome, answered: &[(&Canary, &Outcome)]) -> bool {
    let round_trip = |canary: &Canary| canary.call.op == ROUND_TRIP;
    if !matches!(canary.nature, Nature::Valid | Nature::Other) || !round_trip(canary) {
        return false;
    }
    let mut others = answered
        .iter()
        .filter(|(other, _)| round_trip(other) && other.call.input != canary.call.input);
    match outcome {
        Outcome::Ok(text) => others.any(|(other, _)| says(text, &other.call.input)),
        Outcome::Rejected(_) => others.any(|(other, outcome)| {
            let taken = matches!(outcome, Outcome::Ok(text) if says(text, &canary.call.input));
            other.nature == Nature::NotJson && taken
        }),
        _ => false,
    }
}

/// Whether a text is this document.
fn says(text: &str, document: &[u8]) -> bool {
    let document = String::from_utf8_lossy(document);
    match (json::parse(text), json::parse(&document)) {
        (Ok(text), Ok(document)) => text == document,
        _ => text == document,
    }
}

fn failure(verdict: CanaryVerdict, canary: &Canary, outcome: &Outcome) -> CanaryFailure {
    CanaryFailure {
        verdict,
        op: Some(canary.call.op.clone()),
        document_type: canary.call.document_type.clone(),
        input: Some(String::from_utf8_lossy(&canary.call.input).into_owned()),
        got: Some(outcome.clone()),
    }
}
