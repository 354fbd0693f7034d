//! The search: questions, judgements, and what fails made small.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chatstate_corpus::{Case, Corpus, Requirement};
use chatstate_json::Value;
use chatstate_protocol::vocabulary;
use chatstate_protocol::vocabulary::OPERATIONS;
use chatstate_protocol::{ImplementationName, Reply, RunRequest};
use chatstate_runner::{AdapterCommand, AdapterConversation, Judgement, StartError, Verdict};

use crate::finding::{Circumstances, FuzzFinding};
use crate::kind::{kinds, law_of};
use crate::laws;
use crate::oracle::{AnsweredQuestion, Oracle};
use crate::questions::Questions;
use crate::shrink::{ShrinkResult, shrink};
use crate::variants;

/// The most questions that are judged at once.
const BATCH: usize = 32;

/// How many requests may be made to make one finding small.
const MOST_TRIES: usize = 4_000;

/// What a candidate costs that breaks the adapter, which then has to be started again.
const COST_OF_A_CRASH: usize = 100;

/// How long after the end of the search what was found may be made small.
const GRACE: Duration = Duration::from_secs(5);

/// After so many questions that crash the adapter, hang it or break the protocol, the search stops.
const CRASH_BUDGET: usize = 10;

/// What to look for, and where.
pub struct SearchSetup<'a> {
    /// The adapter.
    pub command: &'a AdapterCommand,
    /// Whether it is the reference itself, which may leave nothing out.
    pub is_reference: bool,
    /// The cases that questions are made from.
    pub corpus: &'a Corpus,
    /// The requirements of SPEC.md, of which a case has to name one.
    pub requirements: &'a [Requirement],
    /// Answers a request as the reference does.
    pub reference: &'a dyn Fn(&RunRequest) -> Reply,
    /// The operations; all that the adapter declares when empty.
    pub operations: Vec<String>,
    /// What questions are asked, and when that ends.
    pub goal: SearchGoal,
    /// Whether an answer must be the reference's own also where others are right.
    pub exact: bool,
    /// Whether the adapter is held to its own answers, and not to those of the reference.
    pub laws: bool,
    /// The search ends after so many findings.
    pub most_findings: usize,
    /// How long an adapter may go without an answer.
    pub timeout: Duration,
    /// How long an adapter may take to start.
    pub start_timeout: Duration,
}

/// What questions are asked, and when that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchGoal {
    /// Questions generated from a seed.
    Random {
        /// The seed.
        seed: u64,
        /// After so many questions.
        cases: Option<u64>,
        /// After this time.
        time: Option<Duration>,
    },
    /// Every case of the corpus in other spellings, and changed so that it means the same.
    Variants,
}

/// Why a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// All questions were asked.
    Done,
    /// The time was over.
    Time,
    /// There were enough findings.
    Enough,
    /// Too many questions broke the adapter.
    Broken,
    /// The adapter broke and did not start again, for this reason.
    Gone(String),
    /// There is nothing to ask: the adapter does not declare what is needed.
    Nothing,
}

/// What came of a search.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// The SDK, as its adapter introduced it.
    pub implementation: ImplementationName,
    /// The operations that were asked for.
    pub operations: Vec<String>,
    /// What was asked.
    pub goal: SearchGoal,
    /// Whether answers had to be the reference's own.
    pub exact: bool,
    /// Whether answers were held to other answers of the adapter.
    pub laws: bool,
    /// How many questions were judged.
    pub judged: u64,
    /// How many were not judged, because the adapter does not declare what they need or because no
    /// one answer binds everybody.
    pub left_out: u64,
    /// What was found, in the order in which it was.
    pub findings: Vec<FuzzFinding>,
    /// Why it ended.
    pub stop: Stop,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchProgress {
    /// How many questions were judged.
    pub judged: u64,
    /// How many kinds of failures were found.
    pub findings: usize,
}

/// Looks for inputs that an adapter gets wrong.
///
/// # Errors
///
/// When the adapter does not start or does not shake hands. That it breaks later is a finding.
pub fn run(
    setup: &SearchSetup<'_>,
    progress: &mut dyn FnMut(SearchProgress),
) -> Result<SearchResult, StartError> {
    let conversation =
        AdapterConversation::start(setup.command, setup.timeout, setup.start_timeout)?;
    let conversation = if setup.is_reference {
        conversation.with_the_reference()
    } else {
        conversation
    };
    let introduction = conversation.introduction().clone();
    let operations = operations(setup, &introduction.capabilities);
    let time = match setup.goal {
        SearchGoal::Random { time, .. } => time,
        SearchGoal::Variants => None,
    };
    let mut search = Search {
        setup,
        conversation,
        oracle: Oracle {
            reference: setup.reference,
            exact: setup.exact,
            laws: setup.laws,
        },
        deadline: time.map(|time| Instant::now() + time),
        seen: BTreeMap::new(),
        judged: 0,
        left_out: 0,
        crashes: 0,
        findings: Vec::new(),
        progress,
    };
    let stop = if operations.is_empty() {
        Ok(Stop::Nothing)
    } else {
        search.all(&operations, &introduction.capabilities)
    };
    let stop = stop.unwrap_or_else(|error| Stop::Gone(error.to_string()));
    let nothing = stop == Stop::Done && search.judged == 0;
    let Search {
        seen,
        judged,
        left_out,
        mut findings,
        ..
    } = search;
    for finding in &mut findings {
        finding.count(&seen);
    }
    Ok(SearchResult {
        implementation: introduction.implementation,
        operations: operations.into_iter().map(str::to_owned).collect(),
        goal: setup.goal,
        exact: setup.exact,
        laws: setup.laws,
        judged,
        left_out,
        findings,
        stop: if nothing { Stop::Nothing } else { stop },
    })
}

