"""What delta events and chunks carry, and what those between two barriers come to as one."""

from __future__ import annotations

from typing import Any

from ..halves import meet
from ..kinds import DELTAS, JsonEvent, unknown_members
from .metadata import Metadata, folded


class Piece:
    """What one delta event or chunk carries, without what names the item."""

    __slots__ = (
        "delta",
        "event",
        "extra",
        "is_explicit",
        "is_kept",
        "metadata",
        "owner",
        "raw_event",
        "timestamp",
    )

    def __init__(self, event: JsonEvent, *, is_kept: bool) -> None:
        """Takes an event apart. `is_kept` says that the caller wants it as it is, where it is."""
        self.event = event
        self.delta: str | None = event.get("delta")
        self.timestamp: Any = event.get("timestamp")
        self.raw_event: Any = event.get("rawEvent")
        self.metadata: Metadata = event.get("metadata")
        self.owner: str | None = event.get("subagentRunId")
        self.extra = unknown_members(event)
        """Members that the schema does not name."""
        self.is_kept = is_kept
        self.is_explicit = event["type"] in DELTAS
        """Whether it is of a delta event and not of a chunk."""

    def says_something(self) -> bool:
        """Whether a chunk that continues an item has something for a delta.

        One that has not is a sign of life, and leaves nothing behind.
        """
        return self.opener_says_something() or self.metadata is not None

    def opener_says_something(self) -> bool:
        """Whether a chunk that opens an item has something for a delta.

        Its metadata is at home on the start of the item, and so is what nobody knows.
        """
        return self.delta is not None or self.raw_event is not None

    def stands_alone(self) -> bool:
        """Whether nothing may be joined with it."""
        return self.is_kept or bool(self.extra)


class Part:
    """The deltas of an item between two barriers, as one.

    A part of one delta is that delta. Where several are joined, the first timestamp and the last value
    of each member of the metadata stay, and the providers' original events go.
    """

    __slots__ = (
        "_joined",
        "event",
        "extra",
        "is_explicit",
        "metadata",
        "owner",
        "pieces",
        "raw_event",
        "timestamp",
    )

    def __init__(self) -> None:
        """There is nothing yet."""
        self.pieces: list[str] | None = None
        """The text in pieces; None if there is none, not even an empty one."""
        self.timestamp: Any = None
        self.raw_event: Any = None
        self.metadata: Metadata = None
        self.owner: str | None = None
        self.extra: JsonEvent = {}
        self.event: JsonEvent | None = None
        """The event that is the whole part, if it is to stay as it is."""
        self.is_explicit = False
        """Whether all that has something for a delta is of delta events, and not of chunks."""
        self._joined = 0
        """How many pieces have something for a delta."""

    @classmethod
    def of(cls, piece: Piece) -> Part:
        """Gives the part that begins with a delta, or with a chunk that continues an item."""
        part = cls()
        part.pieces = None if piece.delta is None else [piece.delta]
        part.timestamp, part.raw_event = piece.timestamp, piece.raw_event
        part.metadata, part.owner = folded(None, piece.metadata), piece.owner
        part.extra, part.is_explicit = piece.extra, piece.is_explicit
        part._joined = 1
        return part

    @classmethod
    def of_opener(cls, piece: Piece) -> Part:
        """Gives the part that begins with the chunk that opens the item."""
        part = cls.of(piece)
        part._joined = 1 if piece.opener_says_something() else 0
        part.is_explicit = part._joined == 0
        return part

    @property
    def has_delta(self) -> bool:
        """Whether the part has a delta event, however empty."""
        return self._joined > 0

    @property
    def text(self) -> str | None:
        """The text of the part."""
        return None if self.pieces is None else meet("".join(self.pieces))

    def opener_alone(self) -> Part | None:
        """Gives what the opening chunk says, if all deltas of the part are delta events."""
        if not self.is_explicit or not self.has_delta:
            return None
        opener = Part()
        opener.timestamp = self.timestamp
        return opener

    def join(self, piece: Piece) -> None:
        """Joins a piece."""
        self.event = None
        if piece.delta is not None:
            self.join_texts([piece.delta])
        if piece.says_something():
            self._joined += 1
            self.is_explicit &= piece.is_explicit
            self.raw_event = piece.raw_event if self._joined == 1 else None
            # A chunk that says nothing leaves no subagent behind either: a delta event with one would
            # end what the chunks of that subagent have open.
            if self.owner is None:
                self.owner = piece.owner
        if self.timestamp is None:
            self.timestamp = piece.timestamp
        self.metadata = folded(self.metadata, piece.metadata)

    def join_texts(self, texts: list[str]) -> None:
        """Joins texts without anything beside them."""
        if self.pieces is None:
            self.pieces = []
        self.pieces.extend(texts)

    def join_plain(self, texts: list[str], timestamp: Any) -> None:
        """Joins delta events that have a text, the first of them a timestamp, and nothing else."""
        self.event = None
        self.join_texts(texts)
        self._joined += len(texts)
        self.raw_event = None
        if self.timestamp is None:
            self.timestamp = timestamp

    def chunk_text(self) -> str | None:
        """Gives the text that a chunk has for this part.

        A part that has a delta event has text, however empty, unless the original event of its only
        chunk says so already.
        """
        if self.pieces is None and self.has_delta and self.raw_event is None:
            return ""
        return self.text
