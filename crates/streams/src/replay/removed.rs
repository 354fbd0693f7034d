//! Runs of which compaction kept only the frame, and what can be said of them.

use crate::lineage::Runs;
use chatstate_json::Value;
use chatstate_json::{Class, Rejection};
use chatstate_types::generated::Event;

/// The member of a run's metadata that says how the run was compacted.
pub(crate) const MARK: &str = "chatstate";

/// Whether an event begins a run of which compaction kept only the frame.
#[must_use]
pub fn is_removed(event: &Event) -> bool {
    let Event::RunStarted(event) = event else {
        return false;
    };
    let mark = event
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.get(MARK));
    let compacted = mark
        .and_then(|mark| mark.get("compacted"))
        .and_then(Value::as_str);
    compacted == Some("tips")
}

/// The refusal of a path that needs what a removed run held.
///
/// A run that was retained when the run before it was removed restates all messages. Compaction
/// removes only runs from which exactly one run goes on, so a second one came later.
pub(crate) fn removed_run(runs: &Runs, removed: usize, at: usize) -> Rejection {
    let message = format!(
        "of the run `{}` compaction kept only the beginning and the end; replay a run that was \
         retained, or the log as it was before",
        runs.rows()[removed].run_id
    );
    Rejection::new(Class::Semantic, "replay.removed-run", message).within(runs.rows()[at].index)
}
