//! One run: start, canaries, cases, judgements, expected failures, report.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use chatstate_adapter::{StartReply, vocabulary};
use chatstate_corpus::{Case, Corpus, Level, Requirement};
use time::{Date, OffsetDateTime};

use crate::call::Call;
use crate::canary::{self, Canary, CanaryFailure};
use crate::command::AdapterCommand;
use crate::dialect::{self, Prepared};
use crate::expectations::Expectations;
use crate::judge;
use crate::judgement::{Bar, Judgement, Verdict};
use crate::kit::schema_digests;
use crate::outcome::Outcome;
use crate::report::{CaseReport, CorpusName, Incomplete, RunReport, SelectionName, summary};
use crate::session::{Session, StartError};
use crate::worker::{Outcomes, Shared, Worker};

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
    Ok(plan.report(answers, beginning))
}

/// What is to be asked, worked out before anything is.
struct Plan<'a> {
    work: &'a Work<'a>,
    options: &'a Options,
    /// The dialect of the adapter, if it has one of its own.
    dialect: Option<String>,
    canaries: Vec<Canary>,
    /// The calls of the canaries, then those of the cases that apply.
    calls: Vec<Call>,
    /// For each selected case its call, or the judgement of one that does not apply.
    asked: Vec<Result<usize, Judgement>>,
}

/// What was asked, and what came of it.
struct Answers {
    /// The calls of the plan, then those that laws needed further.
    calls: Vec<Call>,
    outcomes: Vec<Option<Outcome>>,
    /// For each selected case its calls, in the order in which they were planned.
    of_cases: Vec<Vec<usize>>,
    /// How many calls may yet break the adapter.
    crash_budget: usize,
    canary: Option<CanaryFailure>,
    stopped: Option<Incomplete>,
}

impl Answers {
    /// The outcomes of a case, or nothing where one is missing.
    fn of_case(&self, case: usize) -> Option<Vec<Outcome>> {
        let calls = self.of_cases[case].iter();
        calls.map(|call| self.outcomes[*call].clone()).collect()
    }

    fn take_in(&mut self, found: impl Iterator<Item = Outcomes>) {
        for (call, outcome) in found.flatten() {
            self.outcomes[call] = Some(outcome);
        }
    }
}

impl<'a> Plan<'a> {
    fn new(work: &'a Work<'a>, options: &'a Options, introduction: &StartReply) -> Self {
        let canaries = if options.canaries {
            canary::canaries(introduction)
        } else {
            Vec::new()
        };
        let calls = canaries.iter().map(|canary| canary.call.clone()).collect();
        let mut plan = Self {
            work,
            options,
            dialect: introduction.dialect.clone(),
            canaries,
            calls,
            asked: Vec::new(),
        };
        for case in &work.cases {
            plan.plan(case, &introduction.capabilities);
        }
        plan
    }

    /// Plans the call of a case, or judges the case where there is nothing to ask.
    fn plan(&mut self, case: &Case, capabilities: &[String]) {
        let skipped = judge::not_applicable(case, capabilities, self.options.reference);
        let asked = if let Some(judgement) = skipped {
            Err(judgement)
        } else {
            match dialect::prepare(self.dialect.as_deref(), Call::of_case(case)) {
                Prepared::Ask(call) => {
                    self.calls.push(call);
                    Ok(self.calls.len() - 1)
                }
                Prepared::Known(outcome) => Err(judge::judge(case, &[outcome], self.bar(case))),
                Prepared::NotApplicable(reason) => Err(judge::skipped(reason)),
            }
        };
        self.asked.push(asked);
    }

