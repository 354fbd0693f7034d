//! A transcript is judged as the run was, by the corpus and the lists of its reader, and a part of one is
//! never taken for the whole.

use chatstate_tests::program::{chatstate, chatstate_program};
use chatstate_tests::report::{TestRun, test};
use chatstate_tests::report_folder::{MUTANT, ReportFolder, SOME};

/// A mutant at its first start, the reference from then on.
const ONCE: &str =
    "if [ -e \"$0.started\" ]; then exec PROGRAM adapter; fi\n: > \"$0.started\"\nMUTANT\n";

/// What the mutant drops is known.
const KNOWN: &str = "[[expect]]\ncase = \"round-trip/unknown-*\"\nreason = \"dropped\"\n";

/// Records a run of some cases against a shell script that continues as an adapter.
fn recorded(folder: &ReportFolder, selection: &[&str], script: &str) -> TestRun {
    let program = chatstate_program().display().to_string();
    let mutant = format!("exec PROGRAM adapter --mutant {MUTANT}");
    let script = script.replace("MUTANT", &mutant);
    let script = folder.write(
        "adapter.sh",
        &script.replace("PROGRAM", &format!("'{program}'")),
    );
    let arguments = selection.iter().map(ToString::to_string);
    let options = ["--record".to_owned(), folder.path("transcript.jsonl")];
    test(
        arguments
            .chain(options)
            .chain(["--".to_owned(), "sh".to_owned(), script]),
    )
}

/// A run, and what judging its transcript must come to.
struct Row {
    name: &'static str,
    script: &'static str,
    /// What is judged again.
    selection: &'static [&'static str],
    options: &'static [&'static str],
    code: i32,
    /// Whether all verdicts are those of the run.
    same: bool,
    says: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        name: "failures fail again",
        script: "MUTANT",
        selection: SOME,
        options: &[],
        code: 1,
        same: true,
        says: &[
            ", judged from a transcript: ",
            "result: 5 unexpected failures",
        ],
    },
    Row {
        name: "what was flaky is flaky again",
        script: ONCE,
        selection: SOME,
        options: &[],
        code: 1,
        same: true,
        says: &["FLAKY round-trip/unknown-event: "],
    },
    Row {
        name: "a list of known failures counts",
        script: "MUTANT",
        selection: SOME,
        options: &["--expect", "KNOWN"],
        code: 0,
        same: false,
        says: &["5 expected-failure", "result: as expected"],
    },
    Row {
        name: "cases that were not asked are not judged",
        script: "exec PROGRAM adapter",
        selection: &["--suite", "channel-key"],
        options: &[],
        code: 3,
        same: false,
        says: &[
            "not judged: channel-key/",
            "result: incomplete: the transcript does not hold 17 requests; run the adapter again",
        ],
    },
    Row {
        name: "a failed canary fails again",
        script: "exec PROGRAM adapter --mutant accept-all",
        selection: SOME,
        options: &[],
        code: 1,
        same: true,
        says: &["the adapter echoes all"],
    },
];

#[test]
fn a_transcript_is_judged_as_the_run_was() {
    for row in ROWS {
        check(row);
    }
}

fn check(row: &Row) {
    let name = row.name;
    let folder = ReportFolder::create();
    let run = recorded(&folder, SOME, row.script);
    let list = folder.write("known.toml", KNOWN);
    let replay = ["--replay".to_owned(), folder.path("transcript.jsonl")];
    let words = row.selection.iter().chain(row.options);
    let again = test(
        replay
            .into_iter()
            .chain(words.map(|word| word.replace("KNOWN", &list))),
    );
    let said = &again.finished.stdout;
    assert_eq!(again.finished.code, row.code, "{name}: {said}");
    for words in row.says {
        assert!(
            said.contains(words),
            "{name} does not say `{words}`: {said}"
        );
    }
    assert_eq!(again.report["replayed"], true, "{name}");
    assert_eq!(again.report["adapter"], run.report["adapter"], "{name}");
    if row.same {
        assert_eq!(again.verdicts(), run.verdicts(), "{name}");
        assert_eq!(again.report["cases"], run.report["cases"], "{name}");
    }
}

/// Laws ask further, and their answers are kept as well.
#[test]
fn further_requests_are_kept() {
    let folder = ReportFolder::create();
    let selection = ["--suite", "compact", "--suite", "attach"];
    let run = recorded(&folder, &selection, "exec PROGRAM adapter");
    let path = folder.path("transcript.jsonl");
    let again = test(["--replay", &path].into_iter().chain(selection));
    assert_eq!(again.finished.code, 0, "{}", again.finished.stdout);
    assert_eq!(again.verdicts(), run.verdicts());
}

/// What is accepted is asked back, in every order of requests, and the answers are kept as well.
#[test]
fn what_is_written_back_is_kept() {
    let folder = ReportFolder::create();
    let selection = ["--only", "validate/assistant-*"];
    let reader = "exec PROGRAM adapter --mutant reader-takes-null-for-absent";
    let run = recorded(&folder, &selection, reader);
    let path = folder.path("transcript.jsonl");
    let again = test(["--replay", &path].into_iter().chain(selection));
    let said = &again.finished.stdout;
    assert!(said.contains("its defect is made valid"), "{said}");
    let known = "known as  made-valid absent-for-null@/content";
    assert!(said.contains(known), "{said}");
    assert_eq!(again.report["cases"], run.report["cases"]);
    let jobs = ["--jobs", "3"].map(str::to_owned);
    let selection = selection.map(str::to_owned);
    let script = ["--".to_owned(), "sh".to_owned(), folder.path("adapter.sh")];
    let apart = test(jobs.into_iter().chain(selection).chain(script));
    assert_eq!(apart.report["cases"], run.report["cases"]);
}

#[test]
fn a_part_is_rejected() {
    let folder = ReportFolder::create();
    let _ = recorded(&folder, SOME, "MUTANT");
    let whole = folder.text("transcript.jsonl");
    let lines: Vec<_> = whole.lines().collect();
    let (last, before) = lines.split_last().expect("there are lines");
    let without_one = [&before[..1], &before[2..], &[last]].concat().join("\n");
    let rejected = [
        (before.join("\n"), "and its last line is missing"),
        (without_one, "the transcript is not whole: it holds "),
        (format!("{whole}{last}"), "it comes after the end"),
        (
            lines[1..].join("\n"),
            "a transcript begins with whom it is about",
        ),
        (
            whole.replacen("\"format\":1", "\"format\":2", 1),
            "has format 2",
        ),
        ("[]".to_owned(), "line 1 is no part of a transcript"),
        (String::new(), "line 1 is no part of a transcript"),
    ];
    for (text, words) in rejected {
        let file = folder.write("part.jsonl", &text);
        let finished = chatstate(&["test", "--replay", &file], b"");
        assert_eq!(finished.code, 2, "{words}: {}", finished.stdout);
        let said = finished
            .stderr
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let said = said.replace(" │ ", " ").replace("│ ", "");
        assert!(said.contains(words), "{words}: {said}");
    }
}
