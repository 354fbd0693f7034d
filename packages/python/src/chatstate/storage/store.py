"""Where the events of threads are kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..generated.models import AnyEvent, Event, EventStream
from .._runtime.json_text import write
from .._runtime.model import plain
from .._runtime.rejection import Rejection


@dataclass(frozen=True)
class ThreadSnapshot:
    """The result of the first events of a thread, such as `compact_events` makes them.

    The events from the position on continue after it.
    """

    position: int
    """How many events of the thread it covers."""
    events: Sequence[AnyEvent]
    """Fewer events that mean the same."""

    def to_json(self) -> str:
        """Writes the snapshot."""
        return write({"position": self.position, "events": plain(self.events)})

    @staticmethod
    def from_value(value: Any) -> ThreadSnapshot:
        """Takes a snapshot from its JSON value; `Rejection` if it is none."""
        try:
            # The stores of TypeScript had other names once.
            former = "next" in value and "value" in value
            at, of = ("next", "value") if former else ("position", "events")
            position, events = value[at], value[of]
        except (LookupError, TypeError):
            message = "a snapshot has a `position` and `events`"
            raise Rejection("schema", "required", message) from None
        if type(position) is not int or position < 0:
            raise Rejection("schema", "type", "must be a number of events", f"/{at}")
        try:
            return ThreadSnapshot(position, EventStream.from_json(write(events)).root)
        except Rejection as rejection:
            raise rejection.within(of) from None


class EventStore(Protocol):
    """Keeps the events of threads, and of each thread at most one snapshot."""

    async def append(self, thread_id: str, events: Iterable[Event]) -> int:
        """Appends events to a thread, which begins with its first event: all of them, or none.

        Gives the number of events that the thread has now, which is the position after the last one.
        """
        ...

    def read(self, thread_id: str, start: int = 0) -> AsyncIterator[AnyEvent]:
        """Reads the events of a thread from a position on. A thread that is not there has none.

        An event that is not valid is a `Rejection`, whose place is its position.
        """
        ...

    async def save_snapshot(self, thread_id: str, snapshot: ThreadSnapshot) -> None:
        """Keeps a snapshot of a thread, in the place of the one before."""
        ...

    async def load_snapshot(self, thread_id: str) -> ThreadSnapshot | None:
        """Gives the snapshot of a thread, if there is one."""
        ...

    async def list_threads(self) -> list[str]:
        """Gives the threads that have events or a snapshot, ordered by the UTF-16 code units of their ids."""
        ...


def read_event(text: str | bytes, position: int) -> AnyEvent:
    """Reads the event at a position."""
    try:
        return Event.from_json(text)
    except Rejection as rejection:
        raise rejection.within(position) from None
