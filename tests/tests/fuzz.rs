//! A search finds broken references and the published defects of a real SDK, and nothing in what is
//! right.

use std::ffi::OsString;
use std::path::Path;

use chatstate_corpus::{Corpus, Family, lint, load_dir};
use chatstate_runner::case_vocabulary;
use chatstate_tests::embedded::{corpus, requirements};
use chatstate_tests::program::{Finished, chatstate, chatstate_program};
use chatstate_tests::sdk::{PYTHON, TYPESCRIPT};
use chatstate_tests::workspace;
use serde::Deserialize;
use serde_json::Value;

/// What `fuzz --json` prints.
#[derive(Debug, Deserialize)]
struct Conclusion {
    judged: u64,
    stop: String,
    findings: Vec<Finding>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    kinds: Vec<String>,
    before: usize,
    after: usize,
    path: String,
    case: Value,
}

fn fuzz(arguments: &[&str], adapter: &[OsString]) -> (Conclusion, Finished) {
    let mut words: Vec<OsString> = vec!["fuzz".into(), "--json".into()];
    words.extend(arguments.iter().map(OsString::from));
    if !adapter.is_empty() {
        words.push("--".into());
        words.extend(adapter.iter().cloned());
    }
    let finished = chatstate(&words, b"");
    let conclusion = serde_json::from_str(&finished.stdout);
    let conclusion = conclusion.unwrap_or_else(|error| {
        panic!("{error}: {}{}", finished.stdout, finished.stderr);
    });
    (conclusion, finished)
}

/// The reference with a defect.
fn mutant(id: &str) -> Vec<OsString> {
    let program = chatstate_program().as_os_str().to_owned();
    vec![program, "adapter".into(), "--mutant".into(), id.into()]
}

/// A defect, and the kind of failure by which a search finds it.
struct Row {
    mutant: &'static str,
    operation: &'static str,
    /// What the kind begins with.
    kind: &'static str,
}

const fn row(mutant: &'static str, operation: &'static str, kind: &'static str) -> Row {
    Row {
        mutant,
        operation,
        kind,
    }
}

/// Defects of every family.
const ROWS: &[Row] = &[
    row("accept-all", "verify", "accepted:sequence:"),
    row("repeats-input", "lineage", "kind-changed@"),
    row("calls-sequence-schema", "verify", "rejected:schema@"),
    row(
        "verify-blames-first-event",
        "verify",
        "rejected:sequence@/*",
    ),
    row("verify-takes-second-start", "verify", "accepted:sequence:"),
    row(
        "validate-ignores-required",
        "validate",
        "accepted:schema:required",
    ),
    row(
        "validate-refuses-empty-text",
        "validate",
        "rejected:schema@",
    ),
    row("drop-unknown-member", "round-trip", "unknown-dropped@"),
    row("null-for-absent", "round-trip", "null-for-absent@"),
    row("round-integer", "round-trip", "number-"),
    row(
        "canonical-sorts-by-code-points",
        "canonicalize",
        "different-text",
    ),
    row("channel-key-trims-parts", "channel-key", "text-changed@"),
    row(
        "replay-appends-to-last-message",
        "replay",
        "text-changed@/messages",
    ),
    row("replay-applies-half-a-patch", "replay", ""),
    row("lineage-ignores-branches", "lineage", ""),
    row("compact-swaps-messages", "compact", "replay:"),
    row("compact-joins-across-barriers", "compact", ""),
    row("compact-does-nothing", "compact", "effective"),
    row("compact-drops-open-item", "compact", "replay:"),
    row("attach-repeats-text", "attach", "attach:"),
    row("encode-as-written", "encode", "text-changed@"),
    row(
        "restore-drops-last-message",
        "restore",
        "item-dropped@/history",
    ),
    row("session-keeps-removed", "session", ""),
    row("convert-drops-nulls", "convert", ""),
    row("remembers-messages", "replay", ""),
    row("wrong-every-other-time", "encode", ""),
    row("protocol-says-two-things", "channel-key", "malformed:"),
    row("protocol-breaks", "channel-key", "crashed"),
];

#[test]
fn defects_of_every_family_are_found() {
    for row in ROWS {
        let arguments = [
            "--op",
            row.operation,
            "--cases",
            "1500",
            "--seed",
            "1",
            "--findings",
            "3",
        ];
        let (found, finished) = fuzz(&arguments, &mutant(row.mutant));
        assert_eq!(finished.code, 1, "{}: {found:?}", row.mutant);
        let shows = |finding: &Finding| finding.kinds.iter().any(|it| it.starts_with(row.kind));
        assert!(
            found.findings.iter().any(shows),
            "{}: {found:?}",
            row.mutant
        );
        for finding in &found.findings {
            assert_eq!(finding.case["op"], row.operation, "{}", row.mutant);
        }
    }
    for family in Family::ALL {
        let of_family = corpus().mutants().iter().filter(|it| it.family == family);
        let mut ids = of_family.map(|mutant| mutant.id.as_str());
        let tried = ids.any(|id| ROWS.iter().any(|row| row.mutant == id));
        assert!(tried, "no defect of the family `{family}` is tried");
    }
}

#[test]
fn nothing_is_found_in_the_reference() {
    let (found, finished) = fuzz(&["--cases", "3000", "--seed", "1"], &[]);
    assert_eq!(
        (finished.code, found.stop.as_str()),
        (0, "done"),
        "{found:?}"
    );
    assert!(found.judged > 2000, "{}", found.judged);
    // As somebody else, held to its own answers.
    let reference = [chatstate_program().as_os_str().to_owned(), "adapter".into()];
    let (found, finished) = fuzz(&["--cases", "1000", "--seed", "2", "--exact"], &reference);
    assert_eq!(finished.code, 0, "{found:?}");
}

#[test]
fn nothing_is_found_in_variants_of_cases() {
    let (found, finished) = fuzz(&["--variants"], &[]);
    assert_eq!(finished.code, 0, "{found:?}");
    assert!(found.judged > 5000, "{}", found.judged);
}

#[test]
fn nothing_is_found_in_an_independent_implementation() {
    if !PYTHON.can_run() {
        return;
    }
    let adapter = workspace::path("tests/independent/adapter.py");
    let command = ["python3".into(), adapter.into_os_string()];
    let (found, finished) = fuzz(&["--cases", "3000", "--seed", "1"], &command);
    assert_eq!(finished.code, 0, "{found:?}");
    let (found, finished) = fuzz(&["--variants"], &command);
    assert_eq!(finished.code, 0, "{found:?}");
}
