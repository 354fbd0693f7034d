//! The shards of a run as one report.

use std::collections::BTreeSet;

use crate::judgement::Verdict;
use crate::report::{Incomplete, RunReport, Shard, summary};

/// Why reports are not the shards of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There is none.
    #[error("there is no report to merge")]
    Nothing,
    /// One is no shard.
    #[error(
        "report {number} is of a whole run; only what `chatstate test --shard I/N` wrote can be merged"
    )]
    NoShard {
        /// Which one, from 1.
        number: usize,
    },
    /// One is of another run.
    #[error("report {number} is of another run than the first: `{member}` is different")]
    OtherRun {
        /// Which one, from 1.
        number: usize,
        /// What is different.
        member: &'static str,
    },
    /// A shard is there twice.
    #[error("shard {0} occurs twice")]
    Twice(Shard),
    /// A shard is missing.
    #[error("shard {0} is missing")]
    Missing(Shard),
    /// Two shards have a case in common.
    #[error("the case `{0}` is in two shards")]
    Overlap(String),
}

/// Puts the shards of one run together.
///
/// # Errors
///
/// When one is missing or there twice, or they are of different runs.
pub fn merge(reports: &[RunReport]) -> Result<RunReport, MergeError> {
    let first = reports.first().ok_or(MergeError::Nothing)?;
    check_shards(first, reports)?;
    let mut merged = first.clone();
    merged.cases = reports.iter().flat_map(|it| it.cases.clone()).collect();
    merged.cases.sort_by(|one, other| one.id.cmp(&other.id));
    let twice = merged
        .cases
        .windows(2)
        .find(|pair| pair[0].id == pair[1].id);
    if let Some([case, _]) = twice {
        return Err(MergeError::Overlap(case.id.clone()));
    }
    let not_judged: BTreeSet<_> = reports.iter().flat_map(|it| &it.not_judged).collect();
    merged.not_judged = not_judged.into_iter().cloned().collect();
    merged.stale.clear();
    for entry in reports.iter().flat_map(|it| &it.stale) {
        if !merged.stale.contains(entry) {
            merged.stale.push(entry.clone());
        }
    }
    merged.canary = reports.iter().find_map(|it| it.canary.clone());
    merged.summary = summary(&merged.cases);
    merged.incomplete = incomplete(reports, &merged);
    merged.selection = merged.selection.take().filter(|it| {
        !(it.only.is_empty()
            && it.suites.is_empty()
            && it.fixtures.is_empty()
            && it.corpora.is_empty())
    });
    if let Some(selection) = &mut merged.selection {
        selection.shard = None;
    }
    Ok(merged)
}

fn check_shards(first: &RunReport, reports: &[RunReport]) -> Result<(), MergeError> {
    let mut missing = BTreeSet::new();
    for (index, report) in reports.iter().enumerate() {
        let number = index + 1;
        let shard = shard_of(report).ok_or(MergeError::NoShard { number })?;
        if let Some(member) = other_member(first, report) {
            return Err(MergeError::OtherRun { number, member });
        }
        if index == 0 {
            missing.extend(1..=shard.of);
        }
        if !missing.remove(&shard.index) {
            return Err(MergeError::Twice(shard));
        }
    }
    let of = shard_of(first).map_or(0, |shard| shard.of);
    match missing.first() {
        Some(&index) => Err(MergeError::Missing(Shard { index, of })),
        None => Ok(()),
    }
}

fn shard_of(report: &RunReport) -> Option<Shard> {
    report.selection.as_ref()?.shard
}

/// The first member that distinguishes two runs. The command may differ: machines do.
fn other_member(first: &RunReport, report: &RunReport) -> Option<&'static str> {
    let selected = |report: &RunReport| {
        let selection = report.selection.clone().unwrap_or_default();
        (
            selection.only,
            selection.suites,
            selection.shard.map(|it| it.of),
        )
    };
    [
        (
            "implementation",
            first.implementation == report.implementation,
        ),
        ("capabilities", first.capabilities == report.capabilities),
        ("corpus", first.corpus == report.corpus),
        ("schemas", first.schemas == report.schemas),
        ("kit", first.kit == report.kit),
        ("selection", selected(first) == selected(report)),
    ]
    .into_iter()
    .find_map(|(member, same)| (!same).then_some(member))
}

/// That a shard alone had nothing to judge says nothing about all of them.
fn incomplete(reports: &[RunReport], merged: &RunReport) -> Option<Incomplete> {
    let stopped = reports
        .iter()
        .filter_map(|it| it.incomplete.clone())
        .find(|it| {
            !matches!(
                it,
                Incomplete::NothingSelected | Incomplete::EverythingSkipped
            )
        });
    if stopped.is_some() || merged.canary.is_some() {
        return stopped;
    }
    if merged.cases.is_empty() {
        return Some(Incomplete::NothingSelected);
    }
    let skipped = merged
        .cases
        .iter()
        .all(|case| case.verdict == Verdict::Skip);
    skipped.then_some(Incomplete::EverythingSkipped)
}
