//! Judges an adapter by its own answers: what it says of one document has to agree with what it says of
//! another. The reference has no part in it, so that also what the reference rejects, or answers in one
//! of several right ways, can be judged.

use chatstate_corpus::{Case, Expect};
use chatstate_json::Value;
use chatstate_protocol::RunRequest;
use chatstate_runner::{AdapterConversation, Judgement, Outcome, StartError, Verdict};
use serde_json::value::RawValue;

use crate::kind::kinds;
use crate::oracle::{AnsweredQuestion, BY_LAWS};

/// The operations whose answers laws judge.
pub const OPERATIONS: [&str; 6] = [
    "canonicalize",
    "compact",
    "encode",
    "round-trip",
    "seal",
    "to-cbor",
];

/// What an accepted document gives is the document.
const GIVES_BACK: &str = "gives-back";
/// The operation on its own answer changes nothing.
const IDEMPOTENT: &str = "repeats";
/// What was written is read as what it was written from.
const READS_BACK: &str = "reads-back";
/// What was compacted is replayed as the whole.
const MEANS_THE_SAME: &str = "replays-as";

/// A question that follows from an answer, and the answer that a law asks for.
struct FollowUp {
    /// The place of the question that it follows.
    place: usize,
    law: &'static str,
    case: Case,
}

/// Asks the questions, and what follows from the answers. What is rejected is not judged, nor what an
/// adapter does not declare the second operation for.
pub(crate) fn judge(
    conversation: &mut AdapterConversation<'_>,
    asked: &[AnsweredQuestion],
) -> Result<Vec<(Judgement, Vec<String>)>, StartError> {
    let cases: Vec<Case> = asked.iter().map(|asked| asked.case.clone()).collect();
    let first = conversation.judge(&cases)?;
    let mut follow_ups = replays(conversation, asked, &first)?;
    for (place, (asked, judgement)) in asked.iter().zip(&first).enumerate() {
        let law = accepted(judgement).and_then(|answer| follow_up(asked, answer));
        follow_ups.extend(law.map(|(law, case)| FollowUp { place, law, case }));
    }
    let capabilities = conversation.introduction().capabilities.clone();
    follow_ups.retain(|it| capabilities.contains(&it.case.op));
    let cases: Vec<Case> = follow_ups.iter().map(|it| it.case.clone()).collect();
    let second = conversation.judge(&cases)?;
    let mut judged: Vec<_> = first.into_iter().map(unless_broken).collect();
    for (FollowUp { place, law, .. }, judgement) in follow_ups.into_iter().zip(second) {
        let found = kinds(&asked[place], &judgement);
        let found = found.into_iter().map(|kind| format!("{law}:{kind}"));
        let (shown, shown_kinds) = &mut judged[place];
        if shown_kinds.is_empty() {
            *shown = judgement;
        }
        shown_kinds.extend(found);
    }
    Ok(judged)
}

/// The first judgement: nothing is judged yet, but that the adapter broke.
fn unless_broken(judgement: Judgement) -> (Judgement, Vec<String>) {
    if judgement.verdict == Verdict::Error {
        let outcome = judgement.detail.as_ref().and_then(|it| it.outcome.clone());
        return (judgement, outcome.into_iter().collect());
    }
    let skipped = Judgement {
        verdict: Verdict::Skip,
        ..judgement
    };
    (skipped, Vec::new())
}

/// The text that an adapter gave.
fn accepted(judgement: &Judgement) -> Option<&str> {
    match judgement.detail.as_ref()?.got.as_ref()? {
        Outcome::Ok(text) => Some(text),
        _ => None,
    }
}

/// The law of an answer, and the case that holds the adapter to it.
fn follow_up(asked: &AnsweredQuestion, answer: &str) -> Option<(&'static str, Case)> {
    let document = raw(asked.question.input());
    let text = |text: &str| raw(Value::from(text).to_json());
    let case = |op: &str, input, expected| {
        Some(Case {
            op: op.to_owned(),
            input: Some(input?),
            expect: Some(Expect::Ok(expected?)),
            ..asked.case.clone()
        })
    };
    Some(match asked.question.op.as_str() {
        "round-trip" => (GIVES_BACK, case("round-trip", document.clone(), document)?),
        "canonicalize" => {
            let again = case("canonicalize", document, text(answer))?;
            (IDEMPOTENT, about_text(again, answer))
        }
        "compact" => {
            let compacted = raw(answer.to_owned());
            (IDEMPOTENT, case("compact", compacted.clone(), compacted)?)
        }
        // Decoding leaves the name of the encoding out.
        "encode" if asked.question.document.get("encoding").is_none() => (
            READS_BACK,
            case("decode", raw(answer.to_owned()), document)?,
        ),
        "seal" => (
            READS_BACK,
            case("unseal", raw(answer.to_owned()), document)?,
        ),
        "to-cbor" => (
            READS_BACK,
            case("from-cbor", raw(answer.to_owned()), document)?,
        ),
        _ => return None,
    })
}

fn about_text(case: Case, text: &str) -> Case {
    Case {
        input: None,
        input_text: Some(text.to_owned()),
        ..case
    }
}

/// An answer that is no JSON is judged where it is asked for, and not here.
fn raw(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

/// What the adapter replays of logs has to be what it replays of them compacted, at the level that keeps
/// every item.
fn replays(
    conversation: &mut AdapterConversation<'_>,
    asked: &[AnsweredQuestion],
    first: &[Judgement],
) -> Result<Vec<FollowUp>, StartError> {
    let capabilities = &conversation.introduction().capabilities;
    if !capabilities.iter().any(|it| it == "replay") {
        return Ok(Vec::new());
    }
    let compacted: Vec<(usize, &str)> = asked
        .iter()
        .zip(first)
        .enumerate()
        .filter(|(_, (asked, _))| keeps_every_item(&asked.question.request()))
        .filter_map(|(place, (_, judgement))| Some((place, accepted(judgement)?)))
        .collect();
    let replay = |place: usize, expect: Expect| Case {
        op: "replay".to_owned(),
        args: serde_json::Map::new(),
        expect: Some(expect),
        ..asked[place].case.clone()
    };
    let places = compacted.iter().map(|(place, _)| *place);
    let whole: Vec<Case> = places
        .map(|place| replay(place, Expect::Either(BY_LAWS.to_owned())))
        .collect();
    let whole = conversation.judge(&whole)?;
    let follow_ups = compacted.iter().zip(&whole);
    let follow_ups = follow_ups.filter_map(|((place, compacted), whole)| {
        let expected = raw(accepted(whole)?.to_owned())?;
        let case = Case {
            input: Some(raw((*compacted).to_owned())?),
            ..replay(*place, Expect::Ok(expected))
        };
        Some(FollowUp {
            place: *place,
            law: MEANS_THE_SAME,
            case,
        })
    });
    Ok(follow_ups.collect())
}

fn keeps_every_item(request: &RunRequest) -> bool {
    let level = request.arguments.get("level").and_then(|it| it.as_str());
    request.op == "compact" && level != Some("snapshot")
}
