"""The laws of compaction, over streams made at random."""

from __future__ import annotations

import copy
import os
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chatstate import (
    EventCompactor,
    attach_prelude,
    canonical,
    compact_events,
    lineage_of,
    replay_events,
    verify_events,
)
from stream_runs import make_stream
from streams import Event

LEVELS: dict[str, Any] = {
    "stream": {"level": "stream"},
    "runs": {"level": "snapshot", "retain": "runs"},
    "tips": {"level": "snapshot"},
}

EXAMPLES = int(os.environ.get("CHATSTATE_STREAMS", "100"))

streams = st.builds(make_stream, st.randoms(use_true_random=False))
cuts = st.floats(0, 1)
laws = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


def cut(events: list[Event], place: float) -> tuple[list[Event], list[Event]]:
    """Cuts a stream in two."""
    at = round(place * len(events))
    return events[:at], events[at:]


def meaning(events: list[Event], run: str | None = None) -> str:
    """What a stream means, to be compared."""
    return canonical(replay_events(events, run=run).to_value())


@pytest.mark.parametrize("level", LEVELS)
@laws
@given(events=streams, place=cuts)
def test_compacting_again_changes_nothing(level: str, events: list[Event], place: float) -> None:
    once = compact_events(cut(events, place)[0], **LEVELS[level])
    assert canonical(compact_events(once, **LEVELS[level])) == canonical(once)


@pytest.mark.parametrize("level", LEVELS)
@laws
@given(events=streams, place=cuts)
def test_what_is_compacted_means_the_same(level: str, events: list[Event], place: float) -> None:
    part, _ = cut(events, place)
    compacted = compact_events(part, **LEVELS[level])
    verify_events(compacted)
    if level != "tips":
        assert meaning(compacted) == meaning(part)
        for run in lineage_of(part).runs:
            assert meaning(compacted, run.run_id) == meaning(part, run.run_id)
        return
    for tip in lineage_of(part).tips:
        before, after = replay_events(part, run=tip), replay_events(compacted, run=tip)
        assert canonical(after.messages) == canonical(before.messages)
        assert canonical(after.state) == canonical(before.state)
        assert canonical(after.interrupts) == canonical(before.interrupts)
        assert after.open == before.open


KEPT: list[set[str]] = [
    {"RUN_STARTED", "CUSTOM"},
    {"TEXT_MESSAGE_CONTENT", "TOOL_CALL_CHUNK"},
    {"STATE_DELTA", "TEXT_MESSAGE_CHUNK", "ACTIVITY_DELTA"},
]
"""Types of events that a caller keeps."""


@pytest.mark.parametrize("level", LEVELS)
@laws
@given(events=streams, place=cuts, types=st.sampled_from(KEPT))
def test_the_laws_hold_for_who_keeps_events(
    level: str, events: list[Event], place: float, types: set[str]
) -> None:
    options = {**LEVELS[level], "keep": lambda event: event["type"] in types}
    first, rest = cut(events, place)
    once = compact_events(first, **options)
    verify_events(once)
    assert canonical(compact_events(once, **options)) == canonical(once)
    left = iter(map(canonical, once))
    assert all(canonical(event) in left for event in first if event["type"] in types)
    if level != "tips":
        assert meaning(once) == meaning(first)
        joined = compact_events(once + rest, **options)
        assert canonical(joined) == canonical(compact_events(events, **options))


@pytest.mark.parametrize("level", ["stream", "runs"])
@laws
@given(events=streams, place=cuts)
def test_what_follows_may_be_appended(level: str, events: list[Event], place: float) -> None:
    beginning, rest = cut(events, place)
    first = compact_events(beginning, **LEVELS[level])
    at_once = compact_events(events, **LEVELS[level])
    assert canonical(compact_events(first + rest, **LEVELS[level])) == canonical(at_once)


@pytest.mark.parametrize("level", LEVELS)
@laws
@given(events=streams)
def test_one_by_one_is_all_at_once(level: str, events: list[Event]) -> None:
    compactor: EventCompactor[dict[str, Any]] = EventCompactor(**LEVELS[level])
    settled = [event for pushed in events for event in compactor.push(pushed)]
    settled += compactor.finish()
    assert settled == compact_events(events, **LEVELS[level])


@pytest.mark.parametrize("level", LEVELS)
@laws
@given(events=streams)
def test_the_events_that_are_given_stay_as_they_are(level: str, events: list[Event]) -> None:
    before = copy.deepcopy(events)
    compacted = compact_events(events, **LEVELS[level])
    kept = copy.deepcopy(compacted)
    replay_events(compacted)
    replay_events(events)
    attach_prelude(events)
    assert (events, compacted) == (before, kept)


@laws
@given(events=streams, place=cuts)
def test_a_client_that_attaches_sees_what_all_see(events: list[Event], place: float) -> None:
    beginning, rest = cut(events, place)
    later = {event.get("parentRunId") for event in rest}
    left_out = {run.run_id for run in lineage_of(beginning).runs[:-1]}
    if later & left_out:
        # A run that continues one that the prelude leaves out needs the log.
        return
    joined = attach_prelude(beginning) + rest
    verify_events(joined)
    mine, theirs = replay_events(joined), replay_events(events)
    assert canonical(mine.messages) == canonical(theirs.messages)
    assert canonical(mine.state) == canonical(theirs.state)
    assert canonical(mine.interrupts) == canonical(theirs.interrupts)
    assert mine.open == theirs.open


CALL_IN_OPEN_MESSAGE: list[Event] = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r1"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "o"},
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f", "parentMessageId": "m"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "o"},
]


BEGUN_TWICE_BY_CHUNKS: list[Event] = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r1"},
    {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "o"},
    {"type": "STEP_STARTED", "stepName": "step"},
    {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "o"},
    {"type": "REASONING_MESSAGE_CHUNK", "messageId": "m", "delta": "o"},
]


@laws
@example(events=BEGUN_TWICE_BY_CHUNKS)
@example(events=CALL_IN_OPEN_MESSAGE)
@given(events=streams)
def test_no_span_keeps_two_deltas_between_barriers(events: list[Event]) -> None:
    """Most streams have no barrier at all, and then each span has one delta."""
    barriers = ("MESSAGES_SNAPSHOT", "REASONING_ENCRYPTED_VALUE", "ACTIVITY", "TOOL_CALL_RESULT")
    text = str(events)
    ids = [event.get("messageId") for event in events if str(event["type"]).endswith("_START")]
    if "later" in text or len(set(ids)) < len(ids) or any(name in text for name in barriers):
        return
    compacted = compact_events(events)
    deltas = [
        (event["type"], event.get("messageId", event.get("toolCallId")), index)
        for index, event in enumerate(compacted)
        if event["type"] in ("TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS")
    ]
    # What chunks begin may begin again with the same id.
    starts = [
        (event.get("messageId", event.get("toolCallId")))
        for event in compacted
        if str(event["type"]).endswith("_START")
    ]
    # A call that begins in a message is a barrier for the message.
    parts = starts + [event.get("parentMessageId") for event in compacted]
    spans = [delta[:2] for delta in deltas if delta[1] in starts]
    ends = [event for event in compacted if event["type"] == "RUN_STARTED"]
    assert len(spans) <= sum(parts.count(of) for _, of in set(spans)) * max(1, len(ends))


def test_streams_at_random_have_everything() -> None:
    """A property that nothing is tried on holds for nothing."""
    seen: set[str] = set()
    for seed in range(400):
        for event in make_stream(random.Random(seed)):
            seen.add(str(event["type"]))
    assert len(seen) == 32, sorted(seen)
