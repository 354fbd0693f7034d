//! One run: start, ask, report, and ask once more for what failed.

use std::num::NonZeroUsize;
use std::time::Duration;

use chatstate_corpus::{Case, Corpus, Requirement};
use time::Date;

use crate::command::AdapterCommand;
use crate::expectations::Expectations;
use crate::judgement::Verdict;
use crate::plan::Plan;
use crate::report::{RunReport, SelectionName, summary};
use crate::session::{Session, StartError};

/// What to run against what.
#[derive(Debug, Clone)]
pub struct Work<'a> {
    /// The adapter.
    pub command: &'a AdapterCommand,
    /// The whole corpus; expected failures are matched against all of it.
    pub corpus: &'a Corpus,
    /// The selected cases.
    pub cases: Vec<&'a Case>,
    /// The requirements of SPEC.md, whose levels tell failures from warnings.
    pub requirements: &'a [Requirement],
    /// The known failures.
    pub expectations: &'a Expectations,
}

/// How to run.
#[derive(Debug, Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own, and all of them can be made together"
)]
pub struct Options {
    /// How many adapter processes run side by side.
    pub jobs: NonZeroUsize,
    /// How long an adapter may go without an answer.
    pub timeout: Duration,
    /// How long an adapter may take to answer `start`. Longer than `timeout`, because some install
    /// their SDK on first use.
    pub start_timeout: Duration,
    /// After so many cases that crash the adapter, hang it or break the protocol, the run stops.
    pub crash_budget: usize,
    /// Whether the run stops at the first failure that no list names.
    pub fail_fast: bool,
    /// Whether what failed is asked once more, by a new process, to tell what is not always so.
    pub rerun: bool,
    /// Whether the canaries come first. Only measurements turn them off.
    pub canaries: bool,
    /// Whether the reference is under test: its own cases apply, and it may leave nothing out.
    pub reference: bool,
    /// Which part of the corpus the cases are, for the report; absent for all of it.
    pub selection: Option<SelectionName>,
    /// The day on which expected failures are looked at; the present day when absent.
    pub today: Option<Date>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jobs: NonZeroUsize::MIN,
            timeout: Duration::from_secs(10),
            start_timeout: Duration::from_mins(1),
            crash_budget: 5,
            fail_fast: false,
            rerun: false,
            canaries: true,
            reference: false,
            selection: None,
            today: None,
        }
    }
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// The adapter has introduced itself; so many cases apply to it.
    Started {
        /// The report as far as it is known: whom it is about, and no case yet.
        beginning: &'a RunReport,
        /// How many cases will be asked.
        cases: usize,
    },
    /// So many calls have an outcome.
    Judged {
        /// How many have one.
        done: usize,
        /// How many will have one, as far as it is known: laws need further calls.
        total: usize,
    },
}

/// Runs the cases and gives the report.
///
/// # Errors
///
/// When the adapter does not start or does not shake hands, before anything is judged. Whatever
/// happens later is part of the report.
pub fn run(
    work: &Work<'_>,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<RunReport, StartError> {
    let session = Session::start(work.command, options.start_timeout, options.timeout)?;
    let introduction = session.introduction().clone();
    let plan = Plan::new(work, options, &introduction);
    let beginning = plan.beginning(&introduction);
    progress(Progress::Started {
        beginning: &beginning,
        cases: plan.calls.len() - plan.canaries.len(),
    });
    let answers = plan.ask(work.command, options, session, progress);
    let mut report = plan.report(answers, beginning);
    if options.rerun {
        run_again(work, options, &mut report);
    }
    Ok(report)
}

/// Asks once more, in a new process, for what failed although no list names it. A case that fails and then
/// does not is flaky: the adapter keeps something between requests, or works against a clock.
fn run_again(work: &Work<'_>, options: &Options, report: &mut RunReport) {
    if report.canary.is_some() || report.incomplete.is_some() || report.unexpected() == 0 {
        return;
    }
    let fails = |id: &str| {
        report
            .cases
            .iter()
            .any(|it| it.id == id && it.verdict.is_failure())
    };
    let cases: Vec<_> = work
        .cases
        .iter()
        .copied()
        .filter(|it| fails(&it.id))
        .collect();
    let again = Options {
        // Each may break the adapter once more.
        crash_budget: cases.len() + 1,
        canaries: false,
        fail_fast: false,
        rerun: false,
        ..options.clone()
    };
    let work = Work {
        cases,
        ..work.clone()
    };
    // An adapter that does not start any more leaves the verdicts as they are.
    let Ok(second) = run(&work, &again, &mut |_| {}) else {
        return;
    };
    for case in &mut report.cases {
        let other = second.cases.iter().find(|it| it.id == case.id);
        if let Some(other) =
            other.filter(|it| case.verdict.is_failure() && !it.verdict.is_failure())
        {
            case.again = Some(other.verdict);
            case.verdict = Verdict::Flaky;
        }
    }
    report.summary = summary(&report.cases);
}
