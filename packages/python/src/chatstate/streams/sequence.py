"""The order of events: what each begins, continues and ends, and what is open between two events.

Replay and verification take events through one `Tracker`, so that both reject the same streams under
the same rules. It resolves chunks, so that code after it need not know them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .._runtime.whole import Answer, named_by_its_writer
from ..generated.events import EVENTS, ITEMS, ItemKind
from .chunks import DEFAULTS, ChunkItem, Lanes, missing_head
from .surrogates import PendingSurrogates
from .kinds import (
    CLOSING_A_LANE,
    CLOSING_ALL,
    ITEM_ROLES,
    RUN_EVENTS,
    ItemRole,
    JsonEvent,
    owner_of,
)
from .violation import Violation


class Beginning(NamedTuple):
    """What an event says of the item that it begins."""

    kind: ItemKind
    id: str
    owner: str | None
    role: str | None = None
    """The role of a text or reasoning message."""
    name: str | None = None
    """The name of the author, or of the tool that is called."""
    parent: str | None = None
    """The message that a tool call names as its own."""


@named_by_its_writer
@dataclass(frozen=True)
class OpenItem(Answer):
    """An item that was begun and not ended."""

    kind: ItemKind
    id: str
    """Its id; the name of a step."""
    subagent_run_id: str | None = None
    """The subagent that it belongs to."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        owner = self.subagent_run_id
        named = {"kind": self.kind, "id": self.id}
        return named if owner is None else {**named, "subagentRunId": owner}


