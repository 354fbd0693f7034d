//! What kind of failure one is, so that a thousand inputs that show one defect are one finding.

use std::collections::BTreeSet;

use chatstate_corpus::Law;
use chatstate_protocol::Rejected;
use chatstate_runner::{Cause, Judgement, Outcome, Verdict};

use crate::oracle::AnsweredQuestion;

/// How many steps of a place distinguish kinds. What is deeper is mostly open data.
const STEPS: usize = 3;

/// How much of what an SDK says about its own fault distinguishes kinds, in characters.
const CHARACTERS: usize = 80;

/// The kinds of failures that a judgement shows; none if the answer is right.
pub(crate) fn kinds(asked: &AnsweredQuestion, judgement: &Judgement) -> Vec<String> {
    let (Verdict::Fail | Verdict::Error, Some(detail)) = (judgement.verdict, &judgement.detail)
    else {
        return Vec::new();
    };
    let rejection = asked.rejection.as_ref();
    match (&detail.cause, &detail.got) {
        (Cause::Accepted, _) => vec![format!("accepted:{}", reason(rejection))],
        (Cause::CannotBeWritten | Cause::WrittenOtherwise | Cause::DefectMadeValid, _) => {
            written_back(&detail.signs(), rejection)
        }
        (Cause::OtherReason, _) => {
            let signs = detail.signs().join(" ");
            vec![format!("{} for {}", general(&signs), reason(rejection))]
        }
        (Cause::Fault, Some(Outcome::Fault(words))) => {
            vec![format!("fault:{}", first_words(words))]
        }
        (Cause::NotJson(_), _) => vec!["not-json".to_owned()],
        (Cause::DifferentText, _) => vec!["different-text".to_owned()],
        _ => {
            let mut kinds: Vec<String> = detail.signs().iter().map(|it| general(it)).collect();
            kinds.sort();
            kinds.dedup();
            kinds
        }
    }
}

/// The kinds of what was accepted and is not written back as it was: those of the defect, or how what is
/// valid changed.
fn written_back(signs: &[String], rejection: Option<&Rejected>) -> Vec<String> {
    let Some((what, changes)) = signs.split_first() else {
        return Vec::new();
    };
    let what = general(what);
    if rejection.is_some() {
        return vec![format!("accepted:{}:{what}", reason(rejection))];
    }
    if changes.is_empty() {
        return vec![what];
    }
    let changes = changes.iter().map(|it| format!("{what}:{}", general(it)));
    let kinds: BTreeSet<String> = changes.collect();
    kinds.into_iter().collect()
}

/// The law that a kind of failure breaks, if it is one of those.
pub(crate) fn law_of(kind: &str) -> Option<Law> {
    let name = kind.split(':').next().unwrap_or(kind);
    Law::ALL.into_iter().find(|law| law.as_str() == name)
}

/// A sign without the numbers in its place, and without the end of a long place.
fn general(sign: &str) -> String {
    let Some((class, place)) = sign.split_once('@') else {
        return sign.to_owned();
    };
    let is_number = |step: &str| step.bytes().all(|byte| byte.is_ascii_digit());
    let steps = place.split('/').take(STEPS + 1);
    let steps = steps.map(|step| match step {
        "" => "",
        step if is_number(step) => "*",
        step => step,
    });
    format!("{class}@{}", steps.collect::<Vec<_>>().join("/"))
}

fn reason(rejection: Option<&Rejected>) -> String {
    let said = |member: &Option<String>| member.clone().unwrap_or_default();
    rejection.map_or(String::new(), |it| {
        format!("{}:{}", said(&it.class), said(&it.rule))
    })
}

/// The beginning of what went wrong, without what is different each time.
fn first_words(words: &str) -> String {
    let line = words.lines().find(|line| !line.trim().is_empty());
    let line = line.unwrap_or_default().trim();
    let same = line
        .chars()
        .map(|it| if it.is_ascii_digit() { '*' } else { it });
    same.take(CHARACTERS).collect()
}
