//! Sends calls to one adapter process at a time, and determines which call broke it.
//!
//! When a process dies, hangs or breaks the protocol with several calls in flight, any of them may be
//! the cause. So all of them run again in a new process, one at a time: the one that breaks it again is
//! blamed and the others get their true answers. If none does, the first is blamed, and the outcome
//! says so. Retrying without blame would hide an adapter that crashes now and then.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use crate::call::Call;
use crate::command::AdapterCommand;
use crate::outcome::Outcome;
use crate::session::{AdapterSession, Happening, StartError};

/// What all workers of a run share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) command: &'a AdapterCommand,
    pub(crate) start_timeout: Duration,
    pub(crate) timeout: Duration,
    pub(crate) calls: &'a [Call<'a>],
    next: AtomicUsize,
    end: usize,
    blamed: AtomicUsize,
    crash_budget: usize,
    stopped: AtomicBool,
}

impl<'a> Shared<'a> {
    /// The calls of a range are to be worked off; after `crash_budget` blamed ones, the rest is not.
    pub(crate) fn new(
        command: &'a AdapterCommand,
        timeouts: (Duration, Duration),
        calls: &'a [Call<'a>],
        range: std::ops::Range<usize>,
        crash_budget: usize,
    ) -> Self {
        Self {
            command,
            start_timeout: timeouts.0,
            timeout: timeouts.1,
            calls,
            next: AtomicUsize::new(range.start),
            end: range.end,
            blamed: AtomicUsize::new(0),
            crash_budget,
            stopped: AtomicBool::new(false),
        }
    }

    /// Whether the crash budget is spent.
    pub(crate) fn budget_is_spent(&self) -> bool {
        self.blamed.load(Ordering::SeqCst) >= self.crash_budget
    }

    /// How many calls may yet be blamed.
    pub(crate) fn budget_left(&self) -> usize {
        let blamed = self.blamed.load(Ordering::SeqCst);
        self.crash_budget.saturating_sub(blamed)
    }

    pub(crate) fn start(&self) -> Result<AdapterSession, StartError> {
        AdapterSession::start(self.command, self.start_timeout, self.timeout)
    }

    fn take(&self) -> Option<usize> {
        if self.is_stopped() {
            return None;
        }
        let next = self.next.fetch_add(1, Ordering::SeqCst);
        (next < self.end).then_some(next)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Nothing more is taken from here on.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    fn count_blame(&self) {
        self.blamed.fetch_add(1, Ordering::SeqCst);
        if self.budget_is_spent() {
            self.stop();
        }
    }
}

/// Outcomes of calls by their index. A later outcome of the same call replaces an earlier one.
pub(crate) type Outcomes = Vec<(usize, Outcome)>;

/// One process at a time, and the search for whom to blame.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    results: Sender<Outcomes>,
    session: Option<AdapterSession>,
    /// Calls to run again, one at a time.
    suspects: VecDeque<usize>,
    /// The call to blame when no suspect does it again, with what happened.
    first_suspect: Option<(usize, Outcome)>,
    /// The call answered last by a process that then ended by itself, with how it ended.
    ended_after: Option<(usize, Outcome)>,
    found: Outcomes,
}

