"""What a client needs that joins a running thread: few events, after which the live ones continue.

Of three forms, each right for fewer threads and shorter than the next, the first that is right is taken:

1. The run in progress, or the last one, as its RUN_STARTED, one MESSAGES_SNAPSHOT of all messages, a
   STATE_SNAPSHOT, and bare beginnings of what is open. It is right if a verifier and a replay are
   after it as they are after the log, so that nothing that follows can distinguish the two. A
   snapshot also says whose each message is, so it is not right where the run has not heard of an
   earlier message.
2. The last run that snapshots can say, in that form, and the runs after it compacted.
3. All runs that lead to the last, compacted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from .._runtime.rejection import Rejection
from ..generated.events import EVENTS
from .compact.compactor import EventT
from .compact.core import Core, Options
from .kinds import TERMINAL, JsonEvent
from .plain import given_events, models_of
from .reducer import Reducer
from .marks import leaving_out, left_out_by
from .removed import is_removed, left_out_run, removed_run
from .reopen import reopened, without_split_ends
from .restate import can_be_restated, messages_snapshot, state_snapshot, without_messages
from .runs import runs_of
from .verify import Verifier


def attach_prelude(events: Iterable[EventT]) -> list[EventT]:
    """Gives the prelude for a client that joins the thread of this log.

    A client that applies it and then every event that follows the log has what a client has that was
    there from the beginning, without a character lost or repeated, and a verifier accepts what it sees.
    It covers the last run of the log and the runs that lead to it.

    Rejected are a log that the schema or a verifier rejects, as these reject it, and one that needs what
    compaction has removed (class `semantic`, rule `replay.removed-run`).
    """
    given = given_events(events)
    log = _compacted(given.events, check=not given.are_models)
    prelude = _prelude(_without_unknown_outside(log))
    return cast(list[EventT], models_of(prelude) if given.are_models else prelude)


def _compacted(events: list[Any], *, check: bool) -> list[JsonEvent]:
    """Gives a log compacted at level `stream`, which means the same."""
    core = Core(Options())
    return core.push_all(events, check=check) + core.finish()


def _without_unknown_outside(events: list[JsonEvent]) -> list[JsonEvent]:
    """Leaves out events of unknown types outside of runs, which belong to no path."""
    given: list[JsonEvent] = []
    is_running = False
    for event in events:
        tag = event["type"]
        is_running = tag == "RUN_STARTED" or (is_running and tag not in TERMINAL)
        if is_running or tag in EVENTS:
            given.append(event)
    return given


def _prelude(events: list[JsonEvent]) -> list[JsonEvent]:
    log = _Log(events)
    if not log.path:
        # Nothing, or an error before any run.
        return events
    return log.with_left_out(_shortest(log, events))


def _shortest(log: _Log, events: list[JsonEvent]) -> list[JsonEvent]:
    last = len(log.path) - 1
    prelude = log.restated(last, log.last)
    if prelude is not None and log.is_as_good(prelude):
        return prelude
    prelude, behind = [], 0
    place = log.latest_that_snapshots_say()
    if place is not None:
        restated = log.restated_whole(place)
        if restated is not None:
            prelude, behind = restated, place + 1
    for run in range(behind, len(log.path)):
        prelude += [events[index] for index in log.indexes(run)]
    return _compacted(prelude, check=False)


class _Log:
    """A valid log that is compacted, and what is at its end."""

    def __init__(self, events: list[JsonEvent]) -> None:
        self._events = events
        self._runs = runs_of(events)
        rows = self._runs.rows
        self.path = self._runs.path_to(len(rows) - 1) if rows else []
        """The places of the runs from the first to the last, each the predecessor of the next."""
        self._verifier = Verifier()
        self.last = Reducer()
        """What the log means at its end."""
        if self.path:
            self._require_all()
            last = len(self.path) - 1
            self.last = self.replayed(last)
            self._verifier = _verified([events[index] for index in self.indexes(last)]) or Verifier()

    def _require_all(self) -> None:
        """Rejects a path that needs what compaction removed."""
        rows = self._runs.rows
        removed = [is_removed(self._events[rows[place].index]) for place in self.path]
        if removed[-1]:
            raise removed_run(self._runs, self.path[-1], self.path[-1])
        for place in self.path:
            if rows[place].continues_left_out:
                raise left_out_run(self._runs, place)
        for number in range(len(self.path) - 1):
            before, after = self.path[number], self.path[number + 1]
            restates = removed[number + 1] or any(
                self._events[index]["type"] == "MESSAGES_SNAPSHOT"
                for index in self.indexes(number + 1)
            )
            is_said = restates and self._runs.first_after(before) == after
            if removed[number] and not is_said:
                raise removed_run(self._runs, before, after)

    def with_left_out(self, prelude: list[JsonEvent]) -> list[JsonEvent]:
        """Gives a prelude that names the runs of the log which it leaves out, in their order."""
        rows = self._runs.rows
        starts = [at for at, event in enumerate(prelude) if event["type"] == "RUN_STARTED"]
        staying = {prelude[at]["runId"] for at in starts}
        run_ids = left_out_by(self._events[rows[0].index])
        run_ids += [row.run_id for row in rows if row.run_id not in staying]
        if not run_ids:
            return prelude
        first = starts[0]
        return [*prelude[:first], leaving_out(prelude[first], run_ids), *prelude[first + 1 :]]

    def indexes(self, place: int) -> range:
        """Gives the indexes of the events of a run of the path."""
        return self._runs.events_of(self.path[place], len(self._events))

    def replayed(self, place: int) -> Reducer:
        """Gives what the log means at the end of a run of the path."""
        reducer = Reducer()
        for run in range(place + 1):
            reducer.apply_all(self._events, self.indexes(run))
        return reducer

    def restated(self, place: int, standing: Reducer) -> list[JsonEvent] | None:
        """Gives a run of the path as its frame, snapshots of messages and state, and what is open.

        None if snapshots cannot say it.
        """
        said = standing.conversation
        if not said.state.is_known or not said.knows_messages:
            return None
        events, start = self._events, self._runs.rows[self.path[place]].index
        messages, split_ends = without_split_ends(said.thread.messages())
        snapshot = messages_snapshot(messages)
        if snapshot is None:
            return None
        indexes = range(start, self.indexes(place).stop)
        before, after = reopened(events, indexes, standing, split_ends)
        terminal = [events[index] for index in indexes if events[index]["type"] in TERMINAL]
        frame = without_messages(events[start])
        if "input" in frame:
            input = {name: value for name, value in frame["input"].items() if name != "state"}
            frame = {**frame, "input": input}
        return [frame, *before, snapshot, state_snapshot(said.state.value), *after, *terminal]

    def restated_whole(self, place: int) -> list[JsonEvent] | None:
        """The same for a run that is over, of whose messages nothing is taken out to begin it again."""
        standing = self.replayed(place)
        messages = standing.conversation.thread.messages()
        return self.restated(place, standing) if can_be_restated(messages) else None

    def is_as_good(self, prelude: list[JsonEvent]) -> bool:
        """Whether whatever may follow the log may follow these events, and means the same."""
        verifier, reducer = _verified(prelude), Reducer()
        if verifier is None:
            return False
        try:
            reducer.apply_all(prelude, range(len(prelude)))
        except Rejection:
            return False
        is_over = self._events[-1]["type"] in TERMINAL
        return self.last.stands_like(reducer) and (is_over or self._verifier.stands_like(verifier))

    def latest_that_snapshots_say(self) -> int | None:
        """Gives the last run of the path but one, or an earlier one, that snapshots can say.

        Its end is what snapshots and its terminal event say.
        """
        reducer, latest = Reducer(), None
        for place in range(len(self.path) - 1):
            reducer.apply_all(self._events, self.indexes(place))
            says_interrupts = not reducer.conversation.interrupts or any(
                self._events[index]["type"] == "RUN_FINISHED" for index in self.indexes(place)
            )
            if says_interrupts and not reducer.conversation.thread.has_shared_ids:
                latest = place
        return latest


def _verified(events: list[JsonEvent]) -> Verifier | None:
    """Gives a verifier after the events of one run, if it accepts them."""
    verifier = Verifier()
    for index, event in enumerate(events):
        verifier.push(index, event)
        if verifier.found.errors:
            return None
    return verifier
