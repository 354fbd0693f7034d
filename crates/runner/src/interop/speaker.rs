//! An adapter that is asked several rounds of questions.

use std::sync::mpsc;

use chatstate_corpus::Case;
use chatstate_protocol::StartReply;

use super::{InteropWork, ROUND_TRIP};
use crate::call::Call;
use crate::canary::{self, CanaryFailure};
use crate::command::AdapterCommand;
use crate::dialect::{self, Prepared};
use crate::outcome::Outcome;
use crate::report::Incomplete;
use crate::session::{AdapterSession, StartError};
use crate::worker::{Outcomes, Shared, Worker};

pub(super) struct Speaker<'a> {
    pub(super) command: &'a AdapterCommand,
    work: &'a InteropWork<'a>,
    pub(super) introduction: StartReply,
    /// Why nothing that it says counts.
    pub(super) canary: Option<CanaryFailure>,
    session: Option<AdapterSession>,
    /// How many questions may yet break it.
    budget: usize,
    stopped: Option<Incomplete>,
}

impl<'a> Speaker<'a> {
    /// Starts the adapter and asks the canaries: one that echoes would lose nothing.
    pub(super) fn start(
        command: &'a AdapterCommand,
        work: &'a InteropWork<'a>,
    ) -> Result<Self, StartError> {
        let session = AdapterSession::start(command, work.start_timeout, work.timeout)?;
        let mut speaker = Self {
            command,
            work,
            introduction: session.introduction().clone(),
            canary: None,
            session: Some(session),
            budget: 1,
            stopped: None,
        };
        let canaries = canary::canaries(&speaker.introduction);
        let calls: Vec<_> = canaries.iter().map(|canary| canary.call.clone()).collect();
        let mut outcomes = vec![None; calls.len()];
        for (call, outcome) in speaker.ask(&calls) {
            outcomes[call] = Some(outcome);
        }
        speaker.canary = canary::judge(&canaries, &outcomes);
        speaker.budget = work.crash_budget;
        Ok(speaker)
    }

    /// Whether it declares that it can read and write the document of a case.
    pub(super) fn knows(&self, case: &Case) -> bool {
        let declared = |word: &str| self.introduction.capabilities.iter().any(|it| it == word);
        let mut needs = case.needs.iter();
        declared(ROUND_TRIP) && needs.all(|word| declared(word))
    }

    /// What it answers to each call, in the canonical form; nothing where its dialect has no counterpart
    /// of the document, or it is asked no more.
    pub(super) fn answer(&mut self, calls: &[Call<'_>]) -> Vec<Option<Outcome>> {
        let mut outcomes = vec![None; calls.len()];
        if self.canary.is_some() {
            return outcomes;
        }
        let name = self.introduction.dialect.clone();
        let (mut asked, mut places) = (Vec::new(), Vec::new());
        for (place, call) in calls.iter().enumerate() {
            match dialect::prepare(name.as_deref(), call.clone()) {
                Prepared::Ask(call) => {
                    asked.push(call);
                    places.push(place);
                }
                Prepared::Known(outcome) => outcomes[place] = Some(outcome),
                Prepared::NotApplicable(_) => {}
            }
        }
        for (index, outcome) in self.ask(&asked) {
            let place = places[index];
            let (call, asked) = (&calls[place], &asked[index]);
            outcomes[place] = Some(match &name {
                Some(name) => dialect::answered(name, call, asked, outcome),
                None => outcome,
            });
        }
        outcomes
    }

    fn ask(&mut self, calls: &[Call<'_>]) -> Outcomes {
        if self.stopped.is_some() {
            return Vec::new();
        }
        let timeouts = (self.work.start_timeout, self.work.timeout);
        let shared = Shared::new(self.command, timeouts, calls, 0..calls.len(), self.budget);
        let (results, found) = mpsc::channel();
        let mut worker = Worker::new(&shared, results, self.session.take());
        let end = worker.work();
        self.session = worker.into_session();
        self.budget = shared.budget_left();
        self.stopped = match end {
            Err(error) => Some(Incomplete::CouldNotRestart(error.to_string())),
            Ok(()) if shared.budget_is_spent() => {
                Some(Incomplete::CrashBudgetSpent(self.work.crash_budget))
            }
            Ok(()) => None,
        };
        found.try_iter().flatten().collect()
    }

    /// Ends the adapter, and says why it was asked no more, if it was not.
    pub(super) fn finish(mut self) -> Option<Incomplete> {
        if let Some(session) = self.session.take() {
            let _ = session.stop();
        }
        self.stopped
    }
}
