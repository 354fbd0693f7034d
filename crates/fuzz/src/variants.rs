//! A case of the corpus in other words: what must be judged as the case itself is.

use chatstate_arbitrary::variants::{Spelling, with_cut_deltas, with_unknown_members};
use chatstate_corpus::{Case, Expect};
use chatstate_json::{Surrogates, parse_with};
use chatstate_protocol::Rejected;
use serde_json::value::RawValue;

use crate::oracle::{AnsweredQuestion, Oracle};
use crate::question::{Question, takes_events};

/// The operations whose documents take members that no schema names.
const OPEN: [&str; 9] = [
    "attach",
    "compact",
    "decode",
    "encode",
    "lineage",
    "replay",
    "round-trip",
    "validate",
    "verify",
];

/// All variants of a case; none if its input is not JSON text of the strict kind.
pub(crate) fn of(case: &Case, oracle: &Oracle<'_>) -> Vec<AnsweredQuestion> {
    let Some(question) = question_of(case) else {
        return Vec::new();
    };
    let mut variants: Vec<AnsweredQuestion> = Spelling::ALL
        .into_iter()
        .filter_map(|spelling| {
            let spelling = Some(spelling);
            same_answer(
                case,
                Question {
                    spelling,
                    ..question.clone()
                },
            )
        })
        .collect();
    variants.extend(cut(case, &question));
    if OPEN.contains(&case.op.as_str()) && is_accepted(case) {
        let document = with_unknown_members(&question.document);
        variants.extend(oracle.asked(question.about(document)));
    }
    variants
}

fn question_of(case: &Case) -> Option<Question> {
    let text = case.input.as_ref()?.get();
    let laws = match &case.expect {
        Some(Expect::Laws(laws)) => laws.clone(),
        _ => Vec::new(),
    };
    Some(Question {
        document_type: case.document_type.clone(),
        args: case.args.clone(),
        laws,
        ..Question::new(
            &case.op,
            parse_with(text, Surrogates::AllowUnpairedAtEnds).ok()?,
        )
    })
}

/// The case with its deltas cut after every character. Places of rejections would move, and events that
/// must stand as they are would be others.
fn cut(case: &Case, question: &Question) -> Option<AnsweredQuestion> {
    let means_the_same = match case.op.as_str() {
        "compact" | "attach" => matches!(case.expect, Some(Expect::Laws(_))),
        "replay" | "verify" => is_accepted(case),
        _ => false,
    };
    let document = with_cut_deltas(&question.document);
    let document = document.filter(|_| means_the_same && takes_events(&case.op))?;
    same_answer(case, question.about(document))
}

fn is_accepted(case: &Case) -> bool {
    matches!(case.expect, None | Some(Expect::Ok(_) | Expect::Laws(_)))
}

/// A question whose answer must be that of the case.
fn same_answer(case: &Case, question: Question) -> Option<AnsweredQuestion> {
    let input = RawValue::from_string(question.input()).ok()?;
    let rejection = match &case.expect {
        Some(Expect::Rejected(it)) => Some(Rejected {
            class: Some(it.class.clone()),
            at: it.at.clone(),
            rule: it.rule.clone(),
            message: None,
        }),
        _ => None,
    };
    let mut case = Case {
        input: Some(input),
        ..case.clone()
    };
    // Of several faults in an object, another one may be first now.
    if let (Some(Spelling::Reversed), Some(Expect::Rejected(rejection))) =
        (question.spelling, &mut case.expect)
    {
        rejection.at = None;
        rejection.rule = None;
    }
    Some(AnsweredQuestion {
        question,
        case,
        rejection,
    })
}
