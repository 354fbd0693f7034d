"""The events that compaction makes."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..kinds import ItemKind, JsonEvent
from .pieces import Part


class _Tags(NamedTuple):
    """The types of the events of one kind of item, and the member that names it."""

    named_by: str
    start: str
    delta: str
    end: str
    chunk: str


_TAGS: Final = {
    "text": _Tags(
        "messageId",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TEXT_MESSAGE_CHUNK",
    ),
    "reasoning": _Tags(
        "messageId",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_END",
        "REASONING_MESSAGE_CHUNK",
    ),
    "tool-call": _Tags(
        "toolCallId", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_CHUNK"
    ),
}

Heads = dict[str, str]
"""What the chunk that opens an item says of it."""

_HEADS: Final = ("toolCallName", "parentMessageId", "role", "name")


def heads_of(chunk: JsonEvent, kind: ItemKind) -> Heads:
    """Gives what a chunk says of its item."""
    if kind == "reasoning":
        return {}
    names = _HEADS[:2] if kind == "tool-call" else _HEADS[2:]
    return {name: chunk[name] for name in names if name in chunk}


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
    tags = _TAGS[kind]
    event = {"type": tags.delta, tags.named_by: id, "delta": part.text or ""}
    return _rest(event, part, part.owner)


def chunk_event(
    kind: ItemKind, opening: tuple[str, Heads] | None, lane: str | None, part: Part
) -> JsonEvent:
    """Gives the chunk that a part comes to. Only the first chunk of an item says what the item is."""
    tags = _TAGS[kind]
    event: JsonEvent = {"type": tags.chunk}
    if opening is not None:
        id, heads = opening
        event[tags.named_by] = id
        event.update(heads)
    text = part.chunk_text()
    if text is not None:
        event["delta"] = text
    return _rest(event, part, lane)


def start_event(kind: ItemKind, id: str, heads: Heads, lane: str | None, opener: Part) -> JsonEvent:
    """Gives the START that stands for an opening chunk. What is not on the delta is kept here."""
    tags = _TAGS[kind]
    event: JsonEvent = {"type": tags.start, tags.named_by: id}
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
    tags = _TAGS[kind]
    event: JsonEvent = {"type": tags.end, tags.named_by: id}
    return event if lane is None else {**event, "subagentRunId": lane}
