//! Cases that come up one after the other, asked of one adapter that stays open between them.
//!
//! A run knows all its cases before it starts; a search for a case that fails does not.

use std::sync::mpsc;
use std::time::Duration;

use chatstate_corpus::{Case, RequirementLevel};
use chatstate_protocol::StartReply;

use crate::call::Call;
use crate::command::AdapterCommand;
use crate::dialect::{self, Prepared};
use crate::judge::{further_calls, judge, not_applicable, skipped};
use crate::judgement::{JudgeOptions, Judgement};
use crate::outcome::Outcome;
use crate::session::{AdapterSession, StartError};
use crate::worker::{Shared, Worker};
use crate::written_back;

/// An adapter that is asked about cases as they come up. When it breaks, it is started again.
#[derive(Debug)]
pub struct AdapterConversation<'a> {
    command: &'a AdapterCommand,
    timeout: Duration,
    start_timeout: Duration,
    /// Whether the reference is asked, which may leave nothing out.
    reference: bool,
    introduction: StartReply,
    session: Option<AdapterSession>,
    broken: usize,
}

impl<'a> AdapterConversation<'a> {
    /// Starts the adapter. `timeout` is how long it may go without an answer.
    ///
    /// # Errors
    ///
    /// When it does not start or does not shake hands.
    pub fn start(
        command: &'a AdapterCommand,
        timeout: Duration,
        start_timeout: Duration,
    ) -> Result<Self, StartError> {
        let session = AdapterSession::start(command, start_timeout, timeout)?;
        Ok(Self {
            command,
            timeout,
            start_timeout,
            reference: false,
            introduction: session.introduction().clone(),
            session: Some(session),
            broken: 0,
        })
    }

    /// The same, with an adapter that is the reference.
    #[must_use]
    pub fn with_the_reference(self) -> Self {
        Self {
            reference: true,
            ..self
        }
    }

    /// What the adapter said about itself.
    #[must_use]
    pub fn introduction(&self) -> &StartReply {
        &self.introduction
    }

    /// How many calls have crashed the adapter, hung it or broken the protocol so far.
    #[must_use]
    pub fn broken(&self) -> usize {
        self.broken
    }

    /// Asks what the cases need and judges them, in their order.
    ///
    /// # Errors
    ///
    /// When the adapter broke and does not start again.
    pub fn judge(&mut self, cases: &[Case]) -> Result<Vec<Judgement>, StartError> {
        let mut asked: Vec<AskedCase<'_>> = cases.iter().map(|case| self.prepared(case)).collect();
        loop {
            let calls: Vec<(usize, Call<'_>)> = asked
                .iter()
                .enumerate()
                .flat_map(|(place, it)| it.missing().into_iter().map(move |call| (place, call)))
                .collect();
            if calls.is_empty() {
                break;
            }
            let (places, calls): (Vec<usize>, Vec<Call<'_>>) = calls.into_iter().unzip();
            for (place, outcome) in places.into_iter().zip(self.ask(&calls)?) {
                self.broken += usize::from(outcome.is_broken());
                let outcome = self.translated(&asked[place], outcome);
                asked[place].outcomes.push(outcome);
            }
        }
        Ok(asked.into_iter().map(AskedCase::judgement).collect())
    }

    fn prepared<'c>(&self, case: &'c Case) -> AskedCase<'c> {
        let capabilities = &self.introduction.capabilities;
        let mut asked = AskedCase {
            case,
            first: None,
            known: not_applicable(case, capabilities, self.reference),
            outcomes: Vec::new(),
            bar: JudgeOptions {
                level: RequirementLevel::Must,
                reference: self.reference,
                writes_back: written_back::is_declared(&self.introduction),
            },
        };
        if asked.known.is_none() {
            let name = self.introduction.dialect.as_deref();
            match dialect::prepare(name, Call::of_case(case)) {
                Prepared::Ask(call) => asked.first = Some(call),
                Prepared::Known(outcome) => asked.known = Some(judge(case, &[outcome], asked.bar)),
                Prepared::NotApplicable(reason) => asked.known = Some(skipped(reason)),
            }
        }
        asked
    }

    /// The answer in the canonical form, where the adapter has a dialect of its own.
    fn translated(&self, asked: &AskedCase<'_>, outcome: Outcome) -> Outcome {
        match (&self.introduction.dialect, &asked.first) {
            (Some(name), Some(call)) if asked.outcomes.is_empty() => {
                dialect::answered(name, &Call::of_case(asked.case), call, outcome)
            }
            _ => outcome,
        }
    }

    /// The outcomes of calls, in their order.
    fn ask(&mut self, calls: &[Call<'_>]) -> Result<Vec<Outcome>, StartError> {
        let timeouts = (self.start_timeout, self.timeout);
        let (results, found) = mpsc::channel();
        let shared = Shared::new(self.command, timeouts, calls, 0..calls.len(), usize::MAX);
        let mut worker = Worker::new(&shared, results, self.session.take());
        let restarted = worker.work();
        self.session = worker.into_session();
        restarted?;
        let mut outcomes: Vec<Option<Outcome>> = vec![None; calls.len()];
        for (call, outcome) in found.try_iter().flatten() {
            outcomes[call] = Some(outcome);
        }
        // Work ends with an outcome for every call, or with the error above.
        Ok(outcomes.into_iter().flatten().collect())
    }
}

/// A case, and what was asked about it.
#[derive(Debug)]
struct AskedCase<'a> {
    case: &'a Case,
    /// The call of the case itself, unless there is nothing to ask.
    first: Option<Call<'a>>,
    /// The judgement, where nothing is asked.
    known: Option<Judgement>,
    outcomes: Vec<Outcome>,
    bar: JudgeOptions,
}

impl<'a> AskedCase<'a> {
    /// The calls that are missing to judge the case.
    fn missing(&self) -> Vec<Call<'a>> {
        if self.known.is_some() {
            Vec::new()
        } else if self.outcomes.is_empty() {
            self.first.iter().cloned().collect()
        } else {
            further_calls(self.case, &self.outcomes, self.bar)
        }
    }

    fn judgement(self) -> Judgement {
        let Self {
            case,
            known,
            outcomes,
            bar,
            ..
        } = self;
        known.unwrap_or_else(|| judge(case, &outcomes, bar))
    }
}
