"""Folding the state of one run."""

from __future__ import annotations

from typing import Any

from ..kinds import JsonEvent, unknown_members
from ..patch import Patched, PatchFailure
from .metadata import Metadata, folded


class StateFold:
    """The state events of the run in progress, as far as they matter for folding."""

    __slots__ = ("_event", "_metadata", "_patched", "_stopped", "place", "standing")

    def __init__(self) -> None:
        """There is no state event yet."""
        self.standing: list[int] = []
        """The slots of events that stay where they are, unless a later snapshot makes them vanish."""
        self.place: int | None = None
        """Where the folded snapshot stands when an event behind it stays; else at the end of the run."""
        self._event: JsonEvent | None = None
        """The event of the last snapshot."""
        self._metadata: Metadata = None
        self._patched: Patched | None = None
        """The state, once a patch was folded into it."""
        self._stopped = False
        """Whether nothing more can be folded into the snapshot."""

    @classmethod
    def beginning_with(cls, event: JsonEvent, *, is_kept: bool) -> StateFold:
        """Begins with a snapshot, before which all state events vanish."""
        fold = cls()
        if is_kept or unknown_members(event):
            fold._stopped = True
        else:
            fold._event = event
            fold._metadata = event.get("metadata")
        return fold

    @property
    def is_folding(self) -> bool:
        """Whether there is a snapshot into which patches are folded."""
        return self._event is not None and not self._stopped

    def delta(self, event: JsonEvent, *, is_kept: bool) -> bool:
        """Folds a patch into the snapshot before it, when there is one of the same owner.

        Gives whether it is folded. One that does not apply is skipped whole, as a replay does.
        """
        snapshot = self._event
        if snapshot is None or self._stopped:
            return False
        owner = event.get("subagentRunId")
        if is_kept or owner != snapshot.get("subagentRunId") or unknown_members(event):
            self._stopped = True
            return False
        if self._patched is None:
            self._patched = Patched(snapshot["snapshot"])
        try:
            self._patched.apply(event["delta"])
        except PatchFailure:
            pass
        self._metadata = folded(self._metadata, event.get("metadata"))
        return True

    def needs_place(self) -> bool:
        """Whether the folded snapshot still needs a place in front of an event that stays."""
        return self._event is not None and self.place is None

    def event(self) -> JsonEvent | None:
        """Gives the folded snapshot."""
        if self._event is None or self._patched is None:
            return self._event
        event: dict[str, Any] = {"type": "STATE_SNAPSHOT", "snapshot": self._patched.value}
        if "timestamp" in self._event:
            event["timestamp"] = self._event["timestamp"]
        if self._metadata is not None:
            event["metadata"] = self._metadata
        if "subagentRunId" in self._event:
            event["subagentRunId"] = self._event["subagentRunId"]
        return event
