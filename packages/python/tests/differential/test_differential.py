"""The package and the reference say the same of streams made at random, valid ones and broken ones.

`CHATSTATE_STREAMS` says of how many, `CHATSTATE_SEED` of which.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from chatstate import (
    EventStream,
    Rejection,
    attach_prelude,
    canonical,
    compact_events,
    lineage_of,
    replay_events,
    verify_events,
    write,
)
from chatstate._runtime.model import plain
from reference import Answer, Reference
from stream_runs import stream_of
from streams import Event

COUNT = int(os.environ.get("CHATSTATE_STREAMS", "100"))
SEED = os.environ.get("CHATSTATE_SEED", "1")

Operation = tuple[str, dict[str, Any], Callable[[Any], Any]]

OPERATIONS: dict[str, Operation] = {
    "verify": ("verify", {}, lambda events: verify_events(events) or True),
    "replay": ("replay", {}, lambda events: replay_events(events).to_value()),
    "lineage": ("lineage", {}, lambda events: lineage_of(events).to_value()),
    "attach": ("attach", {}, attach_prelude),
    "stream": ("compact", {"level": "stream"}, compact_events),
    "runs": (
        "compact",
        {"level": "snapshot", "retain": "runs"},
        lambda events: compact_events(events, level="snapshot", retain="runs"),
    ),
    "tips": (
        "compact",
        {"level": "snapshot"},
        lambda events: compact_events(events, level="snapshot"),
    ),
    "partial": (
        "compact",
        {"level": "snapshot", "partial": True},
        lambda events: compact_events(events, level="snapshot", partial=True),
    ),
    "lenient": (
        "compact",
        {"level": "snapshot", "retain": "runs", "lenient": True},
        lambda events: compact_events(events, level="snapshot", retain="runs", lenient=True),
    ),
}


@pytest.fixture(scope="module")
def reference() -> Iterator[Reference]:
    """The reference, if it is there."""
    if "CHATSTATE" not in os.environ:
        pytest.skip("SKIPPED LANE reference: `CHATSTATE` does not name the program")
    reference = Reference()
    yield reference
    reference.stop()


def answered(operation: Callable[[Any], Any], events: Any) -> Answer:
    """What the package says."""
    try:
        return {"ok": operation(events)}
    except Rejection as rejection:
        rejected = {"class": rejection.class_, "rule": rejection.rule, "at": rejection.at}
        return {"rejected": rejected}


def said(answer: Answer) -> str:
    """An answer, to be compared."""
    if "rejected" in answer:
        rejected = answer["rejected"]
        return str([rejected.get(name) for name in ("class", "rule", "at")])
    return canonical(plain(answer.get("ok", answer)))


@cache
def part_of(number: int) -> list[Event]:
    """A stream, or the beginning of one."""
    decide, events = random.Random(number), stream_of(f"{SEED}-{number}")
    return events[: decide.randrange(len(events) + 1)] if decide.random() < 0.5 else events


@pytest.mark.parametrize("name", OPERATIONS)
def test_of_valid_streams(reference: Reference, name: str) -> None:
    op, arguments, operation = OPERATIONS[name]
    answers = reference.run(op, map(part_of, range(COUNT)), **arguments)
    for number, theirs in enumerate(answers):
        events = part_of(number)
        assert said(answered(operation, events)) == said(theirs), f"stream {number}: {write(events)}"


@pytest.mark.parametrize("name", OPERATIONS)
def test_of_broken_streams(reference: Reference, name: str) -> None:
    op, arguments, operation = OPERATIONS[name]
    answers = reference.run(op, map(broken, range(COUNT)), **arguments)
    for number, theirs in enumerate(answers):
        events = broken(number)

        def read_first(events: Any) -> Any:
            return operation(EventStream.from_json(write(events)).root)

        ours = said(answered(read_first, events))
        assert ours == said(theirs), f"stream {number}: {write(events)}"


@cache
def broken(number: int) -> list[Event]:
    """A stream with a few changes that make it invalid or odd."""
    decide, events = random.Random(f"{SEED}-{number}"), json.loads(json.dumps(part_of(number)))
    for _ in range(decide.randrange(1, 4)):
        if not events:
            break
        place = decide.randrange(len(events))
        choice = decide.randrange(5)
        if choice == 0:
            del events[place]
        elif choice == 1:
            events.insert(decide.randrange(len(events) + 1), dict(events[place]))
        elif choice == 2:
            other = decide.randrange(len(events))
            events[place], events[other] = events[other], events[place]
        else:
            name = decide.choice(list(events[place]))
            if choice == 3 and name != "type":
                del events[place][name]
            elif name.endswith("Id"):
                events[place][name] = decide.choice(["m1", "c2", "r1", "s3"])
    return events
