"""Messages and state as events again: the way back from a replay."""

from __future__ import annotations

from typing import Any

from ..generated.models import Message as MessageModel
from .._runtime.json_text import holds_unpaired, is_array, is_object
from .._runtime.model import check_value
from .._runtime.rejection import Rejection
from .kinds import JsonEvent
from .thread import Message


def can_be_restated(messages: list[Message]) -> bool:
    """Whether one snapshot can say these messages.

    Each id is there once, which readers of a snapshot go by, and no text ends in an unpaired surrogate,
    which no message can say.
    """
    ids: set[str] = set()
    call_ids: set[str] = set()
    for message in messages:
        if not _is_new(message.get("id"), ids) or _is_split(message.get("content")):
            return False
        calls: Any = message.get("toolCalls")
        if not is_array(calls):
            continue
        for call in calls:
            function = _member(call, "function")
            is_split = _is_split(_member(function, "arguments"))
            if is_split or not _is_new(_member(call, "id"), call_ids):
                return False
    return True


def _member(value: Any, name: str) -> Any:
    return value.get(name) if is_object(value) else None


def _is_new(id: Any, ids: set[str]) -> bool:
    if not isinstance(id, str) or id in ids:
        return False
    ids.add(id)
    return True


def _is_split(text: Any) -> bool:
    return isinstance(text, str) and holds_unpaired(text)


def messages_snapshot(messages: list[Message]) -> JsonEvent | None:
    """Gives all messages as one snapshot, if one can say them."""
    if not can_be_restated(messages):
        return None
    try:
        for message in messages:
            check_value(MessageModel, message)
    except Rejection:
        return None
    return {"type": "MESSAGES_SNAPSHOT", "messages": messages}


def state_snapshot(state: Any) -> JsonEvent:
    """Gives the state as a snapshot."""
    return {"type": "STATE_SNAPSHOT", "snapshot": state}


def without_messages(start: JsonEvent) -> JsonEvent:
    """Gives the beginning of a run without the messages of its input.

    A snapshot after it says them in their order.
    """
    if "input" not in start:
        return start
    return {**start, "input": {**start["input"], "messages": []}}
