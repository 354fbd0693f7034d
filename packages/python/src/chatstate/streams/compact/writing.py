"""The events that compaction makes."""

from __future__ import annotations

from ...generated.events import EVENTS
from ..kinds import STREAMED, ItemKind, JsonEvent
from .pieces import Part

Heads = dict[str, str]
"""What the event that opens an item says of it."""


def heads_of(event: JsonEvent) -> Heads:
    """Gives what the event that opens an item says of it."""
    return {name: event[name] for name in EVENTS[event["type"]].opens if name in event}


def _rest(event: JsonEvent, part: Part, owner: str | None) -> JsonEvent:
    """Adds what a part has beside its text."""
    if part.timestamp is not None:
        event["timestamp"] = part.timestamp
    if part.raw_event is not None:
        event["rawEvent"] = part.raw_event
    if part.metadata is not None:
        event["metadata"] = part.metadata
    if owner is not None:
        event["subagentRunId"] = owner
    event.update(part.extra)
    return event


def delta_event(kind: ItemKind, id: str, part: Part) -> JsonEvent:
    """Gives the delta event of a part, with the original event if it is the only one."""
    item = STREAMED[kind]
    event = {"type": item.append, item.id: id, "delta": part.text or ""}
    return _rest(event, part, part.owner)


def chunk_event(
    kind: ItemKind, opening: tuple[str, Heads] | None, lane: str | None, part: Part
) -> JsonEvent:
    """Gives the chunk that a part comes to. Only the first chunk of an item says what the item is."""
    item = STREAMED[kind]
    event: JsonEvent = {"type": item.chunk}
    if opening is not None:
        id, heads = opening
        event[item.id] = id
        event.update(heads)
    text = part.chunk_text()
    if text is not None:
        event["delta"] = text
    return _rest(event, part, lane)


def start_event(kind: ItemKind, id: str, heads: Heads, lane: str | None, opener: Part) -> JsonEvent:
    """Gives the START that stands for an opening chunk. What is not on the delta is kept here."""
    item = STREAMED[kind]
    event: JsonEvent = {"type": item.begin, item.id: id}
    if kind == "reasoning":
        event["role"] = "reasoning"
    event.update(heads)
    if opener.timestamp is not None:
        event["timestamp"] = opener.timestamp
    if not opener.has_delta and opener.metadata is not None:
        event["metadata"] = opener.metadata
    if lane is not None:
        event["subagentRunId"] = lane
    if not opener.has_delta:
        event.update(opener.extra)
    return event


def end_event(kind: ItemKind, id: str, lane: str | None) -> JsonEvent:
    """Gives the END of an item that chunks kept open."""
    item = STREAMED[kind]
    event: JsonEvent = {"type": item.end, item.id: id}
    return event if lane is None else {**event, "subagentRunId": lane}
