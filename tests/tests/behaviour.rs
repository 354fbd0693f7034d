//! The four languages do the same with event streams, and what one of them compacts is the same to
//! the others.
//!
//! `CHATSTATE_STREAMS` sets how many generated streams there are beside the recordings,
//! `CHATSTATE_SEED` which.

use chatstate::json::to_text;
use std::collections::{BTreeSet, HashMap};

use chatstate::generated::{Event, EventStream};
use chatstate::json::{Surrogates, canonical, parse_with};
use chatstate_arbitrary::Choose;
use chatstate_arbitrary::testing::{Source, generate, setting};
use chatstate_tests::adapter::Adapter;
use chatstate_tests::lane::say;
use chatstate_tests::package::{LanguagePackage, PACKAGES};
use chatstate_tests::recording::recordings;
use serde_json::{Value, json};

/// The operations on event streams, each as a request without its input.
fn operations() -> Vec<Value> {
    let mut operations: Vec<_> = ["verify", "replay", "lineage", "attach"]
        .map(|operation| json!({ "op": operation }))
        .into();
    operations.push(json!({"op": "replay", "lenient": true}));
    operations.extend(levels());
    operations
}

/// Compaction at each level.
fn levels() -> [Value; 3] {
    [
        json!({"op": "compact", "level": "stream"}),
        json!({"op": "compact", "level": "snapshot", "retain": "runs"}),
        json!({"op": "compact", "level": "snapshot", "retain": "tips"}),
    ]
}

/// How many streams are asked about at once.
const BATCH: usize = 100;

/// One language: its name and its process.
struct Language {
    name: &'static str,
    adapter: Adapter,
}

impl Language {
    fn start(package: &LanguagePackage) -> Self {
        Self {
            name: package.language,
            adapter: Adapter::start(package.command()),
        }
    }

    /// What it answers to an operation on each of some streams.
    fn ask<T: AsRef<str>>(&mut self, operation: &Value, streams: &[T]) -> Vec<String> {
        let request = |stream: &T| {
            let mut request = operation.clone();
            request["input"] = json!(stream.as_ref());
            request
        };
        let requests: Vec<_> = streams.iter().map(request).collect();
        let answers = self.adapter.ask(&requests);
        answers.iter().map(answered).collect()
    }
}

/// What an answer says but for its words: a canonical document, or the class, rule and place of a
/// rejection.
fn answered(answer: &Value) -> String {
    if let Some(text) = answer["ok"].as_str() {
        return parse_with(text, Surrogates::AllowUnpairedAtEnds).map_or_else(
            |rejection| format!("no JSON ({rejection}): {text}"),
            |value| canonical(&value),
        );
    }
    let rejected = &answer["rejected"];
    if rejected.is_object() {
        let parts = ["class", "rule", "at"].map(|name| rejected[name].to_string());
        return format!("rejected: {}", parts.join(" "));
    }
    answer.to_string()
}

/// The languages of this machine, the reference first.
fn languages() -> Vec<Language> {
    let here = PACKAGES.iter().filter(|package| package.can_run());
    here.map(Language::start).collect()
}

/// The recordings and generated streams, each as a JSON array.
fn logs() -> Vec<String> {
    let recorded = recordings().into_iter().map(|recording| {
        let lines: Vec<_> = recording.lines().collect();
        format!("[{}]", lines.join(","))
    });
    recorded.chain(generated()).collect()
}

fn generated() -> impl Iterator<Item = String> {
    let seed = setting("CHATSTATE_SEED", 1);
    let count = setting("CHATSTATE_STREAMS", 100);
    (0..count).map(move |number| text(generate(Source::new(seed, number)).events))
}

fn text(events: Vec<Event>) -> String {
    to_text(&EventStream(events))
}

/// A generated stream with one event dropped, repeated or exchanged with another.
fn broken(number: u64) -> String {
    let seed = setting("CHATSTATE_SEED", 1);
    let mut events = generate(Source::new(seed, number)).events;
    let mut source = Source::new(seed + 1, number);
    if !events.is_empty() {
        let (at, to) = (source.below(events.len()), source.below(events.len()));
        match source.below(3) {
            0 => drop(events.remove(at)),
            1 => events.insert(to, events[at].clone()),
            _ => events.swap(at, to),
        }
    }
    text(events)
}

/// All languages answer as the first one does.
fn check_alike(languages: &mut [Language], operation: &Value, streams: &[String]) {
    let (reference, others) = languages.split_first_mut().expect("the reference is here");
    let expected = reference.ask(operation, streams);
    for other in others {
        let found = other.ask(operation, streams);
        for ((stream, expected), found) in streams.iter().zip(&expected).zip(&found) {
            assert_eq!(
                found, expected,
                "{} differs from the reference in {operation} of {stream}",
                other.name
            );
        }
    }
}

#[test]
fn every_language_does_the_same_with_a_stream() {
    let mut languages = languages();
    let logs = logs();
    for streams in logs.chunks(BATCH) {
        for operation in operations() {
            check_alike(&mut languages, &operation, streams);
        }
    }
    let names: Vec<_> = languages.iter().map(|language| language.name).collect();
    say(&format!(
        "BEHAVIOUR: {} streams, {} operations alike in {}",
        logs.len(),
        operations().len(),
        names.join(", ")
    ));
}

#[test]
fn every_language_rejects_the_same_event_of_a_broken_stream() {
    let mut languages = languages();
    let broken: Vec<_> = (0..setting("CHATSTATE_STREAMS", 100)).map(broken).collect();
    for streams in broken.chunks(BATCH) {
        for operation in operations() {
            check_alike(&mut languages, &operation, streams);
        }
    }
}

/// What a language makes of streams. It is asked once about those that are the same text, which is
/// what languages mostly compact a stream to.
fn replays<'a>(language: &mut Language, compacted: &'a [Vec<String>]) -> HashMap<&'a str, String> {
    let texts: BTreeSet<&String> = compacted.iter().flatten().collect();
    let texts: Vec<&String> = texts.into_iter().collect();
    let answers = language.ask(&json!({"op": "replay"}), &texts);
    let texts = texts.into_iter().map(String::as_str);
    texts.zip(answers).collect()
}

/// For all streams s and languages A, B: replay(B, compact(A, s)) = replay(R, compact(R, s)), where
/// R is the reference, whose compaction the laws bind to s.
#[test]
fn what_one_language_compacts_is_the_same_to_every_other() {
    let (mut languages, logs) = (languages(), logs());
    let mut equal = vec![vec![0; languages.len()]; languages.len()];
    for streams in logs.chunks(BATCH) {
        for level in levels() {
            let compact = |language: &mut Language| language.ask(&level, streams);
            let compacted: Vec<_> = languages.iter_mut().map(compact).collect();
            let replay = |language: &mut Language| replays(language, &compacted);
            let replayed: Vec<_> = languages.iter_mut().map(replay).collect();
            for (from, row) in equal.iter_mut().enumerate() {
                for (to, count) in row.iter_mut().enumerate() {
                    let pairs = compacted[from].iter().zip(&compacted[0]);
                    let same = pairs.filter(|(ours, reference)| {
                        replayed[to][ours.as_str()] == replayed[0][reference.as_str()]
                    });
                    *count += same.count();
                }
            }
        }
    }
    let all = logs.len() * levels().len();
    for (language, row) in languages.iter().zip(&equal) {
        let counts: Vec<_> = row.iter().map(|count| format!("{count}/{all}")).collect();
        say(&format!(
            "COMPACTED BY {}: {}",
            language.name,
            counts.join(" ")
        ));
    }
    assert!(equal.iter().flatten().all(|count| *count == all));
}
