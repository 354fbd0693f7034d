//! What becomes of a list of expected failures after a run, line by line.

use chatstate_corpus::{Corpus, VERSION, load_dir};
use chatstate_runner::{
    CaseReport, Cause, CorpusName, Detail, Expectations, Grouping, Incomplete, ListUpdate,
    RunReport, SelectionName, UpdateError, Verdict, list_changes, update_list,
};

/// Six cases, of which the last two have a suite of their own.
const CASES: [&str; 6] = ["one/a", "one/b", "one/c", "one/d", "two/e", "two/f"];

fn corpus() -> Corpus {
    let case = |id: &str| {
        let text = format!(
            r#"{{ "title": "{id}", "requirements": ["a.must"], "why": "it matters", "op": "canonicalize",
                 "input": 1, "expect": {{ "ok": "1" }}, "since": "1", "aliases": ["old/{id}"] }}"#
        );
        (format!("{id}.json"), text.into_bytes())
    };
    load_dir(VERSION, CASES.map(case)).expect("the cases are well-formed")
}

/// What came of a case: its verdict, and its fingerprint if it fails.
type Result<'a> = (&'a str, Verdict, &'a str);

/// The report of a run in which all cases pass but these.
fn run(corpus: &Corpus, results: &[Result<'_>]) -> RunReport {
    let report = |id: &&str| {
        let result = results.iter().find(|(case, ..)| case == id);
        let (_, verdict, fingerprint) = *result.unwrap_or(&(id, Verdict::Pass, ""));
        let detail = Detail {
            outcome: None,
            cause: Cause::DifferentValue,
            expected: None,
            got: None,
            written_back: None,
            differences: Vec::new(),
            laws: Vec::new(),
            fingerprint: Some(fingerprint.to_owned()),
            expected_because: None,
            expected_at: None,
        };
        CaseReport {
            id: (*id).to_owned(),
            file: None,
            verdict,
            again: None,
            requirements: vec!["a.must".to_owned()],
            input: None,
            detail: (verdict != Verdict::Pass).then_some(detail),
            uncompared: Vec::new(),
            title: String::new(),
            why: String::new(),
        }
    };
    let mut run = RunReport {
        corpus: CorpusName {
            version: corpus.version().to_owned(),
            digest: corpus.digest().to_owned(),
        },
        cases: CASES.iter().map(report).collect(),
        ..RunReport::default()
    };
    "1.4.0".clone_into(&mut run.implementation.version);
    run
}

fn update(list: &str, report: &RunReport) -> std::result::Result<ListUpdate, UpdateError> {
    update_list(
        "list.toml",
        list,
        (report, &corpus()),
        None,
        None,
        Grouping::Each,
    )
}

/// A list becomes another one, which needs no change any more and excuses all that fails.
fn check(before: &str, results: &[Result<'_>], after: &str, says: &[&str]) {
    let corpus = corpus();
    let run = run(&corpus, results);
    let updated = update(before, &run).expect("the list can be used");
    assert_eq!(updated.text, after);
    let said = list_changes::render(&updated);
    for words in says {
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
    let again = update(after, &run).expect("the list can be used");
    assert_eq!(again.text, after, "a second time");
    Expectations::parse("list.toml", after).expect("the list can be used");
}

const A: &str = "[[expect]]\ncase = \"one/a\"\nreason = \"r\"\nfingerprint = \"kind@/a\"\n";
const FAILS: Verdict = Verdict::Fail;

#[test]
fn what_fails_as_listed_stays_as_it_is_written() {
    let list = "# About `this` SDK.\n\n# The first.\n[[expect]] # here\nreason = 'r'   # why\n\
        case   = 'one/a'\nuntil = 2099-01-01\n\n\n[[expect]]\ncase = \"two/*\"\nreason = \"\"\"\nlong\"\"\"\n\
        when = { os = '*', version = \">=1, <2\" }\n# the end\n";
    check(
        list,
        &[
            ("one/a", FAILS, "kind@/x"),
            ("two/e", Verdict::Warn, "kind@"),
            ("two/f", Verdict::ExpectedFailure, "other"),
        ],
        list,
        &["nothing to change"],
    );
}

#[test]
fn what_fails_and_is_not_listed_comes_at_the_end() {
    let b = "[[expect]]\ncase = \"one/b\"\nreason = \"to be explained: the answer has another value\"\n\
        fingerprint = 'kind@/\"b'\n";
    check(
        "",
        &[("one/b", FAILS, "kind@/\"b")],
        b,
        &["added    one/b: kind@/\"b", "1 change"],
    );
    let list = format!("# Nothing yet.\n\n{b}");
    check(
        "# Nothing yet.\n",
        &[("one/b", FAILS, "kind@/\"b")],
        &list,
        &[],
    );
    let results = [("one/a", FAILS, "kind@/a"), ("one/b", FAILS, "kind@/\"b")];
    check(A, &results, &format!("{A}\n{b}"), &[]);
    // A SHOULD and a rejection without a class fail no run.
    let results = [
        ("one/a", Verdict::Warn, "k"),
        ("one/b", Verdict::Unclassified, "k"),
    ];
    check("", &results, "", &["nothing to change"]);
}

#[test]
fn what_passes_or_is_not_there_goes_with_its_own_comments() {
    let list = format!(
        "# The list.\n\n# about a\n{A}\n# Section two.\n\n# about no case\n[[expect]]\ncase = \"one/none\"\nreason = \"r\"\n\
         \n# about e\n[[expect]]\ncase = \"two/e\"\nreason = \"r\" # stays\n"
    );
    check(
        &list,
        &[("two/e", FAILS, "k")],
        "# The list.\n\n# Section two.\n\n# about e\n[[expect]]\ncase = \"two/e\"\nreason = \"r\" # stays\n",
        &[
            "removed  one/a: passes",
            "removed  one/none: matches no case",
            "2 changes",
        ],
    );
    check(A, &[], "", &["removed  one/a"]);
    check(&format!("# The list.\n\n{A}"), &[], "# The list.\n\n", &[]);
    check(
        A,
        &[("one/a", Verdict::Skip, "")],
        "",
        &["is skipped or never scored"],
    );
}

#[test]
fn another_failure_changes_the_fingerprint_alone() {
    let list = "[[expect]]\nfingerprint = 'kind@/a' # so\ncase = \"one/a\"\nreason = \"r\"\n";
    check(
        list,
        &[("one/a", FAILS, "crashed")],
        "[[expect]]\nfingerprint = \"crashed\" # so\ncase = \"one/a\"\nreason = \"r\"\n",
        &["changed  one/a: kind@/a -> crashed; see whether the reason is still true"],
    );
    // Of two entries for one case, the one that says how it fails stays.
    let other = A.replace("kind@/a", "other@/a");
    let results = [("one/a", FAILS, "kind@/a")];
    check(
        &format!("{other}\n{A}"),
        &results,
        A,
        &["another entry names it"],
    );
    check(
        &format!("{A}\n{A}"),
        &results,
        A,
        &["another entry names it"],
    );
}

#[test]
fn earlier_ids_are_known() {
    let list = A.replace("one/a", "old/one/a");
    check(
        &list,
        &[("one/a", FAILS, "kind@/a")],
        &list,
        &["nothing to change"],
    );
}

#[test]
fn a_pattern_of_which_a_part_passes_is_split() {
    let list = "# both\n[[expect]]\nissue = \"#7\" # open\ncase = \"two/*\"\nreason = \"r\"\n\n\
        [expect.when]\nos = \"*\"\n\n[[expect]]\ncase = \"one/a\"\nreason = \"r\"\n";
    let one = |case: &str, kind: &str| {
        format!(
            "[[expect]]\ncase = \"{case}\"\nissue = \"#7\" # open\nreason = \"r\"\nfingerprint = \"{kind}\"\n\n\
             [expect.when]\nos = \"*\"\n"
        )
    };
    let rest = "\n[[expect]]\ncase = \"one/a\"\nreason = \"r\"\n";
    check(
        list,
        &[("one/a", FAILS, "k"), ("two/f", FAILS, "k")],
        &format!("# both\n{}{rest}", one("two/f", "k")),
        &["split    two/*: now an entry for each of 1 failure"],
    );
    let many = "[[expect]]\nrequirement = \"a.must\"\nreason = \"r\"\nmax = 1\n";
    let results = [("one/a", FAILS, "k"), ("two/f", FAILS, "l")];
    let entry = |case: &str, kind: &str| {
        format!("[[expect]]\ncase = \"{case}\"\nreason = \"r\"\nfingerprint = \"{kind}\"\n")
    };
    let split = format!("{}\n{}", entry("one/a", "k"), entry("two/f", "l"));
    check(
        many,
        &results,
        &split,
        &["split    a.must: now an entry for each of 2 failures"],
    );
}

#[test]
fn entries_for_others_stay() {
    let list = "[[expect]]\ncase = \"one/a\"\nreason = \"r\"\nwhen.version = \">=2\"\n";
    check(list, &[], list, &["nothing to change"]);
}

#[test]
fn a_last_day_is_nothing_that_a_program_moves() {
    let list = "[[expect]]\ncase = \"one/a\"\nreason = \"r\"\nuntil = 2020-01-01\n";
    let results = [("one/a", FAILS, "k")];
    check(
        list,
        &results,
        list,
        &["left     one/a: had its last day", "nothing to change"],
    );
    check(list, &[], "", &["removed  one/a: passes"]);
}

#[test]
fn a_run_that_does_not_tell_enough_is_rejected() {
    let corpus = corpus();
    let check = |change: fn(&mut RunReport), words: &str| {
        let mut run = run(&corpus, &[("one/a", FAILS, "k")]);
        change(&mut run);
        let error = update(A, &run).expect_err(words).to_string();
        assert!(error.contains(words), "`{words}` is not in: {error}");
    };
    check(
        |run| {
            run.selection = Some(SelectionName {
                only: vec!["one/*".to_owned()],
                ..SelectionName::default()
            });
        },
        "a part of the corpus",
    );
    check(|run| run.corpus.digest.clear(), "another corpus");
    check(
        |run| run.incomplete = Some(Incomplete::CrashBudgetSpent(5)),
        "incomplete",
    );
    check(
        |run| run.not_judged.push("one/a".to_owned()),
        "without a verdict: 1",
    );
    check(
        |run| run.cases[1].verdict = Verdict::Flaky,
        "failed and then passed (one/b)",
    );
    let inline = update(
        "expect = [{ case = 'one/a', reason = 'r' }]",
        &run(&corpus, &[]),
    );
    let error = inline.expect_err("the entries are no tables").to_string();
    assert!(error.contains("write each as a table"), "{error}");
}
