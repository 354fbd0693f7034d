//! Judges one outcome against one case. Pure: nothing is asked and nothing is kept.

use chatstate_corpus::{Alternative, Case, Expect, RejectedExpectation, RequirementLevel};
use chatstate_json::{self as json, Object, Surrogates, Value};
use chatstate_protocol::{Rejected, vocabulary};
use chatstate_types::definition::Definition;
use chatstate_types::diff;
use chatstate_types::generated::definitions::DEFINITIONS;

use crate::call::Call;
use crate::delivery;
use crate::included;
use crate::judgement::{
    BrokenLaw, Cause, Detail, DifferenceReport, Expected, JudgeOptions, Judgement, Verdict,
};
use crate::kept;
use crate::laws;
use crate::outcome::Outcome;
use crate::written_back::{self, WrittenBack};

/// Tells why a case does not apply to an implementation, if it does not.
#[must_use]
pub fn not_applicable(case: &Case, capabilities: &[String], reference: bool) -> Option<Judgement> {
    let declared = |word: &str| capabilities.iter().any(|it| it == word);
    let mut missing: Vec<_> = case.capabilities().filter(|word| !declared(word)).collect();
    let document_type = case.document_type.as_deref();
    missing.extend(document_type.filter(|name| !vocabulary::has_type(capabilities, name)));
    let reason = if case.reference_only() && !reference {
        Cause::ReferenceOnly
    } else if missing.is_empty() {
        return None;
    } else {
        Cause::NotDeclared(missing.into_iter().map(str::to_owned).collect())
    };
    Some(skipped(reason))
}

/// The judgement of a case that does not apply.
pub(crate) fn skipped(reason: Cause) -> Judgement {
    Judgement {
        verdict: Verdict::Skip,
        detail: Some(Detail::not_asked(reason)),
        uncompared: Vec::new(),
    }
}

/// The calls that are missing to judge a case, after these outcomes of the calls before them. A case
/// begins with the call of its own, which is not among these. Laws need more, and so does a document
/// that is accepted and can be asked back.
pub(crate) fn further_calls<'a>(
    case: &'a Case,
    outcomes: &[Outcome],
    bar: JudgeOptions,
) -> Vec<Call<'a>> {
    match (outcomes, &case.expect) {
        (_, Some(Expect::Laws(_))) if outcomes.iter().all(is_answer) => {
            laws::further_calls(case, outcomes)
        }
        ([Outcome::Ok(text)], expect) if asks_back(case, bar) => {
            let taken = match expect {
                Some(Expect::Ok(value)) => {
                    compare(case, value.get(), text, bar).verdict == Verdict::Pass
                }
                _ => true,
            };
            taken
                .then(|| written_back::call(case))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the outcome of a case's own call may be too little to judge it.
pub(crate) fn may_need_further_calls(case: &Case, bar: JudgeOptions) -> bool {
    matches!(case.expect, Some(Expect::Laws(_))) || asks_back(case, bar)
}

fn asks_back(case: &Case, bar: JudgeOptions) -> bool {
    bar.writes_back && written_back::applies(case)
}

/// The outcome that decides: the first that is no answer, where all of them should be; else that of the
/// case's own call. What comes of writing a document back is part of the judgement, unless nothing
/// came back at all.
fn deciding<'a>(case: &Case, outcomes: &'a [Outcome]) -> Option<&'a Outcome> {
    let own = outcomes.first();
    let tells = |outcome: &&Outcome| match case.expect {
        Some(Expect::Laws(_)) => !is_answer(outcome),
        _ => outcome.is_broken(),
    };
    outcomes.iter().find(tells).or(own)
}

/// Judges what became of a case that applies: the outcome of its own call, and those of the further
/// calls that it needs, in the order in which they were planned.
#[must_use]
pub fn judge(case: &Case, outcomes: &[Outcome], bar: JudgeOptions) -> Judgement {
    let Some(outcome) = deciding(case, outcomes) else {
        return not_asked(case);
    };
    let finding = match outcome {
        Outcome::Unsupported(_) => ComparisonFinding::wrong(Cause::Unsupported),
        Outcome::Unsayable(_) => ComparisonFinding::wrong(Cause::Unsayable),
        Outcome::Fault(_) => ComparisonFinding::wrong(Cause::Fault),
        Outcome::Ok(text) => accepted(case, text, outcomes, bar),
        Outcome::Rejected(rejected) => judge_rejected(case, rejected),
        Outcome::Crashed { .. } | Outcome::TimedOut { .. } | Outcome::Malformed { .. } => {
            ComparisonFinding::new(Verdict::Error, Some(Cause::NoAnswer))
        }
    };
    let verdict = match finding.verdict {
        Verdict::Fail if bar.level != RequirementLevel::Must => Verdict::Warn,
        verdict => verdict,
    };
    let outcome = kept::outcome(outcome.clone());
    let finding = ComparisonFinding {
        differences: kept::differences(finding.differences),
        laws: finding.laws.into_iter().map(kept::law).collect(),
        ..finding
    };
    let detail = finding.cause.map(|cause| Detail {
        outcome: Some(outcome.name().to_owned()),
        cause,
        expected: expected(case),
        got: Some(outcome),
        written_back: finding.written_back.map(kept::outcome),
        fingerprint: None,
        differences: finding.differences,
        laws: finding.laws,
        expected_because: None,
        expected_at: None,
    });
    let detail = detail.map(|detail| Detail {
        fingerprint: fingerprint(verdict, &detail),
        ..detail
    });
    Judgement {
        verdict,
        detail,
        uncompared: finding.uncompared,
    }
}

