//! What is to be asked of an adapter, computed before anything is, and the report of what came
//! back.

use std::collections::HashMap;

use chatstate_corpus::{Case, RequirementLevel};
use chatstate_protocol::{StartReply, vocabulary};
use time::{Date, OffsetDateTime};

use crate::call::Call;
use crate::canary::{self, Canary};
use crate::dialect::{self, Prepared};
use crate::executor::Answers;
use crate::judge;
use crate::judgement::{JudgeOptions, Judgement, Verdict};
use crate::kept;
use crate::kit::schema_digests;
use crate::outcome::Outcome;
use crate::report::{CaseReport, CorpusName, Incomplete, RunReport, summary};
use crate::run::{RunOptions, RunWork};
use crate::transcript::About;
use crate::written_back;

/// What is to be asked.
pub(crate) struct Plan<'a> {
    pub(crate) work: &'a RunWork<'a>,
    pub(crate) options: &'a RunOptions,
    about: &'a About,
    /// How binding each requirement is.
    levels: HashMap<&'a str, RequirementLevel>,
    pub(crate) canaries: Vec<Canary>,
    /// For each selected case nothing if it is asked, or the judgement of one that does not apply.
    pub(crate) asked: Vec<Result<(), Box<Judgement>>>,
}

impl<'a> Plan<'a> {
    /// The plan, and its calls: those of the canaries, then one for each case that is asked.
    pub(crate) fn new(
        work: &'a RunWork<'a>,
        options: &'a RunOptions,
        about: &'a About,
    ) -> (Self, Vec<Call<'a>>) {
        let canaries = if options.canaries {
            canary::canaries(&about.introduction)
        } else {
            Vec::new()
        };
        let mut calls: Vec<_> = canaries.iter().map(|it| it.call.clone()).collect();
        let levels = work.requirements.iter();
        let mut plan = Self {
            work,
            options,
            about,
            levels: levels.map(|it| (it.id.as_str(), it.level)).collect(),
            canaries,
            asked: Vec::new(),
        };
        for case in &work.cases {
            let asked = plan.call(case).map(|call| calls.push(call));
            plan.asked.push(asked);
        }
        (plan, calls)
    }

    /// The call of a case, or its judgement where there is nothing to ask.
    fn call(&self, case: &'a Case) -> Result<Call<'a>, Box<Judgement>> {
        let StartReply {
            capabilities,
            dialect,
            ..
        } = &self.about.introduction;
        if let Some(judgement) = judge::not_applicable(case, capabilities, self.options.reference) {
            return Err(Box::new(judgement));
        }
        match dialect::prepare(dialect.as_deref(), Call::of_case(case)) {
            Prepared::Ask(call) => Ok(call),
            Prepared::Known(outcome) => {
                let judgement = judge::judge(case, &[outcome], self.bar(case));
                Err(Box::new(judgement))
            }
            Prepared::NotApplicable(reason) => Err(Box::new(judge::skipped(reason))),
        }
    }

    /// The answer to the first call of a case in the canonical form.
    pub(crate) fn translated(&self, case: &Case, asked: &Call<'_>, outcome: Outcome) -> Outcome {
        match &self.about.introduction.dialect {
            Some(name) => dialect::answered(name, &Call::of_case(case), asked, outcome),
            None => outcome,
        }
    }

    /// Whether a case with this judgement fails, and no list names it.
    pub(crate) fn fails(&self, place: usize, judgement: Judgement) -> bool {
        let mut reports = [case_report(self.work.cases[place], judgement)];
        let RunWork {
            corpus,
            expectations,
            ..
        } = self.work;
        let implementation = &self.about.introduction.implementation;
        expectations.apply(corpus, implementation, self.today(), &mut reports);
        reports[0].verdict.is_failure()
    }

    fn today(&self) -> Date {
        let today = self.options.today;
        today.unwrap_or_else(|| OffsetDateTime::now_utc().date())
    }

    /// The report before anything is judged.
    pub(crate) fn beginning(&self) -> RunReport {
        let About {
            introduction,
            adapter,
            os,
            ..
        } = self.about.clone();
        let corpus = self.work.corpus;
        RunReport {
            unknown_capabilities: unknown_capabilities(&introduction),
            implementation: introduction.implementation,
            capabilities: introduction.capabilities,
            adapter,
            os,
            kit: env!("CARGO_PKG_VERSION").to_owned(),
            corpus: CorpusName {
                version: corpus.version().to_owned(),
                digest: corpus.digest().to_owned(),
            },
            schemas: schema_digests(),
            selection: self.options.selection.clone(),
            summary: summary(&[]),
            ..RunReport::default()
        }
    }

    /// The report of what came back. Nothing is scored when a canary failed.
    pub(crate) fn report(&self, answers: Answers, beginning: RunReport) -> RunReport {
        let Answers {
            judgements,
            canary,
            stopped,
            ..
        } = answers;
        if canary.is_some() {
            return RunReport {
                canary,
                ..beginning
            };
        }
        let (mut cases, mut not_judged) = (Vec::new(), Vec::new());
        for (case, judgement) in self.work.cases.iter().zip(judgements) {
            match judgement {
                Some(judgement) => cases.push(case_report(case, judgement)),
                None => not_judged.push(case.id.clone()),
            }
        }
        let RunWork {
            corpus,
            expectations,
            ..
        } = self.work;
        let implementation = &beginning.implementation;
        let stale = expectations.apply(corpus, implementation, self.today(), &mut cases);
        RunReport {
            summary: summary(&cases),
            incomplete: incomplete(&cases, &not_judged, stopped),
            cases,
            not_judged,
            stale,
            ..beginning
        }
    }

    /// A case for the reference alone binds it fully, and so does an unknown requirement, which the
    /// lint of the corpus reports.
    pub(crate) fn bar(&self, case: &Case) -> JudgeOptions {
        let ids = case.requirements.iter();
        let levels = ids.filter_map(|id| self.levels.get(id.as_str()));
        let level = levels.min().copied().unwrap_or(RequirementLevel::Must);
        JudgeOptions {
            level: if case.reference_only() {
                RequirementLevel::Must
            } else {
                level
            },
            reference: self.options.reference,
            writes_back: written_back::is_declared(&self.about.introduction),
        }
    }
}

fn case_report(case: &Case, judgement: Judgement) -> CaseReport {
    CaseReport {
        id: case.id.clone(),
        file: None,
        verdict: judgement.verdict,
        again: None,
        requirements: case.requirements.clone(),
        input: judgement
            .detail
            .is_some()
            .then(|| kept::input(&case.text())),
        detail: judgement.detail,
        uncompared: judgement.uncompared,
        title: case.title.clone(),
        why: case.why.clone(),
    }
}

/// A spent budget matters only when it left cases unasked; no case and nothing but skips are as
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
    let known = |word: &&String| {
        let types = vocabulary::TYPES.iter().map(|(name, _)| *name);
        vocabulary::capabilities()
            .chain(types)
            .any(|it| it == word.as_str())
    };
    let declared = introduction.capabilities.iter();
    declared.filter(|word| !known(word)).cloned().collect()
}
