"""Runs that say that compaction removed their events, and have some."""

from __future__ import annotations

from typing import Any, Final

from .checkpoints import frames_run
from .kinds import JsonEvent
from .marks import MARK
from .removed import is_removed

PLACE: Final = f"/metadata/{MARK}"
"""The JSON pointer from the beginning of a run to the mark."""
MESSAGE: Final = (
    "the run says that compaction removed its events, and has some; it is not replayed"
)
"""What is to say of such a run."""


class MarkedRuns:
    """Finds them as the events of a log come."""

    __slots__ = ("_marked",)

    def __init__(self) -> None:
        """No event has been taken."""
        self._marked: int | None = None
        """The index of the run in progress, if it bears the mark and has no events so far."""

    def push(self, index: int, event: JsonEvent) -> int | None:
        """Takes the event of this index, and gives the index of the run that it shows to be one of them."""
        if event["type"] == "RUN_STARTED":
            self._marked = index if is_removed(event) else None
            given: dict[str, Any] = event.get("input") or {}
            is_full = bool(given.get("messages"))
        elif frames_run(event):
            self._marked, is_full = None, False
        else:
            is_full = True
        if not is_full:
            return None
        found, self._marked = self._marked, None
        return found
