//! Converts documents on their way to an adapter of a dialect, and its answers back.
//!
//! The runner knows only the name of the dialect. An adapter that converted documents itself would
//! hide the defects of the SDK after its own. A document that the dialect cannot hold without loss
//! is not sent: that is a failure whose fingerprint is the losses. Answers are compared by the
//! equality of the dialect, which may not distinguish, say, an absent list from an empty one.

use chatstate_dialects::{self as dialect, CANONICAL};
use chatstate_json::{self as json, Surrogates, Value};
use chatstate_protocol::vocabulary;

use crate::call::Call;
use crate::judgement::Cause;
use crate::outcome::{Lost, Outcome};

/// The operation whose documents are converted.
const CONVERTED: &str = "round-trip";

/// What becomes of a call.
#[derive(Debug)]
pub(crate) enum Prepared<'a> {
    /// It is made, with a document that the adapter understands.
    Ask(Call<'a>),
    /// It is not made, because its outcome is known.
    Known(Outcome),
    /// It is not made, because it does not concern the adapter.
    NotApplicable(Cause),
}

/// Whether there is such a dialect.
pub(crate) fn is_known(name: &str) -> bool {
    dialect::dialect(name).is_some()
}

/// Puts the document of a call in the dialect of the adapter, if it has one of its own.
pub(crate) fn prepare<'a>(name: Option<&str>, call: Call<'a>) -> Prepared<'a> {
    let Some(name) = name.filter(|_| vocabulary::takes_type(&call.op)) else {
        return Prepared::Ask(call);
    };
    let not_applicable = Prepared::NotApplicable(Cause::OtherDialect(name.to_owned()));
    if call.op != CONVERTED {
        return not_applicable;
    }
    let Some(document) = canonical(&call) else {
        return not_applicable;
    };
    match dialect::convert(document, CANONICAL, name) {
        None => not_applicable,
        Some(Ok(conversion)) if conversion.losses.is_empty() => {
            let input = conversion.document.to_json().into_bytes().into();
            Prepared::Ask(Call { input, ..call })
        }
        Some(Ok(conversion)) => {
            let lost = conversion.losses.into_iter().map(|loss| Lost {
                class: loss.class.as_str().to_owned(),
                at: loss.at,
                why: loss.why,
            });
            Prepared::Known(Outcome::Unsayable(lost.collect()))
        }
        Some(Err(rejection)) => {
            let why = match call.document_type {
                Some(kind) if rejection.rule == "convert.dialect" => {
                    format!("`{name}` has no {kind} of its own")
                }
                _ => rejection.message,
            };
            let class = "document".to_owned();
            let at = rejection.at;
            Prepared::Known(Outcome::Unsayable(vec![Lost { class, at, why }]))
        }
    }
}

/// The document of a call, if it is a valid canonical one of its type.
fn canonical(call: &Call<'_>) -> Option<Value> {
    let text = std::str::from_utf8(&call.input).ok()?;
    let document = json::parse(text).ok()?;
    let type_name = call.document_type.as_deref()?;
    chatstate_types::validate::check_value(type_name, &document)?.ok()?;
    Some(document)
}

/// Puts the answer to a case in the canonical form, where the adapter was `asked` in its dialect.
/// What says the same there as what it was asked is the input of the case: the dialect has no other
/// way to say that. What is not JSON stays for the judge to see.
pub(crate) fn answered(name: &str, case: &Call<'_>, asked: &Call<'_>, outcome: Outcome) -> Outcome {
    let (Outcome::Ok(text), Some(type_name)) = (&outcome, &case.document_type) else {
        return outcome;
    };
    let Ok(document) = json::parse_with(text, Surrogates::AllowUnpairedAtEnds) else {
        return outcome;
    };
    if says_the_same(name, asked, &document) {
        return Outcome::Ok(String::from_utf8_lossy(&case.input).into_owned());
    }
    match dialect::read_as(document, name, type_name) {
        None => outcome,
        Some(Ok(canonical)) => Outcome::Ok(canonical.to_json()),
        Some(Err(rejection)) => {
            Outcome::Fault(format!("the answer is no `{name}`: {rejection}\n{text}"))
        }
    }
}

fn says_the_same(name: &str, asked: &Call<'_>, answer: &Value) -> bool {
    let asked = json::text_of(&asked.input).and_then(json::parse);
    match (dialect::dialect(name), asked) {
        (Some(dialect), Ok(asked)) => dialect::same(dialect, &asked, answer),
        _ => false,
    }
}
