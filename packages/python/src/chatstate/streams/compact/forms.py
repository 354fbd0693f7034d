"""The forms that a finished run may take at level `snapshot`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..._runtime.json_text import is_object
from ...generated.events import EVENTS, ITEMS, EventRole
from ..kinds import TERMINAL, JsonEvent
from ..reducer import Reducer
from ..replay import MARK
from ..restate import messages_snapshot, state_snapshot, without_messages
from ..verify import Verifier

Keep = Callable[[JsonEvent], bool]
"""Says which events stay as they are, where they are."""


def _changes_the_chat(role: EventRole) -> bool:
    """Whether events write to messages, calls or the state, or are the frame of a run."""
    if role.item is None:
        return role.does == "annotate"
    return role.item == "run" or ITEMS[role.item].changes is not None


_IN_SNAPSHOTS = frozenset(tag for tag, role in EVENTS.items() if _changes_the_chat(role))
"""The events of which snapshots and the frame of the run say what they did."""


class Form(NamedTuple):
    """What a caller decided about the forms of runs."""

    partial: bool
    """Whether the beginning of the thread is elsewhere, so that nobody knows what all messages are."""
    keep: Keep | None

    def keeps(self, event: JsonEvent) -> bool:
        """Whether the caller keeps an event as it is."""
        return self.keep is not None and self.keep(event)

    def stands(self, event: JsonEvent) -> bool:
        """Whether an event belongs to no message, call or state, and so stays beside snapshots."""
        return event["type"] not in _IN_SNAPSHOTS or self.keeps(event)


class Parts(NamedTuple):
    """A run in its parts: its beginning, what happens in it, and its terminal events."""

    start: JsonEvent
    inner: list[JsonEvent]
    terminal: list[JsonEvent]

    @classmethod
    def of(cls, run: list[JsonEvent]) -> Parts:
        """Takes a run apart."""
        ends = (place for place, event in enumerate(run) if place and event["type"] in TERMINAL)
        end = next(ends, len(run))
        return cls(run[0], run[1:end], run[end:])


def is_valid(run: list[JsonEvent]) -> bool:
    """Whether a verifier accepts the events of one run."""
    verifier = Verifier()
    for index, event in enumerate(run):
        verifier.push(index, event)
        if verifier.found.errors:
            return False
    return True


def retained(form: Form, run: list[JsonEvent], standing: Reducer) -> list[JsonEvent] | None:
    """Gives a run with all messages and the state; None if no snapshot can say them."""
    parts = Parts.of(run)
    snapshot = messages_snapshot(standing.messages())
    if snapshot is None:
        return None
    events = [
        parts.start if form.keeps(parts.start) else without_messages(parts.start),
        *filter(form.stands, parts.inner),
        snapshot,
        state_snapshot(standing.state),
        *parts.terminal,
    ]
    return events if is_valid(events) else None


def removed(run: list[JsonEvent]) -> list[JsonEvent]:
    """Gives the frame of a run that is not retained, which says so."""
    parts = Parts.of(run)
    return [_marked(without_messages(parts.start)), *parts.terminal]


def _marked(start: JsonEvent) -> JsonEvent:
    metadata: dict[str, Any] = start.get("metadata") or {}
    before: Any = metadata.get(MARK)
    mark: dict[str, Any] = dict(before) if is_object(before) else {}
    mark["compacted"] = "tips"
    return {**start, "metadata": {**metadata, MARK: mark}}
