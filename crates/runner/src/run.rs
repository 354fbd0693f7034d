//! One run: start, ask, report, and ask once more for what failed.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use chatstate_corpus::{Case, Corpus, Requirement};
use time::Date;

use crate::command::AdapterCommand;
use crate::executor::{AnswerSource, Executor};
use crate::expectations::Expectations;
use crate::judgement::Verdict;
use crate::plan::Plan;
use crate::report::{CorpusName, RunReport, SelectionName, summary};
use crate::session::{AdapterSession, StartError};
use crate::transcript::{About, Exchange, Player, Transcript};

/// What to run against what.
#[derive(Debug, Clone)]
pub struct RunWork<'a> {
    /// The adapter.
    pub command: &'a AdapterCommand,
    /// The whole corpus; expected failures are matched against all of it.
    pub corpus: &'a Corpus,
    /// The selected cases.
    pub cases: Vec<&'a Case>,
    /// The requirements of SPEC.md, whose levels distinguish failures from warnings.
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
pub struct RunOptions {
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
    /// Whether what failed is asked once more, by a new process, to find what does not always
    /// happen.
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

impl Default for RunOptions {
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
pub enum RunProgress<'a> {
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
        /// How many will have one, as far as it is known: some cases need further calls.
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
    work: &RunWork<'_>,
    options: &RunOptions,
    progress: &mut dyn FnMut(RunProgress<'_>),
) -> Result<RunReport, StartError> {
    let (report, _) = ask_adapter(work, options, false, progress)?;
    Ok(report)
}

/// Like [`run`], and also gives all that was asked, so that it can be judged again.
///
/// # Errors
///
/// As for [`run`].
pub fn record(
    work: &RunWork<'_>,
    options: &RunOptions,
    progress: &mut dyn FnMut(RunProgress<'_>),
) -> Result<(RunReport, Transcript), StartError> {
    ask_adapter(work, options, true, progress)
}

/// Judges what a transcript says that an adapter answered. Nothing is started, the command of `work` is
/// not looked at, and cases that the transcript does not hold are not judged.
pub fn replay(
    work: &RunWork<'_>,
    options: &RunOptions,
    transcript: &Transcript,
    progress: &mut dyn FnMut(RunProgress<'_>),
) -> RunReport {
    let mut player = Player::new(transcript);
    let about = &transcript.about;
    let once = |work: &RunWork<'_>,
                options: &RunOptions,
                player: &mut Player<'_>,
                progress: &mut dyn FnMut(RunProgress<'_>)| {
        let source = AnswerSource::Transcript(player);
        let (report, _) = ask(work, options, about, source, false, progress);
        RunReport {
            replayed: true,
            ..report
        }
    };
    let mut report = once(work, options, &mut player, progress);
    if let Some((cases, options)) = again(work, options, &report) {
        let work = RunWork {
            cases,
            ..work.clone()
        };
        let second = once(&work, &options, &mut player, &mut |_| {});
        take_second(&mut report, &second);
    }
    report
}

fn ask_adapter(
    work: &RunWork<'_>,
    options: &RunOptions,
    keep: bool,
    progress: &mut dyn FnMut(RunProgress<'_>),
) -> Result<(RunReport, Transcript), StartError> {
    let start = |options: &RunOptions| {
        AdapterSession::start(work.command, options.start_timeout, options.timeout)
    };
    let session = start(options)?;
    let about = About {
        introduction: session.introduction().clone(),
        adapter: (!options.reference).then(|| work.command.to_string()),
        os: std::env::consts::OS.to_owned(),
        kit: env!("CARGO_PKG_VERSION").to_owned(),
        corpus: CorpusName {
            version: work.corpus.version().to_owned(),
            digest: work.corpus.digest().to_owned(),
        },
    };
    let source = AnswerSource::Adapter(work.command, Some(Box::new(session)));
    let (mut report, mut exchanges) = ask(work, options, &about, source, keep, progress);
    // An adapter that does not start any more leaves the verdicts as they are.
    if let Some((cases, options)) = again(work, options, &report)
        && let Ok(session) = start(&options)
    {
        let work = RunWork {
            cases,
            ..work.clone()
        };
        let source = AnswerSource::Adapter(work.command, Some(Box::new(session)));
        let (second, further) = ask(&work, &options, &about, source, keep, &mut |_| {});
        take_second(&mut report, &second);
        exchanges.extend(further);
    }
    Ok((report, Transcript::new(about, exchanges)))
}

/// Asks everything once.
fn ask(
    work: &RunWork<'_>,
    options: &RunOptions,
    about: &About,
    source: AnswerSource<'_, '_>,
    keep: bool,
    progress: &mut dyn FnMut(RunProgress<'_>),
) -> (RunReport, Vec<Exchange>) {
    let (plan, calls) = Plan::new(work, options, about);
    let beginning = plan.beginning();
    progress(RunProgress::Started {
        beginning: &beginning,
        cases: calls.len() - plan.canaries.len(),
    });
    let mut answers = Executor::new(&plan, calls, source, keep).ask(progress);
    let exchanges = std::mem::take(&mut answers.exchanges);
    (plan.report(answers, beginning), exchanges)
}

/// What is to be asked once more, in a new process: what failed although no list names it. A case that
/// fails and then does not is flaky: the adapter keeps something between requests, or works against a
/// clock.
fn again<'a>(
    work: &RunWork<'a>,
    options: &RunOptions,
    report: &RunReport,
) -> Option<(Vec<&'a Case>, RunOptions)> {
    let scored = report.canary.is_none() && report.incomplete.is_none();
    if !options.rerun || !scored || report.unexpected() == 0 {
        return None;
    }
    let failed = report.cases.iter().filter(|it| it.verdict.is_failure());
    let failed: BTreeSet<_> = failed.map(|it| it.id.as_str()).collect();
    let cases = work.cases.iter().copied();
    let cases: Vec<_> = cases.filter(|it| failed.contains(it.id.as_str())).collect();
    let options = RunOptions {
        // Each may break the adapter once more.
        crash_budget: cases.len() + 1,
        canaries: false,
        fail_fast: false,
        rerun: false,
        ..options.clone()
    };
    Some((cases, options))
}

/// Calls what failed first and not at the second time flaky.
fn take_second(report: &mut RunReport, second: &RunReport) {
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
