//! What fails is asked once more, and a run may stop at the first failure: neither makes a run green.

use std::collections::BTreeMap;

use chatstate_tests::program::chatstate_program;
use chatstate_tests::report::{TestRun, test};
use chatstate_tests::report_folder::{MUTANT, ReportFolder, SOME};

/// Runs cases against a shell script that continues as an adapter. `$FILE` does not exist at first.
fn run(selection: &[&str], options: &[&str], script: &str) -> TestRun {
    let folder = ReportFolder::create();
    let program = chatstate_program().display();
    let script = format!("FILE='{}'\n{script}", folder.path("file"))
        .replace(
            "MUTANT",
            &format!("exec '{program}' adapter --mutant {MUTANT}"),
        )
        .replace("REFERENCE", &format!("exec '{program}' adapter"));
    let script = folder.write("adapter.sh", &script);
    let list = folder.write("known.toml", KNOWN);
    let options = options.iter().map(|option| option.replace("KNOWN", &list));
    let arguments = selection.iter().map(ToString::to_string).chain(options);
    test(arguments.chain(["--", "sh", &script].map(str::to_owned)))
}

/// What the mutant drops is known.
const KNOWN: &str = "[[expect]]\ncase = \"round-trip/unknown-*\"\nreason = \"dropped\"\n";

/// A mutant at its first start, the reference from then on.
const ONCE: &str = "if [ -e \"$FILE\" ]; then REFERENCE; fi\n: > \"$FILE\"\nMUTANT\n";

/// The reference at its first start, then nothing at all.
const GONE: &str = "if [ -e \"$FILE\" ]; then exit 3; fi\n: > \"$FILE\"\nMUTANT\n";

/// A run, and what must come of it.
struct Row {
    name: &'static str,
    selection: &'static [&'static str],
    options: &'static [&'static str],
    script: &'static str,
    code: i32,
    /// How many cases have each verdict.
    verdicts: &'static [(&'static str, usize)],
    says: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        name: "what fails once is flaky and never green",
        selection: SOME,
        options: &[],
        script: ONCE,
        code: 1,
        verdicts: &[("flaky", 5)],
        says: &[
            "FLAKY round-trip/unknown-event: ",
            "then      `pass`, when a new process was asked once more",
            "result: 5 unexpected failures",
        ],
    },
    Row {
        name: "what fails twice fails",
        selection: SOME,
        options: &[],
        script: "MUTANT",
        code: 1,
        verdicts: &[("fail", 5)],
        says: &["FAIL  round-trip/unknown-event: "],
    },
    Row {
        name: "without a second time, nothing is flaky",
        selection: SOME,
        options: &["--no-rerun"],
        script: ONCE,
        code: 1,
        verdicts: &[("fail", 5)],
        says: &[],
    },
    Row {
        name: "what is known to fail is not asked again",
        selection: SOME,
        options: &["--expect", "KNOWN"],
        script: ONCE,
        code: 0,
        verdicts: &[("expected-failure", 5)],
        says: &["result: as expected"],
    },
    Row {
        name: "an adapter that does not start again has failed",
        selection: SOME,
        options: &[],
        script: GONE,
        code: 1,
        verdicts: &[("fail", 5)],
        says: &[],
    },
    Row {
        name: "the first failure is the last",
        selection: &["--suite", "round-trip", "--suite", "validate"],
        options: &["--fail-fast"],
        script: "MUTANT",
        code: 1,
        verdicts: &[],
        says: &[
            "FAIL  round-trip/unknown-",
            "not judged: validate/",
            "result: incomplete: it stopped at the first unexpected failure",
        ],
    },
    Row {
        name: "a known failure is no reason to stop",
        selection: SOME,
        options: &["--fail-fast", "--expect", "KNOWN"],
        script: "MUTANT",
        code: 0,
        verdicts: &[("expected-failure", 5)],
        says: &["result: as expected"],
    },
    Row {
        name: "without a failure, all is judged",
        selection: &["--suite", "compact"],
        options: &["--fail-fast", "--jobs", "2"],
        script: "REFERENCE",
        code: 0,
        verdicts: &[],
        says: &["result: as expected"],
    },
];

#[test]
fn neither_makes_a_run_green() {
    for row in ROWS {
        let ran = run(row.selection, row.options, row.script);
        let said = &ran.finished.stdout;
        let name = row.name;
        assert_eq!(ran.finished.code, row.code, "{name}: {said}");
        for words in row.says {
            assert!(
                said.contains(words),
                "{name} does not say `{words}`: {said}"
            );
        }
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        for verdict in ran.verdicts().into_values() {
            *verdicts.entry(verdict).or_default() += 1;
        }
        let expected: BTreeMap<_, _> = row.verdicts.iter().copied().collect();
        assert!(
            expected.is_empty() || verdicts == expected,
            "{name}: {verdicts:?}"
        );
    }
}
