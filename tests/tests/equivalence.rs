//! One schema, four languages: their packages answer every case alike, and hand documents to each
//! other without losing anything.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use chatstate::generated::{ROOT_NAMES, definitions};
use chatstate::json::{Surrogates, canonical, parse_with};
use chatstate::validate::validate;
use chatstate_arbitrary::documents::{Choices, foreign, grow, variations_of};
use chatstate_corpus::Case;
use chatstate_tests::adapter::Adapter;
use chatstate_tests::embedded::{corpus, input_text};
use chatstate_tests::lane::say;
use chatstate_tests::package::{DOTNET, LanguagePackage, PACKAGES, PYTHON, RUST, TYPESCRIPT};
use chatstate_tests::report;
use chatstate_tests::results::check_row;
use chatstate_tests::violations::violations;
use chatstate_tests::workspace;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The operations on formats and the kinds of documents, which every package has.
const FORMATS: [&str; 14] = [
    "round-trip",
    "validate",
    "canonicalize",
    "encode",
    "decode",
    "channel-key",
    "chat",
    "sessions",
    "events",
    "chunks",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
];

/// What a package may leave undeclared, because its language cannot.
const MAY_BE_UNDECLARED: [&str; 2] = ["big-numbers", "split-surrogates"];

/// Fewer cases, documents or judgements than these would mean that the comparison is broken.
const LEAST_CASES: usize = 500;
const LEAST_DOCUMENTS: usize = 150;
const LEAST_JUDGED: usize = 1_000;

#[test]
fn every_case_in_rust() {
    check_cases(&RUST);
}

#[test]
fn every_case_in_python() {
    check_cases(&PYTHON);
}

#[test]
fn every_case_in_typescript() {
    check_cases(&TYPESCRIPT);
}

#[test]
fn every_case_in_dotnet() {
    check_cases(&DOTNET);
}

/// The cases that bind every package.
fn cases() -> impl Iterator<Item = &'static Case> {
    let cases = corpus().cases().iter();
    cases.filter(|case| {
        let mut words = case.capabilities();
        !case.reference_only() && words.all(|word| FORMATS.contains(&word))
    })
}

/// A package passes all cases but those that need what it may leave undeclared. What it leaves
/// undeclared is listed, and proven beside its adapter.
fn check_cases(package: &LanguagePackage) {
    for word in package.undeclared {
        assert!(MAY_BE_UNDECLARED.contains(word), "`{word}` must be there");
        let proof = workspace::text(&package.adapter_path().replace("/run", "/README.md"));
        assert!(
            proof.contains(word),
            "nothing proves that `{word}` cannot be"
        );
    }
    if !package.can_run() {
        return;
    }
    let arguments = ["--".to_owned()].into_iter().chain(package.adapter());
    let run = report::test(arguments);
    if *package != RUST {
        check_row(&run);
    }
    let verdicts = run.verdicts();
    let (applying, left_out): (Vec<_>, Vec<_>) = cases().partition(|case| applies(case, package));
    for case in &applying {
        let verdict = verdicts[case.id.as_str()];
        assert!(
            matches!(verdict, "pass" | "recorded"),
            "{}: `{}` is `{verdict}`\n{}",
            package.language,
            case.id,
            run.finished.stdout
        );
    }
    for case in &left_out {
        assert_eq!(verdicts[case.id.as_str()], "skip", "{}", case.id);
    }
    let (count, all) = (applying.len(), cases().count());
    assert!(all >= LEAST_CASES, "there are only {all} cases");
    let words = package.undeclared.join(", ");
    let but = if words.is_empty() {
        String::new()
    } else {
        format!(", but {words}")
    };
    say(&format!(
        "LANE {}: {count} of {all} cases{but}",
        package.language
    ));
}

fn applies(case: &Case, package: &LanguagePackage) -> bool {
    !case
        .capabilities()
        .any(|word| package.undeclared.contains(&word))
}

/// The adapter of a package, and what it has made of documents already: it always makes the same.
struct Language {
    package: &'static LanguagePackage,
    adapter: Adapter,
    kept: HashMap<(String, String), String>,
}

impl Language {
    /// What it makes of a document by reading and writing it.
    fn pass(&mut self, type_name: &str, text: &str) -> String {
        let key = (type_name.to_owned(), text.to_owned());
        if let Some(kept) = self.kept.get(&key) {
            return kept.clone();
        }
        let request = json!({"op": "round-trip", "type": type_name, "input": text});
        let answer = self.adapter.ask(&[request]).remove(0);
        let Some(kept) = answer["ok"].as_str() else {
            panic!(
                "{} does not keep {type_name} {text}: {answer}",
                self.package.language
            );
        };
        self.kept.insert(key, kept.to_owned());
        kept.to_owned()
    }
}

/// The languages of this machine, one process for each.
fn languages() -> MutexGuard<'static, Vec<Language>> {
    static LANGUAGES: LazyLock<Mutex<Vec<Language>>> = LazyLock::new(|| {
        let here = PACKAGES.iter().filter(|package| package.can_run());
        let started = here.map(|package| Language {
            package,
            adapter: Adapter::start(package.command()),
            kept: HashMap::new(),
        });
        Mutex::new(started.collect())
    });
    LANGUAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A document passes through all languages in every order, and is the same value at the end.
