//! Updates a list of expected failures to what a run has shown, and keeps the rest of the file: its
//! order, its comments, its reasons. Reasons are for people to write, so a new entry asks for one.

mod edit;
mod whole_run;

pub use whole_run::RunRejection;

use std::collections::{BTreeMap, BTreeSet};

use chatstate_corpus::{Case, Corpus};
use time::{Date, OffsetDateTime};

use super::{EntryMatcher, EntryTarget, Expectations, ExpectationsError, MOST_EXCUSED, signs_of};
use crate::judgement::Verdict;
use crate::report::messages::cause;
use crate::report::{CaseReport, RunReport};

/// What is left of a list, and what was done to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListUpdate {
    /// The file.
    pub text: String,
    /// What was done, in the order of the file.
    pub changes: Vec<ListChange>,
    /// Cases that pass and that an entry says of that they fail.
    pub mended: Vec<String>,
}

/// What was done to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListChange {
    /// A failure that no entry named has one now.
    Added {
        /// The case.
        case: String,
        /// How it fails.
        fingerprint: String,
    },
    /// Failures of one kind that no entry named have one together.
    AddedKind {
        /// What they have in common.
        fingerprint: String,
        /// How many there are.
        count: usize,
    },
    /// The entry is gone.
    Removed {
        /// What it named.
        names: String,
        /// Why it is gone.
        because: Removal,
    },
    /// The case fails in another way than the entry said.
    OtherFailure {
        /// The case.
        case: String,
        /// How it failed.
        before: String,
        /// How it fails.
        after: String,
    },
    /// The entry named cases that pass, or more failures than it may: each failure has its own now.
    Split {
        /// What it named.
        names: String,
        /// Into how many entries.
        into: usize,
    },
    /// The entry had its last day. Only people can give it another one.
    Over {
        /// What it names.
        names: String,
    },
}

/// Why an entry is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// No case of the corpus has this id, or tests this requirement.
    MatchesNothing,
    /// What it names is skipped or never scored.
    NotScored,
    /// What it names passes.
    Passes,
    /// Another entry names the same failures.
    ListedTwice,
}

/// Why a list is not brought up to date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// The list cannot be used.
    #[error(transparent)]
    List(#[from] ExpectationsError),
    /// Its entries are not tables of their own.
    #[error("`{0}` holds its entries in one value; write each as a table `[[expect]]`")]
    NoTables(String),
    /// The run does not say enough.
    #[error("a list is brought up to date by a whole run alone: {0}")]
    Run(RunRejection),
}

/// What a run showed of a case.
#[derive(Debug, Clone, Copy)]
enum Shown<'a> {
    /// It fails in this way; whether that is wrong unless a list names it.
    Fails {
        fingerprint: &'a str,
        counts: bool,
        report: &'a CaseReport,
    },
    Passes,
    NotScored,
}

/// What becomes of an entry.
enum Fate {
    Keep,
    Over,
    Remove(Removal),
    Refresh(String),
    Split(Vec<FailedCase>),
}

/// A case and how it fails.
struct FailedCase {
    case: String,
    fingerprint: String,
}

/// Brings the text of a list up to what a run has shown. Entries for other implementations stay as they
/// are. A failure that no entry names gets one, with `reason` or what the run saw of it. Last days are
/// looked at on `today`; the present day when absent.
///
/// # Errors
///
/// When the list cannot be used, or the run is not one of the whole corpus that always comes to the same.
pub fn update_list(
    file: &str,
    text: &str,
    run: (&RunReport, &Corpus),
    today: Option<Date>,
    reason: Option<&str>,
    grouping: Grouping,
) -> Result<ListUpdate, UpdateError> {
    let list = Expectations::parse(file, text)?;
    let (report, corpus) = run;
    whole_run::check_run(report, corpus).map_err(UpdateError::Run)?;
    let today = today.unwrap_or_else(|| OffsetDateTime::now_utc().date());
    let planner = Planner::new(&list, report, corpus, today);
    let fates: Vec<_> = (0..list.entries.len())
        .map(|index| planner.fate(index))
        .collect();
    let unnamed = planner.unnamed(&fates);
    let mut changes: Vec<_> = list
        .entries
        .iter()
        .zip(&fates)
        .filter_map(|(entry, fate)| change(entry, fate))
        .collect();
    let (kinds, alone) = match grouping {
        Grouping::Each => (BTreeMap::new(), unnamed),
        Grouping::Kinds => kinds_of(unnamed),
    };
    changes.extend(kinds.iter().map(|(kind, cases)| ListChange::AddedKind {
        fingerprint: kind.clone(),
        count: cases.len(),
    }));
    changes.extend(alone.iter().map(|case| ListChange::Added {
        case: case.id.clone(),
        fingerprint: fingerprint(case).to_owned(),
    }));
    let reason_of = |case: &CaseReport| reason.map_or_else(|| first_reason(case), str::to_owned);
    let kinds = kinds.iter().map(|(kind, cases)| edit::Addition {
        case: ALL_CASES,
        fingerprint: kind,
        reason: reason_of(cases[0]),
        max: (cases.len() > MOST_EXCUSED).then_some(cases.len()),
    });
    let alone = alone.iter().map(|case| edit::Addition {
        case: &case.id,
        fingerprint: fingerprint(case),
        reason: reason_of(case),
        max: None,
    });
    let text = edit::edit(text, fates, kinds.chain(alone))
        .ok_or(UpdateError::NoTables(file.to_owned()))?;
    let mended = planner.mended();
    Ok(ListUpdate {
        text,
        changes,
        mended,
    })
}