/// The operations to ask for: those that are wanted and declared.
fn operations<'a>(setup: &'a SearchSetup<'_>, capabilities: &'a [String]) -> Vec<&'a str> {
    let declared = |op: &&str| capabilities.iter().any(|it| it == op);
    let wanted: Vec<&str> = match setup.operations.as_slice() {
        [] if setup.laws => laws::OPERATIONS.to_vec(),
        [] => OPERATIONS.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    wanted.into_iter().filter(declared).collect()
}

struct Search<'s, 'p> {
    setup: &'s SearchSetup<'s>,
    conversation: AdapterConversation<'s>,
    oracle: Oracle<'s>,
    deadline: Option<Instant>,
    /// How often each kind of failure was seen.
    seen: BTreeMap<String, u64>,
    judged: u64,
    left_out: u64,
    crashes: usize,
    findings: Vec<FuzzFinding>,
    progress: &'p mut dyn FnMut(SearchProgress),
}

impl Search<'_, '_> {
    fn all(&mut self, operations: &[&str], capabilities: &[String]) -> Result<Stop, StartError> {
        match self.setup.goal {
            SearchGoal::Random { seed, cases, .. } => {
                let corpus = self.setup.corpus;
                let questions = Questions::new(seed, operations.to_vec(), capabilities, corpus);
                self.made_up(&questions, cases.unwrap_or(u64::MAX))
            }
            SearchGoal::Variants => self.variants(operations),
        }
    }

    /// Asks questions until it is time to stop.
    fn made_up(&mut self, questions: &Questions<'_>, count: u64) -> Result<Stop, StartError> {
        let (mut number, mut size) = (0, 1);
        while number < count {
            let mut batch = Vec::new();
            while batch.len() < size && number < count {
                let asked = questions
                    .question(number)
                    .and_then(|it| self.oracle.asked(it));
                match asked.filter(|asked| is_fair(&asked.case, questions.capabilities)) {
                    Some(asked) => batch.push((number, asked)),
                    None => self.left_out += 1,
                }
                number += 1;
                // Where nothing can be asked, time still passes.
                if self.time_is_over() {
                    break;
                }
            }
            let crashes = self.crashes;
            self.round(batch)?;
            if let Some(stop) = self.stop() {
                return Ok(stop);
            }
            // One crash at a time: whatever is under way with it has to be asked again.
            size = if self.crashes > crashes {
                1
            } else {
                (size * 2).min(BATCH)
            };
        }
        Ok(Stop::Done)
    }

    /// Asks for the variants of every case that passes.
    fn variants(&mut self, operations: &[&str]) -> Result<Stop, StartError> {
        let cases = self.setup.corpus.cases().iter();
        let cases: Vec<&Case> = cases
            .filter(|case| operations.contains(&case.op.as_str()))
            .collect();
        for (number, cases) in (0_u64..).zip(cases.chunks(BATCH)) {
            let originals: Vec<Case> = cases.iter().map(|case| (*case).clone()).collect();
            let judgements = self.conversation.judge(&originals)?;
            for (case, judgement) in originals.iter().zip(judgements) {
                if judgement.verdict != Verdict::Pass {
                    self.left_out += 1;
                    continue;
                }
                let variants = variants::of(case, &self.oracle);
                self.round(variants.into_iter().map(|it| (number, it)).collect())?;
                if let Some(stop) = self.stop() {
                    return Ok(stop);
                }
            }
        }
        Ok(Stop::Done)
    }

    fn stop(&self) -> Option<Stop> {
        if self.findings.len() >= self.setup.most_findings {
            Some(Stop::Enough)
        } else if self.crashes >= CRASH_BUDGET {
            Some(Stop::Broken)
        } else if self.time_is_over() {
            Some(Stop::Time)
        } else {
            None
        }
    }

