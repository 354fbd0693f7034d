//! The corpus: without complaint, with a case for everything that it should have one for.

use std::collections::BTreeSet;

use chatstate::definition::{Definition, Member, Shape, definition_of};
use chatstate::generated::definitions::DEFINITIONS;
use chatstate::json::{Object, Surrogates, Value, parse_with, pointer};
use chatstate_corpus::{Case, Expect, traceability};
use chatstate_tests::embedded::{corpus, input_text, requirements};
use chatstate_tests::program::chatstate;

const LEAST_CASES: usize = 150;

/// Definitions that no document can break at their own place, each with the reason.
const NEVER_REJECTED: &[(&str, &str)] = &[
    ("RunFinishedCancelledOutcome", ONLY_A_TAG),
    ("SubagentFinishedSuccessOutcome", ONLY_A_TAG),
];

const ONLY_A_TAG: &str = "it has no member but its tag, and with another tag it is something else";

/// Definitions that no accepted document holds, each with the reason.
const NEVER_ACCEPTED: &[(&str, &str)] = &[];

/// The rules that hold everywhere, each with a requirement whose cases show it.
const RULES: &[(&str, &[&str])] = &[
    ("an unknown member survives", &["round-trip.unknown-member"]),
    (
        "an unknown value of an open set survives",
        &[
            "round-trip.unknown-event",
            "round-trip.unknown-content",
            "round-trip.unknown-part",
            "round-trip.unknown-source",
            "round-trip.unknown-message",
            "round-trip.unknown-outcome",
            "round-trip.unknown-operation",
            "round-trip.open-word",
            "validate.open-tag",
            "validate.open-word",
        ],
    ),
    (
        "an unknown value of a closed set is rejected",
        &["validate.closed-word", "validate.constant"],
    ),
    (
        "a malformed known variant is an error",
        &["validate.malformed-known", "validate.dispatch"],
    ),
    (
        "replay ignores unknown events, and an unknown operation fails to apply",
        &["replay.unknown-event", "patch.unknown-operation"],
    ),
    (
        "absent, null and a value are three things",
        &["round-trip.absent", "round-trip.null", "validate.null"],
    ),
    (
        "numbers keep their value",
        &["json.integers", "json.decimals"],
    ),
    (
        "text keeps its code points",
        &["json.text", "json.unpaired-surrogate", "json.split-delta"],
    ),
    (
        "halves of a pair meet",
        &[
            "replay.halves-meet",
            "replay.half-open",
            "replay.half-closed",
        ],
    ),
    (
        "no default is written, and the reader applies it",
        &["round-trip.default", "replay.default-role"],
    ),
    (
        "duplicate member names are rejected",
        &["json.duplicate-members"],
    ),
    (
        "the canonical form",
        &[
            "canonical.member-order",
            "canonical.strings",
            "canonical.doubles",
            "canonical.integers",
            "canonical.other-numbers",
            "canonical.zero",
        ],
    ),
    ("limits", &["limit.depth", "limit.too-deep"]),
    ("text is never guessed to be JSON", &["chat.channel-state"]),
    (
        "the names of the draft are not read",
        &["event.draft-names"],
    ),
];

#[test]
fn lint_has_no_complaint() {
    let lint = chatstate(&["lint"], b"");
    assert_eq!(
        (lint.code, lint.stderr.as_str()),
        (0, ""),
        "{}",
        lint.stdout
    );
}

