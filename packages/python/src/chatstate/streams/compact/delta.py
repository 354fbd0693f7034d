"""The deltas of an item between two barriers, merged into one."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from ..surrogates import meet
from ..kinds import DELTAS, JsonEvent, unknown_members

Metadata: TypeAlias = dict[str, Any] | None
"""The last value of each name; None where none was given."""


def folded(before: Metadata, metadata: Metadata) -> Metadata:
    """Folds further metadata in, name by name; the last value wins."""
    if metadata is None:
        return before
    return dict(metadata) if before is None else {**before, **metadata}


class Place(NamedTuple):
    """Where something was: before which slot, and the number of its event."""

    slot: int
    arrival: int


def is_delta(event: JsonEvent) -> bool:
    """Whether a chunk that continues an item becomes a delta.

    One that does not is a sign of life, and leaves nothing.
    """
    return opens_with_delta(event) or "metadata" in event


def opens_with_delta(event: JsonEvent) -> bool:
    """Whether a chunk that opens an item becomes a delta, too.

    Its metadata is at home on the start of the item, and so are members that the schema does not name.
    """
    return "delta" in event or "rawEvent" in event


class PendingDelta:
    """Deltas as one.

    The first timestamp and the last value of each metadata member stay, and of several deltas the
    providers' original events go.
    """

    __slots__ = (
        "count",
        "event",
        "extra",
        "has_chunks",
        "metadata",
        "original",
        "owner",
        "place",
        "texts",
        "timestamp",
    )

    def __init__(self, event: JsonEvent, place: Place) -> None:
        """Begins with a delta, or with a chunk that continues an item."""
        self.texts: list[str] = [event["delta"]] if "delta" in event else []
        self.timestamp: Any = event.get("timestamp")
        self.original: JsonEvent = _original(event)
        """The provider's original event as a member, if there is one."""
        self.metadata: Metadata = event.get("metadata")
        self.owner: str | None = event.get("subagentRunId")
        self.extra = unknown_members(event)
        """Members that the schema does not name."""
        self.place = place
        """Where the last of them was; if one names a subagent, the last that does."""
        self.count = 1
        """How many there are; none where a chunk only opened the item."""
        self.has_chunks = event["type"] not in DELTAS
        """Whether one of them is of a chunk."""
        self.event: JsonEvent | None = None if self.has_chunks else event
        """The delta event that is all."""

    @classmethod
    def of_opener(cls, event: JsonEvent, place: Place) -> PendingDelta:
        """Begins with the chunk that opens the item."""
        delta = cls(event, place)
        if not opens_with_delta(event):
            delta.count, delta.has_chunks = 0, False
            # Delta events alone close no lane but that of the parent agent.
            delta.owner = None
        return delta

    @property
    def text(self) -> str:
        """The text of all."""
        return meet("".join(self.texts))

    def join(self, event: JsonEvent, place: Place) -> None:
        """Joins a further delta."""
        owner = event.get("subagentRunId")
        # What is merged closes the lane that it names, so it may be only where that was closed.
        if owner is not None or self.owner is None:
            self.place = place
        self.event = None
        if "delta" in event:
            self.texts.append(event["delta"])
        if is_delta(event):
            self.count += 1
            self.has_chunks = self.has_chunks or event["type"] not in DELTAS
            self.original = _original(event) if self.count == 1 else {}
            if self.owner is None:
                self.owner = owner
        if self.timestamp is None:
            self.timestamp = event.get("timestamp")
        self.metadata = folded(self.metadata, event.get("metadata"))

    def join_plain(self, texts: list[str], timestamp: Any, place: Place) -> None:
        """Joins delta events that have a text, the first of them a timestamp, and nothing else."""
        if self.owner is None:
            self.place = place
        self.event = None
        self.texts += texts
        self.count += len(texts)
        self.original = {}
        if self.timestamp is None:
            self.timestamp = timestamp


def _original(event: JsonEvent) -> JsonEvent:
    return {"rawEvent": event["rawEvent"]} if "rawEvent" in event else {}