    fn time_is_over(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Judges questions; what fails in a new way is a finding.
    fn round(&mut self, batch: Vec<(u64, AnsweredQuestion)>) -> Result<(), StartError> {
        let (numbers, batch): (Vec<u64>, Vec<AnsweredQuestion>) = batch.into_iter().unzip();
        let judgements = self.judged(&batch)?;
        for ((number, asked), (judgement, kinds)) in numbers.into_iter().zip(batch).zip(judgements)
        {
            if judgement.verdict == Verdict::Skip {
                self.left_out += 1;
                continue;
            }
            self.judged += 1;
            self.crashes += usize::from(judgement.verdict == Verdict::Error);
            let new = kinds
                .iter()
                .find(|kind| !self.seen.contains_key(*kind))
                .cloned();
            for kind in &kinds {
                *self.seen.entry(kind.clone()).or_default() += 1;
            }
            if let Some(kind) = new
                && self.findings.len() < self.setup.most_findings
            {
                self.found(number, asked, (judgement, kinds), &kind)?;
            }
            (self.progress)(SearchProgress {
                judged: self.judged,
                findings: self.findings.len(),
            });
        }
        Ok(())
    }

    /// Shrinks what fails and reports it.
    fn found(
        &mut self,
        number: u64,
        asked: AnsweredQuestion,
        (judgement, shown): (Judgement, Vec<String>),
        kind: &str,
    ) -> Result<(), StartError> {
        let happens_again = self
            .first_that_shows(std::slice::from_ref(&asked), kind)?
            .is_some();
        let before = asked.question.document.clone();
        let (mut asked, mut judgement, mut shown) = (asked, judgement, shown);
        if happens_again {
            let document = self.smallest(&asked, kind)?;
            let question = asked.question.about(document);
            // The original is reported where the smallest one cannot be.
            if let Some(smaller) = self.oracle.asked(question)
                && let Some(told) = self.first_that_shows(std::slice::from_ref(&smaller), kind)?
            {
                asked = smaller;
                (_, judgement, shown) = told;
            }
        }
        if self.setup.laws
            && let Some(answered) = self.oracle.answered(asked.question.clone())
        {
            asked.case = answered.case;
        }
        shown.retain(|it| it != kind);
        for other in &shown {
            self.seen.entry(other.clone()).or_default();
        }
        shown.insert(0, kind.to_owned());
        let finding = FuzzFinding::new(
            &Circumstances {
                number,
                goal: self.setup.goal,
                implementation: &self.conversation.introduction().implementation,
                requirements: self.setup.requirements,
                happens_again,
                exact: self.setup.exact,
                before: &before,
            },
            asked,
            judgement,
            shown,
        );
        self.findings.push(finding);
        Ok(())
    }

    /// The smallest document that shows the same kind of failure.
    fn smallest(&mut self, asked: &AnsweredQuestion, kind: &str) -> Result<Value, StartError> {
        let mut question = asked.question.clone();
        if let Some(law) = law_of(kind)
            && question.laws.contains(&law)
        {
            question.laws = vec![law];
        }
        let end = self.deadline.map(|end| end + GRACE);
        let mut tries = 0;
        let rejected = asked.rejection.is_some();
        let document = question.document.clone();
        shrink(document, &mut |candidates: &[Value]| {
            if tries >= MOST_TRIES || end.is_some_and(|end| Instant::now() >= end) {
                return Ok(ShrinkResult::Enough);
            }
            let candidates = candidates
                .iter()
                .enumerate()
                .filter_map(|(place, document)| {
                    let asked = self.oracle.asked(question.about(document.clone()))?;
                    (asked.rejection.is_some() == rejected).then_some((place, asked))
                });
            let (places, candidates): (Vec<usize>, Vec<AnsweredQuestion>) = candidates.unzip();
            let broken = self.conversation.broken();
            let found = self.first_that_shows(&candidates, kind)?;
            tries += candidates.len() + (self.conversation.broken() - broken) * COST_OF_A_CRASH;
            let place = found.and_then(|(found, ..)| places.get(found).copied());
            Ok(place.map_or(ShrinkResult::None, ShrinkResult::This))
        })
    }

    /// The first of these that shows this kind of failure, with its judgement.
    fn first_that_shows(
        &mut self,
        asked: &[AnsweredQuestion],
        kind: &str,
    ) -> Result<Option<(usize, Judgement, Vec<String>)>, StartError> {
        let mut judged = self.judged(asked)?.into_iter().enumerate();
        let shows = judged.find(|(_, (_, kinds))| kinds.iter().any(|it| it == kind));
        Ok(shows.map(|(place, (judgement, kinds))| (place, judgement, kinds)))
    }

    /// The judgements of questions, with the kinds of failures that they show.
    fn judged(
        &mut self,
        asked: &[AnsweredQuestion],
    ) -> Result<Vec<(Judgement, Vec<String>)>, StartError> {
        if self.setup.laws {
            return laws::judge(&mut self.conversation, asked);
        }
        let cases: Vec<Case> = asked.iter().map(|asked| asked.case.clone()).collect();
        let judgements = self.conversation.judge(&cases)?;
        let judged = asked.iter().zip(judgements);
        let judged = judged.map(|(asked, judgement)| {
            let kinds = kinds(asked, &judgement);
            (judgement, kinds)
        });
        Ok(judged.collect())
    }
}

/// Whether an adapter has declared all that a case needs.
fn is_fair(case: &Case, capabilities: &[String]) -> bool {
    let mut needs = case.capabilities();
    let document_type = case.document_type.as_deref();
    needs.all(|need| capabilities.iter().any(|it| it == need))
        && document_type.is_none_or(|name| vocabulary::has_type(capabilities, name))
}
