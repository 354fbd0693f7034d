"""Folding the state events of the run in progress."""

from __future__ import annotations

from typing import Literal

from ..kinds import JsonEvent, unknown_members
from ..patch import Patched, PatchFailure, has_unknown_operations
from .delta import Metadata, Place, folded

Outcome = Literal["stays", "folded", "bars"]
"""What becomes of a state event. One that bars stays, and nothing is folded across it."""


class FoldedState:
    """The last snapshot with the patches after it."""

    __slots__ = ("_event", "_metadata", "_patched", "place")

    def __init__(self, event: JsonEvent, place: Place) -> None:
        """Begins with the snapshot."""
        self._event = event
        self._patched: Patched | None = None
        """The state, once a patch was folded in."""
        self._metadata: Metadata = event.get("metadata")
        self.place = place
        """Where the last event was that is part of it."""

    @property
    def owner(self) -> str | None:
        """The subagent that the snapshot names."""
        return self._event.get("subagentRunId")

    def patch(self, event: JsonEvent, place: Place) -> None:
        """Folds a patch in. One that does not apply is skipped whole, as a replay does."""
        if self._patched is None:
            self._patched = Patched(self._event["snapshot"])
        try:
            self._patched.apply(event["delta"])
        except PatchFailure:
            pass
        self.place = place
        self._metadata = folded(self._metadata, event.get("metadata"))

    def event(self) -> JsonEvent:
        """Gives the event."""
        if self._patched is None:
            return self._event
        event: JsonEvent = {"type": self._event["type"], "snapshot": self._patched.value}
        if "timestamp" in self._event:
            event["timestamp"] = self._event["timestamp"]
        if self._metadata is not None:
            event["metadata"] = self._metadata
        if self.owner is not None:
            event["subagentRunId"] = self.owner
        return event


class StateFold:
    """The state events of the run in progress, as far as they matter for folding."""

    __slots__ = ("_folded", "_is_stopped", "standing")

    def __init__(self) -> None:
        """There is no state event yet."""
        self.standing: list[int] = []
        """The slots of those that are written, unless a later snapshot makes them vanish."""
        self._folded: FoldedState | None = None
        self._is_stopped = False
        """Whether nothing more can be folded into the snapshot."""

    def snapshot(self, event: JsonEvent, place: Place, *, is_kept: bool) -> Outcome:
        """Takes a snapshot, before which all state events vanish."""
        self.standing = []
        self._folded, self._is_stopped = None, False
        if is_kept or unknown_members(event):
            self._is_stopped = True
            return "stays"
        self._folded = FoldedState(event, place)
        return "folded"

    def delta(self, event: JsonEvent, place: Place, *, is_kept: bool) -> Outcome:
        """Takes a patch. It is folded into the snapshot before it, when there is one of the same owner."""
        if has_unknown_operations(event["delta"]):
            return "bars"
        if self._folded is None or self._is_stopped:
            return "stays"
        if is_kept or unknown_members(event) or event.get("subagentRunId") != self._folded.owner:
            self._is_stopped = True
            return "stays"
        self._folded.patch(event, place)
        return "folded"

    def closes(self, lane: str | None) -> bool:
        """Whether the folded snapshot, if there is one, would close a lane."""
        return self._folded is not None and self._folded.owner == lane

    def take(self) -> FoldedState | None:
        """Takes out the folded snapshot, which is to be written now."""
        state, self._folded = self._folded, None
        return state
