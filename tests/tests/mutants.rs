//! The corpus notices every deliberate defect, by the cases that say so, and no defect where there
//! is none.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use chatstate_corpus::{Case, Expect};
use chatstate_runner::{
    AdapterCommand, CaseReport, Cause, Expectations, Options, Verdict, Work, run,
};
use chatstate_tests::embedded::{corpus, requirements};
use chatstate_tests::program::{chatstate, chatstate_program};

/// Every mutant, as `kills` and `chatstate adapter --mutant` spell it.
const MUTANTS: [&str; 81] = [
    "drop-unknown-member",
    "drop-unknown-variant",
    "null-for-absent",
    "absent-for-null",
    "inject-default",
    "round-integer",
    "accept-all",
    "reject-all",
    "wrong-reason",
    "replay-appends-to-last-message",
    "compact-does-nothing",
    "compact-loses-last-delta",
    "compact-swaps-messages",
    "compact-drops-metadata",
    "compact-joins-across-barriers",
    "compact-keeps-chunks",
    "compact-drops-open-item",
    "compact-ends-open-item",
    "compact-flushes-behind-the-end",
    "compact-drops-known-ids",
    "compact-folds-across-owners",
    "compact-joins-patches",
    "compact-drops-unknown-event",
    "compact-snapshot-of-last-message",
    "compact-stamps-each-pass",
    "attach-repeats-text",
    "attach-drops-open-item",
    "attach-forgets-earlier-runs",
    "replay-answers-for-removed",
    "replay-ignores-branches",
    "verify-accepts-open-item",
    "lineage-unsorted",
    "restore-accepts-empty",
    "restore-accepts-chat-in-use",
    "restore-refuses-enhanced",
    "restore-refuses-reduced",
    "restore-synchronizes-twice",
    "restore-never-synchronizes",
    "restore-reuses-late-state",
    "restore-drops-last-message",
    "restore-loses-participants",
    "restore-once-per-agent",
    "restore-keeps-last-state",
    "restore-needs-participants",
    "restore-skips-bad-channel",
    "save-keeps-unclaimed",
    "save-drops-unknown-members",
    "save-sorts-channels",
    "encode-url-safe",
    "encode-without-padding",
    "encode-as-written",
    "decode-takes-plain",
    "decode-repairs-base64",
    "decode-parses-text",
    "session-accepts-blank-key",
    "session-accepts-other-type",
    "session-accepts-shared-key",
    "session-begins-anew",
    "session-changes-copies",
    "session-drops-null-entries",
    "session-forgets-unknown-members",
    "session-ignores-factory",
    "session-overwrites-misfits",
    "session-reads-any-version",
    "session-takes-any-kind",
    "session-wants-tag-first",
    "convert-drops-extension",
    "convert-drops-unknown-item",
    "convert-hides-losses",
    "convert-invents-losses",
    "convert-calls-all-members",
    "convert-forgets-places",
    "convert-shuffles-losses",
    "convert-reads-empty-chat",
    "convert-escalates-role",
    "convert-parses-text",
    "convert-decodes-base64",
    "convert-rounds-numbers",
    "convert-drops-nulls",
    "convert-drops-data",
    "convert-swaps-ids",
];

/// Fewer cases that notice a defect are too few: one of them may go.
const LEAST_KILLS: usize = 3;

#[test]
fn the_list_is_complete() {
    let refused = chatstate(&["adapter", "--mutant", "no-such-mutant"], b"");
    assert_eq!(refused.code, 2);
    let said = refused
        .stderr
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let (_, listed) = said
        .split_once("the mutants are ")
        .expect("they are listed");
    let listed: BTreeSet<_> = listed.split(", ").collect();
    assert_eq!(listed, BTreeSet::from(MUTANTS));
}

#[test]
fn the_reference_has_no_failure() {
    let reports = judged(None, corpus().cases().iter().collect());
    assert_eq!(reports.len(), corpus().cases().len());
    for report in reports {
        let verdict = report.verdict;
        let fine = matches!(verdict, Verdict::Pass | Verdict::Recorded);
        assert!(
            fine,
            "`{}`: {} {:?}",
            report.id,
            verdict.as_str(),
            report.detail
        );
    }
}

#[test]
fn every_mutant_is_named_by_cases() {
    for mutant in MUTANTS {
        let count = cases_that_kill(mutant).len();
        assert!(
            count >= LEAST_KILLS,
            "{count} cases name `{mutant}` in `kills`; {LEAST_KILLS} are the least"
        );
    }
}

#[test]
fn cases_kill_what_they_name() {
    MUTANTS.into_iter().for_each(check);
}

/// Each case that names a mutant fails under it.
fn check(mutant: &str) {
    for report in judged(Some(mutant), cases_that_kill(mutant)) {
        assert!(
            report.verdict == Verdict::Fail,
            "`{}` names `{mutant}` in `kills`, but under it the verdict is {}",
            report.id,
            report.verdict.as_str()
        );
    }
}

#[test]
fn a_refusal_for_the_wrong_reason_fails() {
    let expects_refusal = |case: &&Case| matches!(case.expect, Some(Expect::Rejected(_)));
    let cases: Vec<_> = corpus().cases().iter().filter(expects_refusal).collect();
    for report in judged(Some("wrong-reason"), cases) {
        let cause = report.detail.map(|detail| detail.cause);
        assert_eq!(cause, Some(Cause::OtherReason), "`{}`", report.id);
    }
}

fn cases_that_kill(mutant: &str) -> Vec<&'static Case> {
    let cases = corpus().cases().iter();
    cases
        .filter(|case| case.kills.iter().any(|it| it == mutant))
        .collect()
}

/// Runs cases against the reference or one of its mutants. Canaries are left out, since they stop
/// the broadest defects before any case could notice.
fn judged(mutant: Option<&str>, cases: Vec<&Case>) -> Vec<CaseReport> {
    let mut arguments = vec!["adapter"];
    arguments.extend(mutant.iter().flat_map(|id| ["--mutant", id]));
    let command = AdapterCommand::new(chatstate_program(), arguments);
    let work = Work {
        command: &command,
        corpus: corpus(),
        cases,
        requirements: requirements(),
        expectations: &Expectations::default(),
    };
    let options = Options {
        canaries: false,
        reference: true,
        jobs: NonZeroUsize::MIN,
        // Much longer than any answer takes, also on a busy machine.
        timeout: Duration::from_mins(2),
        start_timeout: Duration::from_mins(2),
        ..Options::default()
    };
    let report = run(&work, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        report.not_judged.is_empty(),
        "not judged: {:?}",
        report.not_judged
    );
    report.cases
}
