//! Whether the corpus can be trusted: it is run against the reference, which must pass, and against
//! every mutant of it, which must be found out by the cases that promise it, for the right reason.

pub mod json;
pub mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use chatstate_corpus::{Case, Corpus, Family, Mutant, Requirement};

use crate::command::AdapterCommand;
use crate::expectations::{Expectations, matches};
use crate::judgement::Verdict;
use crate::report::CaseReport;
use crate::run::{RunOptions, RunWork, run as run_cases};
use crate::session::StartError;

/// What is tried out on what.
pub struct SelftestSetup<'a> {
    /// The corpus, with its mutants.
    pub corpus: &'a Corpus,
    /// The requirements of SPEC.md.
    pub requirements: &'a [Requirement],
    /// The mutants to try.
    pub mutants: Vec<&'a Mutant>,
    /// The command that starts the reference, or a mutant of it by its id.
    pub command: &'a (dyn Fn(Option<&str>) -> AdapterCommand + Sync),
    /// How many processes run side by side.
    pub jobs: NonZeroUsize,
}

/// A case that does not pass under a mutant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MutantFailure {
    /// The id of the case.
    pub case: String,
    /// The parts of its fingerprint.
    pub signs: Vec<String>,
}

/// What the cases that could find a mutant said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial<'a> {
    /// The mutant.
    pub mutant: &'a Mutant,
    /// The cases that do not pass, in the order of their ids.
    pub failures: Vec<MutantFailure>,
}

/// Something that is wrong with the corpus or with a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// The unbroken reference does not pass this case.
    ReferenceFails(String),
    /// A case says that it finds the mutant out, and it passes.
    NotFoundOut {
        /// The mutant.
        mutant: String,
        /// The case.
        case: String,
    },
    /// A case finds the mutant out for another reason than the mutant's fault.
    OtherReason {
        /// The mutant.
        mutant: String,
        /// The case.
        case: String,
        /// What shows the failure and is not expected of the mutant.
        sign: String,
    },
    /// No case says that it finds the mutant out, and these do.
    NotPromised {
        /// The mutant.
        mutant: String,
        /// The cases, none if it survives them all.
        cases: Vec<String>,
    },
    /// So many cases fail that the mutant is no fault of its own.
    TooBroad {
        /// The mutant.
        mutant: String,
        /// How many cases fail.
        failures: usize,
    },
    /// Two mutants cannot be distinguished.
    Alike(String, String),
}

/// What came of trying all mutants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelftestResult<'a> {
    /// Every mutant that was tried, in the order of the list.
    pub trials: Vec<Trial<'a>>,
    /// How many cases there are.
    pub cases: usize,
    /// The ids of the mutants that are found out as they should be.
    pub killed: BTreeSet<&'a str>,
    /// Cases that no mutant fails but those that answer everything alike. Empty unless all mutants
    /// were tried.
    pub idle: Vec<&'a str>,
    /// What is wrong.
    pub complaints: Vec<Complaint>,
}

/// The part of the corpus that a narrow mutant may fail: one case in so many.
const NARROW: usize = 10;

/// Runs the corpus against the reference and each mutant; `progress` is told how many are done.
///
/// # Errors
///
/// When the reference or a mutant does not start.
pub fn run<'a>(
    setup: &SelftestSetup<'a>,
    progress: &mut dyn FnMut(usize),
) -> Result<SelftestResult<'a>, StartError> {
    let reference = judged(setup, None)?;
    let trials = tried(setup, progress)?;
    Ok(conclude(setup.corpus, &reference, trials))
}

/// Tries every mutant, those first that are waited for.
fn tried<'a>(
    setup: &SelftestSetup<'a>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Trial<'a>>, StartError> {
    let mut order: Vec<usize> = (0..setup.mutants.len()).collect();
    order.sort_by_key(|place| setup.mutants[*place].family != Family::Protocol);
    let next = AtomicUsize::new(0);
    let (results, found) = mpsc::channel();
    let mut trials = BTreeMap::new();
    thread::scope(|scope| {
        for _ in 0..setup.jobs.get() {
            let (results, next, order) = (results.clone(), &next, &order);
            scope.spawn(move || {
                while let Some(place) = order.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let mutant = setup.mutants[*place];
                    // No one listens any more when another one did not start.
                    let _ = results.send((*place, trial(setup, mutant)));
                }
            });
        }
        drop(results);
        for (place, trial) in found {
            trials.insert(place, trial?);
            progress(trials.len());
        }
        Ok(())
    })?;
    Ok(trials.into_values().collect())
}

fn trial<'a>(setup: &SelftestSetup<'a>, mutant: &'a Mutant) -> Result<Trial<'a>, StartError> {
    let reports = judged(setup, Some(mutant))?;
    let failed = reports.into_iter().filter(|report| fails(report.verdict));
    let failures = failed.map(|report| MutantFailure {
        case: report.id,
        signs: report.detail.map_or_else(Vec::new, |it| it.signs()),
    });
    Ok(Trial {
        mutant,
        failures: failures.collect(),
    })
}

fn fails(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Pass | Verdict::Recorded | Verdict::Skip)
}

