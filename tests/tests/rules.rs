//! The rules that rejections name are explained where SPEC.md lists them, and an event is rejected by
//! the same rule in a log as by itself.

use std::collections::BTreeSet;

use chatstate::Rejection;
use chatstate::compact::{Level, Options, Retain, TextCompactor};
use chatstate::generated::Event;
use chatstate::log::{Attaching, LogReader};
use chatstate_corpus::{Expect, RejectedExpectation};
use chatstate_tests::embedded::corpus;
use chatstate_tests::rules::explained;
use chatstate_tests::workspace;
use regex::Regex;

/// A rule as a literal: after its class, in a call that rejects, in a finding, or with a dot.
const LITERAL: &str = r#"(?:Class::(?:Syntax|Limit|Version|Semantic|Sequence|Restore),\s*|\brefuse\(|\breject\(|\brule: |Violation::new\()"([^"]+)"|"((?:chunk|encoding|lineage|replay|restore|run|seal|subagent|verify)\.[a-z-]+)""#;

fn check(rule: &str, place: &str, explained: &BTreeSet<String>) {
    assert!(
        explained.contains(rule),
        "{place} names the rule `{rule}`, which SPEC.md does not explain"
    );
}

#[test]
fn rules_that_cases_expect_are_explained() {
    let explained = explained();
    for case in corpus().cases() {
        let rejections: Vec<&RejectedExpectation> = match &case.expect {
            Some(Expect::Rejected(rejected)) => vec![rejected],
            Some(Expect::AnyOf(alternatives)) => alternatives
                .iter()
                .filter_map(|it| it.rejected.as_ref())
                .collect(),
            _ => Vec::new(),
        };
        for rejection in rejections.into_iter().filter(|it| it.class != "schema") {
            if let Some(rule) = &rejection.rule {
                check(rule, &case.id, &explained);
            }
        }
    }
}

/// The sources of the reference.
const REFERENCE: [&str; 5] = [
    "crates/chats/src/",
    "crates/dialects/src/",
    "crates/json/src/",
    "crates/streams/src/",
    "crates/types/src/",
];

/// The reference names a rule as a literal after its class; rules of open items are put together
/// from the kind and these two words.
#[test]
fn rules_that_the_reference_names_are_explained() {
    let literal = Regex::new(LITERAL).unwrap();
    let explained = explained();
    let mut count = 0;
    for file in workspace::tracked_files() {
        let is_reference = REFERENCE.iter().any(|folder| file.starts_with(folder));
        if !is_reference || file.contains("/generated/") {
            continue;
        }
        for found in literal.captures_iter(&workspace::text(&file)) {
            let rule = found.get(1).or(found.get(2)).map_or("", |it| it.as_str());
            check(rule, &file, &explained);
            count += 1;
        }
    }
    assert!(
        count > 8,
        "only {count} rules were found, so the pattern of this test is out of date"
    );
    for slug in ["not-open", "already-open"] {
        check(&format!("text.{slug}"), "an open item", &explained);
    }
}

const START: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

fn compacted(level: Level, log: &str) -> Result<(), Rejection> {
    let (mut compactor, mut out) = (TextCompactor::new(Options::at(level)), Vec::new());
    let pushed = compactor.push(log.as_bytes(), &mut out);
    let finished = pushed.and_then(|()| compactor.finish(&mut out));
    finished.map(drop).map_err(|stopped| stopped.rejection)
}

fn attached(log: &str) -> Result<(), Rejection> {
    let mut reader = LogReader::new(Attaching::default());
    reader.push(log.as_bytes())?;
    reader.finish().map(drop)
}

/// Requirement `compact.invalid`: no level lets an event pass that the schema rejects.
#[test]
fn an_event_is_rejected_in_a_log_as_by_itself() {
    let levels = [
        Level::Stream,
        Level::Snapshot(Retain::Tips),
        Level::Snapshot(Retain::Runs),
    ];
    let mut count = 0;
    for case in corpus().cases() {
        let is_of_event = case.op == "validate" && case.document_type.as_deref() == Some("Event");
        let Some(event) = case.input.as_ref().filter(|_| is_of_event) else {
            continue;
        };
        let Err(alone) = Event::from_json(event.get()) else {
            continue;
        };
        count += 1;
        let log = format!("[{START},{}]", event.get());
        let found = levels.map(|level| compacted(level, &log));
        for found in found.into_iter().chain([attached(&log)]) {
            assert_eq!(found, Err(alone.clone().within(1)), "{}", case.id);
        }
    }
    assert!(
        count > 200,
        "only {count} cases have an event that is rejected"
    );
}
