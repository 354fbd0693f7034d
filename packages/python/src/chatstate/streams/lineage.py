"""How the runs of a log continue each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..generated.models import Event
from .._runtime.whole import Answer, named_by_its_writer
from .checkpoints import Checkpoints
from .plain import plain_events
from .remark import Remark
from .runs import LineageProblem, Runs


@named_by_its_writer
@dataclass(frozen=True)
class LineageRun(Answer):
    """One run of a log."""

    run_id: str
    predecessor: str | None
    """The id of the run that it continues; the first run has none."""
    parent_run_id: str | None
    """The run that it names as its parent, whether or not that is in the log."""
    index: int
    """The index of its RUN_STARTED in the log."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        row: dict[str, Any] = {"runId": self.run_id, "predecessor": self.predecessor}
        return row if self.parent_run_id is None else {**row, "parentRunId": self.parent_run_id}


@named_by_its_writer
@dataclass(frozen=True)
class Lineage(Answer):
    """The runs of a log, with what each continues."""

    runs: list[LineageRun]
    """The runs in the order of the log."""
    tips: list[str]
    """The ids of the runs from which no run continues."""
    problems: list[LineageProblem]
    """What is wrong, in the order of the log."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        return {
            "runs": [run.to_value() for run in self.runs],
            "tips": self.tips,
            "problems": [{"rule": problem.rule, "at": problem.at} for problem in self.problems],
        }


def lineage_of(events: Iterable[Event | dict[str, Any]]) -> Lineage:
    """Works out the lineage of a log.

    Nothing is rejected: what is wrong is among the problems, and a parent that cannot be followed
    leaves the run just before as the predecessor.
    """
    remarks: list[Remark] = []
    checkpoints, problems = Checkpoints(remarks), list[LineageProblem]()
    for index, event in enumerate(plain_events(events)):
        problems += checkpoints.push(index, event)
    runs = checkpoints.runs
    problems += runs.outside()
    problems += [_conflict(remark) for remark in remarks if remark.rule == "lineage.conflict"]
    problems.sort(key=lambda problem: problem.index)
    return Lineage(_named(runs), runs.tips(), problems)


def _named(runs: Runs) -> list[LineageRun]:
    """Gives the runs with the ids of what they continue."""
    ids = [row.run_id for row in runs.rows]
    before = (None if row.predecessor is None else ids[row.predecessor] for row in runs.rows)
    return [
        LineageRun(row.run_id, predecessor, row.parent_run_id, row.index)
        for row, predecessor in zip(runs.rows, before, strict=True)
    ]


def _conflict(remark: Remark) -> LineageProblem:
    return LineageProblem(remark.rule, remark.index, remark.place, remark.message, is_error=False)