/// Whether the adapter did what it was asked, or rejected to.
fn is_answer(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Ok(_) | Outcome::Rejected(_))
}

/// The judgement of a case without any outcome, which a run never asks for.
fn not_asked(case: &Case) -> Judgement {
    Judgement {
        verdict: Verdict::Error,
        detail: Some(Detail {
            expected: expected(case),
            ..Detail::not_asked(Cause::NoAnswer)
        }),
        uncompared: Vec::new(),
    }
}

/// What one comparison found, before the level of the requirement is looked at.
#[derive(Debug)]
struct ComparisonFinding {
    verdict: Verdict,
    cause: Option<Cause>,
    /// What came of writing the document back, where that is what is wrong.
    written_back: Option<Outcome>,
    differences: Vec<DifferenceReport>,
    laws: Vec<BrokenLaw>,
    uncompared: Vec<String>,
}

impl ComparisonFinding {
    fn new(verdict: Verdict, cause: Option<Cause>) -> Self {
        Self {
            verdict,
            cause,
            written_back: None,
            differences: Vec::new(),
            laws: Vec::new(),
            uncompared: Vec::new(),
        }
    }

    fn right() -> Self {
        Self::new(Verdict::Pass, None)
    }

    fn wrong(cause: Cause) -> Self {
        Self::new(Verdict::Fail, Some(cause))
    }

    fn malformed_case(problem: String) -> Self {
        Self::new(Verdict::Error, Some(Cause::MalformedCase(problem)))
    }
}

fn accepted(case: &Case, text: &str, outcomes: &[Outcome], bar: JudgeOptions) -> ComparisonFinding {
    match &case.expect {
        None => compare(case, &case.text(), text, bar),
        Some(Expect::Ok(value) | Expect::Contains(value)) => {
            let finding = compare(case, value.get(), text, bar);
            with_written_back(case, finding, outcomes.get(1))
        }
        Some(Expect::Delivers(asked)) => compare_delivered(case, asked.get(), text),
        Some(Expect::Rejected(_)) => {
            // A round trip has written the document already.
            let own = (case.op == written_back::WRITTEN).then(|| &outcomes[0]);
            let accepted = ComparisonFinding::wrong(Cause::Accepted);
            with_written_back(case, accepted, own.or(outcomes.get(1)))
        }
        Some(Expect::AnyOf(alternatives)) => any_of(alternatives, |alternative| {
            let value = alternative.ok.as_ref()?;
            Some(compare(case, value.get(), text, bar))
        }),
        Some(Expect::Either(reason)) => open(reason),
        Some(Expect::Laws(_)) => lawful(case, outcomes),
    }
}

/// What became of a document that was accepted says more than that it was.
fn with_written_back(
    case: &Case,
    finding: ComparisonFinding,
    written: Option<&Outcome>,
) -> ComparisonFinding {
    let found = written.and_then(|written| Some((written, written_back::find(case, written)?)));
    match found {
        None => finding,
        Some((written, WrittenBack { cause, differences })) => ComparisonFinding {
            written_back: Some(written.clone()),
            differences,
            ..ComparisonFinding::wrong(cause)
        },
    }
}

fn judge_rejected(case: &Case, rejected: &Rejected) -> ComparisonFinding {
    match &case.expect {
        Some(Expect::Rejected(expected)) => compare_rejections(expected, rejected),
        Some(Expect::AnyOf(alternatives)) => any_of(alternatives, |alternative| {
            let expected = alternative.rejected.as_ref()?;
            Some(compare_rejections(expected, rejected))
        }),
        Some(Expect::Either(reason)) => open(reason),
        None
        | Some(Expect::Ok(_) | Expect::Contains(_) | Expect::Delivers(_) | Expect::Laws(_)) => {
            ComparisonFinding::wrong(Cause::Rejected)
        }
    }
}

