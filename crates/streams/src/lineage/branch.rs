//! The events of one branch.

use super::lineage;
use crate::replay::replay_at;
use chatstate_json::Rejection;
use chatstate_types::generated::Event;

/// The events of the run with this id and of those that lead to it, in the order of the log
///. A replay of them is a replay of the log at that run.
///
/// Rejected is what [`replay_at`] rejects, with its class, rule and place: also a log that
/// does not verify on another branch, and a run that needs what compaction removed.
///
/// ```
/// use chatstate_streams::lineage::branch_of;
/// use chatstate_streams::replay::read_stream;
///
/// let log = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r1"},
///               {"type":"RUN_FINISHED","threadId":"t","runId":"r1"},
///               {"type":"RUN_STARTED","threadId":"t","runId":"r2"},
///               {"type":"RUN_FINISHED","threadId":"t","runId":"r2"},
///               {"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1"}]"#;
/// let log = read_stream(log)?;
/// assert_eq!(branch_of(&log, "r3")?, [&log[..2], &log[4..]].concat());
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub fn branch_of(events: &[Event], run_id: &str) -> Result<Vec<Event>, Rejection> {
    replay_at(events, run_id)?;
    let rows = lineage(events).runs;
    let last = rows.iter().rposition(|row| row.run_id == run_id);
    let before = |place: &usize| rows[*place].predecessor;
    let mut path: Vec<usize> = std::iter::successors(last, before).collect();
    path.reverse();
    let events_of = |place: usize| {
        // What is before the first run belongs to it.
        let start = if place == 0 { 0 } else { rows[place].index };
        let end = rows.get(place + 1).map_or(events.len(), |next| next.index);
        &events[start..end]
    };
    Ok(path.into_iter().flat_map(events_of).cloned().collect())
}
