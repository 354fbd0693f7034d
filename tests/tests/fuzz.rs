//! A search finds broken references and the published defects of a real SDK, and nothing in what is
//! right.

use std::ffi::OsString;
use std::path::Path;

use chatstate_corpus::{Corpus, Family, lint, load_dir};
use chatstate_runner::case_vocabulary;
use chatstate_tests::embedded::{corpus, requirements};
use chatstate_tests::program::{FinishedProgram, chatstate, chatstate_program};
use chatstate_tests::sdk::{PYTHON, TYPESCRIPT};
use chatstate_tests::workspace;
use serde::Deserialize;

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
    case: String,
}

fn fuzz(arguments: &[&str], adapter: &[OsString]) -> (Conclusion, FinishedProgram) {
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
    /// How many kinds are asked for. Each further one takes longer than all before it.
    findings: &'static str,
}

const fn row(mutant: &'static str, operation: &'static str, kind: &'static str) -> Row {
    Row {
        mutant,
        operation,
        kind,
        findings: "1",
    }
}

impl Row {
    /// Finds the kind with others before it.
    const fn among_three(self) -> Self {
        Self {
            findings: "3",
            ..self
        }
    }
}

/// Defects of every family.
const ROWS: &[Row] = &[
    row("accept-all", "verify", "accepted:sequence:").among_three(),
    row("repeats-input", "lineage", "kind-changed@").among_three(),
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
        "reader-takes-null-for-absent",
        "validate",
        "accepted:schema:type:made-valid",
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
    )
    .among_three(),
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
            row.findings,
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
            let operation = format!("\"op\": \"{}\"", row.operation);
            assert!(finding.case.contains(&operation), "{}", finding.case);
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
    // As a foreign adapter, held to its own answers.
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

/// Defects that a law shows, without the reference.
const ROWS_OF_LAWS: &[Row] = &[
    row(
        "drop-unknown-member",
        "round-trip",
        "gives-back:unknown-dropped@",
    ),
    row(
        "cbor-rounds-big-integers",
        "to-cbor",
        "reads-back:number-rounded@",
    ),
    row("unseal-keeps-seal", "seal", "reads-back:member-added@/seal"),
    row(
        "canonical-writes-spaces",
        "canonicalize",
        "repeats:different-text",
    ),
    row(
        "compact-stamps-each-pass",
        "compact",
        "repeats:text-changed@",
    ),
    row(
        "compact-swaps-messages",
        "compact",
        "replays-as:array-reordered@",
    ),
];

#[test]
fn defects_are_found_by_laws_alone() {
    for row in ROWS_OF_LAWS {
        let arguments = [
            "--laws",
            "--op",
            row.operation,
            "--cases",
            "600",
            "--seed",
            "1",
            "--findings",
            row.findings,
        ];
        let (found, finished) = fuzz(&arguments, &mutant(row.mutant));
        assert_eq!(finished.code, 1, "{}: {found:?}", row.mutant);
        let shows = |finding: &Finding| finding.kinds.iter().any(|it| it.starts_with(row.kind));
        let is_found = found.findings.iter().any(shows);
        assert!(is_found, "{}: {found:?}", row.mutant);
    }
    let (found, finished) = fuzz(&["--laws", "--cases", "3000", "--seed", "1"], &[]);
    assert_eq!(finished.code, 0, "{found:?}");
    assert!(found.judged > 1500, "{}", found.judged);
}

/// Compacts what verifies as the reference does. Of what does not, which an implementation may reject
/// or not, it loses an event each time.
const LENIENT: &str = r#"import json, subprocess, sys
for line in sys.stdin.buffer:
    r = json.loads(line)
    if r["cmd"] == "stop": break
    a = {"protocol": 1, "implementation": {"name": "lenient", "version": "1", "language": "python"},
         "capabilities": ["compact", "events", "chunks", "branches", "unknown-members", "unknown-variants"]}
    if r["cmd"] == "run":
        p = subprocess.run([sys.argv[1], "compact"], input=r["input"], capture_output=True, text=True)
        a = {"seq": r["seq"], "ok": p.stdout if p.returncode == 0 else json.dumps(json.loads(r["input"])[:-1])}
    print(json.dumps(a), flush=True)
"#;

#[test]
fn what_the_reference_leaves_open_is_held_to_laws() {
    let folder = tempfile::tempdir().expect("a folder");
    let adapter = folder.path().join("lenient.py");
    std::fs::write(&adapter, LENIENT).expect("a file");
    let program = chatstate_program().as_os_str().to_owned();
    let command = ["python3".into(), adapter.into_os_string(), program];
    let arguments = [
        "--op",
        "compact",
        "--cases",
        "60",
        "--seed",
        "1",
        "--findings",
        "1",
    ];
    let (found, finished) = fuzz(&arguments, &command);
    assert_eq!(finished.code, 0, "{found:?}");
    let (found, finished) = fuzz(&[&arguments[..], &["--laws"]].concat(), &command);
    assert_eq!(finished.code, 1, "{found:?}");
    let kinds = &found.findings[0].kinds;
    assert!(
        kinds.iter().all(|it| it.starts_with("repeats:item-")),
        "{kinds:?}"
    );
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
    let (found, finished) = fuzz(&["--laws", "--cases", "3000", "--seed", "1"], &command);
    assert_eq!(finished.code, 0, "{found:?}");
}

