"""The open items of a run in progress, begun again."""

from __future__ import annotations

from typing import Any

from .._runtime.json_text import is_array
from .surrogates import ends_with_high_surrogate
from .kinds import ITEM_ROLES, STREAMED, JsonEvent
from .reducer import Reducer
from .sequence import OpenItem
from .thread import Message

SplitEnds = dict[tuple[bool, str], str]
"""The unpaired surrogates that open texts end in, by whether it is a call's and by the id."""

_SUBAGENTS = frozenset(tag for tag, role in ITEM_ROLES.items() if role.item == "subagent")


def without_split_ends(messages: list[Message]) -> tuple[list[Message], SplitEnds]:
    """Gives the messages without the unpaired surrogates that open texts end in, and these surrogates."""
    split_ends: SplitEnds = {}
    return [_without_split_end(message, split_ends) for message in messages], split_ends


def _without_split_end(message: Message, split_ends: SplitEnds) -> Message:
    content, id = message.get("content"), message.get("id")
    if isinstance(content, str) and isinstance(id, str) and ends_with_high_surrogate(content):
        split_ends[False, id] = content[-1]
        message = {**message, "content": content[:-1]}
    calls: Any = message.get("toolCalls")
    if is_array(calls):
        message = {**message, "toolCalls": [_call_without_split_end(call, split_ends) for call in calls]}
    return message


def _call_without_split_end(call: Any, split_ends: SplitEnds) -> Any:
    try:
        id, arguments = call["id"], call["function"]["arguments"]
    except (LookupError, TypeError):
        return call
    if not isinstance(id, str) or not isinstance(arguments, str) or not ends_with_high_surrogate(arguments):
        return call
    split_ends[True, id] = arguments[-1]
    return {**call, "function": {**call["function"], "arguments": arguments[:-1]}}


def reopened(
    log: list[JsonEvent], run: range, standing: Reducer, split_ends: SplitEnds
) -> tuple[list[JsonEvent], list[JsonEvent]]:
    """Begins again what is open, in the order of beginning.

    First come those whose message a snapshot takes away again, which are before it; all others are
    after it. Subagents that have ended are among the items, since others may name them as parents.
    """
    before: list[JsonEvent] = []
    after: list[JsonEvent] = []
    open_items = dict(standing.tracker.open_items())
    for index in run:
        event, item = log[index], open_items.get(index)
        if item is not None:
            (after if standing.conversation.holds(item) else before).extend(_begun_again(event, item, split_ends))
        elif event["type"] in _SUBAGENTS:
            after.append(event)
    return before, after


def _begun_again(event: JsonEvent, item: OpenItem, split_ends: SplitEnds) -> list[JsonEvent]:
    """Gives the event that began an item, and an unpaired surrogate to continue with.

    It is without what it said beside that, which the message has by now. The spans that are no messages
    keep all.
    """
    streamed = STREAMED.get(item.kind)
    if streamed is None:
        return [event]
    surrogate = split_ends.pop((item.kind == "tool-call", item.id), None)
    is_chunk = ITEM_ROLES[event["type"]].does == "chunk"
    gone = {"rawEvent", "metadata", "delta"} if is_chunk else {"rawEvent", "metadata"}
    opener = {name: value for name, value in event.items() if name not in gone}
    if surrogate is None:
        return [opener]
    if is_chunk:
        return [{**opener, "delta": surrogate}]
    delta: JsonEvent = {"type": streamed.append, streamed.id: item.id, "delta": surrogate}
    if item.subagent_run_id is not None:
        delta["subagentRunId"] = item.subagent_run_id
    return [opener, delta]
