"""The runs of a log as they come, and which continues which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .kinds import JsonEvent, parent_of
from .marks import left_out_by


@dataclass(frozen=True)
class RunRow:
    """One run of a log as it came."""

    run_id: str
    predecessor: int | None
    """The run that it continues, by its place among the runs; the first run has none."""
    parent_run_id: str | None
    """The run that it names as its parent, whether or not that is in the log."""
    index: int
    """The index of its RUN_STARTED in the log."""
    continues_left_out: bool = False
    """Whether it names a parent that is left out by the prelude with which the log begins."""


@dataclass(frozen=True)
class LineageProblem:
    """Something about the lineage that is wrong or suspicious."""

    rule: str
    index: int
    """The index of the RUN_STARTED."""
    place: str
    """The JSON pointer from that event to what is wrong."""
    message: str
    is_error: bool = True
    """Whether verification rejects the log for it; otherwise it is a warning."""
    other: int | None = None
    """The index of the other event involved."""

    @property
    def at(self) -> str:
        """The JSON pointer from the log to what is wrong."""
        return f"/{self.index}{self.place}"


class Runs:
    """The runs so far. Memory grows with their number and the length of their ids."""

    __slots__ = ("_by_id", "_left_out", "_waiting", "rows")

    def __init__(self) -> None:
        """There is no run."""
        self.rows: list[RunRow] = []
        self._by_id: dict[str, int] = {}
        """The latest run of each id."""
        self._waiting: dict[str, list[int]] = {}
        """The runs that name a parent which has not been there yet, by the parent."""
        self._left_out: frozenset[str] = frozenset()
        """The runs that the first run names as left out."""

    def push(self, index: int, start: JsonEvent) -> list[LineageProblem]:
        """Adds the run that begins with the event of this index, and gives what is wrong now.

        A run that named this one before it was there is wrong from now on.
        """
        run_id, parent = start["runId"], parent_of(start)
        place = len(self.rows)
        problems: list[LineageProblem] = []
        if run_id in self._by_id:
            problems.append(self._reused(run_id, index))
        problems.extend(self._later(waiting, index) for waiting in self._waiting.pop(run_id, ()))
        is_self = parent == run_id
        named = None if parent is None or is_self else self._by_id.get(parent)
        before = place - 1 if place else None
        continues_left_out = named is None and parent in self._left_out
        if not place:
            self._left_out = frozenset(left_out_by(start))
        predecessor = before if named is None else named
        self.rows.append(RunRow(run_id, predecessor, parent, index, continues_left_out))
        is_known = parent in self._by_id
        self._by_id[run_id] = place
        if is_self:
            problems.append(self._later(place, index))
        elif parent is not None and not is_known:
            self._waiting.setdefault(parent, []).append(place)
        return problems

    def outside(self) -> list[LineageProblem]:
        """Gives the warnings for parents that the log does not hold, in the order of the log."""
        rows = [self.rows[place] for places in self._waiting.values() for place in places]
        return [_outside(row) for row in sorted(rows, key=lambda row: row.index)]

    def tips(self) -> list[str]:
        """Gives the ids of the runs from which no run continues."""
        followed = {row.predecessor for row in self.rows}
        return [row.run_id for place, row in enumerate(self.rows) if place not in followed]

    def first_after(self, place: int) -> int | None:
        """Gives the place of the first run that continues the one at this place."""
        after = range(place + 1, len(self.rows))
        return next((later for later in after if self.rows[later].predecessor == place), None)

    def place_of(self, run_id: str) -> int | None:
        """Gives the place of the run with this id; of several, the latest."""
        return self._by_id.get(run_id)

    def path_to(self, place: int) -> list[int]:
        """Gives the places of the runs from the first to this one, each the predecessor of the next."""
        path: list[int] = []
        next_place: int | None = place
        while next_place is not None:
            path.append(next_place)
            next_place = self.rows[next_place].predecessor
        path.reverse()
        return path

    def events_of(self, place: int, length: int) -> range:
        """Gives the indexes of a run's events, of `length` events in all: up to the next run.

        What is before the first run belongs to it.
        """
        start = self.rows[place].index if place else 0
        is_last = place + 1 == len(self.rows)
        return range(start, length if is_last else self.rows[place + 1].index)

    def _reused(self, run_id: str, index: int) -> LineageProblem:
        earlier = self.rows[self._by_id[run_id]]
        message = f"the log already holds a run `{earlier.run_id}`"
        return LineageProblem("lineage.run-reused", index, "/runId", message, other=earlier.index)

    def _later(self, place: int, other: int) -> LineageProblem:
        """The run at this place names itself, or a run that begins later, as its parent."""
        row = self.rows[place]
        what = "itself" if row.index == other else "the later run"
        message = f"run `{row.run_id}` names {what} `{row.parent_run_id}` as its parent"
        named = None if row.index == other else other
        rule = "lineage.self-or-later"
        return LineageProblem(rule, row.index, "/parentRunId", message, other=named)


def _outside(row: RunRow) -> LineageProblem:
    message = (
        f"the parent `{row.parent_run_id}` of run `{row.run_id}` is not in the log, so the run continues "
        "the run before it"
    )
    rule = "lineage.parent-outside"
    return LineageProblem(rule, row.index, "/parentRunId", message, is_error=False)


def runs_of(events: Iterable[JsonEvent]) -> Runs:
    """Gives the runs of a whole log."""
    runs = Runs()
    for index, event in enumerate(events):
        if event["type"] == "RUN_STARTED":
            runs.push(index, event)
    return runs
