//! `--retain tips`: the ends of the branches, and what they need.

use super::FinishedRun;
use super::form::{frame, said_anew, said_whole};
use crate::compact::compactor::Give;
use crate::replay::{Ends, Thread};
use chatstate_json::Rejection;

/// What becomes of a run.
enum Retention {
    /// Its frame stays.
    Removed,
    /// It stays, and these events say what it holds.
    Said(Vec<String>),
}

/// Decides about the runs, the earlier ones first, since a later one continues them.
struct Decision<'d> {
    runs: &'d [FinishedRun],
    ends: &'d mut Ends,
    retentions: Vec<Retention>,
}

/// Gives the events of all runs. Retained are the last run of every branch, every run where
/// branches part, the run that an unfinished one continues, and runs with events that the caller
/// keeps.
///
/// A retained run right after another one says what it adds to that. All others say the whole path,
/// since runs before them go; where snapshots cannot say it, the runs back to one that they can say
/// are retained, too.
pub(super) fn give(
    runs: &[FinishedRun],
    ends: &mut Ends,
    retained: Option<usize>,
    give: &mut Give<'_>,
) -> Result<(), Rejection> {
    let wanted = wanted(runs, retained);
    let mut decision = Decision {
        runs,
        ends,
        retentions: runs.iter().map(|_| Retention::Removed).collect(),
    };
    for (place, is_wanted) in wanted.into_iter().enumerate() {
        if is_wanted {
            decision.retain(place)?;
        }
    }
    let retentions = std::mem::take(&mut decision.retentions);
    for (run, retention) in runs.iter().zip(retentions) {
        match retention {
            Retention::Removed => frame(&run.run)?.iter().for_each(|event| give(event)),
            Retention::Said(events) => events.iter().for_each(|event| give(event)),
        }
        run.after.iter().for_each(|event| give(event));
    }
    Ok(())
}

/// Which runs are retained for their own sake. What was removed before stays so.
fn wanted(runs: &[FinishedRun], retained: Option<usize>) -> Vec<bool> {
    let mut followers = vec![0_usize; runs.len()];
    for predecessor in runs.iter().filter_map(|run| run.predecessor) {
        followers[predecessor] += 1;
    }
    if let Some(place) = retained {
        followers[place] += 1;
    }
    let is_wanted = |(place, run): (usize, &FinishedRun)| {
        let is_end = followers[place] != 1 || retained == Some(place);
        let mut events = run.run.events.iter();
        !run.is_removed && (is_end || events.any(|event| event.is_kept))
    };
    runs.iter().enumerate().map(is_wanted).collect()
}

impl Decision<'_> {
    /// Retains a run, and the runs before it that it needs.
    ///
    /// The first run of a chain after a retained one never says the whole path: that one may be
    /// retained for its sake or for its own, and the run reads the same either way.
    fn retain(&mut self, place: usize) -> Result<(), Rejection> {
        let chain = self.chain_to(place);
        let first = chain.last().copied().unwrap_or(place);
        let retained_before = self.runs[first].predecessor;
        let base = match retained_before {
            Some(before) => self.ends.at(before)?.thread().clone(),
            None => Thread::default(),
        };
        let mut end = self.ends.at(place)?;
        for place in chain {
            let run = &self.runs[place];
            let may_say_whole = place != first || retained_before.is_none();
            if may_say_whole && let Some(events) = said_whole(run, &end, &base)? {
                self.retentions[place] = Retention::Said(events);
                break;
            }
            let before = self.ends.before_end(place, &end)?;
            if !run.is_removed {
                let events = said_anew(run, || before.thread().clone(), &end)?;
                self.retentions[place] = Retention::Said(events);
            }
            end = before;
        }
        Ok(())
    }

    /// The run and those before it, the last one first, up to one that is retained already.
    fn chain_to(&self, place: usize) -> Vec<usize> {
        let before = |place: &usize| {
            let predecessor = self.runs[*place].predecessor?;
            matches!(self.retentions[predecessor], Retention::Removed).then_some(predecessor)
        };
        std::iter::successors(Some(place), before).collect()
    }
}
