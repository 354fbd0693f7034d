"""How the runs of a log continue each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..generated.models import Event
from .checkpoints import Checkpoints
from .plain import plain_events
from .remark import Remark
from .runs import LineageProblem, LineageRun


@dataclass(frozen=True)
class Lineage:
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
            "runs": [self._row(run) for run in self.runs],
            "tips": self.tips,
            "problems": [{"rule": problem.rule, "at": problem.at} for problem in self.problems],
        }

    def _row(self, run: LineageRun) -> dict[str, Any]:
        before = None if run.predecessor is None else self.runs[run.predecessor].run_id
        row: dict[str, Any] = {"runId": run.run_id, "predecessor": before}
        return row if run.parent_run_id is None else {**row, "parentRunId": run.parent_run_id}


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
    return Lineage(runs.rows, runs.tips(), problems)


def _conflict(remark: Remark) -> LineageProblem:
    return LineageProblem(remark.rule, remark.index, remark.place, remark.message, is_error=False)
