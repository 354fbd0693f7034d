"""Events as dicts are held against the schema, most of them at first sight."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chatstate import Event, Rejection, canonical, compact_events, verify_events, write
from chatstate._runtime.json_text import holds_unpaired
from chatstate._runtime.model import plain
from chatstate.streams.plain import check_event
from stream_runs import stream_of

ODD: list[Any] = [None, True, 1, 1.5, "", "x", "\ud83d", "é", [], {}, [{"op": "add"}], -1, 2**70]


def verdict(check: Any, event: Any) -> Any:
    """What is said of an event."""
    try:
        check(event)
    except Rejection as rejection:
        return rejection.category, rejection.rule, rejection.at
    return None


def test_first_sight_and_the_schema_agree() -> None:
    """One member of an event is replaced, added or taken out."""
    decide, tried = random.Random(1), 0
    for number in range(60):
        for event in stream_of(number):
            name = decide.choice([*event, "subagentRunId", "timestamp", "rawEvent", "role", "later"])
            changed = {**event, name: decide.choice(ODD)}
            if decide.random() < 0.2:
                del changed[name]
            if any(isinstance(value, str) and holds_unpaired(value) for value in changed.values()):
                continue
            theirs = verdict(lambda it: Event.from_json(write(it)), changed)
            ours = verdict(lambda it: check_event(it, 0), changed)
            at_place = theirs and (*theirs[:2], f"/0{theirs[2]}")
            assert ours == at_place, changed
            tried += 1
    assert tried > 1000


@pytest.mark.parametrize("event", [None, 1, "x", [], {}, {"type": None}, {"type": "RUN_STARTED"}])
def test_what_is_no_event_is_rejected_as_such(event: Any) -> None:
    for function in (compact_events, verify_events):
        with pytest.raises(Rejection) as rejected:
            function([event])
        assert rejected.value.category == "schema"


def test_models_come_back_as_models() -> None:
    for number in range(20):
        events = stream_of(number)
        models = [Event.from_json(write(event)) for event in events]
        compacted = compact_events(models)
        assert all(isinstance(event, Event) for event in compacted)
        assert canonical(plain(compacted)) == canonical(compact_events(events))


def test_the_caller_keeps_what_it_wants() -> None:
    events = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "keep"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "b"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "c"},
    ]
    kept = compact_events(events, keep=lambda event: event.get("delta") == "keep")
    assert [event["delta"] for event in kept[2:]] == ["a", "keep", "bc"]
    models = [Event.from_json(write(event)) for event in events]
    kept_models = compact_events(models, keep=lambda event: getattr(event, "delta", "") == "keep")
    assert canonical(plain(kept_models)) == canonical(kept)


def test_what_is_pending_stands_before_kept_chunks_that_it_would_close() -> None:
    start: Any = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    starts: list[Any] = [
        {"type": "TEXT_MESSAGE_START", "messageId": "m1", "subagentRunId": "s"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m2"},
    ]
    deltas: list[Any] = [
        {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1}},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m2", "delta": "a"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m3", "delta": "b"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "c", "subagentRunId": "s"},
    ]
    events = [start, *starts, *deltas, {"type": "RUN_ERROR", "message": "broken"}]
    kept = compact_events(events, keep=lambda event: event["type"] == "TEXT_MESSAGE_CHUNK")
    assert kept == events


def test_a_kept_input_behind_a_removed_run_makes_the_run_before_say_the_path() -> None:
    def run(id: str, *messages: str) -> list[Any]:
        user = [{"id": message, "role": "user", "content": "hi"} for message in messages]
        input = {"threadId": "t", "runId": id, "messages": user}
        names = {"threadId": "t", "runId": id}
        return [
            {"type": "RUN_STARTED", **names, "input": input},
            {"type": "RUN_FINISHED", **names},
        ]

    def compacted(events: list[Any]) -> list[Any]:
        return compact_events(
            events,
            level="snapshot",
            keep=lambda event: event["type"] == "RUN_STARTED" and event["runId"] == "r2",
        )

    events = [*run("r1", "u1", "u2"), *run("r2", "u3", "u1", "u2")]
    kept = compacted(events)
    types = ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]
    assert [event["type"] for event in kept] == [*types, "RUN_STARTED", "RUN_FINISHED"]
    assert kept[4] == events[2]
    assert compacted(kept) == kept
