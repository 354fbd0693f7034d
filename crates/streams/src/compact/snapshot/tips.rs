//! `--retain tips`: the ends of the branches, and what they need.

use super::form::{Form, removed, retained};
use super::standings::{Standings, applied};
use crate::replay::Reducer;
use chatstate_types::generated::Event;

/// What becomes of a run.
enum Fate {
    /// Its frame stays.
    Removed,
    /// It stays, and what it holds is said by these events.
    Retained(Vec<Event>),
    /// It stays as it is.
    Kept,
}

/// Decides about the runs, the earlier ones first, since a later one goes on from them.
struct Decision<'d, 'k> {
    standings: &'d mut Standings,
    form: &'d Form<'k>,
    fates: Vec<Fate>,
}

/// The events of all runs: retained are the last run of every branch, every run where branches
/// part, the run that an unfinished one goes on from, and runs with events that the caller keeps.
///
/// Where snapshots cannot say what a retained run holds, it keeps its `stream` form, and the run
/// before it is retained too.
pub(super) fn finish(
    mut standings: Standings,
    form: &Form<'_>,
    unfinished: Vec<Event>,
) -> Vec<Event> {
    let finished = standings.lineage().rows().len();
    if let Some(start) = unfinished.first() {
        standings.begin(start);
    }
    let wanted = wanted(&standings, form, finished);
    let mut decision = Decision {
        standings: &mut standings,
        form,
        fates: (0..finished).map(|_| Fate::Removed).collect(),
    };
    for (place, is_wanted) in wanted.into_iter().enumerate() {
        if is_wanted {
            decision.retain(place);
        }
    }
    let fates = decision.fates;
    let runs = standings.into_events().into_iter().zip(fates);
    let mut events: Vec<Event> = runs.flat_map(|(run, fate)| written(run, fate)).collect();
    events.extend(unfinished);
    events
}

fn written(run: Vec<Event>, fate: Fate) -> Vec<Event> {
    match fate {
        Fate::Removed => removed(&run),
        Fate::Retained(events) => events,
        Fate::Kept => run,
    }
}

/// Which finished runs are retained for their own sake. What was removed before stays so.
fn wanted(standings: &Standings, form: &Form<'_>, finished: usize) -> Vec<bool> {
    let rows = standings.lineage().rows();
    let mut followers = vec![0_usize; rows.len()];
    for predecessor in rows.iter().filter_map(|row| row.predecessor) {
        followers[predecessor] += 1;
    }
    let unfinished = rows.get(finished).and_then(|row| row.predecessor);
    let is_wanted = |place: usize| {
        let is_end = followers[place] != 1 || unfinished == Some(place);
        let keeps = || {
            let mut events = standings.events(place).iter();
            events.any(|event| form.keeps(event))
        };
        !standings.is_removed(place) && (form.partial || is_end || keeps())
    };
    (0..finished).map(is_wanted).collect()
}

impl Decision<'_, '_> {
    /// Retains a run, and the runs before it that it needs.
    fn retain(&mut self, place: usize) {
        let chain = self.chain_to(place);
        let (base, standing) = (self.base_of(&chain), self.standings.end(place));
        let (Some(base), Some(standing)) = (base, standing) else {
            return self.keep(&chain);
        };
        if let Some(events) = self.at_the_end(&chain, base.clone(), &standing) {
            self.fates[place] = Fate::Retained(events);
            return;
        }
        let mut from = 0;
        if let Some((position, events)) = self.before_the_end(&chain, base) {
            self.fates[chain[position]] = Fate::Retained(events);
            from = position + 1;
        }
        self.keep(&chain[from..]);
    }

    /// The last run of the chain in snapshots behind the frames of the others.
    fn at_the_end(
        &self,
        chain: &[usize],
        mut frames: Reducer,
        standing: &Reducer,
    ) -> Option<Vec<Event>> {
        let (last, others) = chain.split_last()?;
        for place in others {
            frames = applied(frames, &removed(self.standings.events(*place)))?;
        }
        self.snapshots(&frames, self.standings.events(*last), standing)
    }

    /// The last run of the chain that snapshots can say, behind the frames of those before it, and
    /// its position.
    fn before_the_end(&self, chain: &[usize], base: Reducer) -> Option<(usize, Vec<Event>)> {
        let mut frames = base.clone();
        let mut standing = base;
        let mut said = None;
        for (position, place) in chain.iter().enumerate() {
            let run = self.standings.events(*place);
            let Some(after) = applied(standing, run) else {
                break;
            };
            standing = after;
            if let Some(events) = self.snapshots(&frames, run, &standing) {
                said = Some((position, events));
            }
            let Some(after) = applied(frames, &removed(run)) else {
                break;
            };
            frames = after;
        }
        said
    }

    /// The run and those before it, the first one first, up to one that is retained already.
    fn chain_to(&self, place: usize) -> Vec<usize> {
        let before = |place: &usize| {
            let predecessor = self.standings.predecessor(*place)?;
            matches!(self.fates[predecessor], Fate::Removed).then_some(predecessor)
        };
        let mut chain: Vec<usize> = std::iter::successors(Some(place), before).collect();
        chain.reverse();
        chain
    }

    /// What the chain goes on from, if that is known.
    fn base_of(&mut self, chain: &[usize]) -> Option<Reducer> {
        match chain
            .first()
            .and_then(|first| self.standings.predecessor(*first))
        {
            Some(base) => self.standings.end(base),
            None => Some(Reducer::default()),
        }
    }

    /// A run in snapshots, if behind frames of the runs before it they mean what it means.
    fn snapshots(&self, frames: &Reducer, run: &[Event], standing: &Reducer) -> Option<Vec<Event>> {
        if self.form.partial {
            return None;
        }
        let events = retained(self.form, run, standing)?;
        let means = applied(frames.clone(), &events)?.stands_like(standing);
        means.then_some(events)
    }

    fn keep(&mut self, chain: &[usize]) {
        for place in chain {
            if !self.standings.is_removed(*place) {
                self.fates[*place] = Fate::Kept;
            }
        }
    }
}
