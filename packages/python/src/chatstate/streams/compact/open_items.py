"""The open text messages, reasoning messages and tool calls of the run in progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ...generated.events import ItemKind
from ..kinds import STREAMED, JsonEvent
from .delta import PendingDelta, Place
from .emit import Description

Key: TypeAlias = tuple[ItemKind, str]
"""What distinguishes open items: the kind and the id."""


class ExplicitItem:
    """An item that a START began."""

    __slots__ = ("arrival", "delta")

    def __init__(self, arrival: int) -> None:
        """Takes the number of the event that began it."""
        self.arrival = arrival
        self.delta: PendingDelta | None = None

    def closes(self, lane: str | None) -> bool:
        """Whether its pending delta would close a lane."""
        return self.delta is not None and self.delta.owner == lane


class ChunkPart:
    """The deltas of a chunk item between two barriers."""

    __slots__ = ("delta", "slot")

    def __init__(self, delta: PendingDelta) -> None:
        """Begins with a delta, or with the chunk that opens the item."""
        self.delta = delta
        self.slot: int | None = None
        """The slot that its delta takes, once a barrier has ended the part."""


class ChunkItem:
    """An item that chunks keep open.

    Whether it becomes START, deltas and END is known when it is closed.
    """

    __slots__ = ("arrival", "description", "is_kept", "lane", "movable", "parts", "raw", "start")

    def __init__(
        self, arrival: int, event: JsonEvent, description: Description, start: int, part: ChunkPart
    ) -> None:
        """Takes the opening chunk, and the slot of the START."""
        self.arrival = arrival
        self.lane: str | None = event.get("subagentRunId")
        """The subagent whose lane it holds."""
        self.description = description
        self.start = start
        self.parts = [part]
        """Of all parts but the last, the slot is known."""
        self.raw: list[tuple[Place, JsonEvent]] = [(part.delta.place, event)]
        """Its chunks, and delta events for it, as they came."""
        self.movable: list[tuple[int, Place]] = []
        """The slots of what would close it by standing there, and where that was before."""
        self.is_kept = False
        """Whether the caller keeps one of its events."""

    def pending(self) -> ChunkPart | None:
        """Gives the part that a further delta joins, if no barrier has ended it."""
        part = self.parts[-1]
        return part if part.slot is None else None

    def closes(self, lane: str | None) -> bool:
        """Whether its pending delta would close a lane: delta events alone close that of the parent agent."""
        part = self.pending()
        is_delta = part is not None and part.delta.count > 0 and not part.delta.has_chunks
        return is_delta and lane is None


OpenItem: TypeAlias = ExplicitItem | ChunkItem


class OpenItems:
    """The open items. Each has the number of the event that began it, which gives their order."""

    __slots__ = ("_items", "_lanes", "_pending")

    def __init__(self) -> None:
        """Nothing is open."""
        self._items: dict[Key, OpenItem] = {}
        self._pending: dict[int, Key] = {}
        """The items with a delta that is not written yet, by the numbers of their first events."""
        self._lanes: dict[str | None, ChunkItem] = {}
        """The items that chunks keep open, by lanes."""

    def push(self, kind: ItemKind, id: str, item: OpenItem) -> None:
        """Adds an item."""
        self._items[kind, id] = item
        if isinstance(item, ChunkItem):
            self._lanes[item.lane] = item
            self._pending[item.arrival] = kind, id

    def get(self, kind: ItemKind, id: str) -> OpenItem | None:
        """Gives an item, if it is open."""
        return self._items.get((kind, id))

    def remove(self, kind: ItemKind, id: str) -> OpenItem | None:
        """Takes an item out."""
        item = self._items.pop((kind, id), None)
        if item is not None:
            self._pending.pop(item.arrival, None)
        if isinstance(item, ChunkItem):
            self._lanes.pop(item.lane, None)
        return item

    def note_pending(self, kind: ItemKind, id: str, item: OpenItem) -> None:
        """Notes that an item has a delta that is not written yet."""
        self._pending[item.arrival] = kind, id

    def note_written(self, item: OpenItem) -> None:
        """Notes that an item has none any more."""
        self._pending.pop(item.arrival, None)

    def pending(self) -> list[Key]:
        """Gives the items with a delta that is not written yet, in the order of beginning."""
        return [key for _, key in sorted(self._pending.items())]

    def pending_in(self, lane: str | None) -> list[Key]:
        """Gives those whose delta would close a lane."""
        return [key for key in self.pending() if self._items[key].closes(lane)]

    def pending_of(self, kind: ItemKind | None, ids: list[str | None]) -> list[Key]:
        """Gives those of other kinds with one of these ids, in the order of beginning."""
        if not self._pending:
            return []
        keys: list[Key] = [
            (of, id) for id in ids if id is not None for of in STREAMED if of != kind
        ]
        found = [(item.arrival, key) for key in keys if (item := self._items.get(key)) is not None]
        return [key for _, key in sorted(found)]

    def is_shared(self, kind: ItemKind, id: str) -> bool:
        """Whether a text and a reasoning message of this id are both open.

        The order of their deltas is the order of the text, then.
        """
        if kind == "tool-call":
            return False
        return ("reasoning" if kind == "text" else "text", id) in self._items

    def holder(self, lane: str | None) -> ChunkItem | None:
        """Gives the item that chunks keep open in a lane."""
        return self._lanes.get(lane)

    def all(self) -> Iterator[tuple[Key, OpenItem]]:
        """Gives all items."""
        return iter(self._items.items())
