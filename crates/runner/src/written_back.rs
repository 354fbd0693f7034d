//! What an adapter takes it is asked to write back: an answer `true` of `validate` says that a
//! document is taken, and not what is left of it. Pure: the request is planned here, and asked
//! elsewhere.

use chatstate_corpus::{Case, Expect};
use chatstate_json::{self as json, Surrogates};
use chatstate_protocol::StartReply;
use chatstate_types::validate;

use crate::call::Call;
use crate::judge::differences;
use crate::judgement::{Cause, DifferenceReport};
use crate::outcome::Outcome;

/// The operation that says whether a document is taken.
const ASKED: &str = "validate";

/// The operation that shows what is left of it.
pub(crate) const WRITTEN: &str = "round-trip";

/// What is wrong with a document that was written back.
pub(crate) struct WrittenBack {
    pub(crate) cause: Cause,
    /// How it differs from the document of the case, where both are JSON.
    pub(crate) differences: Vec<DifferenceReport>,
}

/// Whether an adapter has the operation.
pub(crate) fn is_declared(introduction: &StartReply) -> bool {
    introduction.capabilities.iter().any(|word| word == WRITTEN)
}

/// Whether a document that the case asks about is to be written back when it is taken. A case with
/// several right answers says itself what may become of the document.
pub(crate) fn applies(case: &Case) -> bool {
    case.op == ASKED && matches!(case.expect, Some(Expect::Ok(_) | Expect::Rejected(_)))
}

/// The request for the same document.
pub(crate) fn call(case: &Case) -> Call<'_> {
    Call {
        op: WRITTEN.to_owned(),
        ..Call::of_case(case)
    }
}

/// What is wrong with what came back of a document that was taken; nothing where it came back as it
/// was, and where a defect was not taken after all.
pub(crate) fn find(case: &Case, written: &Outcome) -> Option<WrittenBack> {
    let is_defect = matches!(case.expect, Some(Expect::Rejected(_)));
    match written {
        Outcome::Ok(text) => compare(case, text, is_defect),
        // The reader knows what `validate` did not.
        Outcome::Rejected(_) if is_defect => None,
        _ => Some(WrittenBack {
            cause: Cause::CannotBeWritten,
            differences: Vec::new(),
        }),
    }
}

fn compare(case: &Case, written: &str, is_defect: bool) -> Option<WrittenBack> {
    let document = case.text();
    if document == written {
        return None;
    }
    let Ok(got) = json::parse_with(written, Surrogates::AllowUnpairedAtEnds) else {
        return Some(WrittenBack {
            cause: Cause::CannotBeWritten,
            differences: Vec::new(),
        });
    };
    // A document with a defect need not be JSON.
    let expected = json::parse_with(&document, Surrogates::AllowUnpairedAtEnds).ok();
    let differences = match &expected {
        Some(expected) if json::canonical(expected) == json::canonical(&got) => return None,
        Some(expected) => differences(case.document_type.as_deref(), expected, &got),
        None => Vec::new(),
    };
    let made_valid = is_defect && is_valid(case, written);
    Some(WrittenBack {
        cause: if made_valid {
            Cause::DefectMadeValid
        } else {
            Cause::WrittenOtherwise
        },
        differences,
    })
}

fn is_valid(case: &Case, text: &str) -> bool {
    let name = case.document_type.as_deref().unwrap_or_default();
    matches!(validate::validate(name, text), Some(Ok(())))
}
