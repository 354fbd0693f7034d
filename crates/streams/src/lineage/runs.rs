//! The runs as they come, one after the other.

use std::collections::{HashMap, HashSet};

use super::LineageRun;
use crate::replay::Remark;

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The log is rejected.
    Error,
    /// The log is accepted.
    Warning,
}

/// Something that is wrong with the lineage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The rule's name.
    pub rule: &'static str,
    pub severity: Severity,
    /// The index of the `RUN_STARTED` that is wrong.
    pub index: usize,
    /// JSON pointer from that event to what is wrong.
    pub place: String,
    /// The index of the other event involved.
    pub other: Option<usize>,
    pub message: String,
}

impl Problem {
    /// The problem of an input that brings another value of a message; `None` for other remarks.
    pub fn of_conflict(remark: &Remark) -> Option<Self> {
        (remark.rule == "lineage.conflict").then(|| Self {
            rule: remark.rule,
            severity: Severity::Warning,
            index: remark.index,
            place: remark.place.clone(),
            other: None,
            message: remark.message.clone(),
        })
    }
}

/// The runs so far. Memory grows with the number of runs and the length of their ids.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    rows: Vec<LineageRun>,
    /// The latest run of each id.
    by_id: HashMap<String, usize>,
    /// The runs that name a parent which has not been there yet, by the parent.
    waiting: HashMap<String, Vec<usize>>,
}

impl Runs {
    /// What a run continues that begins now.
    fn predecessor_of(&self, run_id: &str, parent: Option<&str>) -> Option<usize> {
        let named = parent.filter(|parent| *parent != run_id);
        let named = named.and_then(|parent| self.by_id.get(parent)).copied();
        named.or_else(|| self.rows.len().checked_sub(1))
    }

    /// Adds the run that begins with the event of this index, and gives what is wrong now. A run
    /// that named this one before it was there is wrong from now on.
    pub fn push(&mut self, index: usize, run_id: &str, parent: Option<&str>) -> Vec<Problem> {
        let place = self.rows.len();
        let mut problems = Vec::new();
        if let Some(earlier) = self.by_id.get(run_id) {
            problems.push(self.reused(index, *earlier));
        }
        for waiting in self.waiting.remove(run_id).into_iter().flatten() {
            problems.push(self.later(waiting, index));
        }
        let named = parent.and_then(|parent| self.by_id.get(parent)).copied();
        let is_self = parent == Some(run_id);
        self.rows.push(LineageRun {
            run_id: run_id.to_owned(),
            predecessor: self.predecessor_of(run_id, parent),
            parent_run_id: parent.map(str::to_owned),
            index,
        });
        self.by_id.insert(run_id.to_owned(), place);
        match parent {
            Some(_) if is_self => problems.push(self.later(place, index)),
            Some(parent) if named.is_none() => {
                self.waiting
                    .entry(parent.to_owned())
                    .or_default()
                    .push(place);
            }
            _ => {}
        }
        problems
    }

    /// The warnings for parents that the log does not hold, in the order of the log.
    pub fn outside(&self) -> Vec<Problem> {
        let mut places: Vec<_> = self.waiting.values().flatten().copied().collect();
        places.sort_unstable();
        let warning = |place: usize| {
            let row = &self.rows[place];
            let parent = row.parent_run_id.as_deref().unwrap_or_default();
            Problem {
                rule: "lineage.parent-outside",
                severity: Severity::Warning,
                index: row.index,
                place: "/parentRunId".to_owned(),
                other: None,
                message: format!(
                    "the parent `{parent}` of run `{}` is not in the log, so the run continues the run before it",
                    row.run_id
                ),
            }
        };
        places.into_iter().map(warning).collect()
    }

    /// The runs in the order of the log.
    pub fn rows(&self) -> &[LineageRun] {
        &self.rows
    }

    /// The runs in the order of the log.
    pub fn into_rows(self) -> Vec<LineageRun> {
        self.rows
    }

    /// The runs from which no run continues.
    pub fn tips(&self) -> impl Iterator<Item = &LineageRun> {
        let followed: HashSet<_> = self.rows.iter().filter_map(|row| row.predecessor).collect();
        let is_tip = move |(place, _): &(usize, &LineageRun)| !followed.contains(place);
        self.rows
            .iter()
            .enumerate()
            .filter(is_tip)
            .map(|(_, row)| row)
    }

    /// The place of the run with this id; of several, the latest.
    pub fn place_of(&self, run_id: &str) -> Option<usize> {
        self.by_id.get(run_id).copied()
    }

    /// The places of the runs from the first to this one, each the predecessor of the next.
    pub fn path_to(&self, place: usize) -> Vec<usize> {
        let before = |place: &usize| self.rows[*place].predecessor;
        let mut path: Vec<_> = std::iter::successors(Some(place), before).collect();
        path.reverse();
        path
    }

    fn reused(&self, index: usize, earlier: usize) -> Problem {
        let earlier = &self.rows[earlier];
        Problem {
            rule: "lineage.run-reused",
            severity: Severity::Error,
            index,
            place: "/runId".to_owned(),
            other: Some(earlier.index),
            message: format!("the log already holds a run `{}`", earlier.run_id),
        }
    }

    /// The run at this place names itself, or a run that begins later, as its parent.
    fn later(&self, place: usize, other: usize) -> Problem {
        let row = &self.rows[place];
        let parent = row.parent_run_id.as_deref().unwrap_or_default();
        let what = if row.index == other {
            "itself"
        } else {
            "the later run"
        };
        Problem {
            rule: "lineage.self-or-later",
            severity: Severity::Error,
            index: row.index,
            place: "/parentRunId".to_owned(),
            other: (row.index != other).then_some(other),
            message: format!("run `{}` names {what} `{parent}` as its parent", row.run_id),
        }
    }
}