class Steps(Protocol):
    """What takes the steps of events."""

    def begun(self, index: int, beginning: Beginning) -> None:
        """An item is begun."""

    def appended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is continued by the event's text, and by none if it has none."""

    def idle(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is continued by a chunk that says nothing."""

    def ended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is ended by an event of its own."""

    def closed(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item that chunks kept open is ended by an event that is about something else."""

    def left(self, index: int, item: OpenItem) -> None:
        """The item, begun by the event of this index, is left open by the end of its run."""


_Key = tuple[ItemKind, str, str | None]


class Tracker:
    """What is open between two events."""

    __slots__ = ("_lanes", "_open", "_surrogates")

    def __init__(self) -> None:
        """Nothing is open."""
        self._open: dict[_Key, tuple[int, str | None]] = {}
        self._surrogates = PendingSurrogates()
        self._lanes = Lanes()

    def copy(self) -> Tracker:
        """Gives a tracker that goes its own way from here."""
        copied = Tracker()
        copied._open = dict(self._open)
        copied._surrogates = self._surrogates.copy()
        copied._lanes = self._lanes.copy()
        return copied

    def take(self, index: int, event: JsonEvent, steps: Steps) -> None:
        """Takes the event of this index and passes on its steps in order.

        An event that cannot be here raises a `Violation`; what it did before is done, so that a
        caller may continue after it.
        """
        tag = event["type"]
        if tag in CLOSING_ALL:
            self._close_all(steps)
            self._surrogates.clear()
            if tag in RUN_EVENTS:
                self._leave(steps)
            return
        if tag in CLOSING_A_LANE and self._lanes:
            self.close_lane(event.get("subagentRunId"), steps)
        role = ITEM_ROLES.get(tag)
        if role is None:
            return
        does, kind, named_by = role
        if does == "chunk":
            self._chunk(index, event, role, steps)
        elif does == "begin":
            self._begin(index, _beginning(event, role), steps)
        elif does == "append":
            self.append(index, kind, event[named_by], owner_of(event), event["delta"], steps)
        else:
            id, owner = event[named_by], owner_of(event)
            self._lanes.require_none(kind, id)
            self._end(kind, id, owner)
            steps.ended(kind, id, owner)
            self._surrogates.end(kind, id)

    def close_lane(self, lane: str | None, steps: Steps) -> None:
        """Ends what chunks keep open in the lane of a subagent."""
        item = self._lanes.close(lane)
        if item is not None:
            self._close(lane, item, steps)

    def append(
        self, index: int, kind: ItemKind, id: str, owner: str | None, text: str | None, steps: Steps
    ) -> None:
        """Appends text to an item that must be open."""
        if (kind, id, None) not in self._open:
            raise _not_open(kind, id)
        if text and (self._surrogates or not text.isascii()):
            self._surrogates.append(index, kind, id, text)
        steps.appended(kind, id, owner)

    def is_plain(self, kind: ItemKind, id: str) -> bool:
        """Whether whole texts may be appended to an item one after the other without another look."""
        return (kind, id, None) in self._open and not self._lanes and not self._surrogates

    def open_items(self) -> list[tuple[int, OpenItem]]:
        """Gives the open items in the order of beginning, each with the index of its first event."""
        items = [
            (index, OpenItem(kind, id, owner))
            for (kind, id, _), (index, owner) in self._open.items()
        ]
        # One event begins one item at most, so that the indexes give the order.
        return sorted(items, key=lambda item: item[0])

    def stands_like(self, other: Tracker) -> bool:
        """Whether the same may follow on both, and means the same."""
        return (
            [item for _, item in self.open_items()] == [item for _, item in other.open_items()]
            and self._lanes.stand_like(other._lanes)
            and self._surrogates.stand_like(other._surrogates)
        )

    def _begin(self, index: int, beginning: Beginning, steps: Steps) -> None:
        key = _key(beginning.kind, beginning.id, beginning.owner)
        opened = self._open.get(key)
        if opened is not None:
            message = f"the {beginning.kind} `{beginning.id}` is begun, but it is open"
            raise Violation(f"{beginning.kind}.already-open", message, opened[0])
        self._open[key] = index, beginning.owner
        steps.begun(index, beginning)

    def _end(self, kind: ItemKind, id: str, owner: str | None) -> None:
        if self._open.pop(_key(kind, id, owner), None) is None:
            raise _not_open(kind, id)

    def _close(self, lane: str | None, item: ChunkItem, steps: Steps) -> None:
        self._end(item.kind, item.id, lane)
        steps.closed(item.kind, item.id, lane)
        self._surrogates.end(item.kind, item.id)

    def _close_all(self, steps: Steps) -> None:
        first: Violation | None = None
        for lane, item in self._lanes.close_all():
            try:
                self._close(lane, item, steps)
            except Violation as violation:
                first = first or violation
        if first is not None:
            raise first

    def _leave(self, steps: Steps) -> None:
        if self._open:
            items = self.open_items()
            self._open.clear()
            for index, item in items:
                steps.left(index, item)

    def _chunk(self, index: int, event: JsonEvent, role: ItemRole, steps: Steps) -> None:
        """Continues the item that a chunk belongs to, or ends what its lane has open and begins one."""
        id = event.get(role.id)
        lane = self._lanes.lane_of(role.item, id, owner_of(event))
        item = self._lanes.continued(lane, role.item, id, event)
        if item is None:
            self._opening_chunk(index, event, role, lane, steps)
        # A chunk without text may carry metadata.
        elif "delta" in event or "rawEvent" in event or "metadata" in event:
            # What is continued belongs to the caller that opened it, also when the chunk does not say so.
            self.append(index, item.kind, item.id, lane, event.get("delta"), steps)
        else:
            steps.idle(item.kind, item.id, lane)

    def _opening_chunk(
        self, index: int, event: JsonEvent, role: ItemRole, lane: str | None, steps: Steps
    ) -> None:
        self.close_lane(lane, steps)
        for name in EVENTS[event["type"]].needs:
            if name not in event:
                raise missing_head(name)
        id = event[role.id]
        self._begin(index, _beginning(event, role), steps)
        try:
            # The metadata of a chunk that begins its item belongs to the beginning.
            if "delta" in event or "rawEvent" in event:
                self.append(index, role.item, id, lane, event.get("delta"), steps)
        finally:
            self._lanes.open(lane, ChunkItem.opened_by(index, role.item, id, event))


_TOLD_APART_BY_OWNER = frozenset(kind for kind, item in ITEMS.items() if item.key == "id-and-owner")
"""The kinds of items of which each owner may have an open one of the same id."""


def _key(kind: ItemKind, id: str, owner: str | None) -> _Key:
    """What distinguishes open items."""
    return kind, id, owner if kind in _TOLD_APART_BY_OWNER else None


def _beginning(event: JsonEvent, role: ItemRole) -> Beginning:
    kind, id, owner = role.item, event[role.id], owner_of(event)
    if kind == "text":
        return Beginning(kind, id, owner, event.get("role", DEFAULTS["role"]), event.get("name"))
    if kind == "tool-call":
        name, parent = event["toolCallName"], event.get("parentMessageId")
        return Beginning(kind, id, owner, name=name, parent=parent)
    if kind == "reasoning":
        return Beginning(kind, id, owner, "reasoning")
    return Beginning(kind, id, owner)


def _not_open(kind: ItemKind, id: str) -> Violation:
    message = f"the {kind} `{id}` is continued or ended, but it is not open"
    return Violation(f"{kind}.not-open", message)
