"""What a stream of events means: its messages, state, runs, open items and interrupts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..generated.models import Event
from .._runtime.json_text import is_object
from .._runtime.rejection import Rejection
from .kinds import JsonEvent
from .plain import plain_events
from .reducer import Reducer, Run
from .runs import Runs, runs_of
from .sequence import OpenItem


@dataclass(frozen=True)
class Replay:
    """The meaning of a stream at the end of one of its runs."""

    messages: list[dict[str, Any]]
    """The messages in order, each with every member."""
    state: Any
    """The state that the agent shares."""
    runs: list[Run]
    """The runs that lead here, the earliest first."""
    open: list[OpenItem]
    """What was begun and not ended, in the order of beginning."""
    interrupts: list[Any]
    """What the last finished run waits for."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        return {
            "messages": self.messages,
            "state": self.state,
            "runs": [run.to_value() for run in self.runs],
            "open": [item.to_value() for item in self.open],
            "interrupts": self.interrupts,
        }


def replay_events(
    events: Iterable[Event | dict[str, Any]], *, run: str | None = None
) -> Replay:
    """Replays a stream up to the end of a run, or of its last one, along the predecessors of that run.

    Refused are events that continue or end what is not open, events that begin what is open, text that
    ends in half a character, and chunks that nobody can place (class `sequence`); a run that the stream
    does not have, and a path that needs what compaction has removed (class `semantic`).
    """
    plain = plain_events(events).events
    runs, _ = runs_of(plain)
    place = len(runs.rows) - 1 if run is None else runs.place_of(run)
    if place is None:
        message = f"no run of the stream has the id `{run}`"
        raise Rejection("semantic", "replay.unknown-run", message)
    if place < 0:
        return _replay_of(reduced(plain, range(len(plain))))
    path = runs.path_to(place)
    refuse_removed(plain, runs, path)
    indexes = (index for place in path for index in runs.events_of(place, len(plain)))
    return _replay_of(reduced(plain, indexes))


def reduced(events: Sequence[JsonEvent], indexes: Iterable[int]) -> Reducer:
    """Applies the events of these indexes."""
    reducer = Reducer()
    for index in indexes:
        try:
            reducer.apply(index, events[index])
        except Rejection as rejection:
            raise rejection.within(index) from None
    return reducer


def _replay_of(reducer: Reducer) -> Replay:
    open_items = [item for _, item in reducer.open_items()]
    messages, state = reducer.messages(), reducer.state
    return Replay(messages, state, reducer.runs, open_items, reducer.interrupts)


MARK = "chatstate"
"""The member of a run's metadata that says how the run was compacted."""


def is_removed(start: JsonEvent) -> bool:
    """Whether an event begins a run of which compaction kept only the frame."""
    metadata: dict[str, Any] = start.get("metadata") or {}
    mark: Any = metadata.get(MARK)
    is_marked = is_object(mark) and mark.get("compacted") == "tips"
    return start["type"] == "RUN_STARTED" and is_marked


def refuse_removed(events: Sequence[JsonEvent], runs: Runs, path: list[int]) -> None:
    """Refuses a path that needs what a removed run held.

    A run that was retained when the run before it was removed restates all messages. Compaction
    removes only runs from which exactly one run goes on, so that a second one came later.
    """
    removed = [is_removed(events[runs.rows[place].index]) for place in path]
    if path and removed[-1]:
        raise _refused(runs, path[-1], path[-1])
    for number in range(len(path) - 1):
        if not removed[number]:
            continue
        before, after = path[number], path[number + 1]
        restates = removed[number + 1] or any(
            events[index]["type"] == "MESSAGES_SNAPSHOT"
            for index in runs.events_of(after, len(events))
        )
        if not restates or runs.first_after(before) != after:
            raise _refused(runs, before, after)


def _refused(runs: Runs, removed: int, at: int) -> Rejection:
    message = (
        f"of the run `{runs.rows[removed].run_id}` compaction kept only the beginning and the end; "
        "replay a run that was retained, or the log as it was before"
    )
    rejection = Rejection("semantic", "replay.removed-run", message)
    return rejection.within(runs.rows[at].index)
