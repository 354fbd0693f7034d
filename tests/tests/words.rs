//! The words of the project: the glossary holds the words that are used, few files list event
//! types, and the questions of newcomers have one place each.

use std::collections::BTreeSet;
use std::path::Path;

use chatstate_tests::document::Document;
use chatstate_tests::workspace;
use regex::Regex;
use serde_json::Value;

/// What programs and pages are written in.
const ENDINGS: [&str; 6] = ["rs", "py", "mjs", "ts", "cs", "md"];

/// The page with the glossary.
const SPECIFICATION: &str = "SPEC.md";

/// From so many event types on, a file has to say why it names them. What an event type does is
/// said in `schema/v1`, so there is rarely a reason.
const MANY: usize = 8;

/// How many files of the product may name many events.
const FILES_WITH_MANY: usize = 8;

/// How the line with the reason begins.
const REASON: &str = "Names many events:";

/// The parts of `crates` that are no product: they judge it, and must not share its facts.
const JUDGES: [&str; 2] = ["crates/laws/", "crates/arbitrary/"];

#[test]
fn the_glossary_has_the_words_that_are_used() {
    let (glossary, specification) = glossary();
    assert!(glossary.len() > 60, "only {} words", glossary.len());
    let unique: BTreeSet<_> = glossary.iter().collect();
    assert_eq!(unique.len(), glossary.len(), "a word is explained twice");
    let mut texts: Vec<_> = workspace::tracked_files()
        .iter()
        .filter(|name| is_written(name) && *name != SPECIFICATION)
        .map(|name| workspace::text(name).to_lowercase())
        .collect();
    texts.push(specification.to_lowercase());
    let unused: Vec<_> = glossary
        .iter()
        .filter(|word| {
            // A word may be inflected or part of a name, and a line of a comment may end in it.
            let parts: Vec<_> = word.split(' ').map(regex::escape).collect();
            let whole = parts.join(r"[\s_-]+(?://[/!]?\s*|#\s*)?");
            let used = format!(r"(?:\b|_){whole}(?:s|es|d|ed|ing)?(?:\b|_)");
            let used = Regex::new(&used).expect("a pattern");
            !texts.iter().any(|text| used.is_match(text))
        })
        .collect();
    assert!(unused.is_empty(), "nothing uses {unused:?}; take them out");
}

/// The words of the glossary, and the specification without the glossary.
fn glossary() -> (Vec<String>, String) {
    let text = workspace::text(SPECIFICATION);
    let (before, rest) = text.split_once("## Glossary\n").expect("a glossary");
    let (glossary, after) = rest.split_once("\n## ").expect("another section follows");
    let rows = glossary.lines().filter(|line| line.starts_with("| "));
    let words = rows.skip(1).filter_map(|row| row.split('|').nth(1));
    let words = words.map(|word| word.trim().to_lowercase()).collect();
    (words, before.to_owned() + after)
}

#[test]
fn few_files_name_many_events() {
    let names: Vec<_> = event_types().iter().map(|it| spellings(it)).collect();
    let mut many = Vec::new();
    for file in workspace::tracked_files() {
        if !is_product(&file) {
            continue;
        }
        let text = workspace::text(&file);
        let count = names.iter().filter(|name| name.is_match(&text)).count();
        let is_explained = text.contains(REASON);
        if count >= MANY {
            assert!(
                is_explained,
                "`{file}` names {count} event types; what events do belongs into `schema/v1`. If \
                 there is a reason, say it in a comment that begins with `{REASON}`"
            );
            many.push(file);
        } else {
            assert!(
                !is_explained,
                "`{file}` names only {count} event types; take its reason out"
            );
        }
    }
    assert!(!many.is_empty(), "no file is looked at");
    assert!(many.len() <= FILES_WITH_MANY, "too many files: {many:#?}");
}

/// The types of events that the schema knows.
fn event_types() -> Vec<String> {
    let schema = workspace::text("schema/v1/event.schema.json");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let definitions = schema["$defs"].as_object().expect("definitions");
    let events = definitions
        .values()
        .filter(|it| it.get("x-event").is_some());
    let types = events.filter_map(|it| it["properties"]["type"]["const"].as_str());
    let types: Vec<_> = types.map(str::to_owned).collect();
    assert!(types.len() > 30, "only {} event types", types.len());
    types
}

/// The ways in which the languages spell an event type: `STATE_DELTA`, `StateDelta`,
/// `StateDeltaEvent` and `state_delta`. A single small word means other things too.
fn spellings(event_type: &str) -> Regex {
    let words: Vec<_> = event_type.split('_').map(str::to_lowercase).collect();
    let title = |word: &String| word[..1].to_uppercase() + &word[1..];
    let joined: String = words.iter().map(title).collect();
    let mut all = vec![event_type.to_owned(), format!("{joined}(?:Event)?")];
    if words.len() > 1 {
        all.push(format!("{}(?:_event)?", words.join("_")));
    }
    Regex::new(&format!(r"(?:\b|_)(?:{})(?:\b|_)", all.join("|"))).expect("a pattern")
}

/// Whether a file is code of the product that is written by hand.
fn is_product(file: &str) -> bool {
    let is_code = Path::new(file).extension().is_some_and(|it| it != "md");
    let is_test =
        file.contains("/tests/") || file.contains("/test/") || file.ends_with("/tests.rs");
    (file.starts_with("crates/") || file.starts_with("packages/"))
        && is_code
        && is_written(file)
        && !is_test
        && !JUDGES.iter().any(|folder| file.starts_with(folder))
}

/// Whether this file is written by hand, in a language of programs or pages.
fn is_written(file: &str) -> bool {
    let ending = Path::new(file).extension().and_then(|it| it.to_str());
    ending.is_some_and(|it| ENDINGS.contains(&it))
        && !workspace::GENERATED.iter().any(|it| file.starts_with(it))
}

/// Each answer names a place, and `paths_exist` of the documents says that the place exists.
#[test]
fn ten_questions_of_newcomers_have_a_place_each() {
    let page = Document::read("CONTRIBUTING.md");
    let (_, section) = page.text.split_once("## Where is ...?").expect("a section");
    let (section, _) = section
        .split_once("\n## ")
        .expect("another section follows");
    let rows = section
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1);
    let mut questions = 0;
    for row in rows {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        assert!(cells[1].ends_with('?'), "`{}` is no question", cells[1]);
        let mut named = cells[2].split('`').skip(1).step_by(2);
        let has_place = named.any(|span| workspace::path(span).exists());
        assert!(has_place, "`{}` has no place", cells[1]);
        questions += 1;
    }
    assert_eq!(questions, 10);
}