    /// Asks the canaries first, and the cases only when all canaries live.
    fn ask(
        &self,
        command: &AdapterCommand,
        options: &Options,
        session: Session,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Answers {
        let calls = self.asked.iter();
        let mut answers = Answers {
            calls: self.calls.clone(),
            outcomes: vec![None; self.calls.len()],
            of_cases: calls.map(|call| call.iter().copied().collect()).collect(),
            crash_budget: options.crash_budget,
            canary: None,
            stopped: None,
        };
        let session = self.ask_canaries(command, session, &mut answers);
        answers.canary = self.failed_canary(&answers);
        if answers.canary.is_none() && answers.stopped.is_none() {
            let cases = self.canaries.len()..self.calls.len();
            self.ask_cases(command, session, cases, &mut answers, progress);
            self.translate(&mut answers);
            self.ask_further(command, &mut answers, progress);
            // An adapter that answers a canary again later gives itself away only now.
            answers.canary = self.failed_canary(&answers);
        }
        answers
    }

    /// Puts the answers to cases in the canonical form.
    fn translate(&self, answers: &mut Answers) {
        let Some(name) = &self.dialect else {
            return;
        };
        for (case, asked) in self.work.cases.iter().zip(&self.asked) {
            let Ok(place) = *asked else {
                continue;
            };
            let (case, asked) = (Call::of_case(case), &self.calls[place]);
            let outcome = answers.outcomes[place].take();
            answers.outcomes[place] = outcome.map(|it| dialect::answered(name, &case, asked, it));
        }
    }

    /// One canary that breaks the adapter is enough to know.
    fn ask_canaries(
        &self,
        command: &AdapterCommand,
        session: Session,
        answers: &mut Answers,
    ) -> Option<Session> {
        let timeouts = (self.options.start_timeout, self.options.timeout);
        let (results, found) = mpsc::channel();
        let shared = Shared::new(command, timeouts, &self.calls, 0..self.canaries.len(), 1);
        let mut worker = Worker::new(&shared, results, Some(session));
        let restarted = worker.work();
        let session = worker.into_session();
        answers.take_in(found.try_iter());
        answers.stopped = restarted.err().as_ref().map(could_not_restart);
        session
    }

    fn failed_canary(&self, answers: &Answers) -> Option<CanaryFailure> {
        let outcomes = &answers.outcomes[..self.canaries.len()];
        let judged = canary::judge(&self.canaries, outcomes);
        judged.filter(|_| self.options.canaries)
    }

    /// Asks what laws need, round by round, until they need nothing more.
    fn ask_further(
        &self,
        command: &AdapterCommand,
        answers: &mut Answers,
        progress: &mut dyn FnMut(Progress<'_>),
    ) {
        while answers.stopped.is_none() {
            let first = answers.calls.len();
            for (place, case) in self.work.cases.iter().enumerate() {
                let outcomes = answers.of_case(place).unwrap_or_default();
                if outcomes.is_empty() {
                    continue;
                }
                for call in judge::further_calls(case, &outcomes) {
                    answers.of_cases[place].push(answers.calls.len());
                    answers.calls.push(call);
                    answers.outcomes.push(None);
                }
            }
            let range = first..answers.calls.len();
            if range.is_empty() {
                return;
            }
            self.ask_cases(command, None, range, answers, progress);
        }
    }

    /// Works off calls with as many workers as asked for, the first with the started session.
    fn ask_cases(
        &self,
        command: &AdapterCommand,
        session: Option<Session>,
        range: Range<usize>,
        answers: &mut Answers,
        progress: &mut dyn FnMut(Progress<'_>),
    ) {
        let options = self.options;
        let timeouts = (options.start_timeout, options.timeout);
        let count = range.len();
        let calls = std::mem::take(&mut answers.calls);
        let budget = answers.crash_budget;
        let shared = Shared::new(command, timeouts, &calls, range.clone(), budget);
        let (results, found) = mpsc::channel();
        let ends: Vec<Result<(), StartError>> = thread::scope(|scope| {
            let mut session = session;
            let mut workers = Vec::new();
            for _ in 0..options.jobs.get().min(count.max(1)) {
                let mut worker = Worker::new(&shared, results.clone(), session.take());
                workers.push(scope.spawn(move || {
                    let end = worker.work();
                    worker.finish();
                    end
                }));
            }
            drop(results);
            let first = self.canaries.len();
            follow(&found, &mut answers.outcomes, first, range, progress);
            // A worker that panicked is a bug of ours, and not an adapter's failure.
            let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let failed_start = ends.into_iter().find_map(Result::err);
        answers.stopped = failed_start.as_ref().map(could_not_restart).or_else(|| {
            let spent = shared.budget_is_spent();
            spent.then_some(Incomplete::CrashBudgetSpent(options.crash_budget))
        });
        answers.crash_budget = shared.budget_left();
        answers.calls = calls;
    }

    /// The report before anything is judged.
    fn beginning(&self, introduction: &StartReply) -> RunReport {
        let Work {
            command, corpus, ..
        } = self.work;
        RunReport {
            implementation: introduction.implementation.clone(),
            capabilities: introduction.capabilities.clone(),
            adapter: (!self.options.reference).then(|| command.to_string()),
            os: std::env::consts::OS.to_owned(),
            kit: env!("CARGO_PKG_VERSION").to_owned(),
            corpus: CorpusName {
                version: corpus.version().to_owned(),
                digest: corpus.digest().to_owned(),
            },
            schemas: schema_digests(),
            selection: self.options.selection.clone(),
            summary: summary(&[]),
            unknown_capabilities: unknown_capabilities(introduction),
            ..RunReport::default()
        }
    }

    fn report(&self, answers: Answers, beginning: RunReport) -> RunReport {
        let Work {
            corpus,
            expectations,
            ..
        } = self.work;
        let (mut cases, mut not_judged) = (Vec::new(), Vec::new());
        if answers.canary.is_none() {
            (cases, not_judged) = self.judge(&answers);
        }
        let Answers {
            canary, stopped, ..
        } = answers;
        let today = self.options.today;
        let today = today.unwrap_or_else(|| OffsetDateTime::now_utc().date());
        let stale = if canary.is_none() {
            expectations.apply(corpus, &beginning.implementation, today, &mut cases)
        } else {
            Vec::new()
        };
        let incomplete = incomplete(&cases, &not_judged, stopped);
        RunReport {
            summary: summary(&cases),
            cases,
            incomplete: incomplete.filter(|_| canary.is_none()),
            canary,
            not_judged,
            stale,
            ..beginning
        }
    }

    /// Judges every selected case that has all its outcomes or does not apply; the others are named.
    fn judge(&self, answers: &Answers) -> (Vec<CaseReport>, Vec<String>) {
        let (mut reports, mut not_judged) = (Vec::new(), Vec::new());
        for (place, (case, asked)) in self.work.cases.iter().zip(&self.asked).enumerate() {
            let judgement = match asked {
                Err(judgement) => Some(judgement.clone()),
                Ok(_) => answers
                    .of_case(place)
                    .filter(|outcomes| judge::further_calls(case, outcomes).is_empty())
                    .map(|outcomes| judge::judge(case, &outcomes, self.bar(case))),
            };
            match judgement {
                Some(judgement) => reports.push(case_report(case, judgement)),
                None => not_judged.push(case.id.clone()),
            }
        }
        (reports, not_judged)
    }

    /// A case for the reference alone binds it fully, and so does an unknown requirement, which the
    /// lint of the corpus reports.
    fn bar(&self, case: &Case) -> Bar {
        let levels = self.work.requirements.iter();
        let levels = levels.filter(|requirement| case.requirements.contains(&requirement.id));
        let level = levels.map(|it| it.level).min().unwrap_or(Level::Must);
        Bar {
            level: if case.reference_only() {
                Level::Must
            } else {
                level
            },
            reference: self.options.reference,
        }
    }
}

fn could_not_restart(error: &StartError) -> Incomplete {
    Incomplete::CouldNotRestart(error.to_string())
}

/// Takes in outcomes until every worker is done, and says how far all calls have come since `first`.
fn follow(
    found: &Receiver<Outcomes>,
    outcomes: &mut [Option<Outcome>],
    first: usize,
    range: Range<usize>,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    let total = range.end - first;
    let mut done = range.start - first;
    for batch in found {
        for (call, outcome) in batch {
            let before = outcomes[call].replace(outcome);
            done += usize::from(before.is_none() && range.contains(&call));
        }
        progress(Progress::Judged { done, total });
    }
}

fn case_report(case: &Case, judgement: Judgement) -> CaseReport {
    CaseReport {
        id: case.id.clone(),
        verdict: judgement.verdict,
        requirements: case.requirements.clone(),
        detail: judgement.detail,
        uncompared: judgement.uncompared,
        title: case.title.clone(),
        why: case.why.clone(),
    }
}

/// A spent budget matters only when it left cases behind; no case and nothing but skips are as
/// little worth as a run that stopped.
fn incomplete(
    cases: &[CaseReport],
    not_judged: &[String],
    stopped: Option<Incomplete>,
) -> Option<Incomplete> {
    if !not_judged.is_empty() {
        return stopped;
    }
    if cases.is_empty() {
        return Some(Incomplete::NothingSelected);
    }
    let skipped = cases.iter().all(|case| case.verdict == Verdict::Skip);
    skipped.then_some(Incomplete::EverythingSkipped)
}

fn unknown_capabilities(introduction: &StartReply) -> Vec<String> {
    let known = |word: &&String| vocabulary::capabilities().any(|it| it == word.as_str());
    let declared = introduction.capabilities.iter();
    declared.filter(|word| !known(word)).cloned().collect()
}