impl<'a> Worker<'a> {
    /// A worker that continues with a started session, or starts one when it needs it.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        results: Sender<Outcomes>,
        session: Option<AdapterSession>,
    ) -> Self {
        Self {
            shared,
            results,
            session,
            suspects: VecDeque::new(),
            first_suspect: None,
            ended_after: None,
            found: Vec::new(),
        }
    }

    /// Works until there is nothing left to take.
    pub(crate) fn work(&mut self) -> Result<(), StartError> {
        let mut sent = self.send();
        while sent.is_ok() && self.receive() {
            self.report();
            sent = self.send();
        }
        if sent.is_err() {
            self.shared.stop();
        }
        self.resolve_suspicion();
        self.report();
        sent
    }

    /// The session, if it still lives, for another worker to continue with.
    pub(crate) fn into_session(self) -> Option<AdapterSession> {
        self.session
    }

    /// Waits for what happens and takes in all that has happened since; false when nothing is under way.
    fn receive(&mut self) -> bool {
        let Some(session) = self.session.as_mut().filter(|it| it.in_flight() > 0) else {
            return false;
        };
        let mut happening = Some(session.next());
        while let Some(next) = happening {
            self.handle(next);
            happening = self.session.as_mut().and_then(AdapterSession::next_now);
        }
        true
    }

    /// Stops the adapter and reports what it did after its last answer.
    pub(crate) fn finish(mut self) {
        let Some(session) = self.session.take() else {
            return;
        };
        let last = session.last_answered();
        match (session.stop(), last) {
            (Some(Happening::Repeated(call, outcome)), _)
            | (Some(Happening::Broken(outcome)), Some(call)) => self.blame(call, outcome),
            _ => {}
        }
        self.report();
    }

    /// Fills the window: one suspect alone, or as many new calls as the adapter takes.
    fn send(&mut self) -> Result<(), StartError> {
        let in_flight = self.session.as_ref().map_or(0, AdapterSession::in_flight);
        if in_flight == 0 && self.suspects.is_empty() {
            self.resolve_suspicion();
        }
        let isolating = !self.suspects.is_empty() || self.first_suspect.is_some();
        if isolating && in_flight > 0 {
            return Ok(());
        }
        let mut batch = Vec::new();
        if isolating {
            batch.extend(self.next_suspect());
        } else {
            let window = self.session.as_ref().map_or(1, AdapterSession::window);
            batch.extend((in_flight..window).map_while(|_| self.shared.take()));
        }
        if batch.is_empty() {
            return Ok(());
        }
        if let Some((last, outcome)) = self.ended_after.take() {
            self.blame(last, outcome);
        }
        let calls = self.shared.calls;
        let session = match &mut self.session {
            Some(session) => session,
            empty => empty.insert(self.shared.start()?),
        };
        session.send(batch.into_iter().map(|index| (index, &calls[index])));
        Ok(())
    }

    fn next_suspect(&mut self) -> Option<usize> {
        if self.shared.is_stopped() {
            self.suspects.clear();
        }
        self.suspects.pop_front()
    }

    fn handle(&mut self, happening: Happening) {
        match happening {
            Happening::Outcome(call, outcome) => self.found.push((call, outcome)),
            Happening::Repeated(call, outcome) => {
                self.abandon_session();
                self.first_suspect = None;
                self.blame(call, outcome);
            }
            Happening::Broken(outcome) => self.broken(outcome),
        }
    }

    fn broken(&mut self, outcome: Outcome) {
        let last = self
            .session
            .as_ref()
            .and_then(AdapterSession::last_answered);
        let calls = self.abandon_session();
        match calls.as_slice() {
            [only] => {
                self.suspects.retain(|suspect| suspect != only);
                self.first_suspect = None;
                self.blame(*only, outcome);
            }
            [first, ..] => self.first_suspect = Some((*first, outcome)),
            // Nothing was under way, so it was the last answer that broke it. That a process ends by
            // itself matters only when there was more to do: after the last answer it may.
            [] => match (last, &outcome) {
                (Some(last), Outcome::Crashed { .. }) => self.ended_after = Some((last, outcome)),
                (Some(last), _) => self.blame(last, outcome),
                (None, _) => {}
            },
        }
    }

    /// Kills the process; what it had under way is suspect from now on.
    fn abandon_session(&mut self) -> Vec<usize> {
        let calls = self.session.take().map(|session| session.calls_in_flight());
        let calls = calls.unwrap_or_default();
        self.suspects.extend(&calls);
        calls
    }

    /// It did not happen again: the first request that was sent takes the blame, although it has an
    /// answer by now.
    fn resolve_suspicion(&mut self) {
        if let Some((first, outcome)) = self.first_suspect.take() {
            self.blame(first, outcome.uncertain());
        }
    }

    fn blame(&mut self, call: usize, outcome: Outcome) {
        self.found.push((call, outcome));
        self.shared.count_blame();
    }

    fn report(&mut self) {
        if !self.found.is_empty() {
            let _ = self.results.send(std::mem::take(&mut self.found));
        }
    }
}
