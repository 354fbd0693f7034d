"""Runs of which compaction kept only the frame, or that a prelude leaves out, and what can be said of them."""

from __future__ import annotations

from .._runtime.rejection import Rejection
from .kinds import JsonEvent
from .marks import mark_of
from .runs import Runs


def is_removed(start: JsonEvent) -> bool:
    """Whether an event begins a run of which compaction kept only the frame."""
    return start["type"] == "RUN_STARTED" and mark_of(start).get("compacted") == "tips"


def removed_run(runs: Runs, removed: int, at: int) -> Rejection:
    """Gives the rejection of a path that needs what a removed run held.

    A run that was retained when the run before it was removed restates all messages. Compaction
    removes only runs from which exactly one run continues, so that a second one came later.
    """
    message = (
        f"of the run `{runs.rows[removed].run_id}` compaction kept only the beginning and the end; "
        "replay a run that was retained, or the log as it was before"
    )
    rejection = Rejection("semantic", "replay.removed-run", message)
    return rejection.within(runs.rows[at].index)


def left_out_run(runs: Runs, at: int) -> Rejection:
    """Gives the rejection of a path on which a run continues one that the prelude leaves out."""
    row = runs.rows[at]
    message = (
        f"the run `{row.run_id}` continues the run `{row.parent_run_id}`, which the prelude of this log "
        "leaves out; attach again, or replay the whole log"
    )
    return Rejection("semantic", "replay.removed-run", message).within(row.index)