#[test]
fn requirements_and_cases_belong_together() {
    let problems = traceability::join(corpus(), requirements()).problems;
    let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn there_are_enough_cases() {
    let count = corpus().cases().len();
    assert!(
        count >= LEAST_CASES,
        "{count} cases are fewer than {LEAST_CASES}"
    );
}

#[test]
fn every_rule_has_a_case() {
    for (rule, ids) in RULES {
        for id in *ids {
            let known = requirements()
                .iter()
                .any(|requirement| requirement.id == *id);
            assert!(known, "`{rule}`: there is no requirement `{id}`");
            let tested = corpus().cases().iter().any(|case| {
                case.requirements.iter().any(|it| it == id)
                    && !matches!(case.expect, Some(Expect::Either(_)))
            });
            assert!(tested, "`{rule}`: no case tests `{id}`");
        }
    }
}

#[test]
fn every_definition_has_an_accepted_case() {
    let mut touched = BTreeSet::new();
    for case in corpus().cases().iter().filter(|case| is_accepted(case)) {
        if let Some((definition, value)) = document(case) {
            let inside = mark_definition(&mut touched, definition, &value);
            mark_all(&mut touched, &inside, &value);
        }
    }
    check_all("accepted", &touched, NEVER_ACCEPTED);
}

#[test]
fn every_definition_has_a_rejected_case() {
    let mut touched = BTreeSet::new();
    for case in corpus().cases() {
        let Some(Expect::Rejected(expected)) = &case.expect else {
            continue;
        };
        if let (Some((definition, value)), Some(at), "schema") =
            (document(case), &expected.at, expected.class.as_str())
        {
            let segments = pointer::segments(at).expect("a pointer");
            mark_place(&mut touched, definition, &value, &segments);
        }
    }
    check_all("rejected", &touched, NEVER_REJECTED);
}

fn check_all(kind: &str, touched: &BTreeSet<&str>, exceptions: &[(&str, &str)]) {
    let is_exception = |name: &str| exceptions.iter().any(|(listed, _)| *listed == name);
    let names = DEFINITIONS.iter().map(|definition| definition.name);
    let missing: Vec<_> = names
        .filter(|name| !touched.contains(name) && !is_exception(name))
        .collect();
    assert!(missing.is_empty(), "no {kind} case has {missing:?}");
    for (name, reason) in exceptions {
        assert!(!reason.is_empty(), "`{name}` has no reason");
        assert!(
            definition_of(name).is_some(),
            "there is no definition `{name}`"
        );
        assert!(
            !touched.contains(name),
            "`{name}` has a {kind} case; take it off the list"
        );
    }
}

fn is_accepted(case: &Case) -> bool {
    match &case.expect {
        None => case.op == "round-trip",
        Some(Expect::Ok(_)) => true,
        _ => false,
    }
}

/// The document of a case that is judged by a definition.
fn document(case: &Case) -> Option<(&'static Definition, Value)> {
    let name = match (case.op.as_str(), &case.document_type) {
        ("round-trip" | "validate", Some(name)) => name,
        ("verify" | "replay" | "lineage", _) => "EventStream",
        _ => return None,
    };
    let value = parse_with(&input_text(case)?, Surrogates::AllowUnpairedAtEnds).ok()?;
    Some((definition_of(name)?, value))
}

/// The names of the definitions that a case has reached.
type Touched = BTreeSet<&'static str>;

/// What the schema says of the values inside of a value.
enum Inside {
    Members(&'static [Member]),
    Each(&'static Shape),
    Nothing,
}

impl Inside {
    fn shape_of(&self, name: &str) -> Option<&'static Shape> {
        match self {
            Self::Members(members) => {
                let member = members.iter().find(|member| member.name == name);
                member.map(|member| &member.shape)
            }
            Self::Each(shape) => Some(shape),
            Self::Nothing => None,
        }
    }
}

/// Notes the definition and those after it that describe a value.
fn mark_definition(
    touched: &mut Touched,
    definition: &'static Definition,
    value: &Value,
) -> Inside {
    touched.insert(definition.name);
    if let Shape::Union { tag, arms, unknown } = definition.shape {
        let word = value.get(tag).and_then(Value::as_str);
        let arm = arms.iter().find(|(known, _)| Some(*known) == word);
        let arm = arm.map(|(_, arm)| *arm);
        let arm = arm.or(unknown);
        return arm.map_or(Inside::Nothing, |arm| mark_definition(touched, arm, value));
    }
    mark_shape(touched, &definition.shape, value)
}

fn mark_shape(touched: &mut Touched, shape: &'static Shape, value: &Value) -> Inside {
    match shape {
        Shape::Reference(definition) => mark_definition(touched, definition, value),
        Shape::Object(members) => Inside::Members(members),
        Shape::List(each) | Shape::Map(each) => Inside::Each(each),
        Shape::Kinds(shapes) => {
            let fits = |shape: &&'static Shape| {
                let is_object = matches!(shape, Shape::Reference(_) | Shape::Object(_));
                shape.item().is_some() == value.as_array().is_some()
                    && is_object == value.as_object().is_some()
            };
            let shape = shapes.iter().find(fits);
            shape.map_or(Inside::Nothing, |shape| mark_shape(touched, shape, value))
        }
        Shape::Constrained { shape, .. } | Shape::Nullable(shape) => {
            mark_shape(touched, shape, value)
        }
        _ => Inside::Nothing,
    }
}

/// The values inside of a value, each with its name or index.
fn children(value: &Value) -> Vec<(String, &Value)> {
    let items = value.as_array().into_iter().flatten().enumerate();
    let items = items.map(|(index, item)| (index.to_string(), item));
    let members = value.as_object().into_iter().flat_map(Object::iter);
    items
        .chain(members.map(|(name, value)| (name.to_string(), value)))
        .collect()
}

/// Notes every definition that describes a value or something inside of it.
fn mark_all(touched: &mut Touched, inside: &Inside, value: &Value) {
    for (name, child) in children(value) {
        if let Some(shape) = inside.shape_of(&name) {
            let inside = mark_shape(touched, shape, child);
            mark_all(touched, &inside, child);
        }
    }
}

/// Notes the definitions of the value at a place and of the nearest one that holds it, not of
/// those further out, which are not at fault.
fn mark_place(touched: &mut Touched, root: &'static Definition, value: &Value, place: &[String]) {
    let mut levels = vec![Touched::new()];
    let mut inside = mark_definition(&mut levels[0], root, value);
    let mut value = value;
    for name in place {
        let child = children(value).into_iter().find(|(found, _)| found == name);
        let (Some((_, child)), Some(shape)) = (child, inside.shape_of(name)) else {
            // A member that is missing, or one that the schema does not name.
            levels.push(Touched::new());
            break;
        };
        let mut level = Touched::new();
        inside = mark_shape(&mut level, shape, child);
        levels.push(level);
        value = child;
    }
    let place = levels.pop().unwrap_or_default();
    let holder = levels.into_iter().rev().find(|level| !level.is_empty());
    touched.extend(holder.into_iter().flatten().chain(place));
}