fn hop(languages: &mut [Language], type_name: &str, text: &str) {
    let value = canonical_of(text);
    for order in orders(languages.len()) {
        let mut passed = text.to_owned();
        for &index in &order {
            passed = languages[index].pass(type_name, &passed);
        }
        let names: Vec<_> = order
            .iter()
            .map(|index| languages[*index].package.language)
            .collect();
        assert_eq!(
            canonical_of(&passed),
            value,
            "{type_name} through {names:?}"
        );
    }
}

/// Every order of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else {
        return vec![Vec::new()];
    };
    let shorter = orders(last);
    let places = shorter
        .iter()
        .flat_map(|order| (0..=order.len()).map(move |at| (order, at)));
    let longer = places.map(|(order, at)| {
        let mut order = order.clone();
        order.insert(at, last);
        order
    });
    longer.collect()
}

fn canonical_of(text: &str) -> String {
    let value = parse_with(text, Surrogates::AllowUnpairedAtEnds);
    canonical(&value.unwrap_or_else(|error| panic!("{error}: {text}")))
}

/// The documents of the corpus that every package keeps, each with its type.
fn documents() -> Vec<(&'static str, String)> {
    let everywhere = |case: &&Case| PACKAGES.iter().all(|package| applies(case, package));
    let documents = cases().filter(everywhere).filter_map(|case| {
        let name = case.document_type.as_deref()?;
        let text = input_text(case)?;
        let accepted = validate(name, &text)?.is_ok();
        accepted.then_some((name, text))
    });
    documents.collect()
}

#[test]
fn documents_hop_through_all_languages_in_every_order() {
    assert_eq!(orders(4).len(), 24);
    let documents = documents();
    let count = documents.len();
    assert!(count >= LEAST_DOCUMENTS, "there are only {count} documents");
    let mut languages = languages();
    for (type_name, text) in &documents {
        hop(&mut languages, type_name, text);
    }
    say(&format!(
        "HOP: {count} documents through {} languages",
        languages.len()
    ));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// For every document d that the schema accepts, and every order of the languages: d passes
    /// through them without a loss.
    #[test]
    fn grown_documents_hop_through_all_languages_in_every_order(
        root in 0..ROOT_NAMES.len(),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut value = grow(definitions::ROOTS[root], &mut Choices::new(&bytes));
        speak(&mut value);
        hop(&mut languages(), ROOT_NAMES[root], &value.to_string());
    }
}

/// Takes away what a document says of its version: a version may be any text for the schema, and
/// only one is spoken.
fn speak(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(speak),
        Value::Object(members) => drop(members.remove("schemaVersion")),
        _ => {}
    }
}

/// Every part of the schema with every foreign value in its place is judged alike by all languages:
/// accepted, or rejected for the same reason at the same place.
#[test]
fn small_documents_are_judged_alike() {
    let mut languages = languages();
    for (root, name) in ROOT_NAMES.iter().enumerate() {
        let questions: Vec<_> = small(root)
            .map(|value| json!({"op": "validate", "type": name, "input": value.to_string()}))
            .collect();
        let mut judgements = languages.iter_mut().map(|language| {
            let answers = language.adapter.ask(&questions);
            (language.package.language, answers)
        });
        let (_, first) = judgements.next().expect("the reference is always here");
        for (language, answers) in judgements {
            for ((question, first), answer) in questions.iter().zip(&first).zip(&answers) {
                let text = question["input"].as_str().unwrap_or_default();
                assert!(
                    agree(name, text, judgement(answer), judgement(first)),
                    "{language} says {answer}, the reference says {first} of {name} {text}"
                );
            }
        }
    }
}

/// Whether two judgements are one. Of several faults in a document, each may name its own.
fn agree(type_name: &str, text: &str, one: [&str; 3], other: [&str; 3]) -> bool {
    one == other || (one[0] == other[0] && violations(type_name, text) > 1)
}

/// Small documents of a root type, most of them wrong in one place.
fn small(root: usize) -> impl Iterator<Item = Value> {
    // A stream would only repeat all events.
    let above = if ROOT_NAMES[root] == "EventStream" {
        &["Event"][..]
    } else {
        &[]
    };
    variations_of(definitions::ROOTS[root], above)
        .into_iter()
        .chain(foreign())
}

/// What an answer says, without its words: accepted, or the class, the place and the rule.
fn judgement(answer: &Value) -> [&str; 3] {
    if answer["ok"].is_string() {
        return ["accepted", "", ""];
    }
    let rejected = &answer["rejected"];
    ["class", "at", "rule"].map(|member| rejected[member].as_str().unwrap_or_default())
}

#[test]
fn there_are_many_small_documents() {
    let count: usize = (0..ROOT_NAMES.len()).map(|root| small(root).count()).sum();
    assert!(
        count >= LEAST_JUDGED,
        "there are only {count} small documents"
    );
}
