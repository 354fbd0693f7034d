//! An answer may be anything: judging it never ends the search.

use chatstate_arbitrary::mutations::mutate;
use chatstate_arbitrary::streams::generate;
use chatstate_arbitrary::{Choose, Source};
use chatstate_corpus::{Case, Expect, Law, RequirementLevel as Binding};
use chatstate_json::to_text;
use chatstate_json::{Surrogates, parse_with};
use chatstate_runner::{JudgeOptions, Outcome, judge};
use chatstate_streams::attach::attach;
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_types::generated::{Event, EventStream};
use serde_json::json;
use serde_json::value::RawValue;

const BAR: JudgeOptions = JudgeOptions {
    level: Binding::Must,
    reference: false,
    writes_back: true,
};

/// More answers than any question needs.
const ANSWERS: usize = 60;

fn text(events: &[Event]) -> String {
    to_text(&EventStream(events.to_vec()))
}

fn case(op: &str, arguments: &serde_json::Value, events: &[Event]) -> Case {
    let laws = Law::ALL.into_iter().filter(|law| law.operation() == op);
    let text = format!(
        r#"{{"title":"","requirements":[],"why":"","op":"{op}","args":{arguments},"since":"1","input":{}}}"#,
        text(events)
    );
    let case: Case = serde_json::from_str(&text).expect("a case");
    Case {
        expect: Some(Expect::Laws(laws.collect())),
        ..case
    }
}

/// A right answer with a few things changed, or something else altogether.
fn spoiled(answer: &str, source: &mut Source) -> Outcome {
    let mut value = parse_with(answer, Surrogates::AllowUnpairedAtEnds).expect("JSON");
    for _ in 0..source.below(4) {
        let others = value.clone();
        mutate(&mut value, source, &[&others]);
    }
    match source.below(12) {
        0 => Outcome::Ok(answer.chars().take(source.below(40)).collect()),
        1 => Outcome::Fault(answer.to_owned()),
        _ => Outcome::Ok(value.to_json()),
    }
}

fn check(op: &str, arguments: &serde_json::Value, answer: &dyn Fn(&[Event]) -> Vec<Event>) {
    let mut failed = 0;
    for number in 0..100 {
        let events = generate(Source::new(11, number)).events;
        let mut source = Source::new(12, number);
        let answer = text(&answer(&events));
        let outcomes: Vec<Outcome> = (0..ANSWERS)
            .map(|_| spoiled(&answer, &mut source))
            .collect();
        let judgement = judge(&case(op, arguments, &events), &outcomes, BAR);
        failed += usize::from(judgement.detail.is_some());
    }
    assert!(failed > 75, "only {failed} spoiled answers failed");
}

#[test]
fn any_answer_to_compact_can_be_judged() {
    let levels = [
        (json!({"level": "stream"}), Level::Stream),
        (json!({"level": "snapshot"}), Level::Snapshot(Retain::Tips)),
        (
            json!({"level": "snapshot", "retain": "runs"}),
            Level::Snapshot(Retain::Runs),
        ),
    ];
    for (arguments, level) in levels {
        check("compact", &arguments, &|events| {
            compact(events, &Options::at(level)).expect("valid")
        });
    }
}

#[test]
fn any_answer_to_attach_can_be_judged() {
    check("attach", &json!({}), &|events| {
        attach(events).expect("valid")
    });
}

/// Answers to operations with one right value.
#[test]
fn any_answer_with_a_value_can_be_judged() {
    for number in 0..100 {
        let events = generate(Source::new(13, number)).events;
        let mut source = Source::new(14, number);
        let replay = case("replay", &json!({}), &events);
        for expected in [r#"{"messages":[],"state":{}}"#, "true", "[]", "\"text\""] {
            let case = Case {
                op: (*source
                    .of(&["replay", "lineage", "canonicalize", "convert"])
                    .expect("some"))
                .to_owned(),
                expect: Some(Expect::Ok(
                    RawValue::from_string(expected.to_owned()).expect("JSON"),
                )),
                ..replay.clone()
            };
            let answer = spoiled(&text(&events), &mut source);
            let _ = judge(&case, &[answer], BAR);
        }
    }
}
