//! Asks what is planned, and judges each case as soon as all is known that it needs.
//!
//! Answers are judged while the adapter works on the next requests. An outcome may be replaced later,
//! when an adapter answers twice or turns out to have ended; the case is then judged again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::call::Call;
use crate::canary::{self, CanaryFailure};
use crate::command::AdapterCommand;
use crate::judge;
use crate::judgement::Judgement;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::report::Incomplete;
use crate::run::RunProgress;
use crate::session::{AdapterSession, StartError};
use crate::transcript::{Exchange, Player};
use crate::worker::{Outcomes, Shared, Worker};

/// Who answers.
pub(crate) enum AnswerSource<'a, 't> {
    /// Processes of an adapter, one of which may be there already.
    Adapter(&'a AdapterCommand, Option<Box<AdapterSession>>),
    /// What came of the same requests earlier.
    Transcript(&'a mut Player<'t>),
}

/// What came of a plan.
pub(crate) struct Answers {
    /// For each selected case its judgement, if all is known that it needs.
    pub(crate) judgements: Vec<Option<Judgement>>,
    /// Why nothing is scored.
    pub(crate) canary: Option<CanaryFailure>,
    /// Why not everything was asked.
    pub(crate) stopped: Option<Incomplete>,
    /// Every request with its outcome, where that was asked for.
    pub(crate) exchanges: Vec<Exchange>,
}

/// What is known of a case that applies.
#[derive(Default)]
struct ApplicableCase {
    /// The outcomes of its calls, in the order in which they were planned. A case that needs one call
    /// alone is judged at once, and its outcome is not kept.
    outcomes: Vec<Option<Outcome>>,
    judgement: Option<Judgement>,
}

/// Sends the calls of a plan and judges what was answered so far.
pub(crate) struct Executor<'a, 't> {
    plan: &'a Plan<'a>,
    source: AnswerSource<'a, 't>,
    /// The calls of the plan, then those that cases needed further.
    calls: Vec<Call<'a>>,
    /// The case of each call after the canaries, and which of the case's calls it is.
    owners: Vec<(usize, usize)>,
    canaries: Vec<Option<Outcome>>,
    cases: Vec<ApplicableCase>,
    /// What cases need further, by the case.
    further: BTreeMap<usize, Vec<Call<'a>>>,
    /// How many calls may yet break the adapter.
    crash_budget: usize,
    /// How many requests a transcript does not hold.
    missing: usize,
    stopped: Option<Incomplete>,
    /// Cases that were judged since the last look at the progress, if it is shown.
    fresh: Vec<usize>,
    /// The outcome of each call, where they are to be kept.
    kept: Option<BTreeMap<usize, Outcome>>,
}

impl<'a, 't> Executor<'a, 't> {
    /// Nothing is asked yet. `keep` says whether every request is kept with its outcome.
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        calls: Vec<Call<'a>>,
        source: AnswerSource<'a, 't>,
        keep: bool,
    ) -> Self {
        let (mut owners, mut cases) = (Vec::new(), Vec::new());
        for (place, asked) in plan.asked.iter().enumerate() {
            let mut known = ApplicableCase::default();
            match asked {
                Ok(()) => {
                    owners.push((place, 0));
                    known.outcomes.push(None);
                }
                Err(judgement) => known.judgement = Some((**judgement).clone()),
            }
            cases.push(known);
        }
        Self {
            source,
            calls,
            owners,
            canaries: vec![None; plan.canaries.len()],
            cases,
            further: BTreeMap::new(),
            crash_budget: plan.options.crash_budget,
            missing: 0,
            stopped: None,
            fresh: Vec::new(),
            kept: keep.then(BTreeMap::new),
            plan,
        }
    }

