"""Chunks: items that are begun and ended by what is around them.

Each subagent, and the parent agent, has one lane in which at most one chunk item is open. The next
event of that lane that is not one of its chunks ends the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..generated.events import EVENTS, ItemKind
from .kinds import JsonEvent
from .violation import Violation

DEFAULTS: Final = {"role": "assistant"}
"""What it means that the event which begins an item does not say it."""


@dataclass(frozen=True)
class ChunkItem:
    """An item that chunks keep open."""

    kind: ItemKind
    id: str
    heads: tuple[tuple[str, str | None], ...]
    """What the opening chunk said of the item. Later chunks may repeat it."""
    index: int
    """The index of the opening chunk."""

    @classmethod
    def opened_by(cls, index: int, kind: ItemKind, id: str, event: JsonEvent) -> ChunkItem:
        """Gives the item that a chunk opens."""
        heads = tuple(
            (name, event.get(name, DEFAULTS.get(name))) for name in EVENTS[event["type"]].opens
        )
        return cls(kind, id, heads, index)

    def says_like(self, other: ChunkItem) -> bool:
        """Whether both are the same item, whichever chunk opened it."""
        return (self.kind, self.id, self.heads) == (other.kind, other.id, other.heads)


class Lanes:
    """The open chunk items by subagent; the parent agent is None."""

    __slots__ = ("_items", "_lanes")

    def __init__(self) -> None:
        """No lane has an open item."""
        self._items: dict[str | None, ChunkItem] = {}
        self._lanes: dict[tuple[ItemKind, str], str | None] = {}

    def __bool__(self) -> bool:
        """Whether a lane has an open item."""
        return bool(self._items)

    def copy(self) -> Lanes:
        """Gives the same lanes, to go another way."""
        copied = Lanes()
        copied._items = dict(self._items)
        copied._lanes = dict(self._lanes)
        return copied

    def lane_of(self, kind: ItemKind, id: str | None, tag: str | None) -> str | None:
        """Gives the lane that a chunk belongs to.

        It is where its item is open, else its subagent's, else the only one with an open item of its
        kind, else the parent agent's.
        """
        if id is not None:
            if (kind, id) not in self._lanes:
                return tag
            lane = self._lanes[kind, id]
            if tag is not None and lane != tag:
                message = f"the chunk continues `{id}`, which belongs to another subagent"
                raise Violation("chunk.wrong-subagent", message, self._items[lane].index)
            return lane
        own = self._items.get(None)
        if tag is not None or (own is not None and own.kind == kind):
            return tag
        lanes = [lane for lane, item in self._items.items() if item.kind == kind]
        if len(lanes) > 1:
            message = "the chunk names neither its item nor its subagent, and several are open"
            raise Violation("chunk.ambiguous", message)
        return lanes[0] if lanes else None

    def continued(
        self, lane: str | None, kind: ItemKind, id: str | None, event: JsonEvent
    ) -> ChunkItem | None:
        """Gives the open item of a lane that a chunk continues.

        The chunk says nothing else of the item than the opening chunk said.
        """
        item = self._items.get(lane)
        if item is None or item.kind != kind or (id is not None and id != item.id):
            return None
        for name, before in item.heads:
            if name in event and event[name] != before:
                message = f"the chunk's `{name}` is not the one that `{item.id}` was opened with"
                raise Violation("chunk.disagrees", message, item.index)
        return item

    def open(self, lane: str | None, item: ChunkItem) -> None:
        """Notes the open item of a lane."""
        self._lanes[item.kind, item.id] = lane
        self._items[lane] = item

    def close(self, lane: str | None) -> ChunkItem | None:
        """Ends what a lane has open."""
        item = self._items.pop(lane, None)
        if item is not None:
            self._lanes.pop((item.kind, item.id), None)
        return item

    def close_all(self) -> list[tuple[str | None, ChunkItem]]:
        """Ends what all lanes have open, in the order of opening."""
        if not self._items:
            return []
        items = sorted(self._items.items(), key=lambda entry: entry[1].index)
        self._items.clear()
        self._lanes.clear()
        return items

    def stand_like(self, other: Lanes) -> bool:
        """Whether the same chunks may follow on both."""
        items = self._items.items()
        return len(items) == len(other._items) and all(
            lane in other._items and item.says_like(other._items[lane]) for lane, item in items
        )

    def require_none(self, kind: ItemKind, id: str) -> None:
        """Rejects an explicit end of what chunks opened.

        The end of a chunk item is what its own lane does next.
        """
        if self._lanes and (kind, id) in self._lanes:
            item = self._items[self._lanes[kind, id]]
            message = f"`{id}` was opened by a chunk of another subagent, which ends it"
            raise Violation("chunk.ended-elsewhere", message, item.index)


def missing_head(name: str) -> Violation:
    """Gives the rejection of a chunk that opens an item without naming it."""
    return Violation("chunk.missing-head", f"the chunk opens an item, so it needs `{name}`")
