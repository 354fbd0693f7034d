//! A second implementation of the format, written after SPEC.md and `schema/v1` with Python's standard
//! library alone: where it and the reference agree, the kit does not merely agree with itself.

use chatstate_tests::embedded::corpus;
use chatstate_tests::report;
use chatstate_tests::sdk::PYTHON;
use chatstate_tests::workspace;

/// What it declares: the operations on single documents, and every kind of document. The other
/// operations are behaviour, which it does not have.
const CAPABILITIES: [&str; 16] = [
    "canonicalize",
    "channel-key",
    "decode",
    "encode",
    "round-trip",
    "seal",
    "unseal",
    "validate",
    "chat",
    "sessions",
    "events",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
    "definitions",
];

#[test]
fn every_case_about_the_format_passes() {
    if !PYTHON.can_run() {
        return;
    }
    let adapter = workspace::path("tests/independent/adapter.py");
    let run = report::test(["--".into(), "python3".into(), adapter.into_os_string()]);
    let finished = &run.finished;
    assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
    let verdicts = run.verdicts();
    for case in corpus().cases() {
        let verdict = verdicts[case.id.as_str()];
        let applies =
            case.capabilities().all(|it| CAPABILITIES.contains(&it)) && !case.reference_only();
        let wanted = if applies { "pass" } else { "skip" };
        assert_eq!(verdict, wanted, "{}", case.id);
    }
}
