//! How much of what an adapter answered is kept in a report: answers may be as long as lines of the
//! protocol, and each of them may be wrong.

use chatstate_json::{Surrogates, parse_with};
use chatstate_protocol::Rejected;
use sha2::{Digest, Sha256};

use crate::judgement::{BrokenLaw, DifferenceReport};
use crate::outcome::{Outcome, beginning};

/// How much of an answer is kept, in characters.
const ANSWER_CHARACTERS: usize = 64 * 1024;

/// How much of a value that differs, or of a place, is kept, in characters.
const VALUE_CHARACTERS: usize = 4 * 1024;

/// How many differences are kept.
const DIFFERENCES: usize = 1_000;

/// The beginning of a long text, with its length and a digest that tells it from others.
fn kept(text: String, characters: usize) -> String {
    if text.len() <= characters {
        return text;
    }
    let bytes = Sha256::digest(&text).into_iter().take(8);
    let digest = bytes.fold(0, |digest, byte| digest << 8 | u64::from(byte));
    let bytes = text.len();
    let beginning = beginning(&text, characters);
    format!("{beginning} ({bytes} bytes, SHA-256 {digest:016x}...)")
}

fn kept_value(text: Option<String>) -> Option<String> {
    text.map(|text| kept(text, VALUE_CHARACTERS))
}

/// What is kept of an input, on one line if it is JSON.
pub(crate) fn input(text: &str) -> String {
    let value = parse_with(text, Surrogates::AllowUnpairedAtEnds);
    let line = value.map_or_else(|_| text.to_owned(), |value| value.to_json());
    kept(line, VALUE_CHARACTERS)
}

/// What is kept of an outcome.
pub(crate) fn outcome(outcome: Outcome) -> Outcome {
    let answer = |text| kept(text, ANSWER_CHARACTERS);
    match outcome {
        Outcome::Ok(text) => Outcome::Ok(answer(text)),
        Outcome::Fault(text) => Outcome::Fault(answer(text)),
        Outcome::Unsupported(text) => Outcome::Unsupported(answer(text)),
        Outcome::Rejected(rejected) => Outcome::Rejected(Rejected {
            class: kept_value(rejected.class),
            at: kept_value(rejected.at),
            rule: kept_value(rejected.rule),
            message: kept_value(rejected.message),
        }),
        other => other,
    }
}

/// What is kept of the differences between two values.
pub(crate) fn differences(differences: Vec<DifferenceReport>) -> Vec<DifferenceReport> {
    let first = differences.into_iter().take(DIFFERENCES);
    let kept = first.map(|difference| DifferenceReport {
        class: difference.class,
        at: kept(difference.at, VALUE_CHARACTERS),
        to: kept_value(difference.to),
        expected: kept_value(difference.expected),
        got: kept_value(difference.got),
    });
    kept.collect()
}

/// What is kept of a broken law.
pub(crate) fn law(law: BrokenLaw) -> BrokenLaw {
    BrokenLaw {
        problem: kept(law.problem, VALUE_CHARACTERS),
        rule: kept_value(law.rule),
        differences: differences(law.differences),
        asked: law.asked.map(|text| kept(text, ANSWER_CHARACTERS)),
        got: law.got.map(outcome),
        ..law
    }
}

#[cfg(test)]
mod tests {
    use super::{ANSWER_CHARACTERS, outcome};
    use crate::outcome::Outcome;

    #[test]
    fn of_a_long_answer_the_beginning_and_a_digest_are_kept() {
        let long = |end: &str| Outcome::Ok("é".repeat(ANSWER_CHARACTERS) + end);
        let Outcome::Ok(text) = outcome(long("a")) else {
            panic!("it is another outcome");
        };
        assert!(text.len() < 2 * ANSWER_CHARACTERS + 100, "{}", text.len());
        assert!(text.ends_with("...)"), "{}", &text[text.len() - 60..]);
        assert_ne!(outcome(long("a")), outcome(long("b")));
        let short = Outcome::Ok("short".to_owned());
        assert_eq!(outcome(short.clone()), short);
    }
}
