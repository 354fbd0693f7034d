"""Runs of which compaction kept only the frame, and what can be said of them."""

from __future__ import annotations

from typing import Any, Final

from .._runtime.json_text import is_object
from .._runtime.rejection import Rejection
from .kinds import JsonEvent
from .runs import Runs

MARK: Final = "chatstate"
"""The member of a run's metadata that says how the run was compacted."""


def is_removed(start: JsonEvent) -> bool:
    """Whether an event begins a run of which compaction kept only the frame."""
    metadata: dict[str, Any] = start.get("metadata") or {}
    mark: Any = metadata.get(MARK)
    is_marked = is_object(mark) and mark.get("compacted") == "tips"
    return start["type"] == "RUN_STARTED" and is_marked


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
