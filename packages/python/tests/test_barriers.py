"""Deltas around an event that writes to the same message stay where they are."""

from __future__ import annotations

from typing import Any

import pytest

from chatstate import compact_events

Event = dict[str, Any]

RESULT: Event = {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "m", "content": "x"}
ACTIVITY: Event = {"messageId": "m", "activityType": "plan"}

# Written by hand, so that a wrong role in the schema is seen.
WRITERS: list[Event] = [
    RESULT,
    {**ACTIVITY, "type": "ACTIVITY_SNAPSHOT", "content": {}},
    {**ACTIVITY, "type": "ACTIVITY_DELTA", "patch": []},
    {"type": "REASONING_START", "messageId": "m"},
    {"type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning"},
    {"type": "TOOL_CALL_START", "toolCallId": "m", "toolCallName": "f"},
    {"type": "TOOL_CALL_START", "toolCallId": "d", "toolCallName": "f", "parentMessageId": "m"},
    {"type": "TOOL_CALL_CHUNK", "toolCallId": "d", "toolCallName": "f", "parentMessageId": "m"},
    {"type": "REASONING_MESSAGE_CHUNK", "messageId": "m", "delta": "c"},
    {
        "type": "REASONING_ENCRYPTED_VALUE",
        "subtype": "message",
        "entityId": "m",
        "encryptedValue": "v",
    },
    {"type": "MESSAGES_SNAPSHOT", "messages": []},
]

OTHERS: list[Event] = [
    {**RESULT, "messageId": "other", "toolCallId": "m"},
    {**ACTIVITY, "messageId": "other", "type": "ACTIVITY_SNAPSHOT", "content": {}},
    {"type": "STEP_STARTED", "stepName": "m"},
    {"type": "SUBAGENT_STARTED", "subagentRunId": "m", "name": "n", "parentMessageId": "m"},
    {"type": "STATE_DELTA", "delta": []},
    {"type": "RAW", "event": {"messageId": "m"}},
    {"type": "CUSTOM", "name": "m", "value": "m"},
    {"type": "FUTURE_EVENT", "messageId": "m"},
]


def texts_around(event: Event) -> list[str]:
    """The texts of the deltas that compaction leaves of two with an event between them."""
    events: list[Event] = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a"},
        event,
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "b"},
    ]
    compacted = compact_events(events)
    return [event["delta"] for event in compacted if event["type"] == "TEXT_MESSAGE_CONTENT"]


@pytest.mark.parametrize("event", WRITERS, ids=lambda event: str(event["type"]))
def test_what_writes_to_a_message_keeps_the_deltas_around_it_apart(event: Event) -> None:
    assert texts_around(event) == ["a", "b"]


@pytest.mark.parametrize("event", OTHERS, ids=lambda event: str(event["type"]))
def test_deltas_around_what_writes_elsewhere_are_joined(event: Event) -> None:
    assert texts_around(event) == ["ab"]
