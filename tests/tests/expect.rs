//! Lists of expected failures, from the command line: what `chatstate expect update` does to a file, and
//! what an entry may not excuse.

use chatstate_tests::call::check_words;
use chatstate_tests::program::{FinishedProgram, chatstate, chatstate_program};
use chatstate_tests::report_folder::{MUTANT, ReportFolder, SOME};

/// A shell script that starts one thing at first and another one from then on. `$FILE` does not exist at
/// first.
const FIRST_AND_THEN: &str = "if [ -e FILE ]; then THEN; fi\n: > FILE\nFIRST\n";

/// Brings a list up to date by an adapter, which is the reference with a fault or without.
fn update(list: &str, more: &[&str], mutant: Option<&str>) -> FinishedProgram {
    let program = chatstate_program().display().to_string();
    let mut arguments = vec!["expect", "update", list];
    arguments.extend(more);
    arguments.extend(["--", &program, "adapter"]);
    arguments.extend(mutant.iter().flat_map(|id| ["--mutant", id]));
    let finished = chatstate(&arguments, b"");
    check_words(&finished);
    finished
}

/// Tests an adapter with a list.
fn test(list: &str, mutant: &str) -> FinishedProgram {
    let program = chatstate_program().display().to_string();
    let adapter = ["--", &program, "adapter", "--mutant", mutant];
    chatstate(&[&["test", "--expect", list][..], &adapter].concat(), b"")
}

#[test]
fn a_list_is_made_kept_and_emptied() {
    let folder = ReportFolder::create();
    let list = folder.path("list.toml");
    let made = update(
        &list,
        &["--reason", "it drops what it does not know"],
        Some(MUTANT),
    );
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    assert!(
        made.stdout.contains("added    round-trip/unknown-event: "),
        "{}",
        made.stdout
    );
    assert_eq!(test(&list, MUTANT).code, 0);

    // What is written into it stays, and nothing is left to do.
    let text = folder.text("list.toml");
    let text = format!(
        "# What we know.\n\n# First of all:\n{}",
        text.replace(" drops", " always drops")
    );
    let _ = folder.write("list.toml", &text);
    for more in [&["--check"][..], &[]] {
        let again = update(&list, more, Some(MUTANT));
        assert_eq!(
            (again.code, again.stdout.as_str()),
            (0, "nothing to change\n")
        );
    }
    assert_eq!(folder.text("list.toml"), text);

    let checked = update(&list, &["--check"], None);
    assert_eq!(checked.code, 1, "{}", checked.stderr);
    assert_eq!(folder.text("list.toml"), text);
    let emptied = update(&list, &[], None);
    assert!(
        emptied
            .stdout
            .contains("removed  round-trip/unknown-event: passes"),
        "{}",
        emptied.stdout
    );
    assert_eq!(
        (emptied.code, folder.text("list.toml").as_str()),
        (0, "# What we know.\n\n")
    );
}

#[test]
fn a_report_will_do_if_it_is_about_everything() {
    let folder = ReportFolder::create();
    let _ = folder.run("whole.jsonl", &[], Some(MUTANT));
    let _ = folder.run("part.jsonl", SOME, Some(MUTANT));
    let (list, whole, part) = (
        folder.path("list.toml"),
        folder.path("whole.jsonl"),
        folder.path("part.jsonl"),
    );
    let rejected = chatstate(&["expect", "update", &list, "--from", &part], b"");
    assert_eq!(rejected.code, 3, "{}", rejected.stderr);
    assert!(
        rejected.stderr.contains("a part of the corpus"),
        "{}",
        rejected.stderr
    );
    assert!(!std::path::Path::new(&list).exists());
    let updated = chatstate(&["expect", "update", &list, "--from", &whole], b"");
    assert_eq!(updated.code, 0, "{}", updated.stderr);
    assert_eq!(test(&list, MUTANT).code, 0);
}