/// Runs the cases of the operations that a mutant breaks, or all. Canaries are left out, since they
/// stop the broadest defects before any case could notice.
fn judged(
    setup: &SelftestSetup<'_>,
    mutant: Option<&Mutant>,
) -> Result<Vec<CaseReport>, StartError> {
    let broken: &[String] = mutant.map_or(&[], |mutant| &mutant.operations);
    let can_tell = |case: &&Case| broken.is_empty() || broken.contains(&case.op);
    let command = (setup.command)(mutant.map(|mutant| mutant.id.as_str()));
    let work = RunWork {
        command: &command,
        corpus: setup.corpus,
        cases: setup.corpus.cases().iter().filter(can_tell).collect(),
        requirements: setup.requirements,
        expectations: &Expectations::default(),
    };
    let options = RunOptions {
        canaries: false,
        reference: true,
        jobs: NonZeroUsize::MIN,
        timeout: patience(mutant),
        start_timeout: PATIENCE,
        crash_budget: usize::MAX,
        ..RunOptions::default()
    };
    let report = run_cases(&work, &options, &mut |_| {})?;
    Ok(report.cases)
}

/// Much longer than any answer takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long an answer may take. Some of those that break the protocol never answer, and their cases
/// are quick ones.
fn patience(mutant: Option<&Mutant>) -> Duration {
    match mutant {
        Some(mutant) if mutant.family == Family::Protocol => Duration::from_secs(2),
        _ => PATIENCE,
    }
}

/// Judges what the cases said. Pure: the reports of the reference and the trials are all there is.
#[must_use]
pub fn conclude<'a>(
    corpus: &'a Corpus,
    reference: &[CaseReport],
    trials: Vec<Trial<'a>>,
) -> SelftestResult<'a> {
    let broken = reference.iter().filter(|report| fails(report.verdict));
    let mut complaints: Vec<_> = broken
        .map(|report| Complaint::ReferenceFails(report.id.clone()))
        .collect();
    let mut killed = BTreeSet::new();
    for trial in &trials {
        let found = trial.complaints(corpus);
        if found.is_empty() {
            killed.insert(trial.mutant.id.as_str());
        }
        complaints.extend(found);
        complaints.extend(trial.too_broad(corpus));
    }
    complaints.extend(alike(&trials));
    SelftestResult {
        cases: corpus.cases().len(),
        idle: idle(corpus, &trials),
        trials,
        killed,
        complaints,
    }
}

impl Trial<'_> {
    fn failure(&self, case: &str) -> Option<&MutantFailure> {
        self.failures.iter().find(|failure| failure.case == case)
    }

    /// What is wrong with the promises about the mutant.
    fn complaints(&self, corpus: &Corpus) -> Vec<Complaint> {
        let mutant = self.mutant.id.as_str();
        let cases = corpus.cases().iter();
        let promised: Vec<&Case> = cases
            .filter(|case| case.kills.iter().any(|it| it == mutant))
            .collect();
        if promised.is_empty() {
            let cases = self.failures.iter().map(|failure| failure.case.clone());
            return vec![Complaint::NotPromised {
                mutant: mutant.to_owned(),
                cases: cases.collect(),
            }];
        }
        let broken = promised.into_iter().filter_map(|case| self.complaint(case));
        broken.collect()
    }

    /// What is wrong with the promise of one case.
    fn complaint(&self, case: &Case) -> Option<Complaint> {
        let (mutant, case) = (self.mutant.id.clone(), case.id.clone());
        let Some(failure) = self.failure(&case) else {
            return Some(Complaint::NotFoundOut { mutant, case });
        };
        let expected = |sign: &&String| {
            let mut patterns = self.mutant.shows.iter();
            patterns.any(|pattern| matches(pattern, sign))
        };
        let sign = failure.signs.iter().find(|sign| !expected(sign)).cloned()?;
        Some(Complaint::OtherReason { mutant, case, sign })
    }

    fn too_broad(&self, corpus: &Corpus) -> Option<Complaint> {
        let failures = self.failures.len();
        let broad = failures * NARROW > corpus.cases().len();
        (broad && !self.mutant.family.may_be_broad()).then(|| Complaint::TooBroad {
            mutant: self.mutant.id.clone(),
            failures,
        })
    }
}

/// Mutants that fail the same cases in the same way as one before them.
fn alike(trials: &[Trial<'_>]) -> Vec<Complaint> {
    let mut known: BTreeMap<&[MutantFailure], &str> = BTreeMap::new();
    let mut complaints = Vec::new();
    for trial in trials.iter().filter(|trial| !trial.failures.is_empty()) {
        let first = *known.entry(&trial.failures).or_insert(&trial.mutant.id);
        if first != trial.mutant.id {
            let other = trial.mutant.id.clone();
            complaints.push(Complaint::Alike(first.to_owned(), other));
        }
    }
    complaints
}

fn idle<'a>(corpus: &'a Corpus, trials: &[Trial<'_>]) -> Vec<&'a str> {
    if trials.len() < corpus.mutants().len() {
        return Vec::new();
    }
    let narrow = trials.iter().filter(|trial| trial.mutant.family.proves());
    let failures = narrow.flat_map(|trial| &trial.failures);
    let busy: BTreeSet<&str> = failures.map(|failure| failure.case.as_str()).collect();
    let cases = corpus.cases().iter().map(|case| case.id.as_str());
    cases.filter(|case| !busy.contains(case)).collect()
}
