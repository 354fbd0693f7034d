"""The events that compaction makes."""

from __future__ import annotations

from ...generated.events import EVENTS, ItemKind
from ..kinds import STREAMED, JsonEvent
from .delta import PendingDelta

Description = dict[str, str]
"""What the chunk that opens an item says of it."""


def description_of(event: JsonEvent) -> Description:
    """Gives what the chunk that opens an item says of it."""
    return {name: event[name] for name in EVENTS[event["type"]].opens if name in event}


def delta_event(kind: ItemKind, id: str, delta: PendingDelta) -> JsonEvent:
    """Gives a merged delta. An original event is there only if nothing was merged."""
    if delta.event is not None:
        return delta.event
    item = STREAMED[kind]
    event: JsonEvent = {"type": item.append, item.id: id, "delta": delta.text}
    if delta.timestamp is not None:
        event["timestamp"] = delta.timestamp
    event.update(delta.original)
    if delta.metadata is not None:
        event["metadata"] = delta.metadata
    if delta.owner is not None:
        event["subagentRunId"] = delta.owner
    event.update(delta.extra)
    return event


def start_event(
    kind: ItemKind, id: str, description: Description, lane: str | None, opener: PendingDelta
) -> JsonEvent:
    """Gives the START that replaces an opening chunk. What is not on its delta is kept here."""
    item = STREAMED[kind]
    event: JsonEvent = {"type": item.begin, item.id: id}
    if kind == "reasoning":
        event["role"] = "reasoning"
    event.update(description)
    if opener.timestamp is not None:
        event["timestamp"] = opener.timestamp
    if not opener.count and opener.metadata is not None:
        event["metadata"] = opener.metadata
    if lane is not None:
        event["subagentRunId"] = lane
    if not opener.count:
        event.update(opener.extra)
    return event


def end_event(kind: ItemKind, id: str, lane: str | None) -> JsonEvent:
    """Gives the END of an item that chunks kept open."""
    item = STREAMED[kind]
    event: JsonEvent = {"type": item.end, item.id: id}
    return event if lane is None else {**event, "subagentRunId": lane}
