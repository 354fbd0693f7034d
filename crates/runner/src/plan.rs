//! What is to be asked of an adapter, the asking, and the judgement of what came back.

use std::ops::Range;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use chatstate_adapter::{ImplementationName, StartReply, vocabulary};
use chatstate_corpus::{Case, Level};
use time::{Date, OffsetDateTime};

use crate::call::Call;
use crate::canary::{self, Canary, CanaryFailure};
use crate::command::AdapterCommand;
use crate::dialect::{self, Prepared};
use crate::judge;
use crate::judgement::{Bar, Judgement, Verdict};
use crate::kit::schema_digests;
use crate::outcome::Outcome;
use crate::report::{CaseReport, CorpusName, Incomplete, RunReport, summary};
use crate::run::{Options, Progress, Work};
use crate::session::{Session, StartError};
use crate::worker::{Outcomes, Shared, Worker};

/// What is to be asked, worked out before anything is.
pub(crate) struct Plan<'a> {
    work: &'a Work<'a>,
    options: &'a Options,
    implementation: ImplementationName,
    /// The dialect of the adapter, if it has one of its own.
    dialect: Option<String>,
    pub(crate) canaries: Vec<Canary>,
    /// The calls of the canaries, then those of the cases that apply.
    pub(crate) calls: Vec<Call>,
    /// For each selected case its call, or the judgement of one that does not apply.
    asked: Vec<Result<usize, Judgement>>,
}

/// What was asked, and what came of it.
pub(crate) struct Answers {
    /// The calls of the plan, then those that laws needed further.
    calls: Vec<Call>,
    outcomes: Vec<Option<Outcome>>,
    /// For each selected case its calls, in the order in which they were planned.
    of_cases: Vec<Vec<usize>>,
    /// How many calls may yet break the adapter.
    crash_budget: usize,
    canary: Option<CanaryFailure>,
    stopped: Option<Incomplete>,
    /// Whether the answers of the first round are in the canonical form.
    translated: bool,
}

impl Answers {
    /// The outcomes of a case, or nothing where one is missing.
    fn of_case(&self, case: usize) -> Option<Vec<Outcome>> {
        let calls = self.of_cases[case].iter();
        calls.map(|call| self.outcomes[*call].clone()).collect()
    }

    /// Takes in outcomes, and gives how many calls had none before.
    fn take_in(&mut self, found: Outcomes) -> usize {
        let mut new = 0;
        for (call, outcome) in found {
            new += usize::from(self.outcomes[call].replace(outcome).is_none());
        }
        new
    }
}

impl<'a> Plan<'a> {
    pub(crate) fn new(work: &'a Work<'a>, options: &'a Options, introduction: &StartReply) -> Self {
        let canaries = if options.canaries {
            canary::canaries(introduction)
        } else {
            Vec::new()
        };
        let calls = canaries.iter().map(|canary| canary.call.clone()).collect();
        let mut plan = Self {
            work,
            options,
            implementation: introduction.implementation.clone(),
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
    pub(crate) fn ask(
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
            translated: false,
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
        answers.translated = true;
        for place in 0..self.asked.len() {
            let Ok(call) = self.asked[place] else {
                continue;
            };
            let outcome = answers.outcomes[call].take();
            answers.outcomes[call] = outcome.map(|it| self.translated(place, it));
        }
    }

    /// The answer to the first call of a case in the canonical form.
    fn translated(&self, place: usize, outcome: Outcome) -> Outcome {
        match (&self.dialect, &self.asked[place]) {
            (Some(name), Ok(asked)) => {
                let case = Call::of_case(self.work.cases[place]);
                dialect::answered(name, &case, &self.calls[*asked], outcome)
            }
            _ => outcome,
        }
    }

    /// Whether one of the cases that these calls belong to fails, and no list names it.
    fn any_fails(&self, calls: &[usize], answers: &Answers) -> bool {
        let mut places = answers.of_cases.iter().enumerate();
        places.any(|(place, of_case)| {
            of_case.iter().any(|call| calls.contains(call)) && self.fails(place, answers)
        })
    }

    fn fails(&self, place: usize, answers: &Answers) -> bool {
        let Some(mut outcomes) = answers.of_case(place) else {
            return false;
        };
        if !answers.translated
            && let Some(first) = outcomes.first_mut()
        {
            *first = self.translated(place, first.clone());
        }
        let case = self.work.cases[place];
        if !judge::further_calls(case, &outcomes).is_empty() {
            return false;
        }
        let judgement = judge::judge(case, &outcomes, self.bar(case));
        let mut reports = [case_report(case, judgement)];
        let Work {
            corpus,
            expectations,
            ..
        } = self.work;
        expectations.apply(corpus, &self.implementation, self.today(), &mut reports);
        reports[0].verdict.is_failure()
    }

    fn today(&self) -> Date {
        let today = self.options.today;
        today.unwrap_or_else(|| OffsetDateTime::now_utc().date())
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
        for batch in found.try_iter() {
            answers.take_in(batch);
        }
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
        let mut failed = false;
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
            let mut take_in = |batch: Outcomes| {
                let asked: Vec<_> = batch.iter().map(|(call, _)| *call).collect();
                let new = answers.take_in(batch);
                if options.fail_fast && !failed && self.any_fails(&asked, answers) {
                    failed = true;
                    shared.stop();
                }
                new
            };
            follow(
                &found,
                range.start - first..range.end - first,
                &mut take_in,
                progress,
            );
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
        if failed {
            answers.stopped = Some(Incomplete::FirstFailure);
        }
        answers.crash_budget = shared.budget_left();
        answers.calls = calls;
    }

    /// The report before anything is judged.
    pub(crate) fn beginning(&self, introduction: &StartReply) -> RunReport {
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

    pub(crate) fn report(&self, answers: Answers, beginning: RunReport) -> RunReport {
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
        let today = self.today();
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

/// Hands on outcomes until every worker is done, and says how far the calls have come.
fn follow(
    found: &Receiver<Outcomes>,
    range: Range<usize>,
    take_in: &mut dyn FnMut(Outcomes) -> usize,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    let mut done = range.start;
    for batch in found {
        done += take_in(batch);
        let total = range.end;
        progress(Progress::Judged { done, total });
    }
}

fn case_report(case: &Case, judgement: Judgement) -> CaseReport {
    CaseReport {
        id: case.id.clone(),
        verdict: judgement.verdict,
        again: None,
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