fn open(reason: &str) -> ComparisonFinding {
    ComparisonFinding::new(Verdict::Recorded, Some(Cause::Open(reason.to_owned())))
}

fn lawful(case: &Case, outcomes: &[Outcome]) -> ComparisonFinding {
    let broken = laws::broken_laws(case, outcomes);
    if broken.is_empty() {
        return ComparisonFinding::right();
    }
    ComparisonFinding {
        laws: broken,
        ..ComparisonFinding::wrong(Cause::BrokenLaws)
    }
}

/// The best finding among the alternatives of the answer's kind.
fn any_of(
    alternatives: &[Alternative],
    compare: impl Fn(&Alternative) -> Option<ComparisonFinding>,
) -> ComparisonFinding {
    let findings = alternatives.iter().filter_map(compare);
    let best = findings.min_by_key(|finding| match finding.verdict {
        Verdict::Pass => 0,
        Verdict::Unclassified => 1,
        _ => 2,
    });
    match best {
        Some(finding) if finding.verdict != Verdict::Fail => finding,
        Some(finding) if alternatives.len() == 1 => finding,
        Some(finding) => ComparisonFinding {
            cause: Some(Cause::NoAlternative),
            ..finding
        },
        None => ComparisonFinding::wrong(Cause::NoAlternative),
    }
}

/// The class must agree; place and rule must where both sides give them.
fn compare_rejections(expected: &RejectedExpectation, got: &Rejected) -> ComparisonFinding {
    let agrees = |expected: &Option<String>, got: &Option<String>| match (expected, got) {
        (Some(expected), Some(got)) => expected == got,
        _ => true,
    };
    match &got.class {
        None => ComparisonFinding::new(Verdict::Unclassified, Some(Cause::NoClass)),
        Some(class)
            if *class == expected.class
                && agrees(&expected.at, &got.at)
                && agrees(&expected.rule, &got.rule) =>
        {
            ComparisonFinding::right()
        }
        Some(_) => ComparisonFinding::wrong(Cause::OtherReason),
    }
}

/// Compares an expected value, as JSON text, with the text of an answer.
fn compare(case: &Case, expected: &str, got: &str, bar: JudgeOptions) -> ComparisonFinding {
    if case.op == "canonicalize" {
        return compare_texts(expected, got);
    }
    // Equal texts need no second look, if they are well-formed at all.
    if expected == got {
        return match json::check(expected) {
            Ok(()) => ComparisonFinding::right(),
            Err(rejection) => ComparisonFinding::malformed_case(rejection.to_string()),
        };
    }
    let mut expected = match json::parse_with(expected, Surrogates::AllowUnpairedAtEnds) {
        Ok(value) => value,
        Err(rejection) => return ComparisonFinding::malformed_case(rejection.to_string()),
    };
    let mut got = match json::parse_with(got, Surrogates::AllowUnpairedAtEnds) {
        Ok(value) => value,
        Err(rejection) => return ComparisonFinding::wrong(Cause::NotJson(rejection.to_string())),
    };
    if case.op == "convert" {
        leave_out_words(&mut expected);
        leave_out_words(&mut got);
    }
    if matches!(case.expect, Some(Expect::Contains(_))) {
        included::leave_out_the_rest(&expected, &mut got);
    }
    let uncompared = if case.op == "replay" {
        leave_out(&mut expected, &mut got, bar.reference)
    } else {
        Vec::new()
    };
    ComparisonFinding {
        uncompared,
        ..compare_values(case, &expected, &got)
    }
}

/// Compares what a fixture asks of the events that were delivered with those of an answer.
fn compare_delivered(case: &Case, asked: &str, got: &str) -> ComparisonFinding {
    let read = |text: &str| json::parse_with(text, Surrogates::AllowUnpairedAtEnds);
    let asked = match read(asked) {
        Ok(asked) => asked,
        Err(rejection) => return ComparisonFinding::malformed_case(rejection.to_string()),
    };
    match read(got).map(|answer| delivery::shown(&asked, &answer)) {
        Ok(Some(shown)) => compare_values(case, &asked, &shown),
        Ok(None) => {
            let left_out = Cause::LeftOut(vocabulary::DELIVERED.to_owned());
            ComparisonFinding::new(Verdict::Skip, Some(left_out))
        }
        Err(rejection) => ComparisonFinding::wrong(Cause::NotJson(rejection.to_string())),
    }
}

/// The answer is the text itself, byte for byte.
fn compare_texts(expected: &str, got: &str) -> ComparisonFinding {
    match serde_json::from_str::<String>(expected) {
        Ok(expected) if expected == got => ComparisonFinding::right(),
        Ok(_) => ComparisonFinding::wrong(Cause::DifferentText),
        Err(_) => {
            ComparisonFinding::malformed_case("the expected text is not a JSON string".to_owned())
        }
    }
}

