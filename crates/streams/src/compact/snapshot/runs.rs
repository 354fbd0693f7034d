//! `--retain runs`: every finished run as what it changed.

use super::form::{Form, Parts, is_valid};
use super::standings::{Standings, applied};
use crate::replay::Reducer;
use crate::restate;
use chatstate_types::generated::Event;

/// A finished run as its frame, the events that belong to no message, call or state, and snapshots
/// of what it changed. It keeps its `stream` form if snapshots cannot say the same, as when they
/// would change the order of messages, or if they take more events.
pub(super) fn take(standings: &mut Standings, form: &Form<'_>, run: Vec<Event>) -> Vec<Event> {
    let before = standings.before(&run);
    let is_simple = Parts::of(&run).is_none_or(|parts| parts.inner.iter().all(|e| form.stands(e)));
    if is_simple || form.partial {
        let after = before.and_then(|before| applied(before, &run));
        standings.put(run.clone(), after);
        return run;
    }
    let after = before.clone().and_then(|before| applied(before, &run));
    let shorter = match (before, &after) {
        (Some(before), Some(after)) => snapshots(form, before, &run, after),
        _ => None,
    };
    let written = shorter
        .filter(|shorter| shorter.len() <= run.len())
        .unwrap_or(run);
    standings.put(written.clone(), after);
    written
}

/// The run in snapshots, if they mean the same.
fn snapshots(
    form: &Form<'_>,
    mut standing: Reducer,
    run: &[Event],
    after: &Reducer,
) -> Option<Vec<Event>> {
    let parts = Parts::of(run)?;
    standing.apply(0, parts.start).ok()?;
    let mut events = vec![parts.start.clone()];
    let inner = parts.inner.iter();
    events.extend(inner.filter(|event| form.stands(event)).cloned());
    let messages = after.messages();
    if standing.messages() != messages {
        events.push(restate::messages_snapshot(&messages)?);
    }
    if standing.state() != after.state() {
        events.push(restate::state_snapshot(after.state()));
    }
    events.extend_from_slice(parts.terminal);
    let means = applied(standing, &events[1..])?.stands_like(after);
    (means && is_valid(&events)).then_some(events)
}