    /// Asks the canaries first, and the cases only when all canaries live.
    pub(crate) fn ask(mut self, progress: &mut dyn FnMut(RunProgress<'_>)) -> Answers {
        self.ask_canaries();
        let mut canary = self.failed_canary();
        if canary.is_none() && self.stopped.is_none() {
            self.ask_range(self.canaries.len()..self.calls.len(), progress);
            self.ask_further(progress);
            // An adapter that answers a canary again later gives itself away only now.
            canary = self.failed_canary();
        }
        let missing = (self.missing > 0).then_some(Incomplete::NotInTranscript(self.missing));
        Answers {
            canary,
            stopped: self.stopped.take().or(missing),
            exchanges: self.exchanges(),
            judgements: self.cases.into_iter().map(|it| it.judgement).collect(),
        }
    }

    /// One canary that breaks the adapter is enough to know.
    fn ask_canaries(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        let range = 0..self.canaries.len();
        if let Some((command, session)) = self.adapter() {
            let (results, found) = mpsc::channel();
            let shared = Shared::new(command, self.timeouts(), &calls, range, 1);
            let mut worker = Worker::new(&shared, results, session);
            let restarted = worker.work();
            let session = worker.into_session().map(Box::new);
            self.source = AnswerSource::Adapter(command, session);
            for batch in found.try_iter() {
                self.take_in(&calls, batch);
            }
            self.stopped = restarted.err().as_ref().map(could_not_restart);
        } else {
            self.read(&calls, range, &mut |_| {});
        }
        self.calls = calls;
    }

    fn failed_canary(&self) -> Option<CanaryFailure> {
        let judged = canary::judge(&self.plan.canaries, &self.canaries);
        judged.filter(|_| self.plan.options.canaries)
    }

    /// Asks what cases need further, round by round, until they need nothing more.
    fn ask_further(&mut self, progress: &mut dyn FnMut(RunProgress<'_>)) {
        while self.stopped.is_none() && !self.further.is_empty() {
            let first = self.calls.len();
            for (place, calls) in std::mem::take(&mut self.further) {
                for call in calls {
                    let outcomes = &mut self.cases[place].outcomes;
                    self.owners.push((place, outcomes.len()));
                    outcomes.push(None);
                    self.calls.push(call);
                }
            }
            self.ask_range(first..self.calls.len(), progress);
        }
    }

    /// Works through calls, for any kind of worker.
    fn ask_range(&mut self, range: Range<usize>, progress: &mut dyn FnMut(RunProgress<'_>)) {
        let calls = std::mem::take(&mut self.calls);
        match self.adapter() {
            Some((command, session)) => {
                let shared = Shared::new(
                    command,
                    self.timeouts(),
                    &calls,
                    range.clone(),
                    self.crash_budget,
                );
                self.work(&shared, range, session, progress);
            }
            None => self.read(&calls, range, progress),
        }
        self.calls = calls;
    }

    /// Asks with as many workers as asked for, the first with the started session.
    fn work(
        &mut self,
        shared: &Shared<'_>,
        range: Range<usize>,
        mut session: Option<AdapterSession>,
        progress: &mut dyn FnMut(RunProgress<'_>),
    ) {
        let options = self.plan.options;
        let (results, found) = mpsc::channel();
        let mut failed = false;
        let ends: Vec<Result<(), StartError>> = thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..options.jobs.get().min(range.len().max(1)) {
                let mut worker = Worker::new(shared, results.clone(), session.take());
                workers.push(scope.spawn(move || {
                    let end = worker.work();
                    worker.finish();
                    end
                }));
            }
            drop(results);
            let first = self.canaries.len();
            let (mut done, total) = (range.start - first, range.end - first);
            for batch in found {
                done += self.take_in(shared.calls, batch);
                if options.fail_fast && !failed && self.any_fails() {
                    failed = true;
                    shared.stop();
                }
                progress(RunProgress::Judged { done, total });
            }
            // A worker that panicked is a bug of ours, and not an adapter's failure.
            let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let failed_start = ends.into_iter().find_map(Result::err);
        self.stopped = failed_start.as_ref().map(could_not_restart).or_else(|| {
            let spent = shared.budget_is_spent();
            spent.then_some(Incomplete::CrashBudgetSpent(options.crash_budget))
        });
        if failed {
            self.stopped = Some(Incomplete::FirstFailure);
        }
        self.crash_budget = shared.budget_left();
    }

    /// Looks calls up in the transcript.
    fn read(
        &mut self,
        calls: &[Call<'_>],
        range: Range<usize>,
        progress: &mut dyn FnMut(RunProgress<'_>),
    ) {
        let first = self.canaries.len();
        let total = range.end - first;
        for call in range {
            let AnswerSource::Transcript(player) = &mut self.source else {
                return;
            };
            match player.answer(&calls[call]) {
                Some(outcome) => {
                    self.take_in(calls, vec![(call, outcome)]);
                }
                // A canary that was not sent yet says nothing.
                None => self.missing += usize::from(call >= first),
            }
            if self.plan.options.fail_fast && self.any_fails() {
                self.stopped = Some(Incomplete::FirstFailure);
                return;
            }
            let done = (call + 1).saturating_sub(first);
            progress(RunProgress::Judged { done, total });
        }
    }

    /// The command of the adapter and its session, if there is an adapter.
    fn adapter(&mut self) -> Option<(&'a AdapterCommand, Option<AdapterSession>)> {
        match &mut self.source {
            AnswerSource::Adapter(command, session) => {
                Some((command, session.take().map(|it| *it)))
            }
            AnswerSource::Transcript(_) => None,
        }
    }

    fn timeouts(&self) -> (Duration, Duration) {
        let options = self.plan.options;
        (options.start_timeout, options.timeout)
    }

    /// Takes in outcomes, and gives how many calls had none before.
    fn take_in(&mut self, calls: &[Call<'_>], found: Outcomes) -> usize {
        let mut new = 0;
        for (call, outcome) in found {
            if let Some(kept) = &mut self.kept {
                kept.insert(call, outcome.clone());
            }
            let first = self.canaries.len();
            new += usize::from(match self.canaries.get_mut(call) {
                Some(canary) => canary.replace(outcome).is_none(),
                None => self.take_in_of_case(&calls[call], self.owners[call - first], outcome),
            });
        }
        new
    }

    /// Takes in the outcome of a call of a case and judges what can be judged. Tells whether the call had
    /// no outcome before.
    fn take_in_of_case(
        &mut self,
        call: &Call<'_>,
        (place, nth): (usize, usize),
        mut outcome: Outcome,
    ) -> bool {
        let case = self.plan.work.cases[place];
        if nth == 0 {
            outcome = self.plan.translated(case, call, outcome);
        }
        let bar = self.plan.bar(case);
        if self.plan.options.fail_fast {
            self.fresh.push(place);
        }
        let known = &mut self.cases[place];
        if !judge::may_need_further_calls(case, bar) {
            let judgement = judge::judge(case, &[outcome], bar);
            return known.judgement.replace(judgement).is_none();
        }
        let new = known.outcomes[nth].replace(outcome).is_none();
        let outcomes: Option<Vec<_>> = known.outcomes.iter().cloned().collect();
        if let Some(outcomes) = outcomes {
            let further = judge::further_calls(case, &outcomes, bar);
            if further.is_empty() {
                known.judgement = Some(judge::judge(case, &outcomes, bar));
                self.further.remove(&place);
            } else {
                known.judgement = None;
                self.further.insert(place, further);
            }
        }
        new
    }

    /// Whether one of the cases that were judged last fails, and no list names it.
    fn any_fails(&mut self) -> bool {
        let fresh = std::mem::take(&mut self.fresh);
        let judged = |place: usize| Some((place, self.cases[place].judgement.clone()?));
        let mut judged = fresh.into_iter().filter_map(judged);
        judged.any(|(place, judgement)| self.plan.fails(place, judgement))
    }

    /// The requests with their outcomes, where they were kept, in the order of the cases.
    fn exchanges(&mut self) -> Vec<Exchange> {
        let kept = self.kept.take().unwrap_or_default();
        let exchange = |((call, outcome), seq): ((usize, Outcome), u64)| Exchange {
            asked: self.calls[call].request(seq),
            outcome,
        };
        kept.into_iter().zip(0..).map(exchange).collect()
    }
}

fn could_not_restart(error: &StartError) -> Incomplete {
    Incomplete::CouldNotRestart(error.to_string())
}