fn compare_values(case: &Case, expected: &Value, got: &Value) -> ComparisonFinding {
    if expected == got || json::canonical(expected) == json::canonical(got) {
        return ComparisonFinding::right();
    }
    ComparisonFinding {
        differences: differences(case.document_type.as_deref(), expected, got),
        ..ComparisonFinding::wrong(Cause::DifferentValue)
    }
}

/// How two documents of a type differ.
pub(crate) fn differences(
    document_type: Option<&str>,
    expected: &Value,
    got: &Value,
) -> Vec<DifferenceReport> {
    let definition = document_type.and_then(definition_of);
    let differences = diff::diff(expected, got, definition).found;
    differences.into_iter().map(difference_report).collect()
}

/// The schema's definition of a document type, which lets a difference name what was lost.
fn definition_of(name: &str) -> Option<&'static Definition> {
    let mut all = DEFINITIONS.iter().copied();
    all.find(|definition| definition.name == name)
}

/// Takes away the words that say why something was lost. Class and place are compared.
fn leave_out_words(answer: &mut Value) {
    let Value::Object(answer) = answer else {
        return;
    };
    if let Some(Value::Array(losses)) = answer.get_mut("losses") {
        for loss in losses {
            if let Value::Object(loss) = loss {
                loss.remove("why");
            }
        }
    }
}

/// Members of a replay that are always compared.
const REQUIRED_OF_REPLAY: [&str; 2] = ["messages", "state"];

/// Takes away what is not compared: members that the case does not state, and members that the
/// adapter may leave out and did. Gives the names of the latter.
fn leave_out(expected: &mut Value, got: &mut Value, reference: bool) -> Vec<String> {
    let (Value::Object(expected), Value::Object(got)) = (expected, got) else {
        return Vec::new();
    };
    got.retain(|name, _| expected.contains_key(name));
    included::leave_out_of_runs(expected, got);
    if reference {
        return Vec::new();
    }
    let left_out =
        |name: &str, got: &Object| !got.contains_key(name) && !REQUIRED_OF_REPLAY.contains(&name);
    let names = expected.keys().filter(|name| left_out(name, got));
    let names: Vec<String> = names.map(json::MemberName::to_string).collect();
    expected.retain(|name, _| !names.iter().any(|left_out| left_out == name));
    names
}

pub(crate) fn difference_report(difference: diff::Difference) -> DifferenceReport {
    DifferenceReport {
        class: difference.class.as_str().to_owned(),
        at: difference.at,
        to: difference.to,
        expected: difference.before.as_ref().map(json::canonical),
        got: difference.after.as_ref().map(json::canonical),
    }
}

/// What the case expected, in the form of an answer; nothing where any answer is right.
fn expected(case: &Case) -> Option<Expected> {
    match &case.expect {
        None => Some(expected_ok(case, &case.text())),
        Some(Expect::Ok(value) | Expect::Contains(value) | Expect::Delivers(value)) => {
            Some(expected_ok(case, value.get()))
        }
        Some(Expect::Rejected(rejected)) => Some(expected_rejection(rejected)),
        Some(Expect::AnyOf(alternatives)) => {
            let alternatives = alternatives.iter().filter_map(|alternative| {
                let ok = alternative.ok.as_ref();
                let rejection = alternative.rejected.as_ref();
                ok.map(|value| expected_ok(case, value.get()))
                    .or_else(|| rejection.map(expected_rejection))
            });
            Some(Expected::AnyOf(alternatives.collect()))
        }
        Some(Expect::Either(_) | Expect::Laws(_)) => None,
    }
}

fn expected_ok(case: &Case, text: &str) -> Expected {
    let value = json::parse_with(text, Surrogates::AllowUnpairedAtEnds);
    Expected::Ok(match value {
        Ok(Value::String(text)) if case.op == "canonicalize" => text,
        Ok(value) => json::canonical(&value),
        Err(_) => text.to_owned(),
    })
}

fn expected_rejection(expected: &RejectedExpectation) -> Expected {
    Expected::Rejected(Rejected {
        class: Some(expected.class.clone()),
        at: expected.at.clone(),
        rule: expected.rule.clone(),
        message: None,
    })
}

/// What names a failure in a list of expected failures: all its signs.
fn fingerprint(verdict: Verdict, detail: &Detail) -> Option<String> {
    if matches!(verdict, Verdict::Pass | Verdict::Skip | Verdict::Recorded) {
        return None;
    }
    Some(detail.signs().join(" "))
}