/// Whether new failures of one kind get an entry together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Each has its own.
    #[default]
    Each,
    /// Those of one class of losses have one.
    Kinds,
}

/// The pattern of every case.
const ALL_CASES: &str = "*";

/// From so many failures on, a kind has an entry.
const FEWEST_OF_A_KIND: usize = 3;

/// The failures of which each has signs of one class alone, by the pattern of that class, and the
/// others.
fn kinds_of(failures: Vec<&CaseReport>) -> (BTreeMap<String, Vec<&CaseReport>>, Vec<&CaseReport>) {
    let kind = |case: &CaseReport| {
        let signs = signs_of(fingerprint(case));
        let class = |sign: &String| sign.split_once('@').map(|(class, _)| class.to_owned());
        let first = class(signs.first()?)?;
        let is_one = signs
            .iter()
            .all(|sign| class(sign).as_ref() == Some(&first));
        is_one.then(|| format!("{first}@*"))
    };
    let (mut kinds, mut others) = (BTreeMap::<String, Vec<_>>::new(), Vec::new());
    for case in failures {
        match kind(case) {
            Some(kind) => kinds.entry(kind).or_default().push(case),
            None => others.push(case),
        }
    }
    let few = kinds.extract_if(.., |_, cases| cases.len() < FEWEST_OF_A_KIND);
    others.extend(few.flat_map(|(_, cases)| cases));
    others.sort_by(|one, other| one.id.cmp(&other.id));
    (kinds, others)
}

/// How a case fails, as a list spells it.
fn fingerprint(case: &CaseReport) -> &str {
    let detail = case.detail.as_ref();
    let fingerprint = detail.and_then(|detail| detail.fingerprint.as_deref());
    fingerprint.unwrap_or("")
}

/// The placeholder for a reason that is still to be found.
fn first_reason(case: &CaseReport) -> String {
    let words = case.detail.as_ref().map(|detail| cause(&detail.cause));
    format!("to be explained: {}", words.unwrap_or_default())
}

fn shown(case: &CaseReport) -> Shown<'_> {
    let fails = |counts| Shown::Fails {
        fingerprint: fingerprint(case),
        counts,
        report: case,
    };
    match case.verdict {
        Verdict::Pass | Verdict::UnexpectedPass => Shown::Passes,
        Verdict::Skip | Verdict::Recorded => Shown::NotScored,
        Verdict::Warn | Verdict::Unclassified => fails(false),
        Verdict::Fail | Verdict::Error | Verdict::ExpectedFailure | Verdict::Flaky => fails(true),
    }
}

/// Works out what becomes of each entry, before anything is written.
struct Planner<'a> {
    list: &'a Expectations,
    corpus: &'a Corpus,
    today: Date,
    shown: BTreeMap<&'a str, Shown<'a>>,
    /// Which entry that names one case alone says how that case fails.
    owners: BTreeMap<&'a str, usize>,
    /// Whether the entry counts for this implementation.
    counts: Vec<bool>,
}

impl<'a> Planner<'a> {
    fn new(list: &'a Expectations, report: &'a RunReport, corpus: &'a Corpus, today: Date) -> Self {
        let shown = report.cases.iter().map(|it| (it.id.as_str(), shown(it)));
        let counts = list.entries.iter();
        let counts = counts.map(|entry| entry.counts_for(&report.implementation));
        let mut planner = Self {
            list,
            corpus,
            today,
            shown: shown.collect(),
            owners: BTreeMap::new(),
            counts: counts.collect(),
        };
        planner.find_owners();
        planner
    }

    /// An entry that says how its case fails comes before one that says something else.
    fn find_owners(&mut self) {
        for wants_match in [true, false] {
            for (index, entry) in self.list.entries.iter().enumerate() {
                let Some(case) = self.only_case(entry).filter(|_| self.counts[index]) else {
                    continue;
                };
                let fingerprint = self.failure_of(case);
                if fingerprint.is_some_and(|it| entry.excuses(it) || !wants_match) {
                    self.owners.entry(&case.id).or_insert(index);
                }
            }
        }
    }

