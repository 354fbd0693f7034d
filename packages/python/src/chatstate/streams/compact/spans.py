"""The open text messages, reasoning messages and tool calls of the run in progress."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..kinds import ItemKind
from .pieces import Part
from .writing import Heads


@dataclass(eq=False)
class ChunkPart:
    """A part of an item that chunks keep open, with the places that it may take."""

    first: int
    """Where its first chunk stood; for the first part, where the item begins."""
    part: Part
    delta: int | None = None
    """Where its delta event stands if the item is closed; None while more may join."""


@dataclass(eq=False)
class ChunkBody:
    """What chunks keep open. Whether its parts become chunks or deltas is known when it is closed."""

    lane: str | None
    """The subagent whose lane the item holds."""
    heads: Heads
    parts: list[ChunkPart]
    """Never empty: the first part begins with the opening chunk."""
    is_kept: bool
    """Whether one of the chunks is kept as it is, so that the others stay chunks too."""

    def pending(self) -> ChunkPart | None:
        """Gives the part that a further chunk joins, if it does."""
        last = self.parts[-1]
        return last if last.delta is None else None


@dataclass(eq=False)
class Span:
    """An open item, begun by a START or by a chunk."""

    kind: ItemKind
    id: str
    chunks: ChunkBody | None = None
    part: Part | None = None
    """What is joined since the last barrier, of an item that was begun by a START."""


@dataclass(eq=False)
class Spans:
    """The open items in the order of beginning. Few are open at once, so they are searched in order."""

    items: list[Span] = field(default_factory=list[Span])

    def find(self, kind: ItemKind, id: str) -> Span | None:
        """Gives the open item of a kind and an id."""
        for span in self.items:
            if span.id == id and span.kind == kind:
                return span
        return None

    def is_shared(self, kind: ItemKind, id: str) -> bool:
        """Whether a text and a reasoning message of this id are both open.

        Then the order of their deltas is the order of the text.
        """
        if kind == "tool-call":
            return False
        return self.find("reasoning" if kind == "text" else "text", id) is not None

    def in_lane(self, lane: str | None) -> Span | None:
        """Gives the open item that holds a lane."""
        for span in self.items:
            if span.chunks is not None and span.chunks.lane == lane:
                return span
        return None

    def continued(self, kind: ItemKind, id: str | None, tag: str | None) -> Span | None:
        """Gives the item that a chunk continues.

        It is the one it names, else the one of its kind in its lane, else the only one of its kind.
        """
        if id is not None:
            named = self.find(kind, id)
            return named if named is not None and named.chunks is not None else None
        held = self.in_lane(tag)
        if held is not None and held.kind == kind:
            return held
        if tag is not None:
            return None
        for span in self.items:
            if span.kind == kind and span.chunks is not None:
                return span
        return None
