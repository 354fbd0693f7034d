"""Which events close what chunks keep open, so that a chunk after them begins something new."""

from __future__ import annotations

from typing import Any

import pytest

from chatstate import check_events

Event = dict[str, Any]

# Written by hand, so that a wrong role in the schema is seen.
CLOSING: list[Event] = [
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"},
    {"type": "TOOL_CALL_END", "toolCallId": "c"},
    {"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": "x"},
    {"type": "STEP_FINISHED", "stepName": "step"},
    {"type": "REASONING_END", "messageId": "span"},
    {"type": "STATE_DELTA", "delta": []},
    {"type": "MESSAGES_SNAPSHOT", "messages": []},
    {"type": "CUSTOM", "name": "n", "value": 1},
]

PASSING: list[Event] = [
    {"type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "plan", "content": {}},
    {"type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "plan", "patch": []},
    {"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "n"},
    {"type": "RAW", "event": 1},
    {"type": "FUTURE_EVENT"},
]


def rules_broken_behind(event: Event) -> list[str]:
    """The rules that a chunk without an id breaks after an open chunk item and an event."""
    events: list[Event] = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"},
        {"type": "STEP_STARTED", "stepName": "step"},
        {"type": "REASONING_START", "messageId": "span"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "a"},
        event,
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "b"},
    ]
    return [finding.rule for finding in check_events(events).errors]


@pytest.mark.parametrize("event", CLOSING, ids=lambda event: str(event["type"]))
def test_behind_what_closes_a_lane_a_chunk_needs_an_id(event: Event) -> None:
    assert rules_broken_behind(event) == ["chunk.missing-head"]


@pytest.mark.parametrize("event", PASSING, ids=lambda event: str(event["type"]))
def test_behind_all_else_a_chunk_continues(event: Event) -> None:
    assert rules_broken_behind(event) == []
