"""The ends of the branches, and what they need."""

from __future__ import annotations

from ..checkpoints import Ends
from ..kinds import JsonEvent
from ..thread import Thread
from .form import FinishedRun, events_of, frame, said_anew, said_whole


def finished_tips(
    runs: list[FinishedRun], ends: Ends, retained: int | None, *, is_partial: bool
) -> list[JsonEvent]:
    """Gives the events of all runs.

    Retained are the last run of every branch, every run where branches part, the run that an unfinished
    one continues, and runs with events that the caller keeps. A retained run right after another one
    says what it adds to that. All others say the whole path, since runs before them go; where snapshots
    cannot say it, the runs back to one that they can say are retained, too.
    """
    decision = _Decision(runs, ends, is_partial=is_partial)
    for place in _wanted(runs, retained, is_partial=is_partial):
        decision.retain(place)
    events: list[JsonEvent] = []
    for run, said in zip(runs, decision.said, strict=True):
        events += frame(run) if said is None else said
        events += run.after
    return events


def _wanted(runs: list[FinishedRun], retained: int | None, *, is_partial: bool) -> list[int]:
    """Gives the runs that are retained for their own sake. What was removed before stays so."""
    followers = [0] * len(runs)
    for run in runs:
        if run.predecessor is not None:
            followers[run.predecessor] += 1
    return [
        place
        for place, run in enumerate(runs)
        if not run.is_removed
        and (
            is_partial
            or place == retained
            or followers[place] != 1
            or any(placed.is_kept for placed in run.events)
        )
    ]


class _Decision:
    """Decides about the runs, the earlier ones first, since a later one continues them."""

    def __init__(self, runs: list[FinishedRun], ends: Ends, *, is_partial: bool) -> None:
        """No run is retained yet."""
        self._runs = runs
        self._ends = ends
        self._is_partial = is_partial
        self.said: list[list[JsonEvent] | None] = [None] * len(runs)
        """What is said of each run; None of those of which only the frame stays."""

    def retain(self, place: int) -> None:
        """Retains a run, and the runs before it that it needs.

        The first run of a chain after a retained one never says the whole path: that one may be
        retained for its sake or for its own, and the run reads the same either way.
        """
        chain = self._chain_to(place)
        before = self._runs[chain[0]].predecessor
        base = Thread() if before is None else self._ends.thread(before)
        rest = 0
        if not self._is_partial:
            for position in range(len(chain) - 1, -1 if before is None else 0, -1):
                run = chain[position]
                said = said_whole(self._runs[run], self._ends.at(run), base)
                if said is not None:
                    self.said[run] = said
                    rest = position + 1
                    break
        for run in chain[rest:]:
            self.said[run] = self._as_follower(run)

    def _as_follower(self, place: int) -> list[JsonEvent] | None:
        """Gives a run whose predecessor is retained, too."""
        run = self._runs[place]
        if run.is_removed:
            return None
        if self._is_partial:
            return events_of(run.events)
        return said_anew(run, self._ends.at(place))

    def _chain_to(self, place: int) -> list[int]:
        """Gives the run and those before it, the first one first, up to one that is retained already."""
        chain = [place]
        before = self._runs[place].predecessor
        while before is not None and self.said[before] is None:
            chain.append(before)
            before = self._runs[before].predecessor
        chain.reverse()
        return chain