    /// How a case fails, if it does.
    fn failure_of(&self, case: &Case) -> Option<&'a str> {
        match self.shown.get(case.id.as_str()) {
            Some(Shown::Fails { fingerprint, .. }) => Some(fingerprint),
            _ => None,
        }
    }

    /// The case of an entry that names one by its id.
    fn only_case(&self, entry: &EntryMatcher) -> Option<&'a Case> {
        let EntryTarget::Cases(_) = entry.target else {
            return None;
        };
        let id = entry.names();
        let is_named = |case: &&Case| case.id == id || case.aliases.iter().any(|it| it == id);
        self.corpus.cases().iter().find(is_named)
    }

    fn fate(&self, index: usize) -> Fate {
        let entry = &self.list.entries[index];
        if !self.counts[index] {
            return Fate::Keep;
        }
        let named: Vec<_> = self.named(entry).collect();
        if named.is_empty() {
            return Fate::Remove(Removal::MatchesNothing);
        }
        let is = |wanted: fn(&Shown<'_>) -> bool| {
            let mut found = named.iter().filter_map(|it| self.shown.get(it.id.as_str()));
            found.any(wanted)
        };
        let fails = is(|it| matches!(it, Shown::Fails { .. }));
        let passes = is(|it| matches!(it, Shown::Passes));
        if !fails {
            let because = if passes {
                Removal::Passes
            } else {
                Removal::NotScored
            };
            return Fate::Remove(because);
        }
        if entry.is_over(self.today) {
            return Fate::Over;
        }
        match self.only_case(entry) {
            Some(case) => self.fate_of_one(index, case),
            None => self.fate_of_pattern(entry, &named, passes),
        }
    }

    fn named(&self, entry: &'a EntryMatcher) -> impl Iterator<Item = &'a Case> {
        let cases = self.corpus.cases().iter();
        cases.filter(|case| entry.names_case(case))
    }

    fn fate_of_one(&self, index: usize, case: &Case) -> Fate {
        let fingerprint = self.failure_of(case).unwrap_or("");
        if self.owners.get(case.id.as_str()) != Some(&index) {
            Fate::Remove(Removal::ListedTwice)
        } else if self.list.entries[index].excuses(fingerprint) {
            Fate::Keep
        } else {
            Fate::Refresh(fingerprint.to_owned())
        }
    }

    /// A pattern stays while all that it names fails, and it excuses no more than it may.
    fn fate_of_pattern(&self, entry: &EntryMatcher, named: &[&Case], passes: bool) -> Fate {
        let failing = named
            .iter()
            .filter_map(|case| Some((*case, self.failure_of(case)?)));
        let excused: Vec<_> = failing.filter(|(_, it)| entry.excuses(it)).collect();
        let passes = passes && !entry.is_about_a_failure();
        if !passes && !excused.is_empty() && excused.len() <= entry.most() {
            return Fate::Keep;
        }
        let own = excused
            .iter()
            .filter(|(case, _)| !self.owners.contains_key(case.id.as_str()));
        let own: Vec<_> = own
            .map(|(case, fingerprint)| FailedCase {
                case: case.id.clone(),
                fingerprint: (*fingerprint).to_owned(),
            })
            .collect();
        match (own.is_empty(), excused.is_empty()) {
            (false, _) => Fate::Split(own),
            (true, false) => Fate::Remove(Removal::ListedTwice),
            (true, true) => Fate::Remove(Removal::Passes),
        }
    }

    /// The cases that pass although an entry names them.
    fn mended(&self) -> Vec<String> {
        let passes = |case: &Case| matches!(self.shown.get(case.id.as_str()), Some(Shown::Passes));
        let is_named = |case: &Case| {
            let entries = self.list.entries.iter().zip(&self.counts);
            entries
                .filter(|(_, counts)| **counts)
                .any(|(it, _)| it.names_case(case) && !it.is_about_a_failure())
        };
        let cases = self.corpus.cases().iter();
        let mended = cases.filter(|case| passes(case) && is_named(case));
        mended.map(|case| case.id.clone()).collect()
    }

    /// The failures that no entry names that is left.
    fn unnamed(&self, fates: &[Fate]) -> Vec<&'a CaseReport> {
        let mut named: BTreeSet<&str> = self.owners.keys().copied().collect();
        for ((entry, fate), counts) in self.list.entries.iter().zip(fates).zip(&self.counts) {
            let over = matches!(fate, Fate::Over);
            if *counts && matches!(fate, Fate::Keep | Fate::Over | Fate::Split(_)) {
                let cases = self.named(entry);
                let excused = cases.filter(|case| {
                    let fingerprint = self.failure_of(case);
                    fingerprint.is_some_and(|it| over || entry.excuses(it))
                });
                named.extend(excused.map(|case| case.id.as_str()));
            }
        }
        let failing = self.shown.iter().filter_map(|(id, shown)| match shown {
            Shown::Fails {
                counts: true,
                report,
                ..
            } if !named.contains(id) => Some(*report),
            _ => None,
        });
        failing.collect()
    }
}

fn change(entry: &EntryMatcher, fate: &Fate) -> Option<ListChange> {
    let names = entry.names().to_owned();
    match fate {
        Fate::Keep => None,
        Fate::Over => Some(ListChange::Over { names }),
        Fate::Remove(because) => Some(ListChange::Removed {
            names,
            because: *because,
        }),
        Fate::Refresh(after) => Some(ListChange::OtherFailure {
            case: names,
            before: entry.expectation.fingerprint.clone().unwrap_or_default(),
            after: after.clone(),
        }),
        Fate::Split(into) => Some(ListChange::Split {
            names,
            into: into.len(),
        }),
    }
}