#[test]
fn what_fails_only_sometimes_is_rejected() {
    let folder = ReportFolder::create();
    let entry = "[[expect]]\ncase = \"round-trip/unknown-event\"\nreason = \"r\"\n";
    let list = folder.write("list.toml", entry);
    let program = chatstate_program().display();
    let good = format!("exec '{program}' adapter");
    let bad = format!("{good} --mutant {MUTANT}");
    // What fails and then passes, and what is listed, passes and then fails.
    for (name, first, then) in [("one", &bad, &good), ("two", &good, &bad)] {
        let file = format!("'{}'", folder.path(&format!("{name}.started")));
        let script = FIRST_AND_THEN.replace("FILE", &file);
        let script = script.replace("FIRST", first).replace("THEN", then);
        let script = folder.write(name, &script);
        let rejected = chatstate(&["expect", "update", &list, "--", "sh", &script], b"");
        assert_eq!(rejected.code, 3, "{}{}", rejected.stdout, rejected.stderr);
        let words = "failed and then passed";
        assert!(rejected.stderr.contains(words), "{}", rejected.stderr);
    }
    assert_eq!(folder.text("list.toml"), entry);
}

#[test]
fn nothing_to_go_by_is_wrong_usage() {
    let finished = chatstate(&["expect", "update", "list.toml"], b"");
    assert_eq!(finished.code, 2);
    let both = [
        "expect",
        "update",
        "list.toml",
        "--from",
        "run.jsonl",
        "--",
        "adapter",
    ];
    assert_eq!(chatstate(&both, b"").code, 2);
}

/// An entry of a list: what it says beside its reason, the exit code of a run with it, and what is told.
const ENTRIES: &[(&str, i32, &str)] = &[
    (
        "case = 'round-trip/unknown-event'\nfingerprint = 'kind-changed@*'",
        1,
        "result: 4 unexpected failures",
    ),
    (
        "case = 'round-trip/unknown-event'\nfingerprint = 'number-rounded@*'",
        1,
        "result: 5 unexpected failures",
    ),
    (
        "case = 'round-trip/unknown-event*'\nmax = 3",
        1,
        "would excuse 5 failures and may excuse 3",
    ),
    (
        "case = 'round-trip/unknown-event*'\nmax = 5",
        0,
        "result: as expected",
    ),
    (
        "case = 'round-trip/unknown-event*'\nwhen = { version = '>=0.1, <99' }",
        0,
        "result: as expected",
    ),
    (
        "case = 'round-trip/unknown-event*'\nwhen = { version = '>=99' }",
        1,
        "result: 5 unexpected failures",
    ),
    (
        "case = 'round-trip/unknown-event*'\nwhen = { os = 'plan9' }",
        1,
        "result: 5 unexpected failures",
    ),
    (
        "case = 'round-trip/unknown-event*'\nuntil = 2020-01-31",
        1,
        "had its last day",
    ),
    (
        "case = 'round-trip/unknown-event*'\nuntil = 2999-12-31",
        0,
        "result: as expected",
    ),
    (
        "case = 'round-trip/unknown-event*'\nwhen = { version = '>=x' }",
        2,
        "`>=x` is not a comparison of versions",
    ),
    ("case = 'round-trip/unknown-event*'\nmax = 0", 2, "line "),
];

#[test]
fn an_entry_excuses_what_it_says_and_no_more() {
    let folder = ReportFolder::create();
    let program = chatstate_program().display().to_string();
    for (entry, code, words) in ENTRIES {
        let list = folder.write("list.toml", &format!("[[expect]]\n{entry}\nreason = 'r'\n"));
        let mut arguments = vec!["test", "--expect", &list];
        arguments.extend(SOME);
        arguments.extend(["--", &program, "adapter", "--mutant", MUTANT]);
        let finished = chatstate(&arguments, b"");
        let said = format!("{}{}", finished.stdout, finished.stderr);
        assert_eq!(finished.code, *code, "{entry}\n{said}");
        assert!(said.contains(words), "{entry}: `{words}` is not in\n{said}");
    }
}