/// What is known to be wrong with the compaction of `@ag-ui/client` 1.0.0, and the kind of failure that
/// shows it.
const PUBLISHED: [(&str, &str); 5] = [
    (
        "what is open when a run fails is written after the failure",
        "closed:run.after-error@",
    ),
    ("events of one run end up in another", "contained:"),
    (
        "inputs repeat what the log holds",
        "effective:item-added@/*/input/messages",
    ),
    (
        "a snapshot of messages in the middle of a text changes the text",
        "replay:text-changed@/messages/*/content",
    ),
    ("compacting again gives something else", "idempotent:"),
];

/// A reproducer that can be read at a glance.
const FEW_EVENTS: usize = 8;

#[test]
fn published_defects_of_a_real_sdk_are_found() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let arguments = ["--op", "compact", "--cases", "160", "--seed", "1"];
    let (found, finished) = fuzz(&arguments, &[TYPESCRIPT.adapter().into_os_string()]);
    assert_eq!(finished.code, 1, "{}", finished.stderr);
    let small = |finding: &&Finding| finding.after <= FEW_EVENTS && finding.after <= finding.before;
    let small: Vec<&Finding> = found.findings.iter().filter(small).collect();
    let shows = |kind: &str| {
        small
            .iter()
            .any(|it| it.kinds.iter().any(|it| it.starts_with(kind)))
    };
    let known = PUBLISHED.iter().filter(|(_, kind)| shows(kind));
    assert!(known.count() >= 3, "{found:?}");
}

/// What is found can be kept: the corpus with it is well formed, and the case fails the same adapter.
#[test]
fn findings_become_cases() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    for (op, id) in [
        ("replay", "replay-appends-to-last-message"),
        ("compact", "compact-does-nothing"),
        ("verify", "verify-takes-second-start"),
        ("validate", "validate-ignores-required"),
    ] {
        let arguments = [
            "--op",
            op,
            "--cases",
            "1500",
            "--seed",
            "1",
            "--findings",
            "2",
            "--promote",
            &path,
        ];
        let (found, finished) = fuzz(&arguments, &mutant(id));
        assert!(!found.findings.is_empty(), "{id}");
        for finding in &found.findings {
            let written = folder.path().join(&finding.path).is_file();
            assert!(written, "{}\n{}", finding.path, finished.stderr);
        }
        // A second time, what is there stays.
        let (_, again) = fuzz(&arguments, &mutant(id));
        assert!(
            again.stderr.contains("is there already"),
            "{}",
            again.stderr
        );
    }
    let corpus = with_own_cases(folder.path());
    assert_eq!(lint(&corpus, requirements(), &case_vocabulary()), []);
}

/// The corpus, with the cases of a folder beside its own.
fn with_own_cases(folder: &Path) -> Corpus {
    let own = corpus()
        .files()
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    let mut files: Vec<(String, Vec<u8>)> = own.collect();
    for suite in std::fs::read_dir(folder).expect("a folder") {
        let suite = suite.expect("a suite").path();
        for case in std::fs::read_dir(&suite).expect("a folder") {
            let case = case.expect("a case").path();
            let name = case
                .strip_prefix(folder)
                .expect("inside")
                .display()
                .to_string();
            files.push((name, std::fs::read(&case).expect("a file")));
        }
    }
    load_dir(corpus().version(), files).expect("cases")
}

#[test]
fn a_search_can_be_repeated() {
    let arguments = [
        "--op",
        "replay",
        "--cases",
        "60",
        "--seed",
        "5",
        "--findings",
        "2",
    ];
    let adapter = mutant("replay-loses-last-delta");
    let (one, two) = (fuzz(&arguments, &adapter).1, fuzz(&arguments, &adapter).1);
    assert_eq!(one.stdout, two.stdout);
    let mut words: Vec<OsString> = vec!["fuzz".into()];
    words.extend(arguments.iter().map(OsString::from));
    words.extend(["--".into()].into_iter().chain(adapter));
    let told = chatstate(&words, b"");
    for part in [
        "FOUND replay/found-",
        "\"op\": \"replay\"",
        "--seed 5 --cases ",
        "result: ",
    ] {
        assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
    }
}

#[test]
fn exit_codes_tell_what_came_of_it() {
    let program = chatstate_program().as_os_str().to_owned();
    let code = |arguments: &[&str], adapter: &[OsString]| {
        let words = ["fuzz"].iter().chain(arguments).map(OsString::from);
        let words = words.chain(["--".into()]).chain(adapter.iter().cloned());
        chatstate(&words.collect::<Vec<_>>(), b"").code
    };
    let reference = [program, "adapter".into()];
    assert_eq!(code(&["--op", "lineage", "--cases", "20"], &reference), 0);
    assert_eq!(code(&["--op", "lineage", "--cases", "0"], &reference), 3);
    assert_eq!(code(&["--op", "swim"], &reference), 2);
    assert_eq!(code(&["--variants", "--seed", "1"], &reference), 2);
    assert_eq!(code(&["--cases", "1"], &["no-such-program".into()]), 5);
}
