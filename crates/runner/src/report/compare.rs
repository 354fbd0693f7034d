//! What is different between two runs.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use crate::judgement::Verdict;
use crate::report::messages::{change_words, counted_changes};
use crate::report::{CaseReport, CorpusName, RunReport};
use chatstate_protocol::ImplementationName;

/// What came of a case in one of two runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseState {
    /// The verdict.
    pub verdict: Verdict,
    /// What names the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// Which way a case went from one run to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// It says less for the implementation than before.
    Worse,
    /// It fails as before, and something shows it that did not before.
    Otherwise,
    /// It says more for the implementation than before.
    Better,
    /// Only the later run has it.
    Added,
    /// Only the earlier run has it.
    Removed,
}

impl Direction {
    /// All directions, in the order of the report.
    pub const ALL: [Self; 5] = [
        Self::Worse,
        Self::Otherwise,
        Self::Better,
        Self::Added,
        Self::Removed,
    ];

    /// The direction's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Otherwise => "otherwise",
            Self::Better => "better",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// A case that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseChange {
    /// The id of the case.
    pub id: String,
    /// Which way it went.
    pub direction: Direction,
    /// What came of it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<CaseState>,
    /// What comes of it after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<CaseState>,
}

/// One of two compared runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// The SDK under test.
    pub implementation: ImplementationName,
    /// The cases it was tested against.
    pub corpus: CorpusName,
}

/// What is different between two runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunComparison {
    /// The earlier run.
    pub before: Compared,
    /// The later run.
    pub after: Compared,
    /// What is different, what is worse first.
    pub changes: Vec<CaseChange>,
}

/// Compares two runs case by case.
#[must_use]
pub fn compare(before: &RunReport, after: &RunReport) -> RunComparison {
    let (earlier, later) = (states(before), states(after));
    let ids = earlier.keys().chain(later.keys());
    let ids: std::collections::BTreeSet<_> = ids.collect();
    let changes = ids.into_iter().filter_map(|id| {
        let (before, after) = (earlier.get(id).cloned(), later.get(id).cloned());
        Some(CaseChange {
            id: (*id).to_owned(),
            direction: direction(before.as_ref(), after.as_ref())?,
            before,
            after,
        })
    });
    let mut changes: Vec<_> = changes.collect();
    changes.sort_by_key(|change| change.direction);
    RunComparison {
        before: compared(before),
        after: compared(after),
        changes,
    }
}

impl RunComparison {
    /// Leaves what got worse, or shows a failure that it did not show before.
    pub fn keep_worse(&mut self) {
        let worse = |change: &CaseChange| change.direction <= Direction::Otherwise;
        self.changes.retain(worse);
    }

    /// The comparison for people.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for change in &self.changes {
            text += &change_words(change);
        }
        text + &counted_changes(self)
    }

    /// The comparison for programs.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!("{:#}\n", json!(self))
    }
}

fn compared(report: &RunReport) -> Compared {
    Compared {
        implementation: report.implementation.clone(),
        corpus: report.corpus.clone(),
    }
}

fn states(report: &RunReport) -> BTreeMap<&str, CaseState> {
    let state = |case: &CaseReport| CaseState {
        verdict: case.verdict,
        fingerprint: case.detail.as_ref().and_then(|it| it.fingerprint.clone()),
    };
    let cases = report.cases.iter();
    cases.map(|case| (case.id.as_str(), state(case))).collect()
}

fn direction(before: Option<&CaseState>, after: Option<&CaseState>) -> Option<Direction> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(_)) => return Some(Direction::Added),
        (Some(_), None) => return Some(Direction::Removed),
        (None, None) => return None,
    };
    match rank(after.verdict).cmp(&rank(before.verdict)) {
        std::cmp::Ordering::Greater => Some(Direction::Worse),
        std::cmp::Ordering::Less => Some(Direction::Better),
        std::cmp::Ordering::Equal if before == after => None,
        std::cmp::Ordering::Equal if has_less(before, after) => Some(Direction::Better),
        std::cmp::Ordering::Equal => Some(Direction::Otherwise),
    }
}

/// Whether a case fails as before, and a part of what showed it is gone while nothing has come.
fn has_less(before: &CaseState, after: &CaseState) -> bool {
    let signs = |state: &CaseState| -> Option<std::collections::BTreeSet<String>> {
        let fingerprint = state.fingerprint.as_ref()?;
        Some(fingerprint.split(' ').map(str::to_owned).collect())
    };
    let (Some(earlier), Some(later)) = (signs(before), signs(after)) else {
        return false;
    };
    !later.is_empty() && later.is_subset(&earlier)
}

/// How little a verdict says for the implementation. A list of expected failures excuses a failure, and
/// does not mend it.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass | Verdict::UnexpectedPass => 0,
        Verdict::Recorded => 1,
        Verdict::Warn => 2,
        Verdict::Unclassified => 3,
        Verdict::Skip => 4,
        Verdict::ExpectedFailure => 5,
        Verdict::Flaky => 6,
        Verdict::Fail => 7,
        Verdict::Error => 8,
    }
}
