//! What is made up is what it says it is.

use chatstate_arbitrary::Source;
use chatstate_arbitrary::documents::grow;
use chatstate_arbitrary::mutations::mutate;
use chatstate_arbitrary::streams::{FEATURES, Feature, generate, generate_with};
use chatstate_arbitrary::variants::{
    Spelling, UNKNOWN_MEMBER, spelled, with_cut_deltas, with_unknown_members,
};
use chatstate_json::{Surrogates, Value, canonical, parse, parse_with};
use chatstate_streams::replay::replay;
use chatstate_streams::verify::verify;
use chatstate_types::generated::definitions::ROOTS;
use chatstate_types::generated::{Event, EventStream};
use chatstate_types::validate::check_definition;

const COUNT: u64 = 300;

fn tree(events: &[Event]) -> Value {
    let text = EventStream(events.to_vec()).to_json();
    parse_with(&text, Surrogates::AllowUnpairedAtEnds).expect("events are JSON")
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
fn a_spelling_has_the_same_value() {
    for number in 0..COUNT {
        let document = tree(&generate(Source::new(1, number)).events);
        for spelling in Spelling::ALL {
            let text = spelled(&document, spelling);
            let again = parse_with(&text, Surrogates::AllowUnpairedAtEnds).expect("JSON");
            assert_eq!(canonical(&again), canonical(&document), "{text}");
            assert_ne!(text, document.to_json(), "{spelling:?} changes nothing");
        }
    }
}

#[test]
fn every_object_has_an_unknown_member() {
    let document = parse(r#"{"a":[{},{"b":{}}],"c":1}"#).expect("JSON");
    let text = with_unknown_members(&document).to_json();
    assert_eq!(text.matches(UNKNOWN_MEMBER).count(), 4, "{text}");
}

/// The messages of a stream do not depend on where its text is cut.
#[test]
fn cut_deltas_mean_the_same() {
    let mut cut_streams = 0;
    for number in 0..COUNT {
        let events = generate(Source::new(5, number)).events;
        let Some(cut) = with_cut_deltas(&tree(&events)) else {
            continue;
        };
        let cut = EventStream::from_json(&cut.to_json()).expect("events").0;
        assert!(verify(&cut).errors.is_empty());
        let (whole, cut) = (
            replay(&events).expect("valid"),
            replay(&cut).expect("valid"),
        );
        assert_eq!(whole.messages, cut.messages, "stream {number}");
        cut_streams += 1;
    }
    assert!(cut_streams > COUNT / 2, "only {cut_streams} were cut");
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
