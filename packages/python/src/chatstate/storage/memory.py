"""Events in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from ..generated.models import AnyEvent, Event
from .._runtime.json_text import parse
from .._runtime.whole import Whole
from .names import in_order, name_of
from .store import ThreadSnapshot, read_event


class MemoryEventStore(Whole):
    """Keeps events as long as the process lives, as text, so that callers cannot change what is kept.

    It takes the ids that a folder takes, so that tests with it find the others.
    """

    saved_by = "read its events"

    def __init__(self) -> None:
        """Begins without threads."""
        self._logs: dict[str, list[str]] = {}
        self._snapshots: dict[str, str] = {}

    async def append(self, thread_id: str, events: Iterable[Event]) -> int:
        """Appends events to a thread, and gives the number of events that it has now."""
        name_of(thread_id)
        texts = [event.to_json() for event in events]
        if texts:
            self._logs.setdefault(thread_id, []).extend(texts)
        return len(self._logs.get(thread_id, ()))

    async def read(self, thread_id: str, start: int = 0) -> AsyncIterator[AnyEvent]:
        """Reads the events of a thread from a position on."""
        name_of(thread_id)
        texts = self._logs.get(thread_id, [])[start:]
        for position, text in enumerate(texts, start):
            yield read_event(text, position)

    async def save_snapshot(self, thread_id: str, snapshot: ThreadSnapshot) -> None:
        """Keeps a snapshot of a thread."""
        name_of(thread_id)
        self._snapshots[thread_id] = snapshot.to_json()

    async def load_snapshot(self, thread_id: str) -> ThreadSnapshot | None:
        """Gives the snapshot of a thread, if there is one."""
        name_of(thread_id)
        text = self._snapshots.get(thread_id)
        return None if text is None else ThreadSnapshot.from_value(parse(text))

    async def list_threads(self) -> list[str]:
        """Gives the threads that have events or a snapshot."""
        return in_order(self._logs.keys() | self._snapshots.keys())
