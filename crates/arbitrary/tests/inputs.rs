//! What is made up is what it says it is.

use chatstate_arbitrary::documents::grow;
use chatstate_arbitrary::mutations::mutate;
use chatstate_arbitrary::strategies::events;
use chatstate_arbitrary::streams::{FEATURES, Feature, generate, generate_with};
use chatstate_arbitrary::testing::config;
use chatstate_arbitrary::variants::{
    Spelling, UNKNOWN_MEMBER, spelled, with_cut_deltas, with_unknown_members,
};
use chatstate_arbitrary::{Choose, Source};
use chatstate_json::to_text;
use chatstate_json::{Surrogates, Value, canonical, parse, parse_with};
use chatstate_streams::replay::replay;
use chatstate_streams::verify::verify;
use chatstate_types::generated::definitions::ROOTS;
use chatstate_types::generated::{Event, EventStream};
use chatstate_types::validate::check_definition;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestError, TestRunner};
use std::collections::BTreeMap;

const COUNT: u64 = 300;

fn tree(events: &[Event]) -> Value {
    let text = to_text(&EventStream(events.to_vec()));
    parse_with(&text, Surrogates::AllowUnpairedAtEnds).expect("events are JSON")
}

#[test]
fn streams_are_valid_and_have_every_feature() {
    let count = 4000;
    let mut seen: BTreeMap<Feature, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<(Feature, Feature), usize> = BTreeMap::new();
    for number in 0..count as u64 {
        let stream = generate(Source::new(1, number));
        let errors = verify(&stream.events).errors;
        assert!(errors.is_empty(), "stream {number}: {errors:?}");
        for one in &stream.features {
            *seen.entry(*one).or_default() += 1;
            for other in &stream.features {
                *pairs.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    for one in FEATURES {
        let share = seen.get(one).copied().unwrap_or_default();
        assert!(share >= count / 20, "{one:?} is in {share} of {count}");
        for other in FEATURES {
            let share = pairs.get(&(*one, *other)).copied().unwrap_or_default();
            assert!(
                share >= count / 1000,
                "{one:?} with {other:?}: {share} of {count}"
            );
        }
    }
}

#[test]
fn a_stream_has_none_but_the_allowed_features() {
    for number in 0..COUNT {
        let place = usize::try_from(number).expect("small") % FEATURES.len();
        let allowed: Vec<Feature> = FEATURES[..place].to_vec();
        let stream = generate_with(Source::new(7, number), &allowed);
        let errors = verify(&stream.events).errors;
        assert!(errors.is_empty(), "{errors:?}");
        // Of two features that go together, one may bring the other.
        let together = [
            Feature::ChunkLanes,
            Feature::Subagents,
            Feature::SeveralRuns,
        ];
        let more = stream.features.iter();
        let more: Vec<_> = more
            .filter(|it| !allowed.contains(it) && !together.contains(it))
            .collect();
        assert!(
            more.iter().all(|it| brought_by(**it, &allowed)),
            "{more:?} without {allowed:?}"
        );
    }
}

/// Features that come with others that are allowed.
fn brought_by(feature: Feature, allowed: &[Feature]) -> bool {
    match feature {
        Feature::Chunks => allowed.contains(&Feature::ChunkLanes),
        Feature::InputMessages => allowed.contains(&Feature::InputOwners),
        // Whether items overlap or stay open follows from the order of events, not from a plan.
        Feature::Interleaving | Feature::OpenAtEnd => true,
        _ => false,
    }
}

#[test]
fn grown_documents_fit_the_schema() {
    for number in 0..COUNT {
        let root = ROOTS[usize::try_from(number).expect("small") % ROOTS.len()];
        let text = grow(root, &mut Source::new(3, number)).to_string();
        let document = parse(&text).expect("JSON");
        let judged = check_definition(root, &document);
        assert_eq!(judged, Ok(()), "{}: {text}", root.name);
    }
}

#[test]
fn every_object_has_an_unknown_member() {
    let document = parse(r#"{"a":[{},{"b":{}}],"c":1}"#).expect("JSON");
    let text = with_unknown_members(&document).to_json();
    assert_eq!(text.matches(UNKNOWN_MEMBER).count(), 4, "{text}");
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_spelling_has_the_same_value(events in events()) {
        let document = tree(&events);
        for spelling in Spelling::ALL {
            let text = spelled(&document, spelling);
            let again = parse_with(&text, Surrogates::AllowUnpairedAtEnds).expect("JSON");
            prop_assert_eq!(canonical(&again), canonical(&document), "{}", text);
            let same = text == document.to_json();
            prop_assert!(!same || events.is_empty(), "{spelling:?} changes nothing");
        }
    }

    #[test]
    fn cut_deltas_mean_the_same(events in events()) {
        if let Some(cut) = with_cut_deltas(&tree(&events)) {
            let cut = EventStream::from_json(&cut.to_json()).expect("events").0;
            prop_assert_eq!(verify(&cut).errors, []);
            let messages = |events: &[Event]| replay(events).expect("valid").messages;
            prop_assert_eq!(messages(&events), messages(&cut));
        }
    }

}

#[test]
fn most_streams_have_deltas_to_cut() {
    let has_deltas = |number: &u64| {
        let events = generate(Source::new(5, *number)).events;
        with_cut_deltas(&tree(&events)).is_some()
    };
    let cut_streams = (0..COUNT).filter(has_deltas).count();
    assert!(cut_streams > 150, "only {cut_streams} were cut");
}

#[test]
fn whatever_a_stream_shrinks_to_is_valid() {
    let mut runner = TestRunner::new(config(1));
    for number in 0..30 {
        let mut stream = events().new_tree(&mut runner).expect("a stream");
        let mut source = Source::new(6, number);
        while stream.simplify() {
            assert_eq!(verify(&stream.current()).errors, []);
            if source.chance(70) {
                stream.complicate();
            }
        }
    }
}

/// The types of the events that a stream shrinks to while it holds an event of the given type.
fn smallest(tag: &str) -> Vec<String> {
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..config(1000)
    });
    let found = runner.run(&events(), |events| {
        let holds = events.iter().any(|event| event.tag() == tag);
        prop_assert!(!holds, "`{}` is there", tag);
        Ok(())
    });
    let Err(TestError::Fail(_, events)) = found else {
        panic!("no stream holds `{tag}`: {found:?}");
    };
    events.iter().map(|event| event.tag().to_owned()).collect()
}

#[test]
fn a_stream_shrinks_to_what_matters() {
    let check = |tag: &str, expected: &[&str]| assert_eq!(smallest(tag), expected, "{tag}");
    check("STATE_DELTA", &["RUN_STARTED", "STATE_DELTA"]);
    check(
        "TEXT_MESSAGE_END",
        &["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END"],
    );
    check(
        "SUBAGENT_ERROR",
        &["RUN_STARTED", "SUBAGENT_STARTED", "SUBAGENT_ERROR"],
    );
    check("RUN_FINISHED", &["RUN_STARTED", "RUN_FINISHED"]);
}

#[test]
fn a_mutation_changes_something_and_can_be_repeated() {
    let (mut changed, mut kinds) = (0, std::collections::BTreeSet::new());
    for number in 0..COUNT {
        let document = tree(&generate(Source::new(1, number)).events);
        let mutated = |mut document: Value| {
            mutate(&mut document, &mut Source::new(9, number), &[]);
            document
        };
        let (one, two) = (mutated(document.clone()), mutated(document.clone()));
        assert_eq!(one.to_json(), two.to_json());
        changed += usize::from(one != document);
        kinds.insert(one.as_array().map(<[_]>::len).unwrap_or_default());
    }
    assert!(changed > 250, "only {changed} documents changed");
    assert!(kinds.len() > 20, "{kinds:?}");
}
